#include "economics/training_target.h"

#include <numeric>

#include "economics/test_run.h"

namespace plimsoll {
namespace {

QualityTarget Target(const std::string& text) {
  const auto target = ParseTarget(text);
  EXPECT_TRUE(target) << target.error().message;
  return target ? *target : QualityTarget();
}

QualityReached ReachedBy(const RunLog& log, const std::string& target) {
  const TrainingRun run = log.Run();
  return Reach(EvaluationsOf(log.events, run.log, "loss"), Target(target));
}

// "second 40 quality 2.4", "-" for what is missing.
std::string Told(const QualityReached& reached) {
  const std::string at =
      reached.at ? std::to_string(Between(kRunEpoch, *reached.at).base() / 1'000) : "-";
  return "second " + at + " quality " + (reached.quality ? reached.quality->ToString() : "-");
}

RunLog Falling() {
  RunLog log;
  log.Start(0, 1);
  const char* losses[] = {"3.0", "2.5", "2.7", "2.4", "2.3", "2.45"};
  std::int64_t step = 0;
  for (const char* loss : losses) {
    ++step;
    log.Step(10 * step, 100 * step).Metric(10 * step, 100 * step, loss);
  }
  return log;
}

TEST(TrainingTargetTest, ReadsWhatItWrites) {
  for (const char* text :
       {"loss<=2.5", "eval/accuracy>=0.9,window=3", "loss<=2.5,window=500steps"}) {
    EXPECT_EQ(ToString(Target(text)), text);
  }
  EXPECT_TRUE(Target("loss<=1e-3").at_most);
}

TEST(TrainingTargetTest, AWrongTargetSaysHowToWriteIt) {
  for (const char* text : {"", "loss", "loss<2.5", "<=2.5", "loss<=", "loss<=low",
                           "loss<=2.5,window=0", "loss<=2.5,window=3 runs", "loss<=2.5,windw=3"}) {
    const auto target = ParseTarget(text);
    ASSERT_FALSE(target) << text;
    EXPECT_EQ(target.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(target.error().message.find("write it as loss<=2.5"), std::string::npos);
  }
}

TEST(TrainingTargetTest, TheFirstEvaluationWhoseWholeWindowHoldsReachesTheTarget) {
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5")), "second 20 quality 2.3");
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5,window=2")), "second 40 quality 2.4");
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5,window=3")), "second 40 quality 2.45");
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5,window=4")), "second - quality 2.7");
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5,window=7")), "second - quality -");
}

TEST(TrainingTargetTest, AWindowOfStepsNeedsAllItsEvaluationsAndItsEnd) {
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5,window=200steps")), "second 40 quality 2.45");
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5,window=150steps")), "second 40 quality 2.4");
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss<=2.5,window=600steps")), "second - quality -");
}

TEST(TrainingTargetTest, LargerMayBeBetter) {
  EXPECT_EQ(Told(ReachedBy(Falling(), "loss>=2.6,window=1")), "second 10 quality 3");
}

TEST(TrainingTargetTest, WhatIsNoNumberIsNotHeld) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Metric(10, 1, "nan").Step(20, 2).Metric(20, 2, "-inf");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=2.5")), "second - quality -");
  log.Step(30, 3).Metric(30, 3, "2.5");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=2.5")), "second 30 quality 2.5");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=2.5,window=2")), "second - quality -");
}

TEST(TrainingTargetTest, AnEvaluationOfLostStepsDoesNotCount) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Metric(10, 1, "3").Step(20, 2).Metric(20, 2, "2");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=2.5")), "second 20 quality 2");
  log.Add(25, "failure").Attempt(1).Start(30, 1).Add(35, "resume", 1);
  log.Step(45, 2).Metric(45, 2, "2.2").Add(50, "stop");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=2.5")), "second 45 quality 2.2");
}

TEST(TrainingTargetTest, AnEvaluationToldJustBeforeItsStepStays) {
  RunLog log;
  log.Start(0, 1).Metric(9, 1, "3").Step(10, 1).Metric(19, 2, "2").Step(20, 2).Add(20, "stop");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=2.5")), "second 19 quality 2");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=3")), "second 9 quality 2");  // before the leg's first
}

TEST(TrainingTargetTest, AMetricWithAnAxisOfItsOwnOutlivesOrdinarySteps) {
  RunLog log;
  log.Start(0, 1).Step(10, 1).Metric(10, 6'400, "2").Step(20, 2).Step(30, 3).Add(30, "stop");
  EXPECT_EQ(Told(ReachedBy(log, "loss<=2.5")), "second 10 quality 2");
}

}  // namespace
}  // namespace plimsoll
