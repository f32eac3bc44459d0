#include "ledger/spot_saving.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

constexpr Window kWeek{AtSeconds(0), AtSeconds(7 * 86'400)};

// A node of four GPUs for ten hours at 2 an hour that would have cost 8 on demand.
SpotNode TenHours(const std::string& name) {
  SpotNode node;
  node.cluster = "c";
  node.node = name;
  node.currency = "USD";
  node.instance_type = "g6.12xlarge";
  node.gpu_model = "L4";
  node.zone = "us-east-1a";
  node.effective = Money::Units(20);
  node.list = Money::Units(80);
  node.gpu_time = WholeGpuHours(40);
  node.idle_time = WholeGpuHours(10);
  node.team_time = {{"", WholeGpuHours(10)}, {"nlp", WholeGpuHours(30)}};
  node.seen = Hours(10);
  return node;
}

TEST(SpotSavingTest, LostTimeIsWorthWhatItWouldHaveCostOnDemand) {
  SpotNode node = TenHours("a");
  node.taken = AtSeconds(36'000);
  node.lost["nlp"] = {WholeGpuHours(4), WholeGpuHours(2)};
  const auto saving =
      SavingOf(kWeek, "USD", {node}, {{"pager", "operations", Money::Units(5), ""}});
  ASSERT_TRUE(saving);
  EXPECT_EQ(saving->all.gross(), Money::Units(60));
  EXPECT_EQ(saving->all.recomputation, Money::Units(8));  // an hour of the node
  EXPECT_EQ(saving->all.restart, Money::Units(4));
  // On demand: 8.5 hours at 8 are 68. On spot 20 and the pager: 43 less.
  EXPECT_EQ(saving->net(), Money::Units(43));
  EXPECT_EQ(saving->net_at_least(), Money::Units(43));
  EXPECT_TRUE(saving->is_net_exact());
  EXPECT_EQ(saving->idle_gross, Money::Units(15));
  EXPECT_EQ(saving->all.evictions, 1);
  ASSERT_EQ(saving->teams.size(), 2U);
  EXPECT_EQ(saving->teams[0].keys, std::vector<std::string>{"nlp"});
  EXPECT_EQ(saving->teams[0].gross(), Money::Units(45));
  EXPECT_EQ(saving->teams[0].net(), Money::Units(33));
}

TEST(SpotSavingTest, AnUnknownListCostIsNeverZero) {
  SpotNode known = TenHours("a"), unknown = TenHours("b");
  unknown.list.reset();
  unknown.lost["nlp"] = {WholeGpuHours(4), GpuHours()};
  const auto saving = SavingOf(kWeek, "USD", {known, unknown}, {});
  ASSERT_TRUE(saving);
  EXPECT_EQ(saving->all.effective, Money::Units(40));
  EXPECT_EQ(saving->all.known_effective, Money::Units(20));
  EXPECT_EQ(saving->all.gross(), Money::Units(60));  // not 40
  EXPECT_EQ(saving->all.recomputation, Money());
  EXPECT_EQ(saving->nodes_unknown, 1);
  EXPECT_FALSE(saving->is_net_exact());
}

TEST(SpotSavingTest, WorkWithoutALogBoundsTheNet) {
  SpotNode node = TenHours("a");
  node.taken = AtSeconds(36'000);
  node.unlogged = WholeGpuHours(20);
  const auto saving = SavingOf(kWeek, "USD", {node}, {});
  ASSERT_TRUE(saving);
  EXPECT_EQ(saving->net(), Money::Units(60));
  EXPECT_EQ(saving->net_at_least(), Money::Units(20));
  EXPECT_EQ(saving->evictions_unlogged, 1);
  for (const SpotSums& team : saving->teams) {
    EXPECT_EQ(team.is_lost_known(), team.keys[0].empty());  // never 0 for what nothing tells
  }
}

TEST(SpotSavingTest, SpotMayBeDearerThanOnDemandAndOtherCurrenciesStayApart) {
  SpotNode dear = TenHours("a"), euro = TenHours("b");
  dear.list = Money::Units(15);
  euro.currency = "EUR";
  const auto saving = SavingOf(kWeek, "USD", {dear, euro}, {});
  ASSERT_TRUE(saving);
  EXPECT_EQ(saving->net(), Money::Units(-5));
  EXPECT_EQ(saving->all.nodes, 1);
  EXPECT_EQ(saving->other_currencies, std::vector<std::string>{"EUR"});
}

}  // namespace
}  // namespace plimsoll
