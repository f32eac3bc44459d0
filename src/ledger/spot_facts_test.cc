#include "ledger/spot_facts.h"

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

// Node gpu-1 of two GPUs on spot, taken at 2:00 with the work of pod train on one of them.
class SpotFactsTest : public LedgerFixture {
 protected:
  void Load(std::optional<Money> list, const std::string& reason = "Evicted",
            const std::string& type = "") {
    NodeBatch nodes;
    const std::size_t n = AddBlankRow(nodes);
    nodes.cluster[n] = "c";
    nodes.node[n] = "gpu-1";
    nodes.provider_id[n] = "aws:///us-east-1a/i-1";
    nodes.capacity_type[n] = "spot";
    nodes.region[n] = "us-east-1";
    nodes.zone[n] = "us-east-1a";
    nodes.instance_type[n] = type;
    nodes.gpu_count[n] = 2;
    nodes.labels[n] = "{}";
    nodes.begin[n] = kFactsDay;
    nodes.until[n] = kFactsDay + Hours(2);
    HoldingBatch holdings;
    const std::size_t h = AddBlankRow(holdings);
    holdings.cluster[h] = "c";
    holdings.node[h] = "gpu-1";
    holdings.source[h] = "kubernetes";
    holdings.name[h] = holdings.uid[h] = holdings.workload[h] = "train";
    holdings.workload_kind[h] = "Job";
    holdings.labels[h] = R"({"team":"nlp"})";
    holdings.devices[h] = holdings.share_num[h] = holdings.share_den[h] = 1;
    holdings.device_kind[h] = "gpu";
    holdings.begin[h] = kFactsDay + Hours(1);
    holdings.until[h] = kFactsDay + Minutes(119);
    holdings.end_reason[h] = reason;
    LoadFleet(nodes, holdings);
    ChargeBatch charges;
    for (std::int64_t hour = 0; hour < 2; ++hour) {
      AddCharge(charges, "i-1", 60 * hour, 60 * hour + 60, Money::Units(4));
      charges.pricing_category.back() = "Dynamic";
      charges.list_cost.back() = list;
    }
    AddCharge(charges, "i-9", 0, 60, Money::Units(7));  // on demand
    LoadCharges(charges);
  }
  std::vector<SpotNode> Nodes() {
    Ledger ledger = OpenLedger();
    const auto facts = ReadSpotFacts(ledger, Day());
    EXPECT_TRUE(facts) << facts.error().message;
    if (!facts) return {};
    cut_off_ = facts->cut_off;
    return facts->nodes;
  }

  std::vector<CutOffWork> cut_off_;
};

TEST_F(SpotFactsTest, ANodeHasItsCostItsListCostAndWhoHeldIt) {
  Load(Money::Units(10));
  const std::vector<SpotNode> nodes = Nodes();
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].node, "gpu-1");
  EXPECT_EQ(nodes[0].effective, Money::Units(8));
  EXPECT_EQ(nodes[0].list, Money::Units(20));
  EXPECT_FALSE(nodes[0].is_list_priced);
  EXPECT_EQ(nodes[0].gpu_time, WholeGpuHours(4));
  EXPECT_EQ(nodes[0].team_time.at("nlp"), GpuSeconds(59 * 60));
  EXPECT_EQ(nodes[0].idle_time + nodes[0].team_time.at("nlp"), nodes[0].gpu_time);
  EXPECT_EQ(nodes[0].seen, Hours(2));
  EXPECT_EQ(nodes[0].taken, kFactsDay + Hours(2));
  ASSERT_EQ(cut_off_.size(), 1U);
  EXPECT_EQ(cut_off_[0].uid, "train");
  EXPECT_EQ(cut_off_[0].held, GpuSeconds(59 * 60));
}

TEST_F(SpotFactsTest, WorkThatEndedByItselfIsNoEviction) {
  Load(Money::Units(10), "Completed");
  EXPECT_FALSE(Nodes()[0].taken);
  EXPECT_TRUE(cut_off_.empty());
}

TEST_F(SpotFactsTest, NoListCostAndTheSpotCostAsListCostAreNotKnown) {
  Load(std::nullopt);
  EXPECT_FALSE(Nodes()[0].list);
  Load(Money::Units(4));
  EXPECT_FALSE(Nodes()[0].list);
}

TEST_F(SpotFactsTest, TheOnDemandPriceStandsInForAListCost) {
  const auto catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog) << catalog.error().message;
  catalog_ = *catalog;
  Load(std::nullopt, "Evicted", "g6.12xlarge");
  const std::vector<SpotNode> nodes = Nodes();
  ASSERT_TRUE(nodes[0].list);
  EXPECT_TRUE(nodes[0].is_list_priced);
  EXPECT_GT(*nodes[0].list, nodes[0].effective);
}

TEST_F(SpotFactsTest, DeclaredCostIsAShareOfLinesOrAPartOfTheMonth) {
  Load(Money::Units(10));
  Ledger ledger = OpenLedger();
  ASSERT_TRUE(ledger.Refresh(Day()));
  std::vector<SpotCostRule> rules(2);
  rules[0] = {"half", "storage", "node:\"gpu-1\"", Money::Units(50), std::nullopt};
  rules[1] = {"pager", "operations", "", Money::Units(100), Money::Units(31)};  // May
  const auto declared = DeclaredSpotCosts(ledger, Day(), "USD", rules);
  ASSERT_TRUE(declared) << declared.error().message;
  EXPECT_EQ((*declared)[0].amount, Money::Units(4));
  EXPECT_EQ((*declared)[1].amount, Money::Units(1));
  rules[0].filter = "nodes:\"x\"";
  const auto wrong = DeclaredSpotCosts(ledger, Day(), "USD", rules);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("spot_costs 'half': filter: no field 'nodes'"),
            std::string::npos)
      << wrong.error().message;
}

}  // namespace
}  // namespace plimsoll
