// CommitNotes: the sentences of an answer on commitments: what to do first, and what a reader must
// know of the figures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cli/commit_view.h"

namespace plimsoll {

struct CommitHeadline {
  Money cost, cost_on_demand;
  std::optional<std::int64_t> coverage;     // of all use, by its on-demand value
  std::optional<std::int64_t> utilization;  // of what is to be bought
};

// What to buy, and what it saves.
void AddLines(const CommitView& view, const CommitHeadline& headline, Answer& answer);

// Hours that are missing, short histories, falling use, idle commitments, what a price cut does.
void AddNotes(const CommitView& view, Answer& answer);

// Existing commitments in force whose flavor nothing in the usage has: all of them is idle.
std::vector<ExistingCommitment> UnmatchedExisting(const CommitView& view);

}  // namespace plimsoll
