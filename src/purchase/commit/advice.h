// CommitAdvice: what to commit to for one flavor, with what it saves, strands and risks.
//
// The measured hours are taken for those of the months to come. Existing commitments are used
// first, each until it expires. The fifth percentile of hourly use stands beside the optimum as
// the common rule of thumb; it is not what is recommended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/commitment.h"
#include "purchase/commit/ladder.h"
#include "purchase/commit/scenario.h"
#include "purchase/commit/unit_replay.h"

namespace plimsoll {

struct CommitOptions {
  Instant start;                     // when the purchase is made
  std::int64_t step = 1;             // units are sold by so many
  std::int64_t cost_of_capital = 0;  // a year, billionths
  Duration recent = Days(30);        // the shorter horizon that is looked at too
  bool cautious = false;             // take the lower of both horizons
  // In place of the optimum: the most units of the cheapest offer that are used so much, or the
  // fewest that cover so much. Billionths.
  std::optional<std::int64_t> target_utilization, target_coverage;
  std::vector<Scenario> scenarios;
  std::int64_t ladder = 0;  // months; 0: none
};

// One offer by itself.
struct OfferAdvice {
  std::string name;
  std::int64_t months = 0;
  Money hourly;                 // of a unit, its upfront spread
  std::int64_t break_even = 0;  // hourly / on demand, billionths: used less than that it loses
  std::int64_t units = 0;       // the optimum of this offer
  UnitReplay replay;            // with existing commitments and these units
};

struct CommitAdvice {
  std::string flavor;
  Money on_demand;
  std::int64_t hours = 0;
  std::int64_t used_max = 0, used_p5 = 0;    // unit-milliseconds in an hour
  std::int64_t existing_units = 0;           // in force at the start
  std::vector<OfferAdvice> alone;            // in the order of the offers
  std::vector<UnitOffer> offers;             // the same
  std::vector<UnitPurchase> purchases;       // months count from the start
  std::int64_t units = 0;                    // to buy now
  std::int64_t units_long = 0;               // by all hours
  std::optional<std::int64_t> units_recent;  // by the recent ones; null if there are no others
  UnitReplay before, after;                  // with existing commitments; and with what to buy now
  std::optional<std::int64_t> utilization;   // of what to buy now, billionths
  Money stranded;                            // of what to buy now, in the measured hours
  std::optional<std::int64_t> break_even_price_cut;
  std::vector<ScenarioOutcome> scenarios;  // as options.scenarios
  std::vector<LadderRung> ladder;          // of the first purchase now
};

// Offers that have no price for the flavor, or are of money, are left out of it; existing
// commitments of other flavors too. Fails as BestPurchases and LadderOf do, naming the flavor.
Result<CommitAdvice> Advise(const HourlyUsage& usage, Money on_demand,
                            std::span<const CommitmentOffer> offers,
                            std::span<const ExistingCommitment> existing,
                            const CommitOptions& options);

}  // namespace plimsoll
