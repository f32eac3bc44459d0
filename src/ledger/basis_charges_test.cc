#include "ledger/basis_charges.h"

#include <gtest/gtest.h>

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

using BasisChargesTest = LedgerFixture;

TEST_F(BasisChargesTest, ChargesAreCutToTheWindowAndGroupedByBasis) {
  Ledger ledger = OpenLedger();
  const auto charges = ChargesByBasis(ledger, {kFactsDay, kFactsDay + Hours(1)});
  ASSERT_TRUE(charges) << charges.error().message;
  ASSERT_EQ(charges->size(), 2u);
  EXPECT_EQ((*charges)[0].service, "Tax: EC2");
  EXPECT_EQ((*charges)[0].charges.cost, Money::Units(1));  // one hour of a day's 24
  EXPECT_EQ((*charges)[1].node, "gpu-1");
  EXPECT_EQ((*charges)[1].charges.cost, Money::Units(10));
}

}  // namespace
}  // namespace plimsoll
