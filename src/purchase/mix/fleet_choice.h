// FleetChoice: which runs of one flavor go to spot and how many units to commit to, together, at
// the least cost.
//
// What cannot be on spot and runs kept off it take commitments first, hour by hour; then load
// that may be anywhere takes what is left, which costs nothing more, dearest elsewhere first; the
// rest is on demand or where it is cheaper. Given the runs, the cost is convex in the units and
// their number is found exactly; over the runs it is branch and bound, whose bound lets undecided
// runs be split by the hour. Ties go to fewer units and to no spot. All comparisons are of
// integers (tests/property/mix_property_test.cc holds it against all combinations).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "units/money.h"

namespace plimsoll {

using HourlyUnits = std::vector<std::int64_t>;  // unit-milliseconds, all of the same length

// All of it on spot or none.
struct FleetRun {
  HourlyUnits used;  // off spot
  Money extra;       // a month off spot besides the instances: deadline penalties
  Money spot;        // a month on spot, all in
};

// Divided by the unit and the hour.
struct FleetLoad {
  HourlyUnits used;
  Money elsewhere;  // of a unit-hour outside the commitments: spot all in, or on demand
};

struct FleetQuestion {
  HourlyUnits fixed;  // off spot whatever it costs; its length is the hours
  std::vector<FleetRun> runs;
  std::vector<FleetLoad> loads;
  Money on_demand;                  // of a unit-hour
  std::int64_t existing = 0;        // units in force; their cost is the same in every plan
  std::optional<Money> committed;   // of a unit a month of 730 hours; null: nothing is offered
  std::int64_t nodes_max = 20'000;  // of the search
};

struct FleetChoice {
  std::vector<bool> on_spot;  // of each run
  std::int64_t units = 0;     // to commit to
  Money cost;                 // a month, without existing commitments; rounded once
  Money cost_least;           // no plan costs less; = cost if proven
  bool proven = true;         // the optimum; false: the search was cut off
};

// REQUIRES: all hours alike in number, at least one; no amount or use is negative
FleetChoice ChooseFleet(const FleetQuestion& question);

// Of one choice of runs and its best units; of given units. What a property test compares.
struct FleetCost {
  std::int64_t units = 0;
  Money cost;
};
FleetCost CostOfFleet(const FleetQuestion& question, const std::vector<bool>& on_spot,
                      std::optional<std::int64_t> units = std::nullopt);

}  // namespace plimsoll
