#include "economics/training_steps.h"

#include <numeric>

#include "economics/test_run.h"

namespace plimsoll {
namespace {

// The kept steps as attempt:number.
std::string Kept(const RunLog& log) {
  std::vector<std::size_t> rows(RowsOf(log.events));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto read = ReadTrainingLog(log.events, rows, std::nullopt);
  EXPECT_TRUE(read);
  const Lineage lineage(*read);
  std::string text;
  for (const EventAt& at : lineage.steps()) {
    text += (text.empty() ? "" : " ") + std::to_string(at.attempt) + ":" +
            std::to_string(*read->attempts[at.attempt].events[at.event].step);
  }
  return text;
}

TEST(TrainingStepsTest, AResumeFromAnEarlierCheckpointLosesWhatCameAfterIt) {
  RunLog log;
  log.Step(1, 1).Step(2, 2).Step(3, 3).Attempt(1).Add(10, "resume", 2).Step(11, 3).Step(12, 4);
  EXPECT_EQ(Kept(log), "0:1 0:2 1:3 1:4");
}

TEST(TrainingStepsTest, StepsThatGoBackWithoutAResumeCountAsOne) {
  RunLog log;
  log.Step(1, 1).Step(2, 2).Step(3, 3).Step(4, 2).Step(5, 3);
  EXPECT_EQ(Kept(log), "0:1 0:2 0:3");
  RunLog again;  // from scratch
  again.Step(1, 1).Step(2, 2).Attempt(1).Step(10, 1);
  EXPECT_EQ(Kept(again), "1:1");
}

TEST(TrainingStepsTest, AnAttemptThatDiedInItsStartUpLosesNothingMore) {
  RunLog log;
  log.Step(1, 1).Step(2, 2).Attempt(1).Add(5, "start").Attempt(2).Add(8, "resume", 1).Step(9, 2);
  EXPECT_EQ(Kept(log), "0:1 2:2");
}

TEST(TrainingStepsTest, AFailureThatNothingResumedLeavesTheLastDurableCheckpoint) {
  RunLog log;
  log.Step(1, 1).Step(2, 2).Add(2, "checkpoint_begin", 2).Step(3, 3).Add(4, "failure");
  EXPECT_EQ(Kept(log), "");  // begun, never durable
  log.events.kind[2] = "checkpoint_end";
  EXPECT_EQ(Kept(log), "0:1 0:2");
  log.events.step[2] = std::nullopt;  // then it holds the step before it
  EXPECT_EQ(Kept(log), "0:1 0:2");
  log.events.kind[2] = "metric";  // a log that tells of no checkpoint
  EXPECT_EQ(Kept(log), "0:1 0:2 0:3");
}

TEST(TrainingStepsTest, GivingTheGpusBackAfterAFailureSavesNothing) {
  RunLog log;
  log.Step(1, 1).Add(1, "checkpoint_end", 1).Step(2, 2).Add(3, "failure").Add(4, "stop");
  EXPECT_EQ(Kept(log), "0:1");
  log.events.kind[3] = "stop";
  EXPECT_EQ(Kept(log), "0:1 0:2");
}

}  // namespace
}  // namespace plimsoll
