#include "capacity/quota/quota_report.h"

#include <gtest/gtest.h>

#include "capacity/quota/quota_fixture.h"

namespace plimsoll {
namespace {

// kueue#10897: nominal 100, 20 reserved, 50, 40 and 10 waiting.
TEST(QuotaReportTest, ShortageIsWhatWaitsAboveWhatIsThere) {
  NamedState named({.queues = {AQueue("a", "", 100)}});
  named.Admit("running", "a", 20);
  const PendingDemand pending[] = {{0, 0, 50}, {0, 0, 40}, {0, 0, 10}};
  const auto balances = BalanceQuotas(named.state(), pending);
  ASSERT_EQ(balances.size(), 1u);
  EXPECT_EQ(balances[0], (QuotaBalance{0, 0, 100, 20, 0, 80, 100, 20, false}));
}

// KAI#2057: the owner of 16 holds 4 and waits while another borrows 18.
TEST(QuotaReportTest, AnOwnerBelowItsQuotaIsStarvedWhereOthersBorrow) {
  NamedState named({.queues = {AQueue("team-a", "all", 16), AQueue("batch", "all", 6)}});
  named.Admit("a", "team-a", 4);
  named.Admit("b", "batch", 18);
  const PendingDemand pending[] = {{0, 0, 8}};
  const auto balances = BalanceQuotas(named.state(), pending);
  EXPECT_TRUE(balances[0].is_starved);
  EXPECT_EQ(balances[0].shortage, 8);
  EXPECT_FALSE(balances[1].is_starved);
  EXPECT_EQ(balances[1].borrowed, 12);
  EXPECT_FALSE(BalanceQuotas(named.state(), {})[0].is_starved);  // nothing waits
}

// KAI#1750: quotas of 10 on 7 GPUs.
TEST(QuotaReportTest, MorePromisedThanThereIsIsFound) {
  const QuotaTree tree = BuildTree({.queues = {AQueue("a", "", 6), AQueue("b", "", 4)}});
  const std::int64_t seven[] = {7}, ten[] = {10}, unknown[] = {kNoCapacity};
  const auto found = FindOvercommitments(tree, seven);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].quota, 10);
  EXPECT_EQ(found[0].capacity, 7);
  EXPECT_TRUE(FindOvercommitments(tree, ten).empty());
  EXPECT_TRUE(FindOvercommitments(tree, unknown).empty());
}

// KAI PR1565: 376 GPUs were evicted for a request of 48.
TEST(QuotaReportTest, EvictionsFreeLittleMoreThanIsNeeded) {
  NamedState named({.queues = {AQueue("a", "all", 48), AQueue("b", "all", 352)}});
  for (int i = 0; i < 50; ++i) named.Admit("b", "b", 8);
  const QuotaAmount usage[] = {{0, 48}};
  const QuotaCell contested[] = {0};
  QueueSpec a = AQueue("a", "all", 48);
  a.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  NamedState with_policy({.queues = {a, AQueue("b", "all", 352)}});
  for (int i = 0; i < 50; ++i) with_policy.Admit("b", "b", 8);
  const Preemptor preemptor = {0, 0, {}, usage, contested};
  const auto victims = FindVictims(with_policy.state(), preemptor, {});
  const Overshoot shot = OvershootOf(with_policy.state(), preemptor, victims, 0);
  EXPECT_EQ(shot.needed, 48);
  EXPECT_EQ(shot.freed, 48);
  EXPECT_TRUE(FindVictims(named.state(), preemptor, {}).empty());  // no policy, nobody goes
}

}  // namespace
}  // namespace plimsoll
