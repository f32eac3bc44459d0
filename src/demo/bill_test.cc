#include "demo/bill.h"

#include <map>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(BillTest, NodeHoursCostTheirWeightsTimesThePrice) {
  for (const DemoBill& bill : Week().bills) {
    std::map<std::pair<std::size_t, Instant>, std::pair<Money, Window>> hours;
    for (const DemoCharge& charge : bill.charges) {
      if (!charge.node) continue;
      auto& [cost, part] = hours[{*charge.node, charge.period.begin}];
      cost += charge.effective;
      part = charge.period;
    }
    for (const auto& [key, value] : hours) {
      const DemoNode& node = Week().nodes[key.first];
      const int128 price = PriceAt(Week(), node, key.second);
      EXPECT_EQ(price % kExactNanos, 0);
      EXPECT_EQ(value.first.nanos() * Hours(1).base(),
                price * node.shape.weights() * value.second.length().base());
    }
  }
}

TEST(BillTest, PurchaseOfTheCommitmentIsWhatItCoveredAndWhatIsUnused) {
  Money purchase, covered, unused;
  for (const DemoCharge& charge : Week().bills.front().charges) {
    if (charge.category == "Purchase") {
      purchase += charge.billed;
      EXPECT_EQ(charge.effective, Money());
    }
    if (charge.commitment_status == "Used") covered += charge.effective;
    if (charge.commitment_status == "Unused") unused += charge.effective;
    if (!charge.commitment_status.empty()) {
      EXPECT_EQ(charge.billed, Money());
    }
  }
  EXPECT_GT(unused, Money());
  EXPECT_EQ(purchase, covered + unused);
}

TEST(BillTest, SpotNodesHavePartialHours) {
  std::size_t partial = 0;
  for (const DemoCharge& charge : Week().bills.front().charges) {
    if (!charge.node || charge.period.length() == Hours(1)) continue;
    ++partial;
    EXPECT_EQ(charge.pricing_category, "Dynamic");
    EXPECT_NE(charge.pricing_quantity, "1");
  }
  EXPECT_GE(partial, 4U);
}

TEST(BillTest, WindowOverTwoMonthsHasRowsInBoth) {
  const DemoFleet fleet = MakeFleet(16, 16);
  std::map<Window, std::size_t> taxes;
  for (const DemoCharge& charge : fleet.bills.front().charges) {
    EXPECT_EQ(MonthOf(charge.period.begin), MonthOf(charge.period.until - Millis(1)));
    if (charge.category == "Tax") ++taxes[MonthOf(charge.period.begin)];
  }
  EXPECT_EQ(taxes.size(), 2U);
}

TEST(BillTest, EveryCategoryIsThere) {
  std::map<std::string, std::size_t> categories;
  for (const DemoCharge& charge : Week().bills.front().charges) ++categories[charge.category];
  EXPECT_EQ(categories.size(), 5U);
}

}  // namespace
}  // namespace plimsoll
