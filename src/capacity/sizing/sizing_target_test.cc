#include "capacity/sizing/sizing_target.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TrainingJob Job(std::int64_t submitted, std::int32_t pods, std::int32_t gpus) {
  TrainingJob job;
  job.submitted = AtMillis(submitted);
  job.pods = job.pods_min = pods;
  job.shape.gpus = gpus;
  return job;
}

JobOutcome Started(std::int64_t wait) {
  JobOutcome outcome;
  outcome.state = JobState::kDone;
  outcome.started = AtMillis(0);
  outcome.ended = AtMillis(500);
  outcome.first_wait[WaitCause::kBusy] = Millis(wait);
  return outcome;
}

SizingTargets TwoClasses() {
  SizingTargets targets;
  JobClass small, large;
  small.name = "small";
  small.gpus_max = 8;
  small.within = Millis(10);
  large.name = "large";
  large.gpus_min = 9;
  targets.classes = {small, large};
  return targets;
}

// A run that is measured from 100 to 1,000.
QueueOutcome RunOf(std::vector<JobOutcome> jobs) {
  QueueOutcome run;
  run.jobs = std::move(jobs);
  run.totals.window = {AtMillis(100), AtMillis(1'000)};
  return run;
}

TEST(SizingTargetTest, AJobBelongsToTheFirstClassThatTakesIt) {
  SizingTargets targets = TwoClasses();
  EXPECT_EQ(ClassOf(targets, Job(0, 1, 8)), 0U);
  EXPECT_EQ(ClassOf(targets, Job(0, 2, 8)), 1U);
  targets.classes[1].queue = 3;
  EXPECT_FALSE(ClassOf(targets, Job(0, 2, 8)));
  TrainingJob shared = Job(0, 1, 1);
  shared.shape.gpu_milli = 500;
  targets.classes[0].gpus_min = 1;
  EXPECT_EQ(ClassOf(targets, shared), 0U);  // half a GPU is one that is asked for
}

TEST(SizingTargetTest, WaitsCountByClassFromTheWarmUpOn) {
  TrainingWorkload workload;
  workload.jobs = {Job(50, 1, 1), Job(100, 1, 1), Job(110, 1, 4), Job(120, 4, 8)};
  const ReplicationOutcome measured = MeasureRun(
      TwoClasses(), workload, RunOf({Started(900), Started(10), Started(11), Started(70)}), {});
  EXPECT_EQ(measured.classes[0].waits.count(), 2);  // the first one came before the window
  EXPECT_EQ(measured.classes[0].within, 1);
  EXPECT_EQ(measured.classes[1].waits.count(), 1);
  EXPECT_EQ(measured.classes[1].within, 0);  // no target: nothing is within
  EXPECT_EQ(measured.classes[0].by_cause_ms[static_cast<std::size_t>(WaitCause::kBusy)], 21);
}

TEST(SizingTargetTest, WhoNeverStartedIsLate) {
  TrainingWorkload workload;
  workload.jobs = {Job(100, 1, 1), Job(200, 1, 1), Job(300, 1, 1)};
  JobOutcome waiting, never;
  waiting.state = JobState::kWaiting;
  never.state = JobState::kNever;
  const ReplicationOutcome measured =
      MeasureRun(TwoClasses(), workload, RunOf({waiting, never, Started(3)}), {});
  EXPECT_EQ(measured.classes[0].waits.unstarted(), 2);
  EXPECT_EQ(measured.classes[0].hits(), (HitCount{1, 3}));
}

TEST(SizingTargetTest, ARunThatIsCutJudgesNobodyWhoseTimeWasNotUp) {
  TrainingWorkload workload;
  workload.jobs = {Job(980, 1, 1), Job(990, 1, 1), Job(991, 1, 1), Job(995, 1, 1)};
  JobOutcome waiting;
  waiting.state = JobState::kWaiting;
  // The third started at once, the fourth did not; neither counts, ten milliseconds were not over.
  const QueueOutcome run = RunOf({Started(0), waiting, Started(0), waiting});
  const ReplicationOutcome measured = MeasureRun(TwoClasses(), workload, run, AtMillis(1'000));
  EXPECT_EQ(measured.classes[0].hits(), (HitCount{1, 2}));
  EXPECT_EQ(MeasureRun(TwoClasses(), workload, run, {}).classes[0].hits(), (HitCount{2, 4}));
}

TEST(SizingTargetTest, DeadlinesAreMetToTheMillisecond) {
  TrainingWorkload workload;
  workload.jobs = {Job(100, 1, 1), Job(100, 1, 1), Job(100, 1, 1), Job(100, 1, 1)};
  workload.jobs[0].deadline = AtMillis(500);
  workload.jobs[1].deadline = AtMillis(499);
  workload.jobs[2].deadline = AtMillis(5'000);
  JobOutcome running = Started(0);
  running.ended.reset();
  const QueueOutcome run = RunOf({Started(0), Started(0), running, Started(0)});
  EXPECT_EQ(MeasureRun(TwoClasses(), workload, run, AtMillis(1'000)).deadlines, (HitCount{1, 2}));
  EXPECT_EQ(MeasureRun(TwoClasses(), workload, run, {}).deadlines, (HitCount{1, 3}));
}

TEST(SizingTargetTest, ProbesAreWaitsAndBeyondTheirTimeTheyHaveNone) {
  SizingTargets targets;
  GangTarget gang;
  gang.job = Job(0, 4, 8);
  gang.within = Hours(4);
  targets.gangs = {gang};
  QueueOutcome run = RunOf({});
  run.probes = {{{AtMillis(200), Hours(4), {}, false}, {AtMillis(300), std::nullopt, {}, false}}};
  run.totals.capacity = GpuMicros::FromBase(100);
  run.totals.used = GpuMicros::FromBase(60);
  run.totals.uses[GpuUse::kLost] = GpuMicros::FromBase(5);
  run.totals.uses[GpuUse::kRestart] = GpuMicros::FromBase(2);
  const ReplicationOutcome measured = MeasureRun(targets, {}, run, {});
  EXPECT_EQ(measured.gangs[0].hits(), (HitCount{1, 2}));
  EXPECT_EQ(measured.used, 60);
  EXPECT_EQ(measured.lost, 7);
  const std::vector<ProbeSpec> probes = ProbesOf(targets, 30);
  ASSERT_EQ(probes.size(), 1U);
  EXPECT_EQ(probes[0].epochs, 30);
  EXPECT_EQ(probes[0].within, Hours(4));
  EXPECT_EQ(probes[0].job.pods, 4);
}

}  // namespace
}  // namespace plimsoll
