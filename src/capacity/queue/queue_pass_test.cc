#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"
#include "capacity/queue/queue_simulation.h"

namespace plimsoll {
namespace {

using queue_fixture::AtMinute;
using queue_fixture::ClusterOf;
using queue_fixture::JobSpec;
using queue_fixture::StartsOf;
using queue_fixture::WorkloadOf;

using Starts = std::vector<std::int64_t>;

QueueOptions With(QueueDiscipline discipline) {
  QueueOptions options;
  options.discipline = discipline;
  return options;
}

QueueOutcome Simulate(const Cluster& cluster, const TrainingWorkload& workload,
                      QueueDiscipline discipline) {
  return SimulateQueue(cluster, workload, With(discipline), {});
}

Duration Makespan(const QueueOutcome& outcome) {
  Instant last;
  for (const JobOutcome& job : outcome.jobs) last = std::max(last, job.ended.value());
  return Between(Instant(), last);
}

// Spreads, as a default scheduler does.
class Emptiest : public NodeChooser {
 public:
  std::optional<PodPlace> Choose(const Cluster& cluster, const PodShape& shape) override {
    std::optional<NodeId> best;
    for (NodeId id = 0; id < cluster.size(); ++id) {
      if (!cluster.Fits(id, shape)) continue;
      if (!best || cluster.free(id).whole_gpus > cluster.free(*best).whole_gpus) best = id;
    }
    if (!best) return std::nullopt;
    return PodPlace{*best, cluster.ChooseGpus(*best, shape)};
  }
  std::unique_ptr<NodeChooser> Clone() const override { return std::make_unique<Emptiest>(); }
};

// kueue#1476: free 7, 7, 8; a gang of 2 x 8 waits although 22 are free, 1 x 8 starts.
TEST(QueuePassTest, AGangThatCountsPromisesIsPassedByOneThatFits) {
  const TrainingWorkload workload = WorkloadOf(
      {{0, 1, 1, 100}, {0, 1, 8, 50}, {0, 1, 8, 70}, {1, 1, 1, 5}, {50, 2, 8, 10}, {50, 1, 8, 10}});
  const QueueOutcome outcome =
      Simulate(ClusterOf({8, 8, 8}), workload, QueueDiscipline::kBestEffort);
  // From 50 on n0 has 7 free, n1 all 8, n2 none until 70.
  EXPECT_EQ(StartsOf(outcome)[5], 50);
  EXPECT_EQ(StartsOf(outcome)[4], 70);
}

// volcano#1119: a job of one pod with 5 GPUs on nodes with 4 never starts and blocks nobody.
TEST(QueuePassTest, WhoNeverFitsIsTurnedAwayAndBlocksNobody) {
  const TrainingWorkload workload = WorkloadOf({{0, 1, 5}, {0, 1, 1}});
  const QueueOutcome outcome = Simulate(ClusterOf({4, 1}), workload, QueueDiscipline::kStrict);
  EXPECT_EQ(outcome.jobs[0].state, JobState::kNever);
  EXPECT_EQ(outcome.jobs[0].never, WaitCause::kFragmented);
  EXPECT_EQ(StartsOf(outcome), (Starts{-1, 0}));
}

// volcano#3373: two gangs of 100, 100 slots: one has all, the other none.
TEST(QueuePassTest, GangsStartAsAWhole) {
  const TrainingWorkload workload = WorkloadOf({{0, 100, 1, 60}, {0, 100, 1, 60}});
  for (const auto discipline : {QueueDiscipline::kStrict, QueueDiscipline::kBestEffort,
                                QueueDiscipline::kEasy, QueueDiscipline::kConservative}) {
    const QueueOutcome outcome =
        Simulate(ClusterOf(std::vector<std::int32_t>(25, 4)), workload, discipline);
    EXPECT_EQ(StartsOf(outcome), (Starts{0, 60}));
    EXPECT_EQ(outcome.jobs[0].pods, 100);
  }
}

// kueue#14570: two gangs at once, one free domain.
TEST(QueuePassTest, OneDomainIsNotPromisedTwice) {
  TrainingWorkload workload = WorkloadOf({{0, 2, 8, 60, 0, 0}, {0, 2, 8, 60, 0, 1}}, 2);
  for (TrainingJob& job : workload.jobs) job.topology.mode = TopologyMode::kRequired;
  QueueOptions options = With(QueueDiscipline::kBestEffort);
  options.line_per_queue = true;
  const QueueOutcome outcome = SimulateQueue(ClusterOf({8, 8, 8, 0, 8}, 2), workload, options, {});
  EXPECT_EQ(StartsOf(outcome), (Starts{0, 60}));
  EXPECT_EQ(outcome.jobs[1].first_wait[WaitCause::kDomain], Minutes(60));
}

// kueue#8309, #2270: a head that waits holds up who would fit, or starves behind small jobs.
TEST(QueuePassTest, AStrictHeadCostsIdleGpusAndABestEffortOneItsOwnTime) {
  std::vector<JobSpec> specs{{0, 1, 3, 60}, {0, 1, 4, 60}};
  for (std::int64_t at = 5; at < 300; at += 5) specs.push_back({at, 1, 1, 10});
  const TrainingWorkload workload = WorkloadOf(specs);
  const QueueOutcome strict = Simulate(ClusterOf({4}), workload, QueueDiscipline::kStrict);
  EXPECT_EQ(StartsOf(strict)[1], 60);
  // One GPU idles from the arrival of the first small job to the start of the head.
  EXPECT_EQ(strict.totals.head_of_line_idle.base(), 1'000 * Minutes(55).base());
  EXPECT_EQ(strict.jobs[2].first_wait[WaitCause::kHeadOfLine], Minutes(55));
  const QueueOutcome best = Simulate(ClusterOf({4}), workload, QueueDiscipline::kBestEffort);
  EXPECT_EQ(best.totals.head_of_line_idle.base(), 0);
  EXPECT_EQ(StartsOf(best)[2], 5);
  EXPECT_EQ(StartsOf(best)[1], 305);  // when the stream has run dry
}

TEST(QueuePassTest, AHeadHoldsUpItsOwnLineOnly) {
  const TrainingWorkload workload = WorkloadOf(
      {{0, 1, 3, 60, 0, 0}, {1, 1, 4, 60, 0, 0}, {2, 1, 1, 5, 0, 0}, {2, 1, 1, 5, 0, 1}}, 2);
  QueueOptions options = With(QueueDiscipline::kStrict);
  options.line_per_queue = true;
  EXPECT_EQ(StartsOf(SimulateQueue(ClusterOf({4}), workload, options, {})),
            (Starts{0, 60, 120, 2}));
  options.of_queue = {QueueDiscipline::kBestEffort, QueueDiscipline::kStrict};
  EXPECT_EQ(StartsOf(SimulateQueue(ClusterOf({4}), workload, options, {})), (Starts{0, 60, 2, 7}));
}

// KAI#1969, #1987: a large gang before a stream of small jobs starts when those that ran have
// ended, not when the stream ends.
TEST(QueuePassTest, AReservationBoundsTheWaitOfALargeGang) {
  std::vector<JobSpec> specs;
  for (std::int64_t at = 0; at < 300; at += 15) specs.push_back({at, 1, 1, 60});
  specs.insert(specs.begin() + 5, {60, 1, 4, 60});
  const TrainingWorkload workload = WorkloadOf(specs);
  for (const auto discipline : {QueueDiscipline::kEasy, QueueDiscipline::kConservative}) {
    const QueueOutcome outcome = Simulate(ClusterOf({4}), workload, discipline);
    EXPECT_EQ(StartsOf(outcome)[5], 120);  // the last of those that run at 60 ends then
    EXPECT_GT(outcome.jobs[6].first_wait[WaitCause::kReservation], Duration());
  }
  const QueueOutcome best = Simulate(ClusterOf({4}), workload, QueueDiscipline::kBestEffort);
  EXPECT_EQ(StartsOf(best)[5], 345);
}

// flux-sched#572: 4 nodes; 17 jobs of the same length: 8 waves first come, first served, 7 by area.
TEST(QueuePassTest, EasyIsNoLongerThanFirstComeFirstServed) {
  std::vector<JobSpec> specs{{0, 4, 1}, {0, 3, 1}, {0, 3, 1}};
  for (int i = 0; i < 4; ++i) specs.push_back({0, 2, 1});
  for (int i = 0; i < 10; ++i) specs.push_back({0, 1, 1});
  const TrainingWorkload workload = WorkloadOf(specs);
  const Cluster cluster = ClusterOf({1, 1, 1, 1});
  EXPECT_EQ(Makespan(Simulate(cluster, workload, QueueDiscipline::kStrict)), Hours(8));
  EXPECT_EQ(Makespan(Simulate(cluster, workload, QueueDiscipline::kEasy)), Hours(7));
  EXPECT_EQ(Makespan(Simulate(cluster, workload, QueueDiscipline::kConservative)), Hours(7));
}

// flux-sched#670, #224: none, one or all have a reservation; nodes that are down are no part of it.
TEST(QueuePassTest, DepthsOfReservationDiffer) {
  // Four nodes, n3 down. A holds two until 60; B wants three from then on; C wants two for an
  // hour after B; D is long and small, E short and small.
  const TrainingWorkload workload =
      WorkloadOf({{0, 2, 1, 60}, {1, 3, 1, 60}, {2, 2, 1, 60}, {3, 1, 1, 100}, {4, 1, 1, 20}});
  const auto starts = [&](QueueDiscipline discipline) {
    QueueOptions options = With(discipline);
    options.risks.maintenance = {{{3}, {AtMinute(0), AtMinute(1'000)}, Duration()}};
    return StartsOf(SimulateQueue(ClusterOf({1, 1, 1, 1}), workload, options, {}));
  };
  EXPECT_EQ(starts(QueueDiscipline::kBestEffort), (Starts{0, 123, 60, 3, 103}));
  EXPECT_EQ(starts(QueueDiscipline::kEasy), (Starts{0, 60, 120, 120, 4}));
  EXPECT_EQ(starts(QueueDiscipline::kConservative), (Starts{0, 60, 120, 120, 4}));
  EXPECT_EQ(starts(QueueDiscipline::kStrict), (Starts{0, 60, 120, 120, 180}));
}

// cBio#405: long waits at a third of the cluster's use: explained by fragmentation, not shortage.
TEST(QueuePassTest, WaitsBesideFreeGpusAreExplained) {
  const TrainingWorkload workload =
      WorkloadOf({{0, 1, 1, 600}, {0, 1, 1, 600}, {0, 1, 1, 600}, {1, 1, 4, 60}, {1, 1, 1, 10}});
  QueueOptions options = With(QueueDiscipline::kBestEffort);
  options.node_chooser = std::make_shared<Emptiest>();
  const QueueOutcome outcome = SimulateQueue(ClusterOf({4, 4, 4}), workload, options, {});
  EXPECT_EQ(outcome.jobs[3].first_wait[WaitCause::kFragmented], Minutes(599));  // 9 are free
  EXPECT_EQ(outcome.jobs[3].first_wait.total(), Minutes(599));
}

// kueue#10813: scheduling goodput is running time over lifetime.
TEST(QueuePassTest, GoodputIsRunOverRunAndWait) {
  const QueueOutcome outcome = Simulate(ClusterOf({1}), WorkloadOf({{0, 1, 1, 30}, {0, 1, 1, 30}}),
                                        QueueDiscipline::kStrict);
  Duration run, life;
  for (const JobOutcome& job : outcome.jobs) {
    run += Between(*job.started, *job.ended);
    life += Between(Instant(), *job.ended);
  }
  EXPECT_EQ(run, Minutes(60));
  EXPECT_EQ(life, Minutes(90));
}

TEST(QueuePassTest, OrdersDiffer) {
  TrainingWorkload workload =
      WorkloadOf({{0, 1, 1, 10}, {1, 1, 1, 10, 0}, {2, 1, 1, 10, 5}, {3, 1, 1, 10, 1}});
  workload.jobs[3].deadline = AtMinute(30);
  QueueOptions options = With(QueueDiscipline::kStrict);
  const auto starts = [&](QueueOrder order) {
    options.order = order;
    return StartsOf(SimulateQueue(ClusterOf({1}), workload, options, {}));
  };
  EXPECT_EQ(starts(QueueOrder::kSubmitted), (Starts{0, 10, 20, 30}));
  EXPECT_EQ(starts(QueueOrder::kPriority), (Starts{0, 30, 10, 20}));
  EXPECT_EQ(starts(QueueOrder::kDeadline), (Starts{0, 20, 30, 10}));
}

TEST(QueuePassTest, MultifactorLetsWhoHasUsedLessGoFirst) {
  std::vector<JobSpec> specs;
  for (int i = 0; i < 6; ++i) specs.push_back({0, 1, 1, 60, 0, 0});
  specs.push_back({61, 1, 1, 60, 0, 1});
  QueueOptions options = With(QueueDiscipline::kStrict);
  options.order = QueueOrder::kMultifactor;
  const Starts starts = StartsOf(SimulateQueue(ClusterOf({1}), WorkloadOf(specs, 2), options, {}));
  EXPECT_EQ(starts, (Starts{0, 60, 180, 240, 300, 360, 120}));
}

TEST(QueuePassTest, SlurmPlansAtItsIntervalAndNoFurtherThanItsWindow) {
  // B waits for A; C fits beside A but would be in B's way; D is short enough.
  const TrainingWorkload workload =
      WorkloadOf({{0, 1, 1, 60}, {1, 2, 1, 10}, {2, 1, 1, 90}, {2, 1, 1, 20}});
  QueueOptions options = With(QueueDiscipline::kConservative);
  options.backfill.interval = Minutes(10);
  options.backfill.resolution = Minutes(1);
  EXPECT_EQ(StartsOf(SimulateQueue(ClusterOf({1, 1}), workload, options, {})),
            (Starts{0, 60, 70, 10}));
  options.backfill.window = Minutes(30);  // B's start is too far off to be planned
  EXPECT_EQ(StartsOf(SimulateQueue(ClusterOf({1, 1}), workload, options, {}))[2], 10);
}

}  // namespace
}  // namespace plimsoll
