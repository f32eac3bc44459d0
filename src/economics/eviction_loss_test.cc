#include "economics/eviction_loss.h"

#include "economics/test_run.h"

namespace plimsoll {
namespace {

Instant At(std::int64_t second) { return kRunEpoch + Seconds(second); }

Duration Length(const std::vector<Window>& windows) {
  Duration sum;
  for (const Window& window : windows) sum += window.length();
  return sum;
}

// Saved at step 2; evicted at 3,000 with step 3 lost; again evicted by nothing (a failure of its
// own) at 8,000.
RunLog TwiceBroken() {
  RunLog log;
  log.Start(0, 8).Step(1'000, 1).Step(1'500, 2);
  log.Add(1'500, "checkpoint_begin", 2).Add(1'500, "checkpoint_end", 2);
  log.Step(2'500, 3).Add(3'000, "failure", {}, "SIGTERM");
  log.Attempt(1).Start(4'000, 8).Add(4'200, "resume", 2).Step(5'000, 3).Step(6'000, 4);
  log.Add(8'000, "failure", {}, "ECC error");
  log.Attempt(2).Start(9'000, 8).Add(9'100, "resume", 2).Step(10'000, 3);
  log.Add(10'000, "stop", {}, "completed");
  return log;
}

TEST(EvictionLossTest, OnlyTheBreakAtWhichANodeWasTakenCounts) {
  const TrainingRun run = TwiceBroken().Run();
  const std::vector<Instant> taken{At(3'060)};
  const EvictionLoss loss = LostToEvictions(run, taken);
  EXPECT_EQ(loss.evictions, 1);
  EXPECT_EQ(Length(loss.recomputation), Seconds(1'500));  // step 3 and the tail
  ASSERT_FALSE(loss.restart.empty());
  EXPECT_EQ(loss.restart.front().begin, At(4'000));
  EXPECT_LT(loss.restart.back().until, At(5'000));
  const std::vector<Instant> both{At(3'060), At(7'990)};
  const EvictionLoss all = LostToEvictions(run, both);
  EXPECT_EQ(all.evictions, 2);
  EXPECT_EQ(GpuMillis(8 * Length(all.recomputation).base()), run.of(TimeCause::kRecomputation));
  EXPECT_EQ(GpuMillis(8 * Length(all.restart).base()), run.of(TimeCause::kRestart));
}

TEST(EvictionLossTest, WithoutANodeThatWasTakenNothingIsLostToEvictions) {
  const TrainingRun run = TwiceBroken().Run();
  EXPECT_TRUE(LostToEvictions(run, {}).recomputation.empty());
  const std::vector<Instant> far{At(3'000) + kEvictionTolerance + Millis(1)};
  const EvictionLoss loss = LostToEvictions(run, far);
  EXPECT_EQ(loss.evictions, 0);
  EXPECT_TRUE(loss.recomputation.empty() && loss.restart.empty());
}

TEST(EvictionLossTest, ARunThatSavedOnItsNoticeLosesItsRestartOnly) {
  RunLog log;
  log.Start(0, 2).Step(1'000, 1).Step(2'000, 2);
  log.Add(2'000, "checkpoint_begin", 2).Add(2'000, "checkpoint_end", 2);
  log.Add(2'000, "stop", {}, "preempted");
  log.Attempt(1).Start(3'000, 2).Add(3'300, "resume", 2).Step(5'000, 3);
  log.Add(5'000, "stop", {}, "completed");
  const std::vector<Instant> taken{At(2'100)};
  const EvictionLoss loss = LostToEvictions(log.Run(), taken);
  EXPECT_EQ(loss.evictions, 1);
  EXPECT_TRUE(loss.recomputation.empty());
  EXPECT_GE(Length(loss.restart), Seconds(300));
}

}  // namespace
}  // namespace plimsoll
