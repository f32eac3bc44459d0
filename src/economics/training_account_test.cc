#include "economics/training_account.h"

#include "economics/test_run.h"

namespace plimsoll {
namespace {

TEST(TrainingAccountTest, TheHeadersExampleAddsUp) {
  const TrainingRun run = RunLog()
                              .Start(0, 8)
                              .Step(20 * 60, 1)
                              .Step(30 * 60, 2)
                              .Add(35 * 60, "failure", {}, "ECC")
                              .Run();
  EXPECT_EQ(run.allocated, GpuSeconds(280 * 60));
  EXPECT_EQ(CausesOf(run), "effective 9600 startup 4800 recomputation 2400");
  ASSERT_EQ(run.failures.size(), 1U);
  EXPECT_EQ(run.failures[0].reason, "ECC");
  // No checkpoint: all work since the start-up is lost.
  EXPECT_EQ(run.failures[0].work_lost, GpuSeconds(200 * 60));
}

TEST(TrainingAccountTest, AFailureLosesWhatIsSinceTheDurableCheckpointAndTheRestart) {
  RunLog log;
  log.Start(0, 2).Step(20, 1).Step(30, 2).Step(40, 3);
  log.Add(40, "checkpoint_begin", 3).Add(45, "checkpoint_end", 3);
  log.Step(55, 4).Step(65, 5).Add(70, "failure", {}, "NVLink").Add(90, "stop", {}, "failed");
  log.Attempt(1).Start(100, 2).Add(130, "resume", 3).Step(140, 4).Step(150, 5);
  log.Add(150, "stop", {}, "completed");
  const TrainingRun run = log.Run();
  EXPECT_EQ(run.allocated, GpuSeconds(2 * 90 + 2 * 50));
  // Attempt 0: start-up 10, steps 1 to 3 kept 30, save 5, steps 4 and 5 and their tail lost 25,
  // 20 until its GPUs were given back. Attempt 1: restart 30, two steps.
  EXPECT_EQ(CausesOf(run), "effective 100 startup 20 checkpoint 10 recomputation 50 restart 100");
  ASSERT_EQ(run.failures.size(), 1U);
  EXPECT_EQ(run.failures[0].work_lost, GpuSeconds(2 * 25));
  EXPECT_EQ(run.failures[0].restart, GpuSeconds(2 * (20 + 30)));
  EXPECT_EQ(run.kept.steps, 5);
  EXPECT_EQ(run.kept.samples, 500);
  EXPECT_EQ(run.lost.steps, 2);
  EXPECT_EQ(run.lost.samples, 200);
  EXPECT_EQ(run.lost.tokens, 2'000);
  EXPECT_EQ(run.durable_checkpoints, 1);
}

TEST(TrainingAccountTest, ACheckpointThatWasNotDurableSavesNothing) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2).Add(20, "checkpoint_begin", 2).Add(28, "failure");
  log.Attempt(1).Start(40, 1).Step(50, 1).Step(60, 2).Add(60, "stop");
  const TrainingRun run = log.Run();
  EXPECT_EQ(CausesOf(run), "effective 20 checkpoint 8 recomputation 20");
  EXPECT_EQ(run.failures.at(0).work_lost, GpuSeconds(28));
}

TEST(TrainingAccountTest, ASaveWhileTrainingGoesOnCostsNothingAndHoldsTheStateOfItsBegin) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2).Add(20, "checkpoint_begin", 2).Step(30, 3);
  log.Add(35, "checkpoint_end", 2).Step(40, 4).Add(44, "failure");
  log.Attempt(1).Start(50, 1).Add(55, "resume", 2).Step(65, 3).Add(65, "stop");
  const TrainingRun run = log.Run();
  EXPECT_EQ(SecondsOf(run, TimeCause::kCheckpoint), 0);
  EXPECT_EQ(run.failures.at(0).work_lost, GpuSeconds(24));  // since 20, not since 35
  EXPECT_EQ(CausesOf(run), "effective 30 recomputation 24 restart 5");
}

TEST(TrainingAccountTest, StallsAreCutOutOfSteps) {
  RunLog log;
  log.Start(0, 4).Step(10, 1).Step(20, 2).Add(22, "stall_begin").Add(29, "stall_end");
  log.Step(37, 3).Add(38, "stall_begin").Step(60, 4).Add(60, "stop");  // an end is missing
  EXPECT_EQ(CausesOf(log.Run()), "effective 124 data_stall 116");
}

TEST(TrainingAccountTest, ATailOfManyStepsBeforeAFailureIsAHang) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2).Step(30, 3);
  log.Add(130, "failure", {}, "watchdog").Attempt(1).Start(140, 1).Step(150, 4).Add(150, "stop");
  // 100 is not more than ten usual steps of 10.
  EXPECT_EQ(CausesOf(log.Run()), "effective 40 recomputation 100");
  TrainingOptions options;
  options.causes.hang_factor = 9;
  EXPECT_EQ(CausesOf(log.Run(options)), "effective 40 hang 100");
}

TEST(TrainingAccountTest, AnAttemptThatEndsWithoutAWordFailedIfAnotherFollows) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2).Attempt(1).Start(100, 1).Step(115, 2).Add(120, "stop");
  const TrainingRun run = log.Run();
  ASSERT_EQ(run.failures.size(), 1U);
  EXPECT_FALSE(run.failures[0].is_told);
  EXPECT_EQ(run.failures[0].at, kRunEpoch + Seconds(20));
  EXPECT_EQ(run.failures[0].restart, GpuSeconds(5));
  // Attempt 1 does step 2 again; what it did after its last step is not said.
  EXPECT_EQ(CausesOf(run), "effective 20 recomputation 10 restart 5 unknown 5");
  RunLog alone;
  alone.Start(0, 1).Step(10, 1).Step(20, 2);
  EXPECT_TRUE(alone.Run().failures.empty());  // it may be at work
}

TEST(TrainingAccountTest, ARunThatDiedKeepsWhatItsLastCheckpointHolds) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Add(10, "checkpoint_end", 1).Step(20, 2).Step(30, 3);
  log.Add(31, "failure");
  EXPECT_EQ(CausesOf(log.Run()), "effective 10 recomputation 21");
  EXPECT_EQ(log.Run().kept.samples, 100);
}

TEST(TrainingAccountTest, AttemptsThatOverlapCostTwiceAndAreMarked) {
  RunLog log;
  log.Start(0, 2).Step(10, 1).Step(20, 2).Add(40, "stop");
  log.Attempt(1).Start(30, 2).Step(45, 3).Add(50, "stop");
  const TrainingRun run = log.Run();
  EXPECT_EQ(run.allocated, GpuSeconds(2 * 40 + 2 * 20));
  EXPECT_EQ(run.Marks(), std::vector<std::string>{"overlap"});
}

TEST(TrainingAccountTest, AClockThatWentBackCountsNothing) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(5, 2).Step(12, 3).Add(20, "stop");
  for (std::size_t i = 0; i < RowsOf(log.events); ++i) {
    log.events.seq[i] = static_cast<std::int64_t>(i);
  }
  const TrainingRun run = log.Run();
  EXPECT_EQ(run.allocated, GpuSeconds(20));
  EXPECT_EQ(run.kept.steps, 3);
  EXPECT_EQ(run.Marks(), std::vector<std::string>{"clock"});
}

TEST(TrainingAccountTest, GpusMayChangeAndMayBeUnknown) {
  RunLog log;
  log.Start(0, 4).Step(10, 1).Start(10, 8).Step(20, 2).Add(20, "stop");
  log.Attempt(1).Add(30, "resume", 2).Step(40, 3).Add(40, "stop");  // as before: 8
  EXPECT_EQ(log.Run().allocated, GpuSeconds(40 + 80 + 80));
  RunLog silent;
  silent.Add(0, "start").Step(10, 1).Add(10, "stop");
  EXPECT_EQ(silent.Run().allocated, GpuHours());
  EXPECT_EQ(silent.Run().Marks(), std::vector<std::string>{"no_gpus"});
  TrainingOptions options;
  options.gpus = 16;
  EXPECT_EQ(silent.Run(options).allocated, GpuSeconds(160));
  EXPECT_TRUE(silent.Run(options).Marks().empty());
}

TEST(TrainingAccountTest, WhatASchedulerHeldLongerIsUnknownUnlessItFailed) {
  TrainingOptions options;
  options.causes.held_until = {{0, kRunEpoch + Seconds(50)}};
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2);
  EXPECT_EQ(CausesOf(log.Run(options)), "effective 20 unknown 30");
  log.Add(25, "failure");
  EXPECT_EQ(CausesOf(log.Run(options)), "effective 20 recomputation 5 restart 25");
  log.Add(26, "stop");
  EXPECT_EQ(log.Run(options).allocated, GpuSeconds(26));
}

TEST(TrainingAccountTest, HeldBeforeCountsEveryAttempt) {
  RunLog log;
  log.Start(0, 2).Step(10, 1).Add(20, "failure").Attempt(1).Start(30, 4).Step(40, 2);
  const TrainingRun run = log.Run();
  EXPECT_EQ(HeldBefore(run, kRunEpoch + Seconds(35)), GpuSeconds(40 + 20));
  EXPECT_EQ(HeldBefore(run, kRunEpoch), GpuHours());
  EXPECT_EQ(HeldBefore(run, kRunEpoch + Seconds(99)), run.allocated);
}

TEST(TrainingAccountTest, FiguresBeyondReasonAreRefused) {
  RunLog many;
  many.Start(0, 20'000'000).Add(10, "stop");
  const auto refused = Account(many.events, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfRange);
  EXPECT_NE(refused.error().message.find("run 'r'"), std::string::npos);
  RunLog samples;
  samples.Start(0, 1).Step(10, 1, INT64_MAX).Step(20, 2, 1).Add(20, "stop");
  EXPECT_EQ(Account(samples.events, {}).error().code, ErrorCode::kOutOfRange);
  RunLog century;
  century.Start(0, 1).Add(4'000'000'000, "stop");
  EXPECT_EQ(Account(century.events, {}).error().code, ErrorCode::kOutOfRange);
  century.events.at.back() = AtMillis(INT64_MAX);
  EXPECT_EQ(Account(century.events, {}).error().code, ErrorCode::kOutOfRange);
}

TEST(TrainingAccountTest, AnEmptyLogIsAnEmptyAccount) {
  const auto run = Account(RunEventBatch(), {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->allocated, GpuHours());
  EXPECT_TRUE(run->failures.empty());
}

}  // namespace
}  // namespace plimsoll
