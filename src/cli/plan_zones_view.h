// PlanZonesView: pools of spot capacity, ranked by how long they last, as an answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/table.h"
#include "purchase/spot/fit_pool.h"

namespace plimsoll {

struct PlanZonesView {
  std::string currency;
  Duration interval, run;
  std::vector<PoolEvidence> evidence;  // best first
  std::vector<PoolFigures> figures;    // of each
  std::vector<SpotAdvice> advice;
  std::vector<std::string> notes;
};

// `zones` is the ranking, with price as its last column; `uptime`, `survival` and `fits` are what
// it comes from; `advisor` is the provider's own statistic (docs/formats/output.md).
Answer PlanZonesAnswer(const PlanZonesView& view);

}  // namespace plimsoll
