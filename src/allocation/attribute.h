// Attribute: who pays for a workload or a charge, from its labels or tags (rule S14).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/attribution.h"

namespace plimsoll {

// Why a team is unknown. Stored as text in AllocationWorkloadBatch::reason.
inline constexpr const char* kReasonNoLabel = "no-label";
inline constexpr const char* kReasonUnknownValue = "unknown-value";
inline constexpr const char* kReasonNoOwner = "no-owner";
inline constexpr const char* kReasonNoTelemetry = "no-telemetry";

struct Attribution {
  std::string team{}, environment{}, workload_type{}, model{}, cost_center{};
  std::string reason{};  // "" if the team is known
};

// The key with every character but letters and digits as '_': how label keys are compared.
std::string NormalizedLabelKey(std::string_view key);
// A JSON object of labels by normalized key; none if it is no object. Of two keys that become
// one, the first in key order wins.
std::map<std::string, std::string> NormalizedLabels(std::string_view json);

// True if `text` is the pattern, or begins with what stands before its final '*'.
bool MatchesPattern(std::string_view pattern, std::string_view text);

class Attributor {
 public:
  struct Subject {
    std::string_view labels{};    // JSON object; anything else is no labels
    std::string_view ns{};        // Kubernetes namespace, or ""
    std::string_view account{};   // Slurm account, or a charge's sub-account; or ""
    bool is_slurm = false;        // an account without an owner is then "no-owner"
    std::string_view user{};      // Slurm user, or ""
    std::string_view resource{};  // id of a charge's resource, or ""
  };

  // With the rules that hold at `at`: a day's lines are attributed by the rules of its begin.
  explicit Attributor(const AttributionRules& rules, Instant at = {});

  // A label's value counts if it is not empty and, where values are registered, one of them.
  // The team is the label's; else the first fallback's whose namespace and account, as far
  // as given, are the subject's (user and resource likewise); a value that is not registered is
  // never replaced.
  Attribution Of(const Subject& subject);

 private:
  using Values = std::array<std::string, kDimensionCount>;
  const Values& ValuesOf(std::string_view labels);
  const std::string& Mapped(Dimension dimension, const std::string& value) const;

  AttributionRules rules_;                         // keys normalized
  std::unordered_map<std::string, Values> cache_;  // by labels text
};

}  // namespace plimsoll
