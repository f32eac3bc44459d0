#include "economics/training_causes.h"

#include "economics/test_run.h"

namespace plimsoll {
namespace {

// "0 0-10 startup, 0 10-30 effective": attempt, seconds and cause of each piece.
std::string Pieces(const TrainingRun& run) {
  std::string text;
  for (const TimePiece& piece : run.pieces) {
    const auto second = [](Instant t) {
      return std::to_string(Between(kRunEpoch, t).base() / 1'000);
    };
    text += (text.empty() ? "" : ", ") + std::to_string(piece.attempt) + " " +
            second(piece.held.begin) + "-" + second(piece.held.until) + " " +
            kTimeCauseNames[static_cast<std::size_t>(piece.cause)];
  }
  return text;
}

TEST(TrainingCausesTest, TheFirstStepOfALegBeganAUsualStepBeforeItWasDone) {
  RunLog log;
  log.Start(0, 1).Step(25, 1).Step(35, 2).Add(38, "failure").Step(70, 3).Add(70, "stop");
  EXPECT_EQ(Pieces(log.Run()),
            "0 0-15 startup, 0 15-35 effective, 0 35-38 recomputation, 0 38-60 restart, "
            "0 60-70 effective");
}

TEST(TrainingCausesTest, AUsualStepDoesNotReachBackBeyondTheResume) {
  RunLog log;
  log.Start(0, 1).Step(20, 1).Step(40, 2).Add(40, "stop");
  log.Attempt(1).Start(50, 1).Add(60, "resume", 2).Step(70, 3).Add(70, "stop");
  EXPECT_EQ(Pieces(log.Run()), "0 0-40 effective, 1 50-60 restart, 1 60-70 effective");
}

TEST(TrainingCausesTest, ARollbackWithoutAFailureRestartsToo) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2).Add(26, "resume", 1).Step(36, 2).Add(36, "stop");
  EXPECT_EQ(Pieces(log.Run()),
            "0 0-10 effective, 0 10-20 recomputation, 0 20-26 restart, 0 26-36 effective");
}

TEST(TrainingCausesTest, PreemptedWorkIsLostAndOtherStopsSayNothing) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2).Add(25, "stop", {}, "preempted");
  EXPECT_EQ(Pieces(log.Run()), "0 0-20 effective, 0 20-25 recomputation");
  log.events.name.back() = "completed";
  EXPECT_EQ(Pieces(log.Run()), "0 0-20 effective, 0 20-25 unknown");
}

TEST(TrainingCausesTest, AnAttemptThatDiesInItsStartUpIsStartUp) {
  RunLog log;
  log.Start(0, 1).Add(30, "failure").Attempt(1).Start(40, 1).Add(60, "failure");
  EXPECT_EQ(Pieces(log.Run()), "0 0-30 startup, 1 40-60 restart");
  EXPECT_EQ(log.Run().FailureLoss(), GpuSeconds(20));  // the second one's restart is the first's
}

TEST(TrainingCausesTest, AStallEndsWithTheNextThingThatTrainingDoes) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(20, 2).Add(20, "stall_begin").Metric(25, 2, "1");
  log.Add(30, "checkpoint_begin", 2).Add(36, "checkpoint_end", 2).Step(46, 3).Add(46, "stop");
  EXPECT_EQ(Pieces(log.Run()),
            "0 0-20 effective, 0 20-30 data_stall, 0 30-36 checkpoint, 0 36-46 effective");
}

TEST(TrainingCausesTest, RanksThatTellOfOneFailureAreOneFailure) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Add(20, "failure", {}, "a").Add(21, "failure", {}, "b");
  log.Add(30, "resume", 1).Add(31, "failure", {}, "c").Add(40, "stop");
  const TrainingRun run = log.Run();
  ASSERT_EQ(run.failures.size(), 2U);
  EXPECT_EQ(run.failures[0].reason, "a");
  EXPECT_EQ(run.failures[0].restart, GpuSeconds(11));
  EXPECT_EQ(run.failures[1].restart, GpuSeconds(9));
}

}  // namespace
}  // namespace plimsoll
