#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

constexpr auto kNever = PreemptionPolicy::kNever, kLower = PreemptionPolicy::kLowerPriority,
               kAny = PreemptionPolicy::kAny;

QueueSpec WithPolicy(QueueSpec queue, PreemptionPolicy within, PreemptionPolicy reclaim) {
  queue.preemption.within_queue = within;
  queue.preemption.reclaim_within_cohort = reclaim;
  return queue;
}

QueueSpec MayBorrow(QueueSpec queue, std::optional<std::int32_t> threshold) {
  queue.preemption.borrow_within_cohort = true;
  queue.preemption.max_priority_threshold = threshold;
  return queue;
}

TEST(ClassicalPreemptionTest, SeveralLowPrioritiesGoLowestFirst) {
  NamedState named({.queues = {WithPolicy(AQueue("a", "", 6), kLower, kNever)}});
  named.Admit("low", "a", 2, {.priority = -1});
  named.Admit("mid", "a", 2);
  named.Admit("high", "a", 2, {.priority = 1});
  EXPECT_EQ(named.Victims("a", 2, {}, {.priority = 1}), "low InClusterQueue");
  EXPECT_EQ(named.Victims("a", 3, {}, {.priority = 1}), "low InClusterQueue, mid InClusterQueue");
  EXPECT_EQ(named.Victims("a", 5, {}, {.priority = 1}), "");  // never an equal one
}

TEST(ClassicalPreemptionTest, OfEqualsTheNewestAdmissionGoes) {
  NamedState named({.queues = {WithPolicy(AQueue("a", "", 6), kLower, kNever)}});
  named.Admit("old", "a", 3, {.reserved = AtSeconds(1)});
  named.Admit("new", "a", 3, {.reserved = AtSeconds(2)});
  EXPECT_EQ(named.Victims("a", 2, {}, {.priority = 1}), "new InClusterQueue");
}

TEST(ClassicalPreemptionTest, WhoIsAlreadyGoingGoesFirst) {
  NamedState named({.queues = {WithPolicy(AQueue("a", "", 6), kLower, kNever)}});
  named.Admit("low", "a", 3, {.priority = -2});
  named.Admit("going", "a", 3, {.priority = 0, .evicted = true});
  EXPECT_EQ(named.Victims("a", 3, {}, {.priority = 1}), "going InClusterQueue");
}

TEST(ClassicalPreemptionTest, WhoNeedNotGoIsPutBack) {
  NamedState named({.queues = {WithPolicy(AQueue("a", "", 8), kLower, kNever)}});
  named.Admit("small", "a", 1, {.priority = -3});
  named.Admit("middle", "a", 2, {.priority = -2});
  named.Admit("large", "a", 5, {.priority = -1});
  EXPECT_EQ(named.Victims("a", 5), "large InClusterQueue");
}

TEST(ClassicalPreemptionTest, NewerEqualsGoOnlyUnderThatPolicyAndPastTheMargin) {
  const auto newer = PreemptionPolicy::kLowerOrNewerEqualPriority;
  NamedState named({.queues = {WithPolicy(AQueue("a", "", 4), newer, kNever)}});
  named.Admit("before", "a", 2, {.queued = AtSeconds(0)});
  named.Admit("after", "a", 2, {.queued = AtSeconds(400)});
  EXPECT_EQ(named.Victims("a", 2, {}, {.queued = AtSeconds(200)}), "after InClusterQueue");
  QuotaRules rules;
  rules.scheduler_timestamp_preemption_buffer = true;
  EXPECT_EQ(named.Victims("a", 2, rules, {.queued = AtSeconds(200)}), "");
  EXPECT_EQ(named.Victims("a", 2, rules, {.queued = AtSeconds(99)}), "after InClusterQueue");
}

TEST(ClassicalPreemptionTest, NobodyWithinItsQuotaIsReclaimed) {
  NamedState named(
      {.queues = {WithPolicy(AQueue("a", "all", 6), kLower, kAny), AQueue("b", "all", 6)}});
  named.Admit("a1", "a", 4, {.priority = 1});
  named.Admit("b1", "b", 6, {.priority = -1});
  EXPECT_EQ(named.Victims("a", 4), "");
}

// kueue#10131: the cheapest of the borrowers, and not more of them than needed.
TEST(ClassicalPreemptionTest, ReclaimTakesLowPrioritiesAndNoMoreThanNeeded) {
  NamedState named({.queues = {AQueue("a", "all", 0), AQueue("b", "all", 2),
                               WithPolicy(AQueue("c", "all", 8), kLower, kAny)}});
  named.Admit("a-high", "a", 2, {.priority = 5});
  named.Admit("a-low", "a", 2, {.priority = 1});
  named.Admit("b-high", "b", 3, {.priority = 5});
  named.Admit("b-low", "b", 3, {.priority = 0});
  EXPECT_EQ(named.Victims("c", 4), "a-low InCohortReclamation, b-low InCohortReclamation");
  EXPECT_EQ(named.Victims("c", 2), "b-low InCohortReclamation");
}

// kueue#3948: the owner gets its guarantee back from many small ones.
TEST(ClassicalPreemptionTest, TheOwnerGetsItsNominalQuotaBack) {
  NamedState named({.queues = {WithPolicy(AQueue("owner", "all", 1'000), kNever, kAny),
                               AQueue("best-effort", "all", 0)}});
  for (int i = 0; i < 10; ++i) named.Admit("w", "best-effort", 100);
  const QuotaAmount usage[] = {{0, 1'000}};
  const QuotaCell contested[] = {0};
  EXPECT_EQ(FindVictims(named.state(), {0, 0, {}, usage, contested}, {}).size(), 10u);
}

// kueue#533: one's own low priority and one borrowed unit.
TEST(ClassicalPreemptionTest, OneIsEvictedAtHomeAndOneBorrowed) {
  NamedState named(
      {.queues = {WithPolicy(AQueue("a", "all", 10), kLower, kLower), AQueue("b", "all", 10)}});
  named.Admit("a-low", "a", 1, {.priority = -1});
  named.Admit("a-rest", "a", 9, {.priority = 1});
  named.Admit("b1", "b", 9, {.priority = 1});
  EXPECT_EQ(named.Victims("a", 2, {}, {.priority = 1}), "a-low InClusterQueue");
}

TEST(ClassicalPreemptionTest, BorrowWithinCohortStopsAtItsThreshold) {
  const auto cohort = [](std::int32_t low) {
    NamedState named({.queues = {MayBorrow(WithPolicy(AQueue("a", "all", 1), kNever, kLower), 0),
                                 AQueue("b", "all", 1), AQueue("shared", "all", 8)}});
    named.Admit("b1", "b", 10, {.priority = low});
    return named.Victims("a", 5, {}, {.priority = 3});
  };
  EXPECT_EQ(cohort(0), "b1 InCohortReclaimWhileBorrowing");
  EXPECT_EQ(cohort(1), "");  // above the threshold and "a" would borrow
  EXPECT_EQ(cohort(4), "");  // above the preemptor's priority
}

TEST(ClassicalPreemptionTest, AboveTheThresholdOneIsReclaimedWhereNothingIsBorrowed) {
  NamedState named({.queues = {MayBorrow(WithPolicy(AQueue("a", "all", 5), kNever, kLower), 0),
                               AQueue("b", "all", 1)}});
  named.Admit("b1", "b", 6, {.priority = 2});
  EXPECT_EQ(named.Victims("a", 5, {}, {.priority = 3}), "b1 InCohortReclamation");
}

TEST(ClassicalPreemptionTest, TheNearerCohortHasARightToItsQuotaWhateverThePriorities) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 0), ACohort("near", "root", 2)};
  spec.queues = {WithPolicy(AQueue("q", "near", 0), kLower, kAny), AQueue("far", "root", 0),
                 AQueue("nominal", "root", 2)};
  NamedState named(spec);
  named.Admit("lender", "nominal", 2, {.priority = -10});
  named.Admit("borrower", "far", 2, {.priority = 9});
  EXPECT_EQ(named.Victims("q", 2), "borrower InCohortReclamation");
}

TEST(ClassicalPreemptionTest, ACohortWithinItsQuotaIsLeftAloneThoughAQueueOfItBorrows) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 0), ACohort("near", "root", 2), ACohort("far", "root", 3)};
  spec.queues = {MayBorrow(WithPolicy(AQueue("q", "near", 0), kLower, kAny), {}),
                 AQueue("p", "far", 0), AQueue("r", "near", 0)};
  NamedState named(spec);
  named.Admit("p1", "p", 3, {.priority = -9});
  named.Admit("r1", "r", 2, {.priority = -1});
  EXPECT_EQ(named.Victims("q", 2), "r1 InCohortReclaimWhileBorrowing");
}

TEST(ClassicalPreemptionTest, ReclaimEndsWhereTheirCohortIsBackWithinItsQuota) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 0), ACohort("near", "root", 3), ACohort("far", "root", 2)};
  spec.queues = {WithPolicy(AQueue("q", "near", 0), kLower, kAny), AQueue("p", "far", 0)};
  NamedState named(spec);
  for (const char* name : {"p1", "p2", "p3", "p4", "p5"}) named.Admit(name, "p", 1);
  EXPECT_EQ(named.Victims("q", 3),
            "p1 InCohortReclamation, p2 InCohortReclamation, "
            "p3 InCohortReclamation");
  EXPECT_EQ(named.Victims("q", 4), "");  // two are theirs by right
}

TEST(ClassicalPreemptionTest, WhatALendingLimitKeepsIsNotReclaimed) {
  QueueSpec lend = AQueue("lend", "all", 6);
  QuotaOf(lend).lending_limit = 2;
  NamedState named({.queues = {WithPolicy(AQueue("a", "all", 6), kNever, kAny), lend}});
  named.Admit("l1", "lend", 9, {.priority = -1});
  EXPECT_EQ(named.Victims("a", 6), "l1 InCohortReclamation");
  EXPECT_EQ(named.Victims("a", 9), "");
}

// kueue#10497: one node, two resources short: both victims are needed.
TEST(ClassicalPreemptionTest, EveryContestedResourceIsFreed) {
  QueueSpec a = WithPolicy(AQueue("a", "", 8), kLower, kNever);
  a.groups[0][0].resources.push_back({"gpu", 8, {}, {}});
  NamedState named({.queues = {a}});
  const QuotaCell cpu = named.tree().FindCell("default", "cpu");
  const QuotaCell gpu = named.tree().FindCell("default", "gpu");
  named.Admit("low-gpu", "a", 4, {.priority = -1, .cell = gpu});
  named.Admit("low-cpu", "a", 4, {.priority = -1, .cell = cpu});
  named.Admit("gpu", "a", 4, {.priority = 2, .cell = gpu});
  named.Admit("cpu", "a", 4, {.priority = 2, .cell = cpu});
  const QuotaAmount usage[] = {{cpu, 4}, {gpu, 4}};
  const QuotaCell contested[] = {cpu, gpu};
  EXPECT_EQ(named.Names(FindVictims(named.state(), {0, 1, {}, usage, contested}, {})),
            "low-gpu InClusterQueue, low-cpu InClusterQueue");
}

// Run:ai's quick start, Kueue's way: 4 GPUs, quotas of 2; only the one above quota goes.
TEST(ClassicalPreemptionTest, TheJobAboveQuotaGoesAndTheOthersStay) {
  NamedState named({.queues = {WithPolicy(AQueue("team-a", "all", 2), kNever, kAny),
                               WithPolicy(AQueue("team-b", "all", 2), kNever, kAny)}});
  named.Admit("a1", "team-a", 1, {.reserved = AtSeconds(1)});
  named.Admit("a2", "team-a", 2, {.reserved = AtSeconds(2)});
  named.Admit("b1", "team-b", 1, {.reserved = AtSeconds(3)});
  EXPECT_EQ(named.Victims("team-b", 1), "a2 InCohortReclamation");
}

// KAI#2065, the first case: a priority of 90 takes nothing from whoever is within its quota.
TEST(ClassicalPreemptionTest, PriorityDoesNotReachIntoAnothersQuota) {
  NamedState named(
      {.queues = {WithPolicy(AQueue("a", "all", 4), kLower, kAny), AQueue("b", "all", 8)}});
  named.Admit("b1", "b", 8, {.priority = 1});
  EXPECT_EQ(named.Victims("a", 8, {}, {.priority = 90}), "");
}

// KAI#2065, the second case: 8 of quota and 4 above it; volcano#1461: just the deficit.
TEST(ClassicalPreemptionTest, JustTheDeficitIsReclaimed) {
  NamedState named(
      {.queues = {AQueue("a", "all", 8), WithPolicy(AQueue("b", "all", 4), kNever, kAny)}});
  named.Admit("within", "a", 8, {.reserved = AtSeconds(1)});
  named.Admit("above", "a", 4, {.reserved = AtSeconds(2)});
  EXPECT_EQ(named.Victims("b", 4), "above InCohortReclamation");
  EXPECT_EQ(named.Victims("b", 5), "");
}

TEST(ClassicalPreemptionTest, QuotaIsOfOneFlavorOnly) {  // KAI#1087
  QueueSpec a = WithPolicy(AQueue("a", "", 4), kLower, kNever);
  a.groups[0].push_back({"h100", {{"cpu", 4, {}, {}}}});
  NamedState named({.queues = {a}});
  named.Admit("old", "a", 4, {.priority = -2, .cell = 0});
  named.Admit("new", "a", 4, {.priority = -1, .cell = 1});
  EXPECT_EQ(named.Victims("a", 2, {}, {.cell = 1}), "new InClusterQueue");
}

}  // namespace
}  // namespace plimsoll
