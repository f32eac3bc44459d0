#include "economics/training_log.h"

#include <numeric>

#include "economics/test_run.h"

namespace plimsoll {
namespace {

TrainingLog LogOf(const RunLog& log) {
  std::vector<std::size_t> rows(RowsOf(log.events));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  auto read = ReadTrainingLog(log.events, rows, std::nullopt);
  EXPECT_TRUE(read) << read.error().message;
  return *std::move(read);
}

TEST(TrainingLogTest, EventsOfOneTimeComeInTheOrderOfTheirKinds) {
  RunLog log;
  log.Add(0, "stop").Add(0, "failure").Add(0, "checkpoint_end").Add(0, "step", 1).Add(0, "start");
  const TrainingLog read = LogOf(log);
  std::vector<RunEventKind> kinds;
  for (const TrainingEvent& event : read.attempts.at(0).events) kinds.push_back(event.kind);
  EXPECT_EQ(kinds,
            (std::vector{RunEventKind::kStart, RunEventKind::kStep, RunEventKind::kCheckpointEnd,
                         RunEventKind::kFailure, RunEventKind::kStop}));
}

TEST(TrainingLogTest, WritersNumbersGoBeforeTimesIfEveryEventHasOne) {
  RunLog log;
  log.Start(100, 1).Step(90, 1).Step(110, 2);
  EXPECT_EQ(LogOf(log).attempts.at(0).events[0].kind, RunEventKind::kStep);  // by time
  EXPECT_FALSE(LogOf(log).clock);
  log.events.seq = {1, 2, 3};
  const TrainingLog numbered = LogOf(log);
  EXPECT_EQ(numbered.attempts.at(0).events[0].kind, RunEventKind::kStart);
  EXPECT_EQ(numbered.attempts.at(0).events[1].at, kRunEpoch + Seconds(100));
  EXPECT_TRUE(numbered.clock);
  log.events.seq = {1, 2, 2};
  EXPECT_FALSE(LogOf(log).clock);
}

TEST(TrainingLogTest, AStepThatAnotherRankTellsAgainIsNoStep) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Step(11, 1).Step(20, 2).Add(25, "failure").Step(30, 2);
  const TrainingLog read = LogOf(log);
  std::vector<bool> steps;
  for (const TrainingEvent& event : read.attempts.at(0).events) steps.push_back(event.is_step);
  EXPECT_EQ(steps, (std::vector{false, true, false, true, false, true}));
}

TEST(TrainingLogTest, WhatIsNoEventIsCountedAndLeftOut) {
  RunLog log;
  log.Start(0, 1).Add(5, "lunch").Attempt(-1).Step(7, 1);
  const TrainingLog read = LogOf(log);
  EXPECT_EQ(read.unknown_kinds, 2);
  ASSERT_EQ(read.attempts.size(), 1U);
  EXPECT_EQ(read.attempts[0].events.size(), 1U);
}

TEST(TrainingLogTest, EventsBeforeTheStartAreHeldAndMarked) {
  RunLog log;
  log.Step(5, 1).Start(10, 2).Step(20, 2).Add(20, "stop");
  const TrainingLog read = LogOf(log);
  EXPECT_TRUE(read.no_start);
  EXPECT_EQ(read.attempts.at(0).Logged().begin, kRunEpoch + Seconds(5));
  EXPECT_EQ(read.attempts[0].events[0].gpus, 2);  // the first that the attempt tells
}

TEST(TrainingLogTest, AnAttemptWithoutANumberOfGpusTakesItsNeighbours) {
  RunLog log;
  log.Add(0, "start").Attempt(1).Start(10, 4).Attempt(2).Add(20, "start");
  const TrainingLog read = LogOf(log);
  EXPECT_EQ(read.attempts.at(0).events[0].gpus, 4);
  EXPECT_EQ(read.attempts.at(2).events[0].gpus, 4);
  log.events.gpus[1] = -3;
  EXPECT_TRUE(LogOf(log).no_gpus);
}

}  // namespace
}  // namespace plimsoll
