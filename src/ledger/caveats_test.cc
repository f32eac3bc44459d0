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
  const auto caveats = CaveatsOf(*store_, {window, {}, ""});
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
  const auto caveats = CaveatsOf(*store_, {window, {}, ""});
  ASSERT_TRUE(caveats) << caveats.error().message;
  EXPECT_TRUE(caveats->empty()) << caveats->front();
}

}  // namespace
}  // namespace plimsoll
