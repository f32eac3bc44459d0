#include "purchase/spot/trace_policy.h"

#include <gtest/gtest.h>

#include <random>

#include "purchase/spot/trace_optimum.h"
#include "purchase/spot/trace_replay.h"

namespace plimsoll {
namespace {

TraceJob Job(std::int64_t work, std::int64_t deadline, std::int64_t restart) {
  TraceJob job;
  job.work = Minutes(work);
  job.deadline = Minutes(deadline);
  job.restart = Minutes(restart);
  job.on_demand = Money::Units(6);
  job.spot = Money::Units(2);
  return job;
}

Machine At(TracePolicy policy, const TraceJob& job, const PolicySight& sight) {
  PolicyRun run(policy, job, Minutes(10));
  return run.Decide(sight);
}

TEST(TracePolicyTest, NamesAreReadBack) {
  for (std::size_t i = 0; i < std::size(kTracePolicyNames); ++i) {
    EXPECT_EQ(ParseTracePolicy(kTracePolicyNames[i]), static_cast<TracePolicy>(i));
  }
  EXPECT_EQ(ParseTracePolicy("lazy"), std::nullopt);
}

TEST(TracePolicyTest, GreedyWaitsUntilTheLastMoment) {
  const TraceJob job = Job(30, 100, 5);  // needs 4 ticks on demand
  EXPECT_EQ(At(TracePolicy::kGreedy, job, {5, false, Machine::kNone, {}, {}}), Machine::kNone);
  EXPECT_EQ(At(TracePolicy::kGreedy, job, {6, false, Machine::kNone, {}, {}}), Machine::kOnDemand);
  EXPECT_EQ(At(TracePolicy::kGreedy, job, {6, true, Machine::kNone, {}, {}}), Machine::kOnDemand);
  EXPECT_EQ(At(TracePolicy::kGreedy, job, {6, true, Machine::kSpot, {}, {}}), Machine::kSpot);
}

TEST(TracePolicyTest, GreedyTakesSpotAtTheLastMomentWhereRestartsAreFree) {
  const TraceJob job = Job(30, 100, 0);
  EXPECT_EQ(At(TracePolicy::kGreedy, job, {7, true, Machine::kOnDemand, {}, {}}), Machine::kSpot);
  EXPECT_EQ(At(TracePolicy::kGreedy, job, {7, false, Machine::kSpot, {}, {}}), Machine::kSpot)
      << "decided before looking: a replay shows the machine as none";
}

TEST(TracePolicyTest, UniformProgressBuysOnDemandOnlyWhileBehind) {
  const TraceJob job = Job(100, 400, 5);
  const TracePolicy policy = TracePolicy::kUniformProgress;
  // At tick 8 an even progress is 20 minutes.
  EXPECT_EQ(At(policy, job, {8, false, Machine::kNone, Minutes(20), {}}), Machine::kNone);
  EXPECT_EQ(At(policy, job, {8, false, Machine::kNone, Minutes(19), {}}), Machine::kOnDemand);
  EXPECT_EQ(At(policy, job, {8, true, Machine::kNone, Minutes(19), {}}), Machine::kSpot);
  EXPECT_EQ(At(policy, job, {8, false, Machine::kOnDemand, Minutes(30), {}}), Machine::kOnDemand);
}

TEST(TracePolicyTest, HysteresisStaysOnDemandUntilAheadByTwoRestarts) {
  const TraceJob job = Job(100, 400, 20);
  // Two restarts on: (80 + 40) x 100 / 400 = 30 minutes.
  const PolicySight behind{8, true, Machine::kOnDemand, Minutes(30), {}};
  const PolicySight ahead{8, true, Machine::kOnDemand, Minutes(31), {}};
  EXPECT_EQ(At(TracePolicy::kUniformHysteresis, job, behind), Machine::kOnDemand);
  EXPECT_EQ(At(TracePolicy::kUniformHysteresis, job, ahead), Machine::kSpot);
  EXPECT_EQ(At(TracePolicy::kUniformProgress, job, behind), Machine::kSpot);
}

TEST(TracePolicyTest, PairAmortizeDoesEachSlotsPartInTheSlot) {
  // Three slots of 48 ticks; 6 h of work, 2 h each: without spot, on demand from 2 h before the
  // end of each slot on.
  const std::vector<std::uint8_t> up(144, 0);
  const TraceJob job = Job(6 * 60, 24 * 60, 0);
  const TraceOutcome outcome = ReplayTrace(TracePolicy::kPairAmortize, job, {Minutes(10), up});
  EXPECT_EQ(outcome.on_demand_time, Hours(6));
  EXPECT_EQ(outcome.restarts, 3);
  EXPECT_EQ(outcome.finished, Hours(24));
}

std::int64_t Below(std::mt19937& random, std::int64_t n) {
  return static_cast<std::int64_t>(random()) % n;
}

// On any trace: in time, and never cheaper than the optimum.
TEST(TracePolicyTest, SafePoliciesMeetTheDeadlineAndNeverBeatTheOptimum) {
  std::mt19937 random(52);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint8_t> up;
    const std::int64_t stay = 1 + Below(random, 20);
    for (std::uint8_t state = random() % 2; up.size() < 400;) {
      if (Below(random, stay) == 0) state ^= 1;
      up.push_back(state);
    }
    const TraceJob job =
        Job(60 + Below(random, 1200), 1500 + Below(random, 1500), Below(random, 10));
    const SpotSeries series{Minutes(10), up};
    const auto best = TraceOptimum(job, series, {});
    ASSERT_TRUE(best.has_value());
    for (const TracePolicy policy :
         {TracePolicy::kOnDemand, TracePolicy::kGreedy, TracePolicy::kPairAmortize,
          TracePolicy::kUniformProgress, TracePolicy::kUniformHysteresis}) {
      const TraceOutcome outcome = ReplayTrace(policy, job, series);
      EXPECT_FALSE(IsLate(outcome, job))
          << kTracePolicyNames[static_cast<std::size_t>(policy)] << " round " << round;
      EXPECT_GE(outcome.cost, best->cost)
          << kTracePolicyNames[static_cast<std::size_t>(policy)] << " round " << round;
    }
  }
}

}  // namespace
}  // namespace plimsoll
