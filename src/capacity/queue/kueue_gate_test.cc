#include "capacity/queue/kueue_gate.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"
#include "capacity/queue/queue_simulation.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;
using queue_fixture::StartsOf;
using queue_fixture::WorkloadOf;

using Starts = std::vector<std::int64_t>;

QueueSpec Queue(const std::string& name, std::int64_t gpus) {
  QueueSpec queue;
  queue.name = name;
  queue.cohort = "all";
  queue.groups = {{{"gpu", {{"nvidia.com/gpu", gpus, std::nullopt, std::nullopt}}}}};
  return queue;
}

QuotaSpec TwoQueues(std::int64_t first, std::int64_t second) {
  QuotaSpec spec;
  spec.queues = {Queue("q0", first), Queue("q1", second)};
  for (QueueSpec& queue : spec.queues) {
    queue.preemption.within_queue = PreemptionPolicy::kLowerPriority;
    queue.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  }
  return spec;
}

QueueOptions OptionsOf(const QuotaSpec& spec) {
  QueueOptions options;
  const KueueGate::Names names{{"q0", "q1"}, {"gpu"}, "nvidia.com/gpu"};
  options.quota = *KueueGate::Build(spec, QuotaRules(), names);
  options.line_per_queue = true;
  options.of_queue = DisciplinesOf(spec, names.queues);
  return options;
}

TEST(KueueGateTest, AQueueWithoutQuotaIsNamed) {
  const auto gate = KueueGate::Build(TwoQueues(1, 1), QuotaRules(), {{"q0", "zz"}, {"gpu"}, "x"});
  ASSERT_FALSE(gate.has_value());
  EXPECT_EQ(gate.error().message,
            "jobs are in queue 'zz', which no ClusterQueue is named; there are: q0, q1");
}

TEST(KueueGateTest, AnswersFollowTheTree) {
  QuotaSpec spec = TwoQueues(4, 4);
  spec.queues[0].groups[0][0].resources[0].borrowing_limit = 2;
  const auto gate =
      *KueueGate::Build(spec, QuotaRules(), {{"q0", "q1"}, {"gpu", "other"}, "nvidia.com/gpu"});
  QuotaClaim claim;
  const auto ask = [&](std::uint32_t queue, std::int64_t gpus) {
    claim.queue = queue;
    claim.gpu_milli = gpus * 1'000;
    return gate->Ask(claim);
  };
  EXPECT_EQ(ask(0, 4), QuotaAnswer::kFits);
  EXPECT_EQ(ask(0, 6), QuotaAnswer::kBorrows);
  EXPECT_EQ(ask(0, 7), QuotaAnswer::kNever);
  EXPECT_EQ(ask(1, 8), QuotaAnswer::kBorrows);
  ask(1, 6);
  gate->Reserve(claim, Instant());
  EXPECT_EQ(ask(0, 3), QuotaAnswer::kBorrowed);
  EXPECT_EQ(ask(1, 3), QuotaAnswer::kUsedUp);
  claim.flavor = 1;
  EXPECT_EQ(ask(1, 1), QuotaAnswer::kNever);
}

// kueue#13662: who reclaims keeps what it frees, and each victim goes once.
TEST(KueueGateTest, ReclaimedQuotaIsNotBorrowedAgainAndEachVictimGoesOnce) {
  const QueueOptions options = OptionsOf(TwoQueues(4, 4));
  TrainingWorkload workload = WorkloadOf({{0, 1, 2, 100, 0, 0},
                                          {1, 1, 2, 100, 0, 0},
                                          {2, 1, 2, 100, 0, 0},
                                          {3, 1, 2, 100, 0, 0},
                                          {10, 1, 4, 30, 0, 1},
                                          {11, 1, 2, 10, 0, 0}},
                                         2);
  const QueueOutcome outcome = SimulateQueue(ClusterOf({4, 4}), workload, options, {});
  EXPECT_EQ(StartsOf(outcome)[4], 10);
  EXPECT_EQ(outcome.totals.preemptions, 2);
  for (const JobOutcome& job : outcome.jobs) EXPECT_LE(job.preemptions, 1);
  // They start again when the owner is done; by their time in the queue, before the newest.
  EXPECT_EQ(outcome.jobs[2].later_waits.total() + outcome.jobs[3].later_waits.total(), Minutes(60));
  EXPECT_GT(StartsOf(outcome)[5], 40);
}

// kueue#5243: evicting within the quota does not help if no node can hold the pod then.
TEST(KueueGateTest, NobodyGoesWhereNodesStayTooSmall) {
  QuotaSpec spec = TwoQueues(8, 0);
  const QueueOptions options = OptionsOf(spec);
  std::vector<queue_fixture::JobSpec> specs;
  for (int i = 0; i < 4; ++i) specs.push_back({0, 1, 2, 100, i < 2 ? 5 : 1, 0});
  specs.push_back({5, 1, 4, 10, 5, 0});  // a low and a high one lie on each node
  std::swap(specs[1], specs[2]);
  for (int i = 0; i < 4; ++i) specs[static_cast<std::size_t>(i)].at = i;
  const QueueOutcome outcome = SimulateQueue(ClusterOf({4, 4}), WorkloadOf(specs, 2), options, {});
  EXPECT_EQ(outcome.totals.preemptions, 0);
  EXPECT_GE(StartsOf(outcome)[4], 100);
}

// kueue#2821: borrowing and reclaiming end; nobody takes turns for ever.
TEST(KueueGateTest, EvictionsAreBounded) {
  QuotaSpec spec = TwoQueues(4, 4);
  for (QueueSpec& queue : spec.queues) queue.preemption.borrow_within_cohort = true;
  const QueueOptions options = OptionsOf(spec);
  RandomStream random(1, "evictions", 0);
  std::vector<queue_fixture::JobSpec> specs;
  for (int i = 0; i < 200; ++i) {
    specs.push_back({i, 1, static_cast<std::int32_t>(1 + random.Below(4)),
                     static_cast<std::int64_t>(1 + random.Below(9)),
                     static_cast<std::int32_t>(random.Below(3)),
                     static_cast<std::uint32_t>(random.Below(2))});
  }
  const QueueOutcome outcome = SimulateQueue(ClusterOf({4, 4}), WorkloadOf(specs, 2), options, {});
  EXPECT_GT(outcome.totals.preemptions, 0);
  EXPECT_LT(outcome.totals.preemptions, 400);
  for (const JobOutcome& job : outcome.jobs) EXPECT_EQ(job.state, JobState::kDone);
}

TEST(KueueGateTest, DisciplinesAreTheStrategies) {
  QuotaSpec spec = TwoQueues(1, 1);
  spec.queues[1].strategy = QueueingStrategy::kStrictFifo;
  const std::vector<std::string> queues{"q1", "q0"};
  EXPECT_EQ(DisciplinesOf(spec, queues),
            (std::vector{QueueDiscipline::kStrict, QueueDiscipline::kBestEffort}));
}

// Room on a flavor that quota refuses is no reason to stop anybody.
TEST(KueueGateTest, NobodyGoesOnAFlavorThatQuotaRefuses) {
  QuotaSpec spec = TwoQueues(0, 4);
  spec.queues[0].cohort = spec.queues[1].cohort = "";
  spec.queues[0].groups[0].push_back({"b", {{"nvidia.com/gpu", 8, std::nullopt, std::nullopt}}});
  const Cluster cluster({"gpu", "b"}, DomainTree(),
                        {{"n0", 0, 0, 0, 4, {}}, {"n1", 1, 0, 0, 4, {}}});
  QueueOptions options;
  options.quota =
      *KueueGate::Build(spec, QuotaRules(), {{"q0", "q1"}, {"gpu", "b"}, "nvidia.com/gpu"});
  options.line_per_queue = true;
  options.preemption = true;
  TrainingWorkload workload =
      WorkloadOf({{0, 1, 4, 100, 1, 1}, {0, 1, 4, 60, 9, 0}, {10, 1, 4, 30, 5, 0}}, 2);
  const QueueOutcome outcome = SimulateQueue(cluster, workload, options, {});
  EXPECT_EQ(StartsOf(outcome), (Starts{0, 0, 60}));
  EXPECT_EQ(outcome.totals.preemptions, 0);
}

// Kueue: a resource that no resource group of the ClusterQueue covers makes the workload
// inadmissible; pods count only where a quota names them.
TEST(KueueGateTest, WhoAsksForWhatItsQueueHasNoQuotaOfNeverStarts) {
  QuotaSpec spec = TwoQueues(4, 4);
  spec.queues[1].groups[0][0].resources.push_back({"cpu", 8'000, std::nullopt, std::nullopt});
  spec.queues[1].groups[0][0].resources.push_back({"pods", 8, std::nullopt, std::nullopt});
  const auto gate =
      *KueueGate::Build(spec, QuotaRules(), {{"q0", "q1"}, {"gpu"}, "nvidia.com/gpu"});
  QuotaClaim claim;
  claim.gpu_milli = 1'000;
  claim.pods = 1;
  claim.memory_mib = 64;  // that no quota names
  EXPECT_EQ(gate->Ask(claim), QuotaAnswer::kFits);
  claim.cpu_milli = 4'000;
  EXPECT_EQ(gate->Ask(claim), QuotaAnswer::kNever);
  EXPECT_TRUE(gate->Victims(claim, Instant()).empty());
  claim.queue = 1;
  EXPECT_EQ(gate->Ask(claim), QuotaAnswer::kFits);
  claim.pods = 17;
  EXPECT_EQ(gate->Ask(claim), QuotaAnswer::kNever);
}

TEST(KueueGateTest, WhoIsNotPreemptibleKeepsItsQuota) {
  for (const bool fair_sharing : {false, true}) {
    QuotaRules rules;
    rules.fair_sharing = fair_sharing;
    const auto gate =
        *KueueGate::Build(TwoQueues(4, 4), rules, {{"q0", "q1"}, {"gpu"}, "nvidia.com/gpu"});
    const auto claim = [](std::uint32_t job, std::uint32_t queue, bool preemptible) {
      QuotaClaim made;
      made.job = job;
      made.queue = queue;
      made.gpu_milli = 4'000;
      made.preemptible = preemptible;
      return made;
    };
    gate->Reserve(claim(0, 0, false), Instant());
    gate->Reserve(claim(1, 0, false), Instant());
    QuotaClaim high = claim(2, 1, true);
    high.priority = 9;
    EXPECT_TRUE(gate->Victims(high, Instant()).empty());
    gate->Release(claim(1, 0, false));
    gate->Reserve(claim(3, 0, true), Instant());
    EXPECT_EQ(gate->Victims(high, Instant()), std::vector<std::uint32_t>{3});
  }
}

}  // namespace
}  // namespace plimsoll
