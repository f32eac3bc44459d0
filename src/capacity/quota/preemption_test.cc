#include "capacity/quota/preemption.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

TEST(PreemptionTest, TheRulesDecideBetweenClassicalAndFair) {
  QueueSpec a = AQueue("a", "all", 1);
  a.preemption.reclaim_within_cohort = PreemptionPolicy::kLowerPriority;
  a.preemption.borrow_within_cohort = true;
  NamedState named({.queues = {a, AQueue("b", "all", 1), AQueue("c", "all", 6)}});
  named.Admit("b1", "b", 2, {.priority = -1});
  named.Admit("b2", "b", 2, {.priority = -1});
  named.Admit("b3", "b", 4, {.priority = -1});
  EXPECT_EQ(named.Victims("a", 2), "b1 InCohortReclaimWhileBorrowing");
  QuotaRules fair;
  fair.fair_sharing = true;
  EXPECT_EQ(named.Victims("a", 2, fair), "b1 InCohortFairSharing");
}

TEST(PreemptionTest, TheStateIsAsBeforeAlsoWhereNobodyIsFound) {
  QueueSpec a = AQueue("a", "", 4);
  a.preemption.within_queue = PreemptionPolicy::kLowerPriority;
  for (const bool fair : {false, true}) {
    NamedState named({.queues = {a}});
    named.Admit("low", "a", 1, {.priority = -1});
    named.Admit("high", "a", 3, {.priority = 7});
    QuotaRules rules;
    rules.fair_sharing = fair;
    EXPECT_EQ(named.Victims("a", 2, rules), "");
    EXPECT_EQ(named.tree().usage(0, 0), 4);
    EXPECT_EQ(named.Victims("a", 1, rules), "low InClusterQueue");
    EXPECT_EQ(named.tree().usage(0, 0), 4);
  }
}

}  // namespace
}  // namespace plimsoll
