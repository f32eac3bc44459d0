#include "capacity/quota/quota_state.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

TEST(QuotaStateTest, AdmittedWorkloadsHoldQuotaUntilTheyAreReleased) {
  NamedState named({.queues = {AQueue("a", "", 10), AQueue("b", "", 5)}});
  QuotaState& state = named.state();
  const QuotaHandle one = named.Admit("one", "a", 3), two = named.Admit("two", "a", 4);
  EXPECT_EQ(state.tree().usage(0, 0), 7);
  EXPECT_EQ(state.workloads(0).size(), 2u);
  state.Release(one);
  EXPECT_EQ(state.tree().usage(0, 0), 4);
  ASSERT_EQ(state.workloads(0).size(), 1u);
  EXPECT_EQ(state.workloads(0)[0], two);
  EXPECT_EQ(named.Admit("three", "b", 1), one);  // handles are used again
  EXPECT_EQ(state.workload(one).queue, 1u);
}

TEST(QuotaStateTest, WhatIfLeavesNothingBehind) {
  NamedState named({.queues = {AQueue("a", "", 10)}});
  const QuotaHandle one = named.Admit("one", "a", 3);
  named.state().RemoveUsage(one);
  EXPECT_EQ(named.tree().usage(0, 0), 0);
  EXPECT_EQ(named.state().workloads(0).size(), 1u);
  named.state().AddUsage(one);
  EXPECT_EQ(named.tree().usage(0, 0), 3);
}

TEST(QuotaStateTest, ACopyIsASnapshot) {
  NamedState named({.queues = {AQueue("a", "", 10)}});
  const QuotaHandle one = named.Admit("one", "a", 3);
  QuotaState copy = named.state();
  copy.MarkEvicted(one);
  copy.Release(one);
  EXPECT_EQ(named.tree().usage(0, 0), 3);
  EXPECT_FALSE(named.state().workload(one).evicted);
}

TEST(QuotaStateDeathTest, NothingIsReleasedTwice) {
  NamedState named({.queues = {AQueue("a", "", 10)}});
  const QuotaHandle one = named.Admit("one", "a", 3);
  named.Admit("two", "a", 3);
  named.state().Release(one);
  EXPECT_DEATH(named.state().Release(one), "");
}

}  // namespace
}  // namespace plimsoll
