// Attribution rules: how labels name who pays. Data only; allocation applies them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "units/time.h"

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

// When a rule holds: from `since` on, before `until`. So a rename keeps what was before it.
struct RuleTime {
  std::optional<Instant> since, until;

  bool holds_at(Instant t) const { return (!since || *since <= t) && (!until || t < *until); }
};

// When labels name no team: what the namespace, the Slurm account, the user or a billed
// resource stands for. All that are given must match; a resource may end in '*'.
struct OwnerFallback {
  std::string ns;       // exact namespace, or ""
  std::string account;  // exact Slurm account, or a charge's sub-account, or ""
  std::string team;
  std::string cost_center{};  // may be ""
  std::string user{};         // exact Slurm user, or ""
  std::string resource{};     // id of a charge's resource ("arn:aws:s3:::ckpt-*"), or ""
  RuleTime time{};
};

// A label's value that means another: aliases, typing variants, renamed teams.
struct ValueMapping {
  Dimension dimension = Dimension::kTeam;
  std::string from;  // the value, or the head of it before a '*'
  std::string to;
  RuleTime time{};
};

struct AttributionRules {
  DimensionRule dimensions[kDimensionCount];
  std::vector<OwnerFallback> fallbacks;
  std::vector<ValueMapping> mappings;  // applied once, before values are checked; first wins
};

// Keys of the label standard under any prefix: platform.example.com/team, team, ...
AttributionRules DefaultAttributionRules();

}  // namespace plimsoll
