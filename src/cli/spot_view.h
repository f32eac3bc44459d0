// SpotView: a plan for a run on spot, as an answer for people and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "cli/table.h"
#include "purchase/spot/spot_plan.h"

namespace plimsoll {

struct SpotView {
  SpotQuestion question;  // as it was asked
  SpotPlan plan;
  std::optional<std::int64_t> gpus;  // of one node
};

// Figures of the run on spot only, tables of all policies. Names are those of
// docs/formats/output.md.
Answer SpotAnswer(const SpotView& view);

// "45m43s": rounded to seconds from a minute on, to minutes from ten hours on.
std::string ShortSpan(Duration span);

}  // namespace plimsoll
