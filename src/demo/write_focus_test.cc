#include "demo/write_focus.h"

#include <algorithm>
#include <map>

#include "demo/demo_fixture.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

using Rows = std::vector<std::map<std::string, std::string>>;

Rows RowsOfBill(const DemoBill& bill) {
  const std::vector<std::string> lines = LinesOf(FocusCsv(bill));
  const std::vector<std::string> header = CsvFields(lines.front());
  Rows rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> fields = CsvFields(lines[i]);
    EXPECT_EQ(fields.size(), header.size()) << lines[i];
    std::map<std::string, std::string> row;
    for (std::size_t f = 0; f < header.size(); ++f) row[header[f]] = fields[f];
    rows.push_back(std::move(row));
  }
  return rows;
}

ExactDecimal Number(const std::string& text) {
  const Result<ExactDecimal> number = ExactDecimal::Parse(text);
  EXPECT_TRUE(number.has_value()) << text;
  return number ? *number : ExactDecimal();
}

TEST(WriteFocusTest, HasThe57ColumnsOfFocus12InOrder) {
  const std::vector<std::string> header = CsvFields(LinesOf(FocusCsv(Week().bills[0])).front());
  EXPECT_EQ(header.size(), 57U);
  EXPECT_TRUE(std::is_sorted(header.begin(), header.end()));
}

TEST(WriteFocusTest, RowsAreTheBillsChargesAndTheirCosts) {
  for (const DemoBill& bill : Week().bills) {
    const Rows rows = RowsOfBill(bill);
    ASSERT_EQ(rows.size(), bill.charges.size());
    ExactDecimal effective;
    Money expected;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      effective += Number(rows[i].at("EffectiveCost"));
      expected += bill.charges[i].effective;
    }
    EXPECT_EQ(effective, ExactDecimal::FromMoney(expected));
  }
}

// FOCUS: ListUnitPrice x PricingQuantity = ListCost, and so for contracted.
TEST(WriteFocusTest, UnitPricesTimesQuantitiesAreCosts) {
  for (const DemoBill& bill : Week().bills) {
    for (const auto& row : RowsOfBill(bill)) {
      if (row.at("ListUnitPrice").empty()) continue;
      const int128 quantity = Number(row.at("PricingQuantity")).floor().nanos();
      const auto check = [&](const char* price, const char* cost) {
        EXPECT_EQ(Number(row.at(price)).floor().nanos() * quantity,
                  Number(row.at(cost)).floor().nanos() * Money::kNanosPerUnit)
            << price;
      };
      check("ListUnitPrice", "ListCost");
      check("ContractedUnitPrice", "ContractedCost");
    }
  }
}

TEST(WriteFocusTest, CommitmentColumnsFollowFocus) {
  for (const auto& row : RowsOfBill(Week().bills[0])) {
    const std::string& status = row.at("CommitmentDiscountStatus");
    if (status.empty()) continue;
    EXPECT_EQ(row.at("PricingCategory"), "Committed");
    EXPECT_EQ(row.at("BilledCost"), "0");
    EXPECT_FALSE(row.at("CommitmentDiscountId").empty());
    EXPECT_EQ(row.at("ConsumedQuantity").empty(), status == "Unused");
  }
}

TEST(WriteFocusTest, SlurmNodesAreNamedInTheOtherBill) {
  std::size_t named = 0;
  for (const auto& row : RowsOfBill(Week().bills[1])) {
    named += row.at("ResourceName") == "hpc-g1" ? 1U : 0U;
  }
  EXPECT_EQ(named, 3U * 168U);
}

}  // namespace
}  // namespace plimsoll
