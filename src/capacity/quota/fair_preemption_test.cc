#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

QuotaRules Fair(std::vector<FairStrategy> strategies = {FairStrategy::kLessThanOrEqualToFinalShare,
                                                        FairStrategy::kLessThanInitialShare}) {
  QuotaRules rules;
  rules.fair_sharing = true;
  rules.fair_strategies = std::move(strategies);
  return rules;
}

QueueSpec Weighted(QueueSpec queue, std::int64_t weight_nano) {
  queue.weight_nano = weight_nano;
  return queue;
}

// Reclaims from anyone, and evicts lower priorities at home.
QueueSpec Taker(std::string name, std::string cohort, std::int64_t nominal) {
  QueueSpec queue = AQueue(std::move(name), std::move(cohort), nominal);
  queue.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  queue.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  return queue;
}

QuotaSpec Thirds() {
  return {.queues = {Taker("a", "all", 3), Taker("b", "all", 3), Taker("c", "all", 3)}};
}

void AdmitUnits(NamedState& named, const std::string& queue, int count) {
  for (int i = 1; i <= count; ++i) named.Admit(queue + std::to_string(i), queue, 1);
}

TEST(FairPreemptionTest, NominalQuotaIsReclaimedFromTheLargestBorrower) {
  NamedState named(Thirds());
  AdmitUnits(named, "a", 4);
  AdmitUnits(named, "b", 5);
  EXPECT_EQ(named.Victims("c", 1, Fair()), "b1 InCohortReclamation");
}

TEST(FairPreemptionTest, BorrowableQuotaGoesToTheSmallerBorrower) {
  NamedState named(Thirds());
  AdmitUnits(named, "a", 3);
  AdmitUnits(named, "b", 5);
  AdmitUnits(named, "c", 1);
  EXPECT_EQ(named.Victims("a", 1, Fair()), "b1 InCohortFairSharing");
}

TEST(FairPreemptionTest, NothingGoesThatWouldTurnTheImbalanceAround) {
  NamedState named(Thirds());
  AdmitUnits(named, "a", 3);
  AdmitUnits(named, "b", 5);
  EXPECT_EQ(named.Victims("a", 2, Fair()), "");
}

TEST(FairPreemptionTest, NobodyWithinNominalQuotaIsEvicted) {
  NamedState named(Thirds());
  for (const char* queue : {"a", "b", "c"}) AdmitUnits(named, queue, 3);
  EXPECT_EQ(named.Victims("c", 1, Fair()), "");
}

TEST(FairPreemptionTest, ALowPriorityBelowTheThresholdIsNotEvictedForItsPriority) {
  QuotaSpec spec = Thirds();
  spec.queues.push_back(AQueue("preemptible", "all", 0));
  for (QueueSpec& queue : spec.queues) {
    queue.preemption.borrow_within_cohort = true;
    queue.preemption.max_priority_threshold = -3;
  }
  NamedState named(spec);
  AdmitUnits(named, "a", 3);
  AdmitUnits(named, "b", 3);
  for (const char* name : {"p1", "p2", "p3"}) {
    named.Admit(name, "preemptible", 1, {.priority = -3});
  }
  EXPECT_EQ(named.Victims("a", 2, Fair()), "");
}

TEST(FairPreemptionTest, TheStrategySaysWhetherPriorityOrBalanceDecides) {
  NamedState named(Thirds());
  named.Admit("a1", "a", 3);
  named.Admit("low", "b", 5);
  named.Admit("high", "b", 1, {.priority = 1});
  EXPECT_EQ(named.Victims("a", 1, Fair({FairStrategy::kLessThanInitialShare})),
            "low InCohortFairSharing");
  EXPECT_EQ(named.Victims("a", 1, Fair({FairStrategy::kLessThanOrEqualToFinalShare})),
            "high InCohortFairSharing");
}

// kueue#4961.
TEST(FairPreemptionTest, OfWeightZeroOnlyWhatIsBorrowedCanBeTaken) {
  QuotaSpec spec = {.queues = {Taker("a", "all", 3), Weighted(Taker("b", "all", 3), 0)}};
  NamedState within(spec);
  AdmitUnits(within, "a", 3);
  AdmitUnits(within, "b", 3);
  EXPECT_EQ(within.Victims("a", 1, Fair()), "");
  spec.queues.push_back(AQueue("c", "all", 3));
  NamedState above(spec);
  AdmitUnits(above, "a", 3);
  AdmitUnits(above, "b", 6);
  EXPECT_EQ(above.Victims("a", 3, Fair()),
            "b1 InCohortFairSharing, b2 InCohortFairSharing, "
            "b3 InCohortFairSharing");
}

TEST(FairPreemptionTest, OfWeightZeroABorrowerTakesFromNoneOfAWeight) {
  NamedState named({.queues = {Weighted(Taker("a", "all", 1), 0), AQueue("b", "all", 1),
                               AQueue("c", "all", 1)}});
  AdmitUnits(named, "a", 1);
  AdmitUnits(named, "b", 2);
  EXPECT_EQ(named.Victims("a", 1, Fair()), "");
}

TEST(FairPreemptionTest, WithinNominalQuotaItIsEntitledWhateverItsShare) {
  QueueSpec a = Taker("a", "all", 3), b = AQueue("b", "all", 0);
  a.groups[0].push_back({"cheap", {{"cpu", 0, {}, {}}}});
  b.groups[0].push_back({"cheap", {{"cpu", 6, {}, {}}}});
  NamedState named({.queues = {a, b}});
  named.Admit("a1", "a", 2);
  named.Admit("cheap", "a", 5, {.cell = 1});
  named.Admit("b1", "b", 1);
  EXPECT_EQ(named.Victims("a", 1, Fair()), "b1 InCohortReclamation");
  QuotaRules off = Fair();
  off.fair_sharing_preempt_within_nominal = false;
  EXPECT_EQ(named.Victims("a", 1, off), "");
}

TEST(FairPreemptionTest, AloneItEvictsLowerPrioritiesOfItsOwn) {
  NamedState named({.queues = {Taker("a", "", 1)}});
  AdmitUnits(named, "a", 1);
  EXPECT_EQ(named.Victims("a", 1, Fair(), {.priority = 9}), "a1 InClusterQueue");
  EXPECT_EQ(named.Victims("a", 1, Fair()), "");
}

TEST(FairPreemptionTest, OfEqualSharesTheQueueWhoseCandidateIsFirstPays) {
  NamedState named(
      {.queues = {Taker("a", "all", 4), AQueue("b", "all", 0), AQueue("c", "all", 0)}});
  named.Admit("b1", "b", 2, {.priority = 1});
  named.Admit("c1", "c", 2);
  EXPECT_EQ(named.Victims("a", 2, Fair()), "c1 InCohortReclamation");
}

// The first pass skips right's workloads, then its own go and make its share small.
TEST(FairPreemptionTest, CandidatesAreLookedAtAgainUnderTheGate) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 15), ACohort("left", "root", 0), ACohort("right", "root", 0)};
  spec.cohorts[1].weight_nano = 20 * kWeightOne;
  spec.cohorts[2].weight_nano = 10 * kWeightOne;
  QueueSpec own = Taker("own", "left", 0);
  own.preemption.within_queue = PreemptionPolicy::kAny;
  spec.queues = {own, AQueue("b", "right", 0), AQueue("c", "right", 0)};
  NamedState named(spec);
  AdmitUnits(named, "own", 3);
  AdmitUnits(named, "b", 6);
  AdmitUnits(named, "c", 1);
  QuotaRules rules = Fair({FairStrategy::kLessThanOrEqualToFinalShare});
  EXPECT_EQ(named.Victims("own", 10, rules), "");
  rules.fair_sharing_reevaluate_preemption_candidates = true;
  EXPECT_EQ(named.Victims("own", 10, rules),
            "own1 InClusterQueue, own2 InClusterQueue, own3 InClusterQueue, "
            "b1 InCohortFairSharing, b2 InCohortFairSharing");
}

TEST(FairPreemptionTest, SharesAreComparedJustBelowTheCommonCohort) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 4), ACohort("left", "root", 0), ACohort("right", "root", 0)};
  spec.queues = {Taker("l", "left", 0), AQueue("r", "right", 0)};
  spec.cohorts[2].weight_nano = kWeightOne / 2;
  NamedState named(spec);
  AdmitUnits(named, "r", 4);
  EXPECT_EQ(named.Victims("l", 2, Fair()), "r1 InCohortFairSharing, r2 InCohortFairSharing");
  EXPECT_EQ(named.Victims("l", 4, Fair()), "");
}

}  // namespace
}  // namespace plimsoll
