// Attribution rules: how labels name who pays. Data only; allocation applies them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

// The five dimensions of the label standard, in the order of AttributionRules::dimensions.
enum class Dimension : unsigned char {
  kTeam,
  kEnvironment,
  kWorkloadType,
  kModel,
  kCostCenter,
};
inline constexpr std::size_t kDimensionCount = 5;
inline constexpr const char* kDimensionNames[kDimensionCount] = {
    "team", "environment", "workload_type", "model", "cost_center"};

struct DimensionRule {
  // Label keys, first found wins. Compared after normalization: every character outside
  // [a-zA-Z0-9] becomes '_', case is kept ("app.kubernetes.io/name" = "app_kubernetes_io_name").
  std::vector<std::string> keys;
  // Registered values; empty accepts any. A value outside the list is "unknown-value".
  std::vector<std::string> values;
};

// When labels name no team: what the namespace or the Slurm account stands for.
struct OwnerFallback {
  std::string ns;       // exact namespace, or ""
  std::string account;  // exact Slurm account, or ""
  std::string team;
  std::string cost_center;  // may be ""
};

struct AttributionRules {
  DimensionRule dimensions[kDimensionCount];
  std::vector<OwnerFallback> fallbacks;
};

// Keys of the label standard under any prefix: platform.example.com/team, team, ...
AttributionRules DefaultAttributionRules();

}  // namespace plimsoll
