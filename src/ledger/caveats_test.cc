#include "ledger/caveats.h"

#include <gtest/gtest.h>

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

using CaveatsTest = LedgerFixture;

TEST_F(CaveatsTest, NamesTimeWithoutAPrice) {
  Ledger ledger = OpenLedger();
  // The fixture's bill covers two hours of its node; a second node has neither bill nor price.
  NodeBatch nodes;
  const std::size_t n = AddBlankRow(nodes);
  nodes.cluster[n] = "c";
  nodes.node[n] = "lab-1";
  nodes.gpu_count[n] = 3;
  nodes.labels[n] = "{}";
  LoadFleet(nodes, {});
  const Window window{kFactsDay, kFactsDay + Hours(2)};
  ASSERT_TRUE(ledger.Refresh(window));
  const auto caveats = CaveatsOf(ledger, {window, {}, ""});
  ASSERT_TRUE(caveats) << caveats.error().message;
  ASSERT_EQ(caveats->size(), 1u);
  EXPECT_EQ(caveats->front(),
            "6.000000000 GPU-hours of 1 nodes in these days have no price and cost 0 here: load a "
            "bill or prices");
}

TEST_F(CaveatsTest, ABilledWindowHasNone) {
  Ledger ledger = OpenLedger();
  const Window window{kFactsDay, kFactsDay + Hours(2)};
  ASSERT_TRUE(ledger.Refresh(window));
  const auto caveats = CaveatsOf(ledger, {window, {}, ""});
  ASSERT_TRUE(caveats) << caveats.error().message;
  EXPECT_TRUE(caveats->empty()) << caveats->front();
}

// A node of 4 GPUs at 3 an hour that no bill names, in cluster "c".
PriceBatch LabPrices() {
  PriceBatch prices;
  const std::size_t p = AddBlankRow(prices);
  prices.provider[p] = "on-prem";
  prices.instance_type[p] = "lab";
  prices.purchase[p] = "owned";
  prices.rung[p] = kRungContracted;
  prices.currency[p] = "USD";
  prices.amount[p] = Money::Units(3);
  prices.per_seconds[p] = 3'600;
  return prices;
}

NodeBatch LabNode() {
  NodeBatch nodes;
  const std::size_t n = AddBlankRow(nodes);
  nodes.cluster[n] = "c";
  nodes.node[n] = "lab-1";
  nodes.instance_type[n] = "lab";
  nodes.gpu_count[n] = 4;
  nodes.memory_bytes[n] = std::int64_t{8} << 30;
  nodes.labels[n] = "{}";
  return nodes;
}

TEST_F(CaveatsTest, DeclaredAmountsAndDeclaredPricesAreNoPriceLists) {
  LoadFleet(LabNode(), {});
  LedgerOptions options;
  options.prices = LabPrices();
  options.allocation.declared = {{"desk", "support", Money::Units(744), "ops", {}, {}}};
  auto ledger = Ledger::Open(*store_, catalog_, std::move(options));
  ASSERT_TRUE(ledger);
  const Window window{kFactsDay, kFactsDay + Hours(2)};
  ASSERT_TRUE(ledger->Refresh(window));
  const auto caveats = CaveatsOf(*ledger, {window, {}, ""});
  ASSERT_TRUE(caveats) << caveats.error().message;
  EXPECT_EQ(*caveats,
            (std::vector<std::string>{
                "2.000000000 USD of this is what plimsoll.yaml declares under monthly_costs, not a "
                "bill",
                "6.000000000 USD of this is priced by declared and contracted prices, for time "
                "that no loaded bill covers; --by issuer tells it apart (issuer is empty there)"}));
}

TEST_F(CaveatsTest, MoreMemoryHeldThanANodeHasIsSaid) {
  HoldingBatch holdings;
  for (const std::int64_t gib : {6, 5}) {
    const std::size_t h = AddBlankRow(holdings);
    holdings.cluster[h] = "c";
    holdings.node[h] = "lab-1";
    holdings.source[h] = "kubernetes";
    holdings.name[h] = holdings.uid[h] = "pod-" + std::to_string(gib);
    holdings.labels[h] = "{}";
    holdings.share_num[h] = holdings.share_den[h] = 1;
    holdings.device_kind[h] = "gpu";
    holdings.memory_bytes[h] = gib << 30;
    holdings.begin[h] = kFactsDay;
    holdings.until[h] = kFactsDay + Hours(1);
  }
  LoadFleet(LabNode(), holdings);
  LedgerOptions options;
  options.prices = LabPrices();
  auto ledger = Ledger::Open(*store_, catalog_, std::move(options));
  ASSERT_TRUE(ledger);
  const Window window{kFactsDay, kFactsDay + Hours(2)};
  ASSERT_TRUE(ledger->Refresh(window));
  const auto caveats = CaveatsOf(*ledger, {window, {}, ""});
  ASSERT_TRUE(caveats) << caveats.error().message;
  ASSERT_EQ(caveats->size(), 2u);
  EXPECT_TRUE((*caveats)[1].starts_with("node lab-1 is over-committed by 3.00 GiB of memory"))
      << (*caveats)[1];
}

TEST_F(CaveatsTest, AValueThatNoLineHasIsNamedWithThoseThatAreKnown) {
  Ledger ledger = OpenLedger();
  const Window window{kFactsDay, kFactsDay + Hours(2)};
  ASSERT_TRUE(ledger.Refresh(window));
  const auto notes = [&](const std::string& filter) {
    const auto unknown = UnknownFilterValues(*store_, {window, {}, filter});
    EXPECT_TRUE(unknown) << unknown.error().message;
    return unknown ? *unknown : std::vector<std::string>();
  };
  EXPECT_EQ(notes("team:nope"),
            std::vector<std::string>{"no line has team = nope; known: \"\", nlp"});
  EXPECT_EQ(notes("(team:nlp,nope|class:used)+node!:\"gone\"").size(), 3u);
  EXPECT_TRUE(notes("team:nlp+node:\"gpu-1\"").empty());
  EXPECT_TRUE(notes("team~:zzz").empty()) << "a part of a word is no name";
}

}  // namespace
}  // namespace plimsoll
