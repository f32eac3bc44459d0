#include "capacity/queue/queue_simulation.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"

namespace plimsoll {
namespace {

using queue_fixture::AtMinute;
using queue_fixture::ClusterOf;
using queue_fixture::JobOf;
using queue_fixture::JobSpec;
using queue_fixture::WorkloadOf;

std::string Refusal(const TrainingWorkload& workload, const QueueOptions& options = {}) {
  const Status status = CheckQueueInput(ClusterOf({8, 8}, 1), workload, options);
  return status.has_value() ? "" : status.error().message;
}

TEST(QueueSimulationTest, InputThatCannotBeMeantIsRefusedBySentence) {
  EXPECT_EQ(Refusal(WorkloadOf({{0}, {1}})), "");
  EXPECT_EQ(Refusal(WorkloadOf({{5}, {1}})),
            "job 2 'j1' was submitted before the job above it: sort the jobs by time");
  EXPECT_EQ(Refusal(WorkloadOf({{0, 0}})),
            "job 1 'j0' has 0 to 0 pods: at least one, the least first");
  EXPECT_EQ(Refusal(WorkloadOf({{0, 1, 1, 60, 0, 3}})),
            "job 1 'j0' is in queue number 3, but the workload has 1");
  TrainingWorkload deep = WorkloadOf({{0, 4}});
  deep.jobs[0].topology = {TopologyMode::kRequired, 2, 0, 0};
  EXPECT_EQ(Refusal(deep),
            "job 1 'j0' asks for topology level 2, but the cluster has 1 (and the "
            "node below them)");
  deep.jobs[0].topology = {TopologyMode::kRequired, 0, 3, 1};
  EXPECT_EQ(Refusal(deep),
            "job 1 'j0' has 4 pods, not a multiple of its 3 pods a slice: change "
            "one of them");
  QueueOptions options;
  options.discipline = QueueDiscipline::kConservative;
  options.preemption = true;
  EXPECT_EQ(Refusal(WorkloadOf({{0}}), options),
            "conservative backfill plans starts on its own: it goes without preemption, quota and "
            "a node policy; take easy or best_effort with them");
  options.preemption = false;
  TrainingWorkload shared = WorkloadOf({{0}});
  shared.jobs[0].shape.gpu_milli = 500;
  EXPECT_EQ(Refusal(shared, options),
            "job 1 'j0' shares a GPU, but conservative backfill plans whole GPUs: take the "
            "discipline easy or best_effort");
  options = QueueOptions();
  options.probes = {{JobOf({0, 1, 1, 60, 0, 9}), Hours(1), 1, {}}};
  EXPECT_EQ(Refusal(WorkloadOf({{0}}), options),
            "the probe '' is in queue number 9, but the workload has 1");
  options = QueueOptions();
  options.risks.spares = {7};
  EXPECT_EQ(Refusal(WorkloadOf({{0}}), options),
            "a spare is a node that the cluster does not have");
}

// kueue#10168, #15614: what would happen if this were submitted? An answer with time and reason,
// and nothing changes.
TEST(QueueSimulationTest, AProbeIsAnsweredWithoutATrace) {
  const Cluster cluster = ClusterOf({4, 4});
  const TrainingWorkload workload = WorkloadOf({{0, 1, 3, 60}, {0, 1, 3, 90}, {30, 1, 4, 10}});
  QueueOptions options;
  options.order = QueueOrder::kSubmitted;
  const QueueOutcome plain = SimulateQueue(cluster, workload, options, {});
  ProbeSpec probe;
  probe.job = JobOf({0, 1, 2, 20});
  probe.at = {AtMinute(10), AtMinute(40), AtMinute(75)};
  options.probes = {probe, probe};
  options.probes[1].job.shape.gpus = 5;
  options.probes[0].within = Minutes(45);
  const QueueOutcome asked = SimulateQueue(cluster, workload, options, {});
  EXPECT_EQ(asked.fingerprint, plain.fingerprint);
  EXPECT_EQ(asked.jobs, plain.jobs);
  ASSERT_EQ(asked.probes[0].size(), 3U);
  EXPECT_EQ(asked.probes[0][0].wait, std::nullopt);  // until 60
  EXPECT_EQ(asked.probes[0][0].split[WaitCause::kFragmented], Minutes(45));
  // The 4-GPU job, which came at 30, goes first: from 60 to 70.
  EXPECT_EQ(asked.probes[0][1].wait, Minutes(30));
  EXPECT_EQ(asked.probes[0][2].wait, Duration());
  EXPECT_TRUE(asked.probes[1][0].never);
}

// kueue#13159: ten admissions an hour, position 5: thirty minutes as a point; here a distribution.
TEST(QueueSimulationTest, PositionFiveAtTenAnHourIsHalfAnHour) {
  std::vector<JobSpec> specs;
  for (int i = 0; i < 5; ++i) specs.push_back({0, 1, 1, 6});
  QueueOptions options;
  ProbeSpec probe;
  probe.job = JobOf({0, 1, 1, 6});
  probe.at = {AtMinute(0)};
  options.probes = {probe};
  const QueueOutcome outcome = SimulateQueue(ClusterOf({1}), WorkloadOf(specs), options, {});
  EXPECT_EQ(outcome.probes[0][0].wait, Minutes(30));
}

TEST(QueueSimulationTest, EpochsOfProbesLieInTheMeasuredWindow) {
  QueueOptions options;
  options.warm_up = Minutes(20);
  options.until = AtMinute(100);
  ProbeSpec probe;
  probe.job = JobOf({0, 1, 1, 6});
  probe.epochs = 50;
  options.probes = {probe};
  const QueueOutcome outcome =
      SimulateQueue(ClusterOf({1}), WorkloadOf({{0, 1, 1, 60}}), options, {});
  ASSERT_EQ(outcome.probes[0].size(), 50U);
  for (const ProbeAnswer& answer : outcome.probes[0]) {
    EXPECT_GE(answer.at, AtMinute(20));
    EXPECT_LT(answer.at, AtMinute(100));
    const Instant free = std::max(answer.at, AtMinute(60));
    EXPECT_EQ(answer.wait, Between(answer.at, free));
  }
}

TEST(QueueSimulationTest, NoJobsIsAnEmptyRun) {
  const QueueOutcome outcome = SimulateQueue(ClusterOf({1}), WorkloadOf({}), QueueOptions(), {});
  EXPECT_TRUE(outcome.jobs.empty());
  EXPECT_EQ(outcome.totals.capacity.base(), 0);
}

// One row with `submit=0` beside rows of today: more GPU time than is counted exactly.
TEST(QueueSimulationTest, MoreGpuTimeThanIsCountedIsRefused) {
  TrainingWorkload workload = WorkloadOf({{0}, {1}});
  workload.jobs[1].submitted = AtMillis(std::int64_t{1'785'542'400'000});
  const Cluster large = ClusterOf(std::vector<std::int32_t>(1'000, 8));
  const Status status = CheckQueueInput(large, workload, {});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message,
            "8000 GPUs over 20666 days of simulated time are more GPU time than is counted exactly "
            "(6671 days of them): check the earliest submission times and the longest run, or give "
            "a later begin or an earlier until");
  QueueOptions options;
  options.begin = workload.jobs[1].submitted;
  EXPECT_TRUE(CheckQueueInput(large, workload, options).has_value());
  EXPECT_EQ(Refusal(workload), "");
}

TEST(QueueSimulationTest, FairShareNeedsNoQueues) {
  QueueOptions options;
  options.order = QueueOrder::kMultifactor;
  const std::vector<JobSpec> specs{{0, 1, 1, 30}, {1, 1, 1, 30}, {2, 1, 1, 30}};
  const TrainingWorkload without = WorkloadOf(specs, 0);
  EXPECT_TRUE(CheckQueueInput(ClusterOf({1}), without, options).has_value());
  EXPECT_EQ(SimulateQueue(ClusterOf({1}), without, options, {}),
            SimulateQueue(ClusterOf({1}), WorkloadOf(specs, 1), options, {}));
}

// Nobody has come yet: the first look at the queue is at that very instant.
TEST(QueueSimulationTest, AProbeAtTheBeginOfAnEmptyRunIsAnswered) {
  QueueOptions options;
  options.begin = AtMinute(5);
  ProbeSpec probe;
  probe.job = JobOf({0, 1, 1, 6});
  probe.at = {AtMinute(5), AtMinute(9)};
  options.probes = {probe};
  const QueueOutcome outcome = SimulateQueue(ClusterOf({1}), WorkloadOf({}), options, {});
  ASSERT_EQ(outcome.probes[0].size(), 2U);
  EXPECT_EQ(outcome.probes[0][0].wait, Duration());
  EXPECT_EQ(outcome.probes[0][1].wait, Duration());
}

}  // namespace
}  // namespace plimsoll
