#include "capacity/queue/queue_engine.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"
#include "sim/replications.h"

namespace plimsoll {
namespace {

using queue_fixture::AtMinute;
using queue_fixture::ClusterOf;
using queue_fixture::JobOf;
using queue_fixture::StartsOf;
using queue_fixture::WorkloadOf;

TrainingWorkload Busy(int jobs) {
  std::vector<queue_fixture::JobSpec> specs;
  RandomStream random(1, "busy", 0);
  std::int64_t at = 0;
  for (int i = 0; i < jobs; ++i) {
    at += static_cast<std::int64_t>(random.Below(12));
    specs.push_back({at, static_cast<std::int32_t>(1 + random.Below(3)),
                     static_cast<std::int32_t>(1 + random.Below(4)),
                     static_cast<std::int64_t>(1 + random.Below(90)),
                     static_cast<std::int32_t>(random.Below(3))});
  }
  return WorkloadOf(specs);
}

QueueOptions Risky(QueueDiscipline discipline) {
  QueueOptions options;
  options.discipline = discipline;
  options.risks.of_flavor.resize(1);
  options.risks.of_flavor[0].failures_per_million_node_days = 2'000'000;
  options.risks.of_flavor[0].evictions_per_million_node_days = 1'000'000;
  options.risks.domains = {{0, 500'000, Hours(1)}};
  options.preemption = discipline != QueueDiscipline::kConservative;
  return options;
}

TEST(QueueEngineTest, ACopyGoesOnByItselfAndTheOriginalDoesNotNotice) {
  const Cluster cluster = ClusterOf({4, 4, 4, 4}, 2);
  const TrainingWorkload workload = Busy(200);
  for (const auto discipline : {QueueDiscipline::kStrict, QueueDiscipline::kBestEffort,
                                QueueDiscipline::kEasy, QueueDiscipline::kConservative}) {
    const QueueOptions options = Risky(discipline);
    const QueueOutcome alone = SimulateQueue(cluster, workload, options, {1, 0});
    QueueEngine engine(cluster, workload, options, {1, 0});
    for (std::int64_t minute = 50; minute < 1'000; minute += 90) {
      engine.RunUntil(AtMinute(minute) - Millis(1));
      QueueEngine branch(engine);
      const TrainingJob probe = JobOf({0, 2, 4, 30, 1});
      const ProbeAnswer answer = branch.Ask(probe, AtMinute(minute), Hours(3));
      EXPECT_EQ(answer.split.total(), answer.wait.value_or(Hours(3)));
    }
    EXPECT_EQ(engine.Finish(), alone);
  }
}

TEST(QueueEngineTest, SeedsDecideAndThreadsDoNot) {
  const Cluster cluster = ClusterOf({4, 4, 4, 4}, 2);
  const TrainingWorkload workload = Busy(60);
  const QueueOptions options = Risky(QueueDiscipline::kEasy);
  struct Prints {
    Fingerprint all;
    void Merge(const Prints& other) { all.Add(other.all); }
  };
  const auto run = [&](std::int64_t replication, Prints& prints) {
    const QueueSeed seed{7, static_cast<std::uint64_t>(replication)};
    prints.all.Add(SimulateQueue(cluster, workload, options, seed).fingerprint);
  };
  const Prints one = Replicate<Prints>({300, 0, 1}, run), two = Replicate<Prints>({300, 0, 2}, run);
  EXPECT_EQ(one.all, two.all);
  EXPECT_NE(SimulateQueue(cluster, workload, options, {7, 0}).fingerprint,
            SimulateQueue(cluster, workload, options, {7, 1}).fingerprint);
}

TEST(QueueEngineTest, WhatRunsAtTheEndIsHeldUntilThen) {
  QueueOptions options;
  options.until = AtMinute(30);
  const QueueOutcome outcome =
      SimulateQueue(ClusterOf({2}), WorkloadOf({{0, 1, 2, 60}, {10, 1, 1, 5}, {40}}), options, {});
  EXPECT_EQ(outcome.jobs[0].state, JobState::kRunning);
  EXPECT_EQ(outcome.jobs[0].gpu_time[GpuUse::kUseful].base(), 2'000 * Minutes(30).base());
  EXPECT_EQ(outcome.jobs[1].state, JobState::kWaiting);
  EXPECT_EQ(outcome.jobs[1].first_wait[WaitCause::kBusy], Minutes(20));
  EXPECT_EQ(outcome.jobs[2].state, JobState::kNotSubmitted);
  EXPECT_EQ(outcome.totals.used, outcome.totals.capacity);
}

TEST(QueueEngineTest, OnlyTheMeasuredWindowCounts) {
  QueueOptions options;
  options.warm_up = Minutes(30);
  options.timeline_step = Minutes(20);
  const QueueOutcome outcome =
      SimulateQueue(ClusterOf({2}), WorkloadOf({{0, 1, 1, 60}, {45, 1, 2, 45}}), options, {});
  EXPECT_EQ(outcome.totals.window, (Window{AtMinute(30), AtMinute(105)}));
  EXPECT_EQ(outcome.totals.used.base(), 1'000 * Minutes(30).base() + 2'000 * Minutes(45).base());
  EXPECT_EQ(outcome.totals.waiting_ms, Minutes(15).base());
  EXPECT_EQ(outcome.totals.starts, 1);
  ASSERT_EQ(outcome.timeline.size(), 4U);
  EXPECT_EQ(outcome.timeline[0].used_by_queue[0].base(), 1'000 * Minutes(20).base());
}

TEST(QueueEngineTest, PreferredDomainsAreWaitedForAndThenGivenUp) {
  const Cluster cluster = ClusterOf({2, 2, 2, 2}, 2);
  TrainingWorkload workload = WorkloadOf({{0, 1, 2, 60}, {0, 3, 2, 60}, {1, 2, 2, 10}});
  workload.jobs[1].submitted = AtMinute(0);
  workload.jobs[1].pods = workload.jobs[1].pods_min = 1;
  workload.jobs[1].topology.mode = TopologyMode::kRequired;
  workload.jobs[1].topology.level = 0;
  workload.jobs[2].topology.mode = TopologyMode::kPreferred;
  QueueOptions options;
  // n0 is taken, n1 too (the tightest rack that suffices); a third job leaves one node of r1.
  workload.jobs.insert(workload.jobs.begin() + 2, JobOf({0, 1, 2, 7}));
  EXPECT_EQ(StartsOf(SimulateQueue(cluster, workload, options, {}))[3], 7);
  workload.jobs[0].run = Minutes(4);
  EXPECT_EQ(StartsOf(SimulateQueue(cluster, workload, options, {}))[3], 4);
  options.prefer_topology_for = Minutes(2);
  const QueueOutcome relaxed = SimulateQueue(cluster, workload, options, {});
  EXPECT_EQ(StartsOf(relaxed)[3], 4);
  options.prefer_topology_for = Minutes(10);
  const QueueOutcome patient = SimulateQueue(cluster, workload, options, {});
  EXPECT_EQ(StartsOf(patient)[3], 7);
  EXPECT_EQ(patient.jobs[3].first_wait[WaitCause::kDomain], Minutes(3));
}

}  // namespace
}  // namespace plimsoll
