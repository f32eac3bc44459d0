#include "ledger/reconcile.h"

#include <gtest/gtest.h>

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

using ReconcileTest = LedgerFixture;

TEST_F(ReconcileTest, EveryNanoOfABillIsInItsLines) {
  Ledger ledger = OpenLedger();
  const auto periods = Reconcile(ledger, {});
  ASSERT_TRUE(periods) << periods.error().message;
  ASSERT_EQ(periods->size(), 1u);
  const ReconciledPeriod& period = periods->front();
  EXPECT_EQ(period.billed, Money::Units(44));
  EXPECT_EQ(period.allocated, Money::Units(44));
  EXPECT_EQ(period.unexplained, Money());
  EXPECT_EQ(period.outcome, "ties");
  EXPECT_EQ(period.billed_by_category[static_cast<std::size_t>(ChargeCategory::kTax)],
            Money::Units(24));
}

TEST_F(ReconcileTest, ALineThatIsMissingShows) {
  Ledger ledger = OpenLedger();
  ASSERT_TRUE(ledger.Refresh(Day()));
  ASSERT_TRUE(store_->Execute("DELETE FROM ledger_line WHERE overhead_cost > 0", {}));
  const auto periods = Reconcile(ledger, {});
  ASSERT_TRUE(periods);
  EXPECT_EQ(periods->front().unexplained, Money::Units(24));
  EXPECT_EQ(periods->front().outcome, "cost lines differ from effective cost by 24.000000000");
}

TEST_F(ReconcileTest, APeriodThatTouchesNoBillIsEmpty) {
  Ledger ledger = OpenLedger();
  const Window june = MonthOf(kFactsDay + Days(40));
  EXPECT_TRUE(Reconcile(ledger, june)->empty());
}

}  // namespace
}  // namespace plimsoll
