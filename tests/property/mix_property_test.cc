// The choice of runs and units for one flavor is no dearer than any combination, as a plain count
// hour by hour has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "model/commitment.h"
#include "purchase/mix/fleet_choice.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kHours = 8;

std::int64_t Roll(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

HourlyUnits RandomUse(std::mt19937_64& random, std::int64_t most) {
  HourlyUnits used(kHours, 0);
  for (std::int64_t& hour : used) hour = Roll(random, 0, 2 * most) * kUnitHour / 2;
  return used;
}

Money Cents(std::int64_t cents) { return Money::FromNanos(int128{cents} * 10'000'000); }

FleetQuestion RandomQuestion(std::mt19937_64& random) {
  FleetQuestion question;
  question.fixed = RandomUse(random, 3);
  question.on_demand = Cents(Roll(random, 50, 200));
  question.existing = Roll(random, 0, 2);
  if (Roll(random, 0, 4) > 0) question.committed = Cents(Roll(random, 20, 150) * 730);
  for (std::int64_t i = Roll(random, 0, 5); i > 0; --i) {
    FleetRun run{RandomUse(random, 2), Cents(Roll(random, 0, 1) * 5'000), {}};
    run.spot = Cents(Roll(random, 0, 2 * 730) * 100);
    question.runs.push_back(std::move(run));
  }
  for (std::int64_t i = Roll(random, 0, 2); i > 0; --i) {
    question.loads.push_back({RandomUse(random, 2), Cents(Roll(random, 10, 220))});
  }
  return question;
}

// Unit-milliseconds one after another: what is left of the units goes to the dearest.
Money NaiveCost(const FleetQuestion& question, std::uint64_t on_spot, std::int64_t units) {
  int128 nanos_ms = 0;
  Money fixed;
  for (std::size_t i = 0; i < question.runs.size(); ++i) {
    fixed += (on_spot >> i & 1) != 0 ? question.runs[i].spot : question.runs[i].extra;
  }
  if (question.committed) fixed += Money::FromNanos(question.committed->nanos() * units);
  for (std::size_t h = 0; h < kHours; ++h) {
    std::int64_t must = question.fixed[h];
    for (std::size_t i = 0; i < question.runs.size(); ++i) {
      if ((on_spot >> i & 1) == 0) must += question.runs[i].used[h];
    }
    std::int64_t left = (question.existing + units) * kUnitHour;
    std::vector<std::pair<Money, std::int64_t>> wants{{question.on_demand, must}};
    for (const FleetLoad& load : question.loads) {
      wants.emplace_back(std::min(load.elsewhere, question.on_demand), load.used[h]);
    }
    std::sort(wants.rbegin(), wants.rend());
    for (const auto& [price, used] : wants) {
      const std::int64_t covered = std::min(left, used);
      left -= covered;
      nanos_ms += (used - covered) * price.nanos();
    }
  }
  return fixed + Money::FromNanos(DivideHalfEven(nanos_ms * 730, kHours * kUnitHour));
}

TEST(MixPropertyTest, NoCombinationOfRunsAndUnitsIsCheaper) {
  const std::uint64_t seed = 20'261'201;
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 1'500; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " round " + std::to_string(round));
    const FleetQuestion question = RandomQuestion(random);
    const FleetChoice choice = ChooseFleet(question);
    ASSERT_TRUE(choice.proven);
    Money best = NaiveCost(question, 0, 0);
    for (std::uint64_t runs = 0; runs < 1ull << question.runs.size(); ++runs) {
      for (std::int64_t units = 0; units <= (question.committed ? 18 : 0); ++units) {
        best = std::min(best, NaiveCost(question, runs, units));
      }
    }
    ASSERT_EQ(choice.cost, best);
    std::uint64_t chosen = 0;
    for (std::size_t i = 0; i < choice.on_spot.size(); ++i) {
      if (choice.on_spot[i]) chosen |= 1ull << i;
    }
    ASSERT_EQ(NaiveCost(question, chosen, choice.units), best);
  }
}

TEST(MixPropertyTest, ASearchCutOffBoundsTheOptimum) {
  const std::uint64_t seed = 20'261'202;
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " round " + std::to_string(round));
    FleetQuestion question = RandomQuestion(random);
    const FleetChoice best = ChooseFleet(question);
    question.nodes_max = Roll(random, 0, 6);
    const FleetChoice cut = ChooseFleet(question);
    ASSERT_LE(cut.cost_least, best.cost);
    ASSERT_LE(best.cost, cut.cost);
    if (cut.proven) {
      ASSERT_EQ(cut.cost, best.cost);
    }
  }
}

}  // namespace
}  // namespace plimsoll
