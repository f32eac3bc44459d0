// CommitView: what to commit to, as an answer for people and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "ingest/trace/usage_csv.h"
#include "purchase/commit/advice.h"
#include "purchase/commit/capacity_block.h"
#include "purchase/commit/spend_advice.h"

namespace plimsoll {

// A commitment of money by itself, or for what units leave.
struct SpendChoice {
  SpendAdvice advice;
  bool after_units = false;
  Money saving;  // of the whole: of the units before it too
};

struct CommitView {
  UsageReading usage;                 // of `flavors`, in their order
  std::vector<CommitAdvice> flavors;  // units
  std::vector<SpendChoice> spends;    // money
  // The choice that saves most: units alone if null.
  std::optional<std::size_t> chosen;
  std::vector<Scenario> scenarios;
  std::vector<ExistingCommitment> existing;
  Instant start;
  std::string currency;
  bool missing_is_zero = false;
  bool cautious = false;
  bool for_people = false;  // tables fit 80 columns: the other formats have every column
};

Answer CommitAnswer(const CommitView& view);

// A capacity block's terms.
Answer BlockAnswer(const CapacityBlock& block, const CapacityBlockTerms& terms,
                   const std::string& currency);

}  // namespace plimsoll
