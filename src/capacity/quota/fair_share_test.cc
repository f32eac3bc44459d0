#include "capacity/quota/fair_share.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

TEST(FairShareTest, ShareIsWhatIsBorrowedOfWhatCanBeLent) {
  NamedState named(
      {.queues = {AQueue("a", "all", 3), AQueue("b", "all", 3), AQueue("c", "all", 4)}});
  named.Admit("b1", "b", 5);
  EXPECT_EQ(ShareOf(named.tree(), named.Queue("b")).value(), 200);  // 2 of 10
  EXPECT_EQ(ShareOf(named.tree(), named.Queue("a")).value(), 0);
  EXPECT_FALSE(ShareOf(named.tree(), named.Queue("a")).borrows);
}

TEST(FairShareTest, AWeightDividesTheShareAndTheRootHasNone) {
  QueueSpec b = AQueue("b", "all", 3);
  b.weight_nano = 2 * kWeightOne;
  NamedState named({.queues = {AQueue("a", "all", 7), b}});
  named.Admit("b1", "b", 5);
  EXPECT_EQ(ShareOf(named.tree(), named.Queue("b")).value(), 100);
  EXPECT_EQ(ShareOf(named.tree(), named.tree().FindCohort("all")).value(), 0);
}

TEST(FairShareTest, OfWeightZeroAllThatBorrowIsAboveEverything) {
  QueueSpec a = AQueue("a", "all", 3), b = AQueue("b", "all", 3), c = AQueue("c", "all", 3);
  a.weight_nano = b.weight_nano = 0;
  NamedState named({.queues = {a, b, c}});
  named.Admit("a1", "a", 4);
  named.Admit("b1", "b", 5);
  named.Admit("c1", "c", 9);
  const FairShare one = ShareOf(named.tree(), 0), two = ShareOf(named.tree(), 1);
  EXPECT_TRUE(one.IsInfinite());
  EXPECT_TRUE(Compare(one, ShareOf(named.tree(), 2)) > 0);
  EXPECT_TRUE(Compare(one, two) < 0);  // by what they borrow
}

TEST(FairShareTest, OfWeightZeroNothingBorrowedIsNoShare) {
  QueueSpec a = AQueue("a", "all", 3);
  a.weight_nano = 0;
  NamedState named({.queues = {a, AQueue("b", "all", 3)}});
  named.Admit("a1", "a", 3);
  EXPECT_EQ(ShareOf(named.tree(), 0).value(), 0);
}

TEST(FairShareTest, FlavorsOfAResourceCountTogether) {
  QueueSpec a = AQueue("a", "all", 0), b = AQueue("b", "all", 10);
  a.groups[0].push_back({"spot", {{"cpu", 0, {}, {}}}});
  b.groups[0].push_back({"spot", {{"cpu", 10, {}, {}}}});
  NamedState named({.queues = {a, b}});
  named.Admit("a1", "a", 2);
  named.Admit("a2", "a", 4, {.cell = 1});
  EXPECT_EQ(ShareOf(named.tree(), 0).value(), 300);  // 6 of 20
  const QuotaAmount asks[] = {{1, 1}}, none[] = {{1, 0}};
  EXPECT_TRUE(BorrowsAny(named.tree(), 0, asks));
  EXPECT_FALSE(BorrowsAny(named.tree(), 0, none));
}

// What a queue uses without having a quota of it is not its share (as Kueue has it).
TEST(FairShareTest, WithoutAQuotaThereIsNoShare) {
  QueueSpec bare = AQueue("bare", "all", 0);
  bare.groups.clear();
  NamedState named({.queues = {bare, AQueue("b", "all", 10)}});
  named.Admit("one", "bare", 5);
  EXPECT_EQ(ShareOf(named.tree(), 0).value(), 0);
}

}  // namespace
}  // namespace plimsoll
