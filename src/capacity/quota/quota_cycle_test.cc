#include "capacity/quota/quota_cycle.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "capacity/quota/pending_queue.h"
#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

QuotaRequest Head(const NamedState& named, const char* queue, std::int64_t amount,
                  std::int32_t priority = 0) {
  QuotaRequest request;
  request.id = 1'000 + named.Queue(queue);
  request.queue = named.Queue(queue);
  request.priority = priority;
  request.pod_sets = {{1, 1, {{0, amount}}, {}}};
  return request;
}

std::vector<QuotaDecision> RunCycle(NamedState& named, const std::vector<QuotaRequest>& heads,
                                    const QuotaRules& rules = {}, PlacementHooks hooks = {}) {
  return QuotaCycle(named.state(), rules, std::move(hooks)).Run(heads, AtSeconds(1));
}

QueueSpec Reclaims(QueueSpec queue) {
  queue.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  return queue;
}

TEST(QuotaCycleTest, HeadsSeeWhatThoseBeforeThemTook) {
  NamedState named({.queues = {AQueue("a", "all", 2), AQueue("b", "all", 2)}});
  const auto decisions = RunCycle(named, {Head(named, "a", 3), Head(named, "b", 3)});
  ASSERT_EQ(decisions.size(), 2u);
  EXPECT_EQ(decisions[0].verdict, QuotaVerdict::kAdmitted);
  EXPECT_EQ(decisions[0].head, 0u);
  EXPECT_EQ(decisions[1].verdict, QuotaVerdict::kSkipped);
  EXPECT_EQ(named.tree().usage(named.tree().FindCohort("all"), 0), 3);
}

TEST(QuotaCycleTest, WithinItsQuotaAHeadGoesBeforeABorrowerOfAHigherPriority) {
  NamedState named({.queues = {AQueue("a", "all", 1), AQueue("b", "all", 3)}});
  const auto decisions = RunCycle(named, {Head(named, "a", 2, 9), Head(named, "b", 3)});
  EXPECT_EQ(decisions[0].head, 1u);
  EXPECT_EQ(decisions[0].verdict, QuotaVerdict::kAdmitted);
  EXPECT_EQ(decisions[1].verdict, QuotaVerdict::kSkipped);
}

// The decision on a head.
const QuotaDecision& Of(const std::vector<QuotaDecision>& decisions, std::size_t head) {
  return *std::find_if(decisions.begin(), decisions.end(),
                       [&](const QuotaDecision& one) { return one.head == head; });
}

TEST(QuotaCycleTest, VictimsAreToldOnceAndQuotaIsHeldForTheCycleOnly) {
  NamedState named({.queues = {Reclaims(AQueue("a", "all", 4)), AQueue("b", "all", 0)}});
  const QuotaHandle victim = named.Admit("b1", "b", 3);
  const std::vector<QuotaRequest> heads = {Head(named, "a", 3), Head(named, "b", 1)};
  const std::vector<QuotaRequest> all = {Head(named, "a", 4), Head(named, "b", 1)};
  const auto first = RunCycle(named, all);
  EXPECT_EQ(Of(first, 0).verdict, QuotaVerdict::kPreempting);
  ASSERT_EQ(Of(first, 0).evict.size(), 1u);
  EXPECT_EQ(Of(first, 0).evict[0].workload, victim);
  EXPECT_EQ(Of(first, 1).verdict, QuotaVerdict::kSkipped);  // the free one is spoken for
  EXPECT_EQ(named.tree().usage(named.Queue("a"), 0), 0);
  const auto second = RunCycle(named, all);  // the victim is still on its way out
  EXPECT_EQ(Of(second, 0).verdict, QuotaVerdict::kPreempting);
  EXPECT_TRUE(Of(second, 0).evict.empty());
  named.state().Release(victim);
  const auto third = RunCycle(named, heads);
  EXPECT_EQ(Of(third, 0).verdict, QuotaVerdict::kAdmitted);
  EXPECT_EQ(Of(third, 1).verdict, QuotaVerdict::kAdmitted);
}

// kueue#13662: victims end one after the other; what they free is not borrowed again.
TEST(QuotaCycleTest, FreedQuotaIsKeptForWhoPreempted) {
  NamedState named({.queues = {Reclaims(AQueue("owner", "all", 4)), AQueue("b", "all", 0)}});
  std::vector<QuotaHandle> victims;
  for (int i = 0; i < 4; ++i) victims.push_back(named.Admit("b", "b", 1));
  const std::vector<QuotaRequest> heads = {Head(named, "owner", 4), Head(named, "b", 1, 9)};
  std::size_t told = 0;
  for (const QuotaHandle victim : victims) {
    const auto decisions = RunCycle(named, heads);
    EXPECT_EQ(Of(decisions, 0).verdict, QuotaVerdict::kPreempting);
    EXPECT_NE(Of(decisions, 1).verdict, QuotaVerdict::kAdmitted);
    told += Of(decisions, 0).evict.size();
    named.state().Release(victim);
  }
  EXPECT_EQ(told, 4u);  // each once
  EXPECT_EQ(Of(RunCycle(named, heads), 0).verdict, QuotaVerdict::kAdmitted);
}

TEST(QuotaCycleTest, OneVictimIsNotTakenTwiceInACycle) {
  NamedState named({.queues = {Reclaims(AQueue("a", "all", 2)), Reclaims(AQueue("c", "all", 2)),
                               AQueue("b", "all", 0)}});
  named.Admit("b1", "b", 4);
  const auto decisions = RunCycle(named, {Head(named, "a", 2), Head(named, "c", 2)});
  EXPECT_EQ(decisions[0].verdict, QuotaVerdict::kPreempting);
  EXPECT_EQ(decisions[1].verdict, QuotaVerdict::kSkipped);
}

TEST(QuotaCycleTest, WhoFindsNoVictimsKeepsItsQuotaFromLowerPriorities) {
  NamedState named({.queues = {AQueue("a", "all", 4), AQueue("b", "all", 0)}});
  named.Admit("b1", "b", 2, {.priority = 3});
  const std::vector<QuotaRequest> heads = {Head(named, "a", 4, 5), Head(named, "b", 2, 1)};
  const auto decisions = RunCycle(named, heads);
  EXPECT_EQ(decisions[0].verdict, QuotaVerdict::kNoCandidates);
  EXPECT_EQ(decisions[1].verdict, QuotaVerdict::kSkipped);
  // A queue that can take its quota back at any time need not.
  NamedState reclaims({.queues = {Reclaims(AQueue("a", "all", 4)), AQueue("b", "all", 0)}});
  PlacementHooks hooks;
  hooks.places_without = [](const QuotaRequest&, const FlavorAssignment&, std::span<const Victim>) {
    return false;
  };
  reclaims.Admit("b1", "b", 2);
  EXPECT_EQ(RunCycle(reclaims, heads, {}, hooks)[1].verdict, QuotaVerdict::kAdmitted);
}

// kueue#14570: two gangs, one free domain.
TEST(QuotaCycleTest, NodesAreGivenOnceInACycle) {
  NamedState named({.queues = {AQueue("a", "", 8), AQueue("b", "", 8)}});
  int domains = 1;
  PlacementHooks hooks;
  hooks.admit = [&](const QuotaRequest&, const FlavorAssignment&) { return domains-- > 0; };
  const auto decisions = RunCycle(named, {Head(named, "a", 8), Head(named, "b", 8)}, {}, hooks);
  EXPECT_EQ(decisions[0].verdict, QuotaVerdict::kAdmitted);
  EXPECT_EQ(decisions[1].verdict, QuotaVerdict::kSkipped);
  EXPECT_EQ(named.tree().usage(1, 0), 0);
}

// kueue#2821: two queues that may borrow by eviction, and no order by priority: whoever was
// evicted comes back, and still the evictions end.
TEST(QuotaCycleTest, EvictionsEnd) {
  QuotaSpec spec = {
      .queues = {AQueue("a", "all", 1), AQueue("b", "all", 1), AQueue("shared", "all", 2)}};
  for (QueueSpec& queue : spec.queues) {
    queue.preemption.reclaim_within_cohort = PreemptionPolicy::kLowerPriority;
    queue.preemption.borrow_within_cohort = true;
  }
  NamedState named(spec);
  QuotaRules rules;
  rules.priority_sorting_within_cohort = false;
  std::vector<PendingQueue> queues(2, PendingQueue(QueueingStrategy::kBestEffortFifo));
  for (std::uint64_t id = 0; id < 8; ++id) {
    queues[id % 2].Push(
        {id, static_cast<std::int32_t>(id / 2), AtSeconds(8 - std::int64_t(id)), 0});
  }
  int evictions = 0, cycles = 0;
  while ((queues[0].CanTry() || queues[1].CanTry()) && ++cycles < 200) {
    std::vector<QuotaRequest> heads;
    std::vector<PendingQueue::Entry> entries;
    for (QuotaNode queue = 0; queue < 2; ++queue) {
      const auto entry = queues[queue].Pop();
      if (!entry) continue;
      entries.push_back(*entry);
      heads.push_back(
          {entry->id, queue, entry->priority, entry->queued, {{1, 1, {{0, 2}}, {}}}, {}});
    }
    for (const QuotaDecision& one :
         QuotaCycle(named.state(), rules).Run(heads, AtSeconds(cycles))) {
      if (one.verdict != QuotaVerdict::kAdmitted) {
        queues[heads[one.head].queue].Requeue(entries[one.head], one.verdict, false);
      }
      for (const Victim& victim : one.evict) {
        const AdmittedWorkload gone = named.state().workload(victim.workload);
        named.state().Release(victim.workload);
        ++evictions;
        queues[gone.queue].Push({gone.id, gone.priority,
                                 QueuedAfterEviction(gone, victim.reason, AtSeconds(cycles), rules),
                                 0});
        for (PendingQueue& queue : queues) queue.Wake();
      }
    }
  }
  EXPECT_LT(cycles, 200);
  EXPECT_LE(evictions, 8 * 4);  // each by a higher priority: at most once a level
  std::int32_t running = 0;
  for (QuotaNode queue = 0; queue < 2; ++queue) {
    for (const QuotaHandle one : named.state().workloads(queue)) {
      running += named.state().workload(one).priority;
    }
  }
  EXPECT_EQ(running, 3 + 3);  // the two of the highest priority
}

// kueue#2270: small jobs stream past a gang in a best-effort queue, and wait in a strict one.
TEST(QuotaCycleTest, BestEffortLetsSmallOnesPassAndStrictDoesNot) {
  for (const auto strategy : {QueueingStrategy::kBestEffortFifo, QueueingStrategy::kStrictFifo}) {
    NamedState named({.queues = {AQueue("a", "", 4)}});
    named.Admit("running", "a", 2);
    PendingQueue queue(strategy);
    queue.Push({0, 5, {}, 0});  // the gang of 4
    queue.Push({1, 0, {}, 0});
    bool passed = false;
    for (int i = 0; i < 4 && queue.CanTry(); ++i) {
      const auto entry = queue.Pop();
      QuotaRequest head = Head(named, "a", entry->id == 0 ? 4 : 1, entry->priority);
      const auto decision = RunCycle(named, {head})[0];
      if (decision.verdict == QuotaVerdict::kAdmitted) {
        passed = passed || entry->id == 1;
      } else {
        queue.Requeue(*entry, decision.verdict, false);
      }
    }
    EXPECT_EQ(passed, strategy == QueueingStrategy::kBestEffortFifo);
  }
}

}  // namespace
}  // namespace plimsoll
