#include "economics/training_cost.h"

#include "economics/reliability.h"
#include "economics/test_run.h"

namespace plimsoll {
namespace {

TrainingRun ARun() {
  RunLog log;  // 8 GPUs: 3600 s kept, 1800 s lost and 600 s of restart
  log.Start(0, 8).Step(1'800, 1, 500'000, 4'000'000).Add(1'800, "checkpoint_end", 1);
  log.Step(3'600, 2, 500'000, 4'000'000).Add(3'600, "failure", {}, "XID 79");
  log.Attempt(1).Start(4'000, 8).Add(4'600, "resume", 1);
  log.Step(6'400, 2, 500'000, 4'000'000).Add(6'400, "stop");
  return log.Run();
}

TEST(TrainingCostTest, AllTimeIsPaidAndKeptStepsCarryIt) {
  const TrainingRun run = ARun();
  const Money cost = *CostAt(run, Money::Units(3));
  EXPECT_EQ(cost, *Money::Parse("40"));  // 8 x 6000 s x 3 an hour
  const auto costs = UnitCostsOf(run, cost);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->per_million_samples, Money::Units(40));
  EXPECT_EQ(costs->per_billion_tokens, Money::Units(5'000));
  EXPECT_EQ(costs->failure_loss, Money::Units(16));  // 8 x (1800 + 600) s
  EXPECT_EQ(run.lost.samples, 500'000);
  EXPECT_EQ(ShareOf(run.of(TimeCause::kEffective), run.allocated), 600'000'000);
}

TEST(TrainingCostTest, WhatNobodyToldIsNullAndNothingHeldCostsNothing) {
  RunLog log;
  log.Start(0, 0).Add(10, "step", 1).Add(10, "stop");
  const TrainingRun run = log.Run();
  const auto costs = UnitCostsOf(run, Money::Units(7));
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->per_million_samples, std::nullopt);
  EXPECT_EQ(costs->per_billion_tokens, std::nullopt);
  EXPECT_EQ(costs->failure_loss, Money());
  EXPECT_EQ(ShareOf(run.of(TimeCause::kEffective), run.allocated), std::nullopt);
  EXPECT_EQ(*CostPerBlock(Money::Units(7), 0, 1'000'000), std::nullopt);
}

TEST(TrainingCostTest, TheExpectedRatioIsThatOfTheRunsOwnFailures) {
  // MTTF 5400 s, 5400 s of steps for a checkpoint, no time to save, 600 s to restart.
  EXPECT_EQ(ExpectedEttr(ARun()),
            RenewalEttr({Seconds(5'400), Seconds(5'400), {}, Seconds(600), {}, {}}));
  RunLog calm;
  calm.Start(0, 1).Step(10, 1).Step(20, 2).Add(20, "checkpoint_end", 2).Add(20, "stop");
  EXPECT_EQ(ExpectedEttr(calm.Run()), std::nullopt);
}

TEST(TrainingCostTest, FiguresPastThirtyEightDigitsAreRefused) {
  const auto cost = CostPerBlock(Money::FromNanos(int128{1} << 126), 3, 1'000'000);
  ASSERT_FALSE(cost);
  EXPECT_EQ(cost.error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace plimsoll
