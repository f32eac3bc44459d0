#include <gtest/gtest.h>

#include <map>

#include "capacity/queue/queue_fixture.h"
#include "capacity/queue/queue_simulation.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;
using queue_fixture::JobSpec;
using queue_fixture::StartsOf;
using queue_fixture::WorkloadOf;

using Starts = std::vector<std::int64_t>;

QueueOptions Preempting() {
  QueueOptions options;
  options.preemption = true;
  return options;
}

// kueue#5243: four nodes of 8; on each six GPUs of high priority, two of low. No node can reach 8,
// so nobody makes room for a pod of 8; one of 1 GPU has one victim.
TEST(QueueSeatTest, NobodyIsStoppedForAJobThatFindsNoPlaceEvenThen) {
  std::vector<JobSpec> specs;
  for (int node = 0; node < 4; ++node) {
    for (int i = 0; i < 6; ++i) specs.push_back({0, 1, 1, 100, 10});
    for (int i = 0; i < 2; ++i) specs.push_back({0, 1, 1, 100, 1});
  }
  // All of a node arrive before those of the next, so that each node has its six and its two.
  for (std::size_t i = 0; i < specs.size(); ++i) specs[i].at = static_cast<std::int64_t>(i / 8);
  specs.push_back({10, 1, 8, 60, 10});
  specs.push_back({20, 1, 1, 60, 10});
  const QueueOutcome outcome =
      SimulateQueue(ClusterOf({8, 8, 8, 8}), WorkloadOf(specs), Preempting(), {});
  EXPECT_EQ(outcome.totals.preemptions, 1);
  EXPECT_EQ(StartsOf(outcome)[33], 20);
  EXPECT_GE(StartsOf(outcome)[32], 100);
  std::int32_t stopped = 0;
  for (const JobOutcome& job : outcome.jobs) stopped += job.preemptions;
  EXPECT_EQ(stopped, 1);
}

TEST(QueueSeatTest, VictimsAreTheLowestAndLatestAndNoMoreThanNeeded) {
  // n0 and n1 full of single GPUs; a pod of 2 GPUs needs two on one node.
  const TrainingWorkload workload = WorkloadOf({{0, 1, 1, 100, 1},
                                                {1, 1, 1, 100, 2},
                                                {2, 1, 1, 100, 1},
                                                {3, 1, 1, 100, 1},
                                                {10, 1, 2, 30, 5}});
  const QueueOutcome outcome = SimulateQueue(ClusterOf({2, 2}), workload, Preempting(), {});
  EXPECT_EQ(StartsOf(outcome)[4], 10);
  EXPECT_EQ(outcome.totals.preemptions, 2);
  EXPECT_EQ(outcome.jobs[2].preemptions, 1);
  EXPECT_EQ(outcome.jobs[3].preemptions, 1);
}

TEST(QueueSeatTest, WhatWasDoneSinceTheCheckpointIsLostAndDoneAgain) {
  TrainingWorkload workload = WorkloadOf({{0, 1, 2, 100, 1}, {50, 1, 1, 10, 2}});
  workload.jobs[0].checkpoint.interval = Minutes(20);
  workload.jobs[0].checkpoint.write = Minutes(2);
  workload.jobs[0].checkpoint.restart = Minutes(5);
  const QueueOutcome outcome = SimulateQueue(ClusterOf({2}), workload, Preempting(), {});
  const JobOutcome& job = outcome.jobs[0];
  // Written at 22 and 44; six minutes lost; 60 left, from 60 on: restart 5, then writes at 20, 40.
  EXPECT_EQ(job.gpu_time[GpuUse::kLost].base(), 2'000 * Minutes(6).base());
  EXPECT_EQ(job.gpu_time[GpuUse::kUseful].base(), 2'000 * Minutes(100).base());
  EXPECT_EQ(job.gpu_time[GpuUse::kCheckpoint].base(), 2'000 * Minutes(4 + 4).base());
  EXPECT_EQ(job.gpu_time[GpuUse::kRestart].base(), 2'000 * Minutes(5).base());
  EXPECT_EQ(job.ended->base(), Minutes(60 + 5 + 60 + 4).base());
  EXPECT_EQ(job.later_waits.total(), Minutes(10));
  EXPECT_EQ(job.starts, 2);
}

TEST(QueueSeatTest, WhoIsNotPreemptibleGoesOn) {
  TrainingWorkload workload = WorkloadOf({{0, 1, 2, 60, 1}, {10, 1, 2, 10, 9}});
  workload.jobs[0].preemptible = false;
  EXPECT_EQ(StartsOf(SimulateQueue(ClusterOf({2}), workload, Preempting(), {})), (Starts{0, 60}));
}

TEST(QueueSeatTest, FlavorsAreTriedInTheOrderOfTheJob) {
  const Cluster cluster({"a", "b"}, DomainTree(), {{"n0", 0, 0, 0, 4, {}}, {"n1", 1, 0, 0, 4, {}}});
  TrainingWorkload workload = WorkloadOf({{0, 1, 4, 60}, {1, 1, 4, 30}, {2, 2, 2, 10}});
  for (TrainingJob& job : workload.jobs) job.flavor_order = {1, 0};
  workload.jobs[2].flavor_order = {1};
  const QueueOutcome outcome = SimulateQueue(cluster, workload, QueueOptions(), {});
  EXPECT_EQ(StartsOf(outcome), (Starts{0, 1, 60}));
  EXPECT_EQ(outcome.jobs[2].first_wait[WaitCause::kFlavor], Minutes(60 - 31));
  EXPECT_EQ(outcome.jobs[2].first_wait[WaitCause::kBusy], Minutes(29));
}

TEST(QueueSeatTest, AGangWithFewerPodsTakesLonger) {
  TrainingWorkload workload = WorkloadOf({{0, 1, 1, 600}, {0, 4, 1, 60}});
  workload.jobs[1].pods_min = 2;
  const QueueOutcome outcome = SimulateQueue(ClusterOf({4}), workload, QueueOptions(), {});
  EXPECT_EQ(outcome.jobs[1].pods, 3);
  EXPECT_EQ(outcome.jobs[1].ended->base(), Minutes(80).base());
}

// So many GPUs a queue; what is below it may be lent, and taken back from who borrows.
class FixedQuota : public QuotaGate {
 public:
  FixedQuota(std::map<std::uint32_t, std::int64_t> gpus, bool lends)
      : gpus_(std::move(gpus)), lends_(lends) {}

  QuotaAnswer Ask(const QuotaClaim& claim) const override {
    const std::int64_t milli = claim.gpu_milli;
    if (milli > (lends_ ? Total() : Own(claim.queue))) return QuotaAnswer::kNever;
    if (lends_ && Used() + milli > Total()) {
      return Used(claim.queue) + milli <= Own(claim.queue) ? QuotaAnswer::kBorrowed
                                                           : QuotaAnswer::kUsedUp;
    }
    if (Used(claim.queue) + milli <= Own(claim.queue)) return QuotaAnswer::kFits;
    return lends_ ? QuotaAnswer::kBorrows : QuotaAnswer::kUsedUp;
  }
  std::vector<std::uint32_t> Victims(const QuotaClaim& claim, Instant) const override {
    if (Used(claim.queue) + claim.gpu_milli > Own(claim.queue)) return {};
    std::vector<std::uint32_t> victims;
    std::int64_t freed = Total() - Used();
    for (auto entry = held_.rbegin(); entry != held_.rend(); ++entry) {
      if (freed >= claim.gpu_milli) break;
      if (Used(entry->queue) <= Own(entry->queue)) continue;
      victims.push_back(entry->job);
      freed += entry->gpu_milli;
    }
    return victims;
  }
  void Reserve(const QuotaClaim& claim, Instant) override { held_.push_back(claim); }
  void Release(const QuotaClaim& claim) override {
    std::erase_if(held_, [&](const QuotaClaim& held) { return held.job == claim.job; });
  }
  std::unique_ptr<QuotaGate> Clone() const override { return std::make_unique<FixedQuota>(*this); }

 private:
  std::int64_t Own(std::uint32_t queue) const { return gpus_.at(queue) * 1'000; }
  std::int64_t Total() const {
    std::int64_t sum = 0;
    for (const auto& [queue, gpus] : gpus_) sum += gpus * 1'000;
    return sum;
  }
  std::int64_t Used() const {
    std::int64_t sum = 0;
    for (const QuotaClaim& held : held_) sum += held.gpu_milli;
    return sum;
  }
  std::int64_t Used(std::uint32_t queue) const {
    std::int64_t sum = 0;
    for (const QuotaClaim& held : held_) sum += held.queue == queue ? held.gpu_milli : 0;
    return sum;
  }

  std::map<std::uint32_t, std::int64_t> gpus_;
  bool lends_;
  std::vector<QuotaClaim> held_;
};

TEST(QueueSeatTest, QuotaHoldsBackWhoWouldFit) {
  QueueOptions options;
  options.quota =
      std::make_shared<FixedQuota>(std::map<std::uint32_t, std::int64_t>{{0, 2}, {1, 2}}, false);
  options.line_per_queue = true;
  const TrainingWorkload workload =
      WorkloadOf({{0, 1, 2, 60, 0, 0}, {1, 1, 1, 10, 0, 0}, {2, 1, 2, 5, 0, 1}, {3, 1, 3}}, 2);
  const QueueOutcome outcome = SimulateQueue(ClusterOf({4}), workload, options, {});
  EXPECT_EQ(StartsOf(outcome), (Starts{0, 60, 2, -1}));
  EXPECT_EQ(outcome.jobs[1].first_wait[WaitCause::kQuota], Minutes(59));
  EXPECT_EQ(outcome.jobs[3].state, JobState::kNever);
  EXPECT_EQ(outcome.jobs[3].never, WaitCause::kQuota);
}

// Run:ai's quick start: 4 GPUs on two nodes; a borrows one that b then wants back.
TEST(QueueSeatTest, WhatWasLentIsTakenBackFromTheBorrower) {
  QueueOptions options;
  options.quota =
      std::make_shared<FixedQuota>(std::map<std::uint32_t, std::int64_t>{{0, 2}, {1, 2}}, true);
  options.line_per_queue = true;
  const TrainingWorkload workload = WorkloadOf(
      {{0, 1, 2, 100, 0, 0}, {1, 1, 1, 100, 0, 0}, {2, 1, 1, 100, 0, 1}, {10, 1, 1, 100, 0, 1}}, 2);
  const QueueOutcome outcome = SimulateQueue(ClusterOf({2, 2}), workload, options, {});
  EXPECT_EQ(StartsOf(outcome), (Starts{0, 1, 2, 10}));
  EXPECT_EQ(outcome.jobs[1].preemptions, 1);
  EXPECT_EQ(outcome.totals.preemptions, 1);
  EXPECT_EQ(outcome.jobs[1].later_waits[WaitCause::kQuota], Minutes(90));
}

}  // namespace
}  // namespace plimsoll
