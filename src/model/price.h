// Prices: money per block of a unit, with source and validity. Kept, never divided out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// Where a cost came from, best first. Stored as text with every asset cost.
inline constexpr const char* kRungBilled = "billed";
inline constexpr const char* kRungContracted = "contracted";
inline constexpr const char* kRungSpotHistory = "spot-history";
inline constexpr const char* kRungList = "list";
inline constexpr const char* kRungNone = "none";  // a finding with its hours, never zero cost

// One price of one instance (or GPU, TPU chip) for a purchase option and validity interval.
struct PriceBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::string> provider;       // aws, gcp, azure, on-prem, or a provider's name
  std::vector<std::string> region;         // "" is any region
  std::vector<std::string> instance_type;  // "p5.48xlarge"; for on-prem a node pool's name
  std::vector<std::string> purchase;       // on-demand, spot, reserved-1y, reserved-3y, owned
  std::vector<std::string> rung;           // kRungContracted, kRungSpotHistory, kRungList
  std::vector<std::string> currency;       // ISO 4217
  std::vector<Money> amount;               // for one block
  std::vector<std::int64_t> per_seconds;   // the block: 3600 is an hour
  std::vector<Instant> valid_from;
  std::vector<std::optional<Instant>> valid_until;
  std::vector<std::string> source;  // where the figure is published
  std::vector<std::string> as_of;   // date on which it was read: "2026-07-20"

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &PriceBatch::snapshot_id),
      MakeColumn("provider", &PriceBatch::provider),
      MakeColumn("region", &PriceBatch::region),
      MakeColumn("instance_type", &PriceBatch::instance_type),
      MakeColumn("purchase", &PriceBatch::purchase),
      MakeColumn("rung", &PriceBatch::rung),
      MakeColumn("currency", &PriceBatch::currency),
      MakeColumn("amount", &PriceBatch::amount),
      MakeColumn("per_seconds", &PriceBatch::per_seconds),
      MakeColumn("valid_from", &PriceBatch::valid_from),
      MakeColumn("valid_until", &PriceBatch::valid_until),
      MakeColumn("source", &PriceBatch::source),
      MakeColumn("as_of", &PriceBatch::as_of),
  };
};

}  // namespace plimsoll
