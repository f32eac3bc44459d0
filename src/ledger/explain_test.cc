#include "ledger/explain.h"

#include <gtest/gtest.h>

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

using ExplainTest = LedgerFixture;

TEST_F(ExplainTest, NamesTheNodeItsChargesAndTheFiguresPart) {
  Ledger ledger = OpenLedger();
  const auto explanation = Explain(ledger, {Day(), "team:nlp"});
  ASSERT_TRUE(explanation) << explanation.error().message;
  ASSERT_EQ(explanation->bases.size(), 1u);
  const ExplainedBasis& basis = explanation->bases[0];
  EXPECT_EQ(basis.node, "gpu-1");
  EXPECT_EQ(basis.rung, "billed");
  EXPECT_EQ(basis.hours, 2);
  EXPECT_EQ(basis.cost, Money::Units(20));
  EXPECT_EQ(basis.figure_cost, Money::Units(5));
  EXPECT_EQ(basis.figure_gpu_time, WholeGpuHours(1));
  ASSERT_EQ(basis.charges.size(), 1u);
  EXPECT_EQ(basis.charges[0].charges, 2);
  EXPECT_EQ(basis.charges[0].first_line, 2);
  EXPECT_EQ(basis.charges[0].cost, Money::Units(20));
}

TEST_F(ExplainTest, EverySumIsCheckedAndHolds) {
  Ledger ledger = OpenLedger();
  const auto explanation = Explain(ledger, {Day(), ""});
  ASSERT_TRUE(explanation);
  EXPECT_EQ(explanation->bases.size(), 2u);  // the node and the tax
  EXPECT_EQ(explanation->checks.size(), 4u);
  for (const Check& check : explanation->checks) EXPECT_TRUE(check.holds) << check.what;
}

TEST_F(ExplainTest, AWrongSumIsSaid) {
  Ledger ledger = OpenLedger();
  ASSERT_TRUE(ledger.Refresh(Day()));
  ASSERT_TRUE(store_->Execute("DELETE FROM ledger_line WHERE workload_id < 0", {}));
  const auto explanation = Explain(ledger, {Day(), "team:nlp"});
  ASSERT_TRUE(explanation);
  bool any_fails = false;
  for (const Check& check : explanation->checks) any_fails = any_fails || !check.holds;
  EXPECT_TRUE(any_fails);
}

TEST_F(ExplainTest, NothingSelectedIsNotFound) {
  Ledger ledger = OpenLedger();
  const auto explanation = Explain(ledger, {Day(), "team:nobody"});
  ASSERT_FALSE(explanation);
  EXPECT_EQ(explanation.error().code, ErrorCode::kNotFound);
}

TEST(FigureIdTest, ReadsBackWhatItPrints) {
  const Figure figure{{kFactsDay, kFactsDay + Days(7)}, "team:\"a@b\"+class:\"used\""};
  const auto back = ParseFigureId(ToId(figure));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->filter, figure.filter);
  EXPECT_EQ(back->window, figure.window);
  for (const char* bad : {"team:a", "team:a@2026-05-04", "team:a@x/y",
                          "@2026-05-05T00:00:00Z/2026-05-04T00:00:00Z"}) {
    EXPECT_FALSE(ParseFigureId(bad)) << bad;
  }
}

}  // namespace
}  // namespace plimsoll
