#include "purchase/sku/sku_price.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "catalog/provider.h"

namespace plimsoll {
namespace {

std::string KeyOf(std::string_view provider, std::string_view type) {
  return CanonicalProvider(provider) + "/" + LowerCase(type);
}

// Rounded up to the next nano: a share is never cheaper than what is paid.
Money Share(Money amount, std::int64_t per_seconds, std::int64_t instances, std::int64_t replicas) {
  const int128 over = amount.nanos() * 3'600 * instances;
  const int128 under = int128{per_seconds} * replicas;
  return Money::FromNanos((over + under - 1) / under);
}

}  // namespace

SkuPrices::SkuPrices(const Catalog& catalog, std::vector<const PriceBatch*> batches,
                     SkuPriceOptions options)
    : catalog_(catalog), options_(std::move(options)), book_(batches) {
  for (const PriceBatch* const batch : batches) {
    for (std::size_t row = 0; row < RowsOf(*batch); ++row) {
      std::vector<std::string>& regions =
          regions_[KeyOf(batch->provider[row], batch->instance_type[row])];
      const std::string& region = batch->region[row];
      if (std::find(regions.begin(), regions.end(), region) == regions.end()) {
        regions.push_back(region);
      }
    }
  }
  for (auto& [key, regions] : regions_) std::sort(regions.begin(), regions.end());
}

std::optional<Money> SkuPrices::PerReplica(const PriceQuery& query, const SkuPrice& of) const {
  const std::optional<PriceMatch> match = book_.Find(query, options_.at);
  if (!match || match->fallback || match->purchase != query.purchase) return std::nullopt;
  return Share(match->amount, match->per_seconds, of.instances, of.replicas_per_instance);
}

std::optional<SkuPrice> SkuPrices::OfInstance(const InstanceShape& shape, std::string_view region,
                                              ParallelLayout layout) const {
  if (shape.gpu_den != 1 || shape.cpu_milli == 0) return std::nullopt;
  const std::int64_t gpus = shape.gpu_num;
  SkuPrice price;
  price.provider = shape.provider;
  price.region = region;
  price.instance_type = shape.instance_type;
  if (gpus >= layout.gpus()) {
    price.replicas_per_instance = gpus / layout.gpus();
  } else if (gpus == layout.tensor) {
    price.instances = layout.pipeline;
  } else {
    return std::nullopt;
  }
  PriceQuery query{.provider = shape.provider,
                   .region = region,
                   .instance_type = shape.instance_type,
                   .purchase = "on-demand",
                   .currency = options_.currency};
  const std::optional<PriceMatch> list = book_.Find(query, options_.at);
  price.on_demand = PerReplica(query, price);
  if (!price.on_demand || !list) return std::nullopt;
  price.source = list->source;
  price.as_of = list->as_of;
  query.purchase = "spot";
  price.spot = PerReplica(query, price);
  for (const char* const term : {"reserved-1y", "reserved-3y"}) {
    query.purchase = term;
    const std::optional<Money> reserved = PerReplica(query, price);
    if (!reserved || (price.reserved && *price.reserved <= *reserved)) continue;
    price.reserved = reserved;
    price.reserved_term = term;
  }
  return price;
}

std::optional<SkuPrice> SkuPrices::Cheapest(const GpuModel& gpu, ParallelLayout layout) const {
  const auto own = options_.gpu_price.find(gpu.name);
  if (own != options_.gpu_price.end()) {
    SkuPrice price;
    price.provider = "own";
    price.on_demand = Money::FromNanos(own->second.nanos() * layout.gpus());
    price.source = "given by hand";
    return price;
  }
  std::optional<SkuPrice> best;
  for (const InstanceShape& shape : catalog_.shapes()) {
    if (shape.gpu_model != gpu.name) continue;
    if (!options_.provider.empty() && CanonicalProvider(options_.provider) != shape.provider) {
      continue;
    }
    const auto regions = regions_.find(KeyOf(shape.provider, shape.instance_type));
    if (regions == regions_.end()) continue;
    for (const std::string& region : regions->second) {
      if (!options_.region.empty() && !region.empty() &&
          CanonicalRegion(options_.region) != CanonicalRegion(region)) {
        continue;
      }
      std::optional<SkuPrice> price = OfInstance(shape, region, layout);
      if (!price) continue;
      const auto rank = [](const SkuPrice& of) {
        return std::tie(*of.on_demand, of.provider, of.region, of.instance_type);
      };
      if (!best || rank(*price) < rank(*best)) best = std::move(price);
    }
  }
  return best;
}

}  // namespace plimsoll
