// SpotSide: whether a workload may be on spot at all, on what flavor, and what it costs there.
//
// Rules come before prices: a latency-critical service is never on spot; an interactive one only
// above an on-demand floor; a long run only with checkpoints; a run with a deadline only if it is
// met as likely as asked. A price that is not known is left out, never 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "purchase/mix/workload.h"
#include "purchase/spot/spot_load.h"
#include "purchase/spot/spot_plan.h"

namespace plimsoll {

struct SpotRules {
  std::int64_t on_time_ppb = 950'000'000;  // how likely a deadline must be met
  // A run without checkpoints longer than this part of its MTBF is not for spot: at a quarter
  // 22 % of its runs begin again.
  std::int64_t long_run_ppb = 250'000'000;
  SpotSampling sampling;
};

// What was looked at and not taken.
struct MixRejection {
  std::string workload, option, why;
  std::optional<Money> cost;  // a month, where it is known
};

struct SpotSide {
  const MixFlavor* flavor = nullptr;  // null: never on spot
  // Of a run; the policy is spot only or with a fallback near the deadline.
  std::optional<SpotPlan> plan;
  SpotPolicy policy = SpotPolicy::kSpotOnly;
  // Of instances.
  std::optional<SpotLoadCost> load;
  std::vector<MixRejection> rejected;

  // Of one run, or of one useful instance-hour. REQUIRES: flavor
  Money cost() const;
};

// The cheapest flavor that is allowed. REQUIRES: own.on_demand
// Fails as PlanSpot does, naming the workload.
Result<SpotSide> SpotSideOf(const MixWorkload& workload, const MixFlavor& own,
                            std::span<const MixFlavor> flavors, const SpotRules& rules);

// What a run costs beyond its instances if it is late by so much.
Money PenaltyOf(const MixWorkload& workload, Duration finished);

// "12.3 %", "4.57": for sentences.
std::string PercentOf(std::int64_t ppb);
std::string AmountOf(Money money);
std::string HoursOf(Duration duration);

}  // namespace plimsoll
