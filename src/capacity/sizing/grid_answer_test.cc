#include "capacity/sizing/grid_answer.h"

#include <gtest/gtest.h>

#include "capacity/sizing/lower_bounds.h"
#include "capacity/sizing/queue_formula.h"
#include "capacity/sizing/shard.h"
#include "capacity/sizing/test_evaluator.h"

namespace plimsoll {
namespace {

FleetAxis Axis(const std::string& name, std::int64_t from, std::int64_t to, const char* price) {
  FleetAxis axis;
  axis.name = name;
  axis.gpus_per_unit = 1;
  for (std::int64_t n = from; n <= to; ++n) axis.units.push_back(n);
  if (price != nullptr) axis.price = *Money::Parse(price);
  return axis;
}

SizingTargets Within(Duration within, std::int64_t share) {
  SizingTargets targets;
  targets.classes.resize(1);
  targets.classes[0].within = within;
  targets.classes[0].share = share;
  return targets;
}

std::vector<ReplicationOutcome> OutcomesOf(const FleetGrid& grid, std::int64_t replications,
                                           const Evaluator& evaluator) {
  const RunPlan plan{"", static_cast<std::int64_t>(grid.size()), replications, 1, 0};
  return RunShard(plan, {1, 1}, evaluator, {}).outcomes;
}

TEST(GridAnswerTest, TheSmallestFleetIsThatOfTheClosedForm) {
  const MmcQueue queue;
  const FleetGrid grid = *FleetGrid::Of({Axis("gpus", 7, 14, "2")});
  const auto outcomes = OutcomesOf(grid, 60, [&](std::size_t point, std::int64_t replication) {
    return queue.Run(grid.Units(point)[0], replication);
  });
  const auto exact = [&](std::int64_t servers) {
    return 1 - WaitBeyondOfMmc(servers, queue.load, 1);
  };
  for (const std::int64_t servers : {8, 9, 10, 11}) {
    const double share = (exact(servers - 1) + exact(servers)) / 2;
    const GridAnswer answer = AnswerGrid(
        grid, Within(queue.within, static_cast<std::int64_t>(share * 1e9)), outcomes, {});
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.points[*answer.best].gpus, servers);
    EXPECT_TRUE(answer.holds_above);
    EXPECT_TRUE(answer.non_monotone.empty());
    ASSERT_TRUE(answer.best_sure);
    EXPECT_GE(*answer.best_sure, *answer.best);
    EXPECT_NEAR(answer.points[0].utilization, queue.load / 7, 0.05);
  }
}

TEST(GridAnswerTest, SharesHoldTheClosedForm) {
  const MmcQueue queue;
  const FleetGrid grid = *FleetGrid::Of({Axis("gpus", 7, 9, "2")});
  const auto outcomes = OutcomesOf(grid, 60, [&](std::size_t point, std::int64_t replication) {
    return queue.Run(grid.Units(point)[0], replication);
  });
  SizingTargets targets = Within(queue.within, 950'000'000);
  targets.confidence = 999'000'000;
  const GridAnswer answer = AnswerGrid(grid, targets, outcomes, {});
  for (const PointAnswer& point : answer.points) {
    const double exact = 1 - WaitBeyondOfMmc(point.gpus, queue.load, 1);
    const TargetResult& result = point.targets[0];
    EXPECT_LE(result.share.interval.low, exact) << point.gpus;
    EXPECT_GE(result.share.interval.high, exact) << point.gpus;
    const double wait = WaitQuantileOfMmc(point.gpus, queue.load, 0.95) * queue.service_ms;
    EXPECT_LE(static_cast<double>(result.wait.low->base()), wait * 1.002) << point.gpus;
    EXPECT_GE(static_cast<double>(result.wait.high->base()), wait * 0.998) << point.gpus;
  }
}

TEST(GridAnswerTest, TheCheaperMixWinsNotTheSmallerOne) {
  // Ten slow GPUs cost less than eight fast ones that do the same.
  const MmcQueue queue;
  FleetAxis fast = Axis("fast", 0, 12, "4"), slow = Axis("slow", 0, 12, "1.5");
  const FleetGrid grid = *FleetGrid::Of({fast, slow});
  const auto outcomes = OutcomesOf(grid, 4, [&](std::size_t point, std::int64_t replication) {
    const std::vector<std::int64_t> units = grid.Units(point);
    return queue.Run(std::max<std::int64_t>(units[0] + units[1] * 3 / 4, 1), replication);
  });
  const GridAnswer answer = AnswerGrid(grid, Within(queue.within, 900'000'000), outcomes, {});
  ASSERT_TRUE(answer.best);
  const PointAnswer& best = answer.points[*answer.best];
  for (const PointAnswer& point : answer.points) {
    EXPECT_TRUE(!point.met || *best.cost_per_month <= *point.cost_per_month);
  }
  EXPECT_EQ(grid.Units(best.point)[1], 12);
  EXPECT_TRUE(answer.by_cost);
}

TEST(GridAnswerTest, WithoutPricesTheFewestGpusWin) {
  const MmcQueue queue;
  const FleetGrid grid = *FleetGrid::Of({Axis("gpus", 7, 12, nullptr)});
  const auto outcomes = OutcomesOf(grid, 4, [&](std::size_t point, std::int64_t replication) {
    return queue.Run(grid.Units(point)[0], replication);
  });
  const GridAnswer answer = AnswerGrid(grid, Within(queue.within, 900'000'000), outcomes, {});
  EXPECT_FALSE(answer.by_cost);
  ASSERT_TRUE(answer.best);
  for (std::size_t i = 0; i < *answer.best; ++i) EXPECT_FALSE(answer.points[i].met);
}

TEST(GridAnswerTest, AFleetThatMeetsNothingIsSaidSo) {
  const MmcQueue queue;
  const FleetGrid grid = *FleetGrid::Of({Axis("gpus", 2, 4, "1")});
  const auto outcomes = OutcomesOf(grid, 4, [&](std::size_t point, std::int64_t replication) {
    return queue.Run(grid.Units(point)[0], replication);
  });
  const GridAnswer answer = AnswerGrid(grid, Within(queue.within, 900'000'000), outcomes, {});
  EXPECT_FALSE(answer.best);
  EXPECT_FALSE(answer.best_sure);
  for (const PointAnswer& point : answer.points) EXPECT_TRUE(point.fails);
}

// With three GPUs the urgent gang of three starts at 10; with four a long job starts beside the
// first one and holds two of them until 100.
TEST(GridAnswerTest, MoreGpusCanMakeAGangWaitLonger) {
  const std::vector<GangJob> jobs = {{5, 1, 3}, {0, 10, 2}, {0, 100, 2}};
  EXPECT_EQ(StartsByPriority(jobs, 3)[0], 10);
  EXPECT_EQ(StartsByPriority(jobs, 4)[0], 100);
  const FleetGrid grid = *FleetGrid::Of({Axis("gpus", 3, 5, "1")});
  const auto outcomes = OutcomesOf(grid, 5, [&](std::size_t point, std::int64_t) {
    ReplicationOutcome outcome;
    outcome.classes.resize(1);
    const Duration wait = Millis(StartsByPriority(jobs, grid.Gpus(point))[0] - jobs[0].submitted);
    outcome.classes[0].waits.Add(wait);
    outcome.classes[0].within += wait <= Millis(20);
    return outcome;
  });
  const GridAnswer answer = AnswerGrid(grid, Within(Millis(20), 900'000'000), outcomes, {});
  EXPECT_TRUE(answer.points[0].met);
  EXPECT_FALSE(answer.points[1].met);
  EXPECT_TRUE(answer.points[2].met);
  EXPECT_EQ(answer.best, 0U);  // halving would have gone up from four to five
  EXPECT_FALSE(answer.holds_above);
  ASSERT_EQ(answer.non_monotone.size(), 1U);
  EXPECT_EQ(answer.non_monotone[0].smaller, 0U);
  EXPECT_EQ(answer.non_monotone[0].greater, 1U);
  EXPECT_TRUE(answer.non_monotone[0].turns);
  EXPECT_EQ(answer.non_monotone[0].share.difference, -1);
}

TEST(GridAnswerTest, WhatMustStartInTimeBoundsTheFleet) {
  TrainingJob job;
  job.shape.gpus = 8;
  job.run = Millis(100);
  std::vector<TrainingJob> jobs(4, job);
  jobs[3].pods_min = 0;  // elastic
  SizingTargets targets = Within(Millis(20), kPerBillion);
  const std::vector<Demand> demands = CertainDemand(targets, jobs, false);
  ASSERT_EQ(demands.size(), 3U);
  EXPECT_EQ(demands[0].due, AtMillis(120));
  EXPECT_EQ(DeadlineBoundOf(demands).gpus, 20);  // 2,400 GPU-ms in 120 ms
  EXPECT_TRUE(CertainDemand(targets, jobs, true).empty());
  jobs[0].deadline = AtMillis(110);
  EXPECT_EQ(CertainDemand(Within(Millis(20), 990'000'000), jobs, false).size(), 0U);
  targets.deadline_share = kPerBillion;
  EXPECT_EQ(CertainDemand(targets, jobs, true).size(), 1U);
}

TEST(GridAnswerTest, ASimulationThatBeatsACertainBoundIsABug) {
  const FleetGrid grid = *FleetGrid::Of({Axis("gpus", 3, 3, "1")});
  ReplicationOutcome good;
  good.classes.resize(1);
  good.classes[0].waits.Add(Millis(0));
  good.classes[0].within = 1;
  const std::vector<CertainBound> bounds = {{{0}, 4}};
  EXPECT_DEATH(AnswerGrid(grid, Within(Millis(20), kPerBillion), {&good, 1}, bounds),
               "gpus >= bound.gpus");
  const std::vector<CertainBound> lower = {{{0}, 3}};
  EXPECT_EQ(AnswerGrid(grid, Within(Millis(20), kPerBillion), {&good, 1}, lower).best, 0U);
}

}  // namespace
}  // namespace plimsoll
