#include "purchase/spot/trace_optimum.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

constexpr std::int64_t kGap = 600'000;

std::int64_t Below(std::mt19937& random, std::int64_t n) {
  return static_cast<std::int64_t>(random()) % n;
}

enum Kind { kIdle, kOnSpot, kOnDemand };

// Every sequence of kinds, each walked tick by tick: the cost in price-ticks of the cheapest that
// does the work in `ticks`, or -1. Written from the rules, not from the search.
std::int64_t TryAll(const TraceJob& job, const std::vector<std::uint8_t>& up, std::int64_t ticks) {
  const std::int64_t od = static_cast<std::int64_t>(job.on_demand.nanos());
  const std::int64_t spot = static_cast<std::int64_t>(job.spot.nanos());
  std::int64_t best = -1, sequences = 1;
  for (std::int64_t i = 0; i < ticks; ++i) sequences *= 3;
  for (std::int64_t code = 0; code < sequences; ++code) {
    std::int64_t rest = code, work = 0, pending = 0, cost = 0;
    int now = kIdle;
    bool possible = true;
    for (std::int64_t t = 0; t < ticks && possible && work < job.work.base(); ++t, rest /= 3) {
      const bool there = up[static_cast<std::size_t>(t)] != 0;
      if (now == kOnSpot && !there) now = kIdle;
      const int want = static_cast<int>(rest % 3);
      if (want == kOnSpot && !there) possible = false;
      if (want != now && want != kIdle) pending = job.restart.base();
      now = want;
      if (want == kIdle) continue;
      cost += want == kOnSpot ? spot : od;
      const std::int64_t lost = std::min(pending, kGap);
      pending -= lost;
      work += kGap - lost;
    }
    if (possible && work >= job.work.base() && (best < 0 || cost < best)) best = cost;
  }
  return best;
}

TraceJob SmallJob(std::int64_t work_minutes, std::int64_t ticks, std::int64_t restart_minutes) {
  TraceJob job;
  job.work = Minutes(work_minutes);
  job.deadline = Millis(ticks * kGap);
  job.restart = Minutes(restart_minutes);
  job.on_demand = *Money::Parse("3.06");
  job.spot = *Money::Parse("0.9731");
  return job;
}

TEST(TraceOptimumTest, EqualsTheCheapestOfAllSequences) {
  std::mt19937 random(20230105);
  for (int round = 0; round < 120; ++round) {
    const std::int64_t ticks = 3 + Below(random, 6);
    std::vector<std::uint8_t> up;
    for (std::int64_t t = 0; t < ticks; ++t) up.push_back(random() % 3 > 0 ? 1 : 0);
    const TraceJob job = SmallJob(5 + Below(random, 10 * ticks), ticks, Below(random, 25));
    const std::int64_t naive = TryAll(job, up, ticks);
    const auto best = TraceOptimum(job, {Millis(kGap), up}, {});
    ASSERT_EQ(best.has_value(), naive >= 0) << "round " << round;
    if (!best) continue;
    EXPECT_EQ(best->cost, CostOfTicks(Money::FromNanos(naive), Millis(kGap))) << "round " << round;
    EXPECT_LE(best->finished, job.deadline);
    EXPECT_TRUE(best->done);
  }
}

TEST(TraceOptimumTest, PublishedVariantPaysARestartForWaitingFirst) {
  // Spot comes at tick 1; three ticks with a restart of half a tick do 25 minutes of work.
  const std::vector<std::uint8_t> up{0, 1, 1, 1, 1};
  const TraceJob job = SmallJob(25, 5, 5);
  const SpotSeries series{Millis(kGap), up};
  EXPECT_EQ(TraceOptimum(job, series, {})->spot_time, Minutes(30));
  EXPECT_EQ(TraceOptimum(job, series, {true})->spot_time, Minutes(40)) << "two restarts";
  // 35 minutes need all four ticks of spot; a second restart leaves 30 of them.
  const TraceJob more = SmallJob(35, 5, 5);
  EXPECT_EQ(TraceOptimum(more, series, {})->cost,
            CostOfTicks(Money::FromNanos(4 * more.spot.nanos()), Millis(kGap)));
  EXPECT_GT(TraceOptimum(more, series, {true})->cost, TraceOptimum(more, series, {})->cost);
  // What holds a machine in tick 0 pays no restart twice.
  const std::vector<std::uint8_t> always{1, 1, 1, 1, 1};
  EXPECT_EQ(TraceOptimum(job, {Millis(kGap), always}, {true})->spot_time, Minutes(30));
}

TEST(TraceOptimumTest, NothingIsTheAnswerWhereNoWayIsInTime) {
  const std::vector<std::uint8_t> up{1, 1, 1};
  EXPECT_FALSE(TraceOptimum(SmallJob(30, 3, 1), {Millis(kGap), up}, {}));
  EXPECT_TRUE(TraceOptimum(SmallJob(30, 3, 0), {Millis(kGap), up}, {}));
  EXPECT_FALSE(TraceOptimum(SmallJob(30, 9, 1), {Millis(kGap), up}, {})) << "the trace ends";
}

TEST(TraceOptimumTest, PricesOfTicksMoveTheWorkToTheCheapOnes) {
  const std::vector<std::uint8_t> up{1, 1, 1, 1};
  const std::vector<Money> prices{Money::Units(5), Money::Units(1), Money::Units(1),
                                  Money::Units(5)};
  const auto best = TraceOptimum(SmallJob(20, 4, 0), {Millis(kGap), up, prices}, {});
  ASSERT_TRUE(best);
  EXPECT_EQ(best->cost, CostOfTicks(Money::Units(2), Millis(kGap)));
  EXPECT_EQ(best->finished, Minutes(30));
}

}  // namespace
}  // namespace plimsoll
