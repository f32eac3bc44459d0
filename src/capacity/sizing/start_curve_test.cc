#include "capacity/sizing/start_curve.h"

#include <gtest/gtest.h>

#include "capacity/sizing/target_result.h"

namespace plimsoll {
namespace {

constexpr Duration kUsual = Minutes(30), kLate = Minutes(90);

SizingTargets Targets(std::vector<Duration> times) {
  SizingTargets targets;
  for (const Duration within : times) {
    GangTarget gang;
    gang.job.shape.gpus = 8;
    gang.within = within;
    gang.share = 980'000'000;
    targets.gangs.push_back(gang);
  }
  return targets;
}

// 50 probes of each gang start after half an hour, the last one of two runs after 90 minutes.
std::vector<ReplicationOutcome> Runs(const SizingTargets& targets) {
  std::vector<ReplicationOutcome> runs(40);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const GangTarget& gang : targets.gangs) {
      WaitOutcome& one = runs[r].gangs.emplace_back();
      for (int i = 0; i < 50; ++i) {
        const Duration wait = r < 2 && i == 49 ? kLate : kUsual;
        if (wait <= gang.within) {
          one.waits.Add(wait);
          ++one.within;
        } else {
          one.waits.AddUnstarted();
        }
      }
    }
  }
  return runs;
}

TEST(StartCurveTest, AnIntervalDoesNotFallBackWhereAllStart) {
  const SizingTargets targets = Targets({Hours(2)});
  const std::vector<ReplicationOutcome> runs = Runs(targets);
  const std::vector<CurvePoint> curve = StartCurve(targets, runs, 0);
  ASSERT_EQ(curve.size(), 13U);
  for (std::size_t i = 1; i < curve.size(); ++i) {
    EXPECT_GE(curve[i].share.interval.low, curve[i - 1].share.interval.low) << i;
    EXPECT_GE(curve[i].share.interval.high, curve[i - 1].share.interval.high) << i;
  }
  for (const CurvePoint& point : curve) {
    EXPECT_LE(point.share.interval.low, point.share.estimate);
    EXPECT_GE(point.share.interval.high, point.share.estimate);
  }
  // Alone, all of 40 runs would show 91 %.
  EXPECT_EQ(curve.back().share.estimate, 1);
  EXPECT_GT(curve.back().share.interval.low, 0.99);
  EXPECT_EQ(curve.back().share.interval.low, curve[5].share.interval.low);
  // And none before half an hour is no more than what starts within it.
  EXPECT_EQ(curve[0].share.estimate, 0);
}

TEST(StartCurveTest, ATargetIsAsSureAsTheSameGangInLessTime) {
  SizingTargets targets = Targets({Hours(1), kLate});
  const std::vector<ReplicationOutcome> runs = Runs(targets);
  const std::vector<TargetResult> results = JudgeTargets(targets, runs);
  EXPECT_TRUE(results[0].is_sure());
  EXPECT_TRUE(results[1].met() && results[1].is_sure());
  EXPECT_EQ(results[1].share.interval.low, results[0].share.interval.low);
  EXPECT_EQ(StartCurve(targets, runs, 1).back().share.interval.low, results[1].share.interval.low);
}

TEST(StartCurveTest, AnotherGangSaysNothing) {
  SizingTargets targets = Targets({Hours(1), Hours(2)});
  targets.gangs[1].job.pods = 2;
  std::vector<ReplicationOutcome> runs = Runs(targets);
  for (ReplicationOutcome& run : runs) run.gangs[1] = {};
  for (ReplicationOutcome& run : runs) run.gangs[1].waits.AddUnstarted();
  EXPECT_GT(StartCurve(targets, runs, 0).back().share.interval.high, 0.99);
  targets.gangs[1].job.pods = 1;  // the same, and nobody starts within two hours
  EXPECT_LT(StartCurve(targets, runs, 1).back().share.interval.high, 0.1);
}

TEST(StartCurveTest, BoundsAreCarriedBothWays) {
  std::vector<CurvePoint> points(3);
  const auto set = [&](std::size_t i, double low, double estimate, double high) {
    points[i].share.count = 10;
    points[i].share.estimate = estimate;
    points[i].share.interval = {low, high};
  };
  set(0, 0, 0, 0.3);
  set(1, 0.05, 0.1, 0.2);
  set(2, 0.02, 1, 1);
  CarryBounds(points);
  EXPECT_EQ(points[0].share.interval.high, 0.2);
  EXPECT_EQ(points[1].share.interval.high, 0.2);
  EXPECT_EQ(points[2].share.interval.low, 0.05);
  EXPECT_EQ(points[2].share.interval.high, 1);
}

}  // namespace
}  // namespace plimsoll
