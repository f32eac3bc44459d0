#include "allocation/charge_costs.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;
const Window kHour{T(0), T(60)};

// "kind workload team reason" of the workloads.
Texts Workloads(const AllocationOutput& out) {
  Texts texts;
  const AllocationWorkloadBatch& w = out.workloads;
  for (std::size_t i = 0; i < RowsOf(w); ++i) {
    texts.push_back(w.workload_kind[i] + " " + w.workload[i] + " " + w.team[i] + w.reason[i]);
  }
  return texts;
}

TEST(ChargeCostsTest, TheServiceCategoryDecidesTheColumn) {
  TestFleet fleet;
  fleet.charges.service_category[fleet.Charge("bucket", "1", kHour)] = "Storage";
  fleet.charges.service_category[fleet.Charge("nat", "2", kHour)] = "Networking";
  fleet.charges.category[fleet.Charge("", "4", kHour)] = "Tax";
  fleet.charges.tags[fleet.Charge("db", "8", kHour)] = R"({"team":"x"})";
  fleet.Charge("free", "0", kHour);
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), (Texts{"none Amazon EC2 0 0 0 0 1 2", "none Amazon EC2 0 0 0 0 0 0 8",
                               "none Amazon EC2 0 0 0 0 0 0 4"}));
  EXPECT_EQ(Workloads(out), (Texts{"Charge Amazon EC2 no-label", "Charge Amazon EC2 x",
                                   "Tax Amazon EC2 no-label"}));
}

TEST(ChargeCostsTest, AnUnusedCommitmentIsItsOwnersOrThePlatforms) {
  TestFleet fleet;
  const auto row = fleet.Charge("", "3", kHour);
  fleet.charges.commitment_status[row] = "Unused";
  fleet.charges.commitment_id[row] = "sp-1";
  fleet.charges.sub_account[row] = "123";
  fleet.options.attribution.fallbacks = {{"", "123", "owners", ""}};
  EXPECT_EQ(Workloads(fleet.Allocate()), Texts{"UnusedCommitment sp-1 owners"});
  fleet.options.unused_commitment = UnusedCommitment::kPlatform;
  EXPECT_EQ(Workloads(fleet.Allocate()), Texts{"UnusedCommitment sp-1 platform"});
}

TEST(ChargeCostsTest, ProportionallyItGoesToTheTeamsThatUsedIt) {
  TestFleet fleet;
  fleet.options.unused_commitment = UnusedCommitment::kProportional;
  fleet.options.window.until = T(120);
  const auto unused = fleet.Charge("", "8", {T(0), T(120)});
  fleet.charges.commitment_status[unused] = "Unused";
  fleet.charges.commitment_id[unused] = "sp-1";
  fleet.charges.tags[unused] = R"({"team":"owner"})";
  for (const auto& [team, cost] : {std::pair("a", "1"), std::pair("b", "3")}) {
    const auto row = fleet.Charge("vm", cost, kHour);
    fleet.charges.pricing_category[row] = "Committed";
    fleet.charges.commitment_status[row] = "Used";
    fleet.charges.commitment_id[row] = "sp-1";
    fleet.charges.tags[row] = std::string(R"({"team":")") + team + "\"}";
  }
  const auto out = fleet.Allocate();
  EXPECT_EQ(Total(out), Money::Units(12));
  std::map<std::string, Money> by_team;
  for (std::size_t i = 0; i < RowsOf(out.lines); ++i) {
    const auto workload = static_cast<std::size_t>(out.lines.workload_id[i]);
    if (out.workloads.workload_kind[workload] != "UnusedCommitment") continue;
    by_team[out.workloads.team[workload]] += out.lines.overhead_cost[i];
  }
  EXPECT_EQ(by_team["a"], Money::Units(1));
  EXPECT_EQ(by_team["b"], Money::Units(3));
  EXPECT_EQ(by_team["owner"], Money::Units(4));  // the second hour nobody used
}

TEST(ChargeCostsTest, ComputeThatNoNodeAnswersToIsAFinding) {
  TestFleet fleet;
  fleet.Charge("i-9", "3", kHour);
  const auto out = fleet.Allocate();
  ASSERT_EQ(out.findings.kind, Texts{"unmatched-charge"});
  EXPECT_EQ(out.findings.subject, Texts{"i-9"});
  EXPECT_EQ(out.findings.cost[0], Money::Units(3));
}

TEST(ChargeCostsTest, AFindingHasTheWindowsPartOfACharge) {
  TestFleet fleet;
  fleet.Charge("i-9", "720", {T(0), T(0) + Days(30)});
  const auto out = fleet.Allocate();
  ASSERT_EQ(out.findings.kind, Texts{"unmatched-charge"});
  EXPECT_EQ(out.findings.cost[0], Money::Units(1));  // one hour of 720
}

// The bill reaches other hours by its short rows; the month-long row is the node's price.
TEST(ChargeCostsTest, AnHourWithAUsageChargeHasNoPriceBesideIt) {
  TestFleet fleet;
  fleet.nodes.provider_id[fleet.Node("n", 1)] = "aws:///z/i-1";
  fleet.Price("5");
  fleet.prices.provider[0] = "aws";
  fleet.prices.purchase[0] = "on-demand";
  fleet.Charge("i-1", "3", kHour);
  fleet.options.billed.push_back({"i-1", "", {T(60), T(120)}});
  EXPECT_EQ(Total(fleet.Allocate()), Money::Units(3));
}

}  // namespace
}  // namespace plimsoll
