#include "capacity/quota/eviction_search.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

class EvictionSearchTest : public testing::Test {
 protected:
  NamedState named_{{.queues = {AQueue("a", "all", 4), AQueue("b", "all", 4)}}};
  QuotaAmount usage_[1] = {{0, 3}};
  QuotaCell contested_[1] = {0};
  QuotaRules rules_;
  Preemptor preemptor_ = {0, 5, AtSeconds(10), usage_, contested_};
};

TEST_F(EvictionSearchTest, PolicyDecidesWhoIsACandidate) {
  const EvictionSearch search(named_.state(), preemptor_, rules_);
  const auto is_candidate = [&](std::int32_t priority, PreemptionPolicy policy, int queued = 0) {
    AdmittedWorkload one;
    one.priority = priority;
    one.queued = AtSeconds(queued);
    one.usage = {{0, 1}};
    return search.IsCandidate(one, policy);
  };
  EXPECT_FALSE(is_candidate(0, PreemptionPolicy::kNever));
  EXPECT_TRUE(is_candidate(4, PreemptionPolicy::kLowerPriority));
  EXPECT_FALSE(is_candidate(5, PreemptionPolicy::kLowerPriority));
  EXPECT_TRUE(is_candidate(9, PreemptionPolicy::kAny));
  EXPECT_TRUE(is_candidate(5, PreemptionPolicy::kLowerOrNewerEqualPriority, 11));
  EXPECT_FALSE(is_candidate(5, PreemptionPolicy::kLowerOrNewerEqualPriority, 10));
  EXPECT_FALSE(search.IsCandidate({}, PreemptionPolicy::kAny));  // holds nothing contested
}

TEST_F(EvictionSearchTest, CandidatesHaveOneOrder) {
  const QuotaHandle own = named_.Admit("own", "a", 1, {.priority = -9});
  const QuotaHandle high = named_.Admit("high", "b", 1, {.priority = 1});
  const QuotaHandle old = named_.Admit("old", "b", 1, {.reserved = AtSeconds(1)});
  const QuotaHandle young = named_.Admit("young", "b", 1, {.reserved = AtSeconds(2)});
  const QuotaHandle twin = named_.Admit("twin", "b", 1, {.reserved = AtSeconds(2)});
  const QuotaHandle going = named_.Admit("going", "a", 1, {.priority = 9, .evicted = true});
  const EvictionSearch search(named_.state(), preemptor_, rules_);
  const QuotaHandle order[] = {going, young, twin, old, high, own};
  for (std::size_t i = 1; i < std::size(order); ++i) {
    EXPECT_TRUE(search.GoesFirst(order[i - 1], order[i])) << i;
    EXPECT_FALSE(search.GoesFirst(order[i], order[i - 1])) << i;
  }
}

TEST_F(EvictionSearchTest, WithoutBorrowingItMustFitIntoItsOwnQuota) {
  named_.Admit("one", "a", 2);
  EvictionSearch search(named_.state(), preemptor_, rules_);
  EXPECT_TRUE(search.Fits(true));
  EXPECT_FALSE(search.Fits(false));
}

TEST_F(EvictionSearchTest, FillBackKeepsWhoIsNeededAndRestoresTheTree) {
  const QuotaHandle one = named_.Admit("one", "a", 1), two = named_.Admit("two", "b", 5);
  EvictionSearch search(named_.state(), preemptor_, rules_);
  search.Take(one, PreemptionReason::kInClusterQueue);
  search.Take(two, PreemptionReason::kInCohortReclamation);
  const std::vector<Victim> victims = search.FillBack(true);
  ASSERT_EQ(victims.size(), 1u);
  EXPECT_EQ(victims[0].workload, two);
  EXPECT_EQ(named_.tree().usage(0, 0), 1);
  EXPECT_EQ(named_.tree().usage(1, 0), 5);
}

// kueue#5243: no node gets free enough, so nobody goes at all.
TEST_F(EvictionSearchTest, NobodyGoesWherePodsFindNoNodeAllTheSame) {
  NamedState named({.queues = {AQueue("a", "", 4)}});
  named.Admit("one", "a", 4, {.priority = 1});
  const auto find = [&](bool fits) {
    preemptor_.places = [fits](std::span<const Victim>) { return fits; };
    EvictionSearch search(named.state(), preemptor_, rules_);
    search.Take(0, PreemptionReason::kInClusterQueue);
    const bool does = search.Fits(true);
    search.GiveUp();
    return does;
  };
  EXPECT_TRUE(find(true));
  EXPECT_FALSE(find(false));
  EXPECT_EQ(named.tree().usage(0, 0), 4);
}

}  // namespace
}  // namespace plimsoll
