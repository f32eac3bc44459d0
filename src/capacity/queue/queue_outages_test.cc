#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"
#include "capacity/queue/queue_simulation.h"

namespace plimsoll {
namespace {

using queue_fixture::AtMinute;
using queue_fixture::ClusterOf;
using queue_fixture::StartsOf;
using queue_fixture::WorkloadOf;

Maintenance Away(std::vector<NodeId> nodes, std::int64_t begin, std::int64_t until,
                 Duration drain = Duration()) {
  return {std::move(nodes), {AtMinute(begin), AtMinute(until)}, drain};
}

// volcano#5805: one node of a gang goes; the whole gang restarts from its checkpoint when it can.
TEST(QueueOutagesTest, AGangThatLosesANodeStartsAgainAsAWhole) {
  TrainingWorkload workload = WorkloadOf({{0, 3, 4, 100}});
  workload.jobs[0].checkpoint = {Minutes(10), Duration(), Minutes(3), Minutes(2)};
  QueueOptions options;
  options.risks.maintenance = {Away({1}, 37, 60)};
  const QueueOutcome outcome = SimulateQueue(ClusterOf({4, 4, 4}), workload, options, {});
  const JobOutcome& job = outcome.jobs[0];
  EXPECT_EQ(job.maintenances, 1);
  EXPECT_EQ(job.starts, 2);
  // 2 of warm-up, 30 saved, 5 lost; waits 23; then 2 + 3 and the other 70.
  EXPECT_EQ(job.later_waits[WaitCause::kNodeDown], Minutes(23));
  EXPECT_EQ(job.ended, AtMinute(60 + 5 + 70));
  EXPECT_EQ(job.gpu_time[GpuUse::kLost].base(), 12'000 * Minutes(5).base());
  EXPECT_EQ(job.gpu_time[GpuUse::kWarmUp].base(), 12'000 * Minutes(4).base());
  EXPECT_EQ(outcome.totals.down.base(), 4'000 * Minutes(23).base());
}

TEST(QueueOutagesTest, ADrainedNodeTakesNobodyNewAndKeepsWhoIsThere) {
  QueueOptions options;
  options.risks.maintenance = {Away({0}, 60, 90, Minutes(50))};
  const TrainingWorkload workload = WorkloadOf({{0, 1, 1, 30}, {20, 1, 1, 5}});
  const QueueOutcome outcome = SimulateQueue(ClusterOf({2}), workload, options, {});
  EXPECT_EQ(StartsOf(outcome), (std::vector<std::int64_t>{0, 90}));
  EXPECT_EQ(outcome.jobs[0].ended, AtMinute(30));
  EXPECT_EQ(outcome.jobs[1].first_wait[WaitCause::kNodeDown], Minutes(70));
}

TEST(QueueOutagesTest, WhoIsDoneAtThatInstantIsDone) {
  QueueOptions options;
  options.risks.maintenance = {Away({0}, 30, 90)};
  const QueueOutcome outcome =
      SimulateQueue(ClusterOf({2}), WorkloadOf({{0, 1, 1, 30}}), options, {});
  EXPECT_EQ(outcome.jobs[0].state, JobState::kDone);
  EXPECT_EQ(outcome.jobs[0].starts, 1);
}

QueueOptions Failing(std::int64_t per_million) {
  QueueOptions options;
  options.risks.of_flavor.resize(1);
  options.risks.of_flavor[0].failures_per_million_node_days = per_million;
  return options;
}

TEST(QueueOutagesTest, ASpareTakesThePlaceOfAFailedNodeAtOnce) {
  TrainingWorkload workload = WorkloadOf({{0, 3, 4, 60 * 24 * 20}});
  workload.jobs[0].checkpoint.interval = Hours(1);
  QueueOptions options = Failing(300'000);
  const Cluster cluster = ClusterOf({4, 4, 4, 4, 4, 4});
  options.risks.spares = {3, 4, 5};
  const QueueOutcome with = SimulateQueue(cluster, workload, options, {1, 0});
  EXPECT_GT(with.jobs[0].failures, 3);
  EXPECT_EQ(with.jobs[0].later_waits.total(), Duration());
  EXPECT_GT(with.totals.spare.base(), 0);
  EXPECT_EQ(with.totals.idle.base(), 0);
  const QueueOutcome without =
      SimulateQueue(ClusterOf({4, 4, 4}), workload, Failing(300'000), {1, 0});
  EXPECT_GT(without.jobs[0].later_waits[WaitCause::kNodeDown], Hours(4));
  EXPECT_GT(*without.jobs[0].ended, *with.jobs[0].ended);
}

TEST(QueueOutagesTest, ADomainFailsAsAWholeAndTheOtherGoesOn) {
  QueueOptions options;
  options.risks.domains = {{0, 1'000'000, Hours(3)}};
  options.risks.repair_is_exponential = false;
  options.until = AtMinute(60 * 24 * 50);
  const TrainingWorkload workload = WorkloadOf({{0, 1, 2, 60 * 24 * 60}});
  const QueueOutcome outcome = SimulateQueue(ClusterOf({2, 2, 2, 2}, 2), workload, options, {3, 0});
  EXPECT_GT(outcome.totals.domain_failures, 60);
  EXPECT_EQ(outcome.totals.failures, 0);
  // Each failure takes two nodes of 2 GPUs for 3 hours; some go on at the end.
  const std::int64_t each = 4'000 * Hours(3).base();
  EXPECT_LE(outcome.totals.down.base(), outcome.totals.domain_failures * each);
  EXPECT_GT(outcome.totals.down.base(), (outcome.totals.domain_failures - 3) * each);
  EXPECT_LT(outcome.jobs[0].failures, outcome.totals.domain_failures);
  EXPECT_GT(outcome.jobs[0].failures, 0);
}

TEST(QueueOutagesTest, EvictionsAreNoFailures) {
  QueueOptions options = Failing(0);
  options.risks.of_flavor[0].evictions_per_million_node_days = 4'000'000;
  TrainingWorkload workload = WorkloadOf({{0, 2, 2, 60 * 24 * 5}});
  workload.jobs[0].checkpoint.interval = Minutes(15);
  const QueueOutcome outcome = SimulateQueue(ClusterOf({2, 2}), workload, options, {});
  EXPECT_GT(outcome.jobs[0].evictions, 10);
  EXPECT_EQ(outcome.jobs[0].failures, 0);
  // Some take a node while the gang waits for the other.
  EXPECT_GE(outcome.totals.evictions, outcome.jobs[0].evictions);
}

TEST(QueueOutagesTest, AtTheBackOfTheQueueAnInterruptedJobLosesItsPlace) {
  QueueOptions options;
  options.order = QueueOrder::kSubmitted;
  options.risks.maintenance = {Away({0}, 30, 40)};
  const TrainingWorkload workload = WorkloadOf({{0, 1, 1, 60}, {10, 1, 1, 60}});
  EXPECT_EQ(StartsOf(SimulateQueue(ClusterOf({1}), workload, options, {}))[1], 100);
  options.requeue_at = RequeueAt::kBack;
  EXPECT_EQ(StartsOf(SimulateQueue(ClusterOf({1}), workload, options, {}))[1], 40);
}

}  // namespace
}  // namespace plimsoll
