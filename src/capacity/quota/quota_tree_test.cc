#include "capacity/quota/quota_tree.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

std::int64_t Available(const QuotaTree& tree, const char* queue) {
  return tree.Available(tree.FindQueue(queue), 0);
}

// The example of Kueue's documentation: 9 and 12 CPUs in one cohort.
TEST(QuotaTreeTest, AQueueMayUseWhatTheCohortHas) {
  const QuotaTree tree = BuildTree({.queues = {AQueue("a", "all", 9), AQueue("b", "all", 12)}});
  EXPECT_EQ(Available(tree, "a"), 21);
  EXPECT_EQ(Available(tree, "b"), 21);
}

TEST(QuotaTreeTest, ABorrowingLimitCapsWhatIsBorrowed) {
  QueueSpec a = AQueue("a", "all", 9);
  QuotaOf(a).borrowing_limit = 1;
  const QuotaTree tree = BuildTree({.queues = {a, AQueue("b", "all", 12)}});
  EXPECT_EQ(Available(tree, "a"), 10);
  EXPECT_EQ(Available(tree, "b"), 21);
}

TEST(QuotaTreeTest, ALendingLimitKeepsTheRestAtHome) {
  QueueSpec b = AQueue("b", "all", 12);
  QuotaOf(b).lending_limit = 1;
  const QuotaTree tree = BuildTree({.queues = {AQueue("a", "all", 9), b}});
  EXPECT_EQ(Available(tree, "a"), 10);
  EXPECT_EQ(Available(tree, "b"), 21);
}

TEST(QuotaTreeTest, UsageWithinTheLocalPartDoesNotReachTheCohort) {
  QueueSpec b = AQueue("b", "all", 12);
  QuotaOf(b).lending_limit = 2;
  QuotaTree tree = BuildTree({.queues = {AQueue("a", "all", 9), b}});
  const QuotaNode queue = tree.FindQueue("b"), cohort = tree.FindCohort("all");
  const QuotaAmount ten[] = {{0, 10}}, three[] = {{0, 3}};
  tree.Add(queue, ten);
  EXPECT_EQ(tree.usage(cohort, 0), 0);
  EXPECT_EQ(Available(tree, "a"), 11);
  tree.Add(queue, three);
  EXPECT_EQ(tree.usage(cohort, 0), 3);
  EXPECT_EQ(Available(tree, "a"), 8);
  tree.Remove(queue, ten);  // what lies in the cohort goes first
  EXPECT_EQ(tree.usage(cohort, 0), 0);
  EXPECT_EQ(tree.usage(queue, 0), 3);
}

TEST(QuotaTreeTest, CohortsWithinCohortsLendAndLimit) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 1), ACohort("left", "root", 5), ACohort("right", "root", 7)};
  QuotaOf(spec.cohorts[2]).lending_limit = 3;
  QuotaOf(spec.cohorts[1]).borrowing_limit = 2;
  spec.queues = {AQueue("a", "left", 1), AQueue("b", "right", 1)};
  const QuotaTree tree = BuildTree(spec);
  // The root has 1 + (5 + 1) + 3; the left may have two above its six.
  EXPECT_EQ(tree.quota(tree.FindCohort("root"), 0).subtree, 10);
  EXPECT_EQ(Available(tree, "a"), 8);
  EXPECT_EQ(Available(tree, "b"), 15);  // 5 of its own that are not lent, and all of the root
  EXPECT_EQ(tree.node(tree.FindCohort("root")).height, 2);
}

TEST(QuotaTreeTest, MoreInUseThanThereIsLeavesLessThanNothing) {
  QuotaTree tree = BuildTree({.queues = {AQueue("a", "", 4)}});
  const QuotaAmount six[] = {{0, 6}}, none[] = {{0, 0}}, one[] = {{0, 1}};
  tree.Add(0, six);
  EXPECT_EQ(Available(tree, "a"), -2);
  EXPECT_TRUE(tree.Fits(0, none));
  EXPECT_FALSE(tree.Fits(0, one));
}

TEST(QuotaTreeTest, PotentialIsWhatAnEmptyTreeWouldGive) {
  QuotaSpec spec;
  spec.queues = {AQueue("a", "all", 2), AQueue("b", "all", 3)};
  QuotaOf(spec.queues[0]).borrowing_limit = 1;
  QuotaOf(spec.queues[1]).lending_limit = 0;
  QuotaTree tree = BuildTree(spec);
  EXPECT_EQ(tree.quota(0, 0).potential, 2);
  EXPECT_EQ(tree.quota(1, 0).potential, 5);
  const QuotaAmount two[] = {{0, 2}};
  tree.Add(1, two);
  EXPECT_EQ(tree.quota(1, 0).potential, 5);
}

TEST(QuotaTreeTest, ReachIsTheHeightOfTheLowestSubtreeThatHoldsTheAmount) {
  QuotaSpec spec;
  spec.cohorts = {ACohort("root", "", 10), ACohort("left", "root", 2)};
  spec.queues = {AQueue("a", "left", 1), AQueue("alone", "", 1)};
  const QuotaTree tree = BuildTree(spec);
  const auto reach = [&](const char* queue, std::int64_t amount) {
    const QuotaTree::Reach at = tree.BorrowingReach(tree.FindQueue(queue), 0, amount);
    return std::pair(at.height, at.below_root);
  };
  EXPECT_EQ(reach("a", 1), std::pair(0, true));
  EXPECT_EQ(reach("a", 3), std::pair(1, true));
  EXPECT_EQ(reach("a", 13), std::pair(2, false));
  EXPECT_EQ(reach("a", 99), std::pair(2, false));
  EXPECT_EQ(reach("alone", 9), std::pair(0, false));
}

TEST(QuotaTreeTest, ACopyKeepsItsOwnUsage) {
  QuotaTree tree = BuildTree({.queues = {AQueue("a", "", 4)}});
  const QuotaTree before = tree;
  const QuotaAmount one[] = {{0, 1}};
  tree.Add(0, one);
  EXPECT_EQ(before.usage(0, 0), 0);
  EXPECT_EQ(tree.usage(0, 0), 1);
}

TEST(QuotaTreeTest, SaysWhatIsWrongWithASpec) {
  const auto error = [](QuotaSpec spec) {
    const Result<QuotaTree> tree = QuotaTree::Build(spec);
    return tree ? std::string("none") : tree.error().message;
  };
  EXPECT_EQ(error({.queues = {AQueue("a", "", 1), AQueue("a", "", 1)}}),
            "queue 'a' is there twice");
  EXPECT_EQ(error({.cohorts = {ACohort("x", "y", 1), ACohort("y", "x", 1)}}).substr(0, 36),
            "cohort 'y' lies within itself, or in");
  QueueSpec negative = AQueue("a", "", -1);
  EXPECT_EQ(error({.queues = {negative}}),
            "queue 'a', flavor 'default', cpu: the nominal quota must be 0 to 2^60");
  QueueSpec uneven = AQueue("a", "", 1);
  uneven.groups[0].push_back({"other", {{"memory", 1, {}, {}}}});
  EXPECT_EQ(error({.queues = {uneven}}),
            "queue 'a', flavor 'other': every flavor of a resource group needs the same resources");
  QueueSpec twice = AQueue("a", "", 1);
  twice.groups.push_back({{"other", {{"cpu", 1, {}, {}}}}});
  EXPECT_EQ(error({.queues = {twice}}),
            "queue 'a': resource 'cpu' is in two resource groups; put its flavors into one");
  EXPECT_EQ(error({.queues = {AQueue("a", "x", kQuotaAmountMax), AQueue("b", "x", 1)}}),
            "all quotas of flavor 'default', cpu add up to more than 2^60");
}

TEST(QuotaTreeTest, WhatACohortLendsIsSummedOverFlavorsWithoutOverflow) {
  QueueSpec lender = AQueue("a", "x", 0), other = AQueue("b", "x", 0);
  lender.groups[0].clear();
  for (int i = 0; i < 8; ++i) {
    lender.groups[0].push_back(
        {"f" + std::to_string(i), {{"cpu", kQuotaAmountMax, std::nullopt, std::nullopt}}});
  }
  const QuotaTree tree = BuildTree({.queues = {lender, other}});
  EXPECT_EQ(static_cast<double>(tree.Lendable(1, 0)), 8.0 * kQuotaAmountMax);
}

}  // namespace
}  // namespace plimsoll
