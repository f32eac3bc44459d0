// SkuPrices: what the GPUs of one replica cost an hour, from price lists of whole instances.
//
// An instance with more GPUs than a replica takes carries as many replicas as fit; what is left
// over is paid by those. Prices are never mixed: on demand, reserved and spot are of the same
// instance type, provider and region.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/price_book.h"
#include "purchase/sku/memory_plan.h"
#include "units/time.h"

namespace plimsoll {

struct SkuPriceOptions {
  Instant at;
  std::string currency = "USD";
  std::string provider, region;            // "" is any
  std::map<std::string, Money> gpu_price;  // own price of one GPU-hour, by the catalog's name
};

// Of one replica for an hour.
struct SkuPrice {
  std::string provider, region, instance_type;  // provider "own" for a price given by hand
  std::int64_t instances = 1;                   // that the replica spans: pipeline stages
  std::int64_t replicas_per_instance = 1;       // that share one instance, if it spans one
  std::optional<Money> on_demand, reserved, spot;
  std::string reserved_term;  // reserved-1y, reserved-3y; the cheaper one
  std::string source, as_of;  // of the on-demand price
};

class SkuPrices {
 public:
  // Batches in order of precedence, lowest first. Every batch and the catalog outlive this.
  SkuPrices(const Catalog& catalog, std::vector<const PriceBatch*> batches,
            SkuPriceOptions options);

  // The offer with the lowest on-demand price; null if no list has one. Of equal prices the
  // first by provider, region and type. Accelerators priced without a host are not offers.
  std::optional<SkuPrice> Cheapest(const GpuModel& gpu, ParallelLayout layout) const;

 private:
  std::optional<SkuPrice> OfInstance(const InstanceShape& shape, std::string_view region,
                                     ParallelLayout layout) const;
  std::optional<Money> PerReplica(const PriceQuery& query, const SkuPrice& of) const;

  const Catalog& catalog_;
  SkuPriceOptions options_;
  PriceBook book_;
  std::map<std::string, std::vector<std::string>> regions_;  // by "provider/type"
};

}  // namespace plimsoll
