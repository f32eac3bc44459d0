#include "ingest/focus/focus_row.h"

#include <gtest/gtest.h>

#include <map>

namespace plimsoll {
namespace {

using Cells = std::map<std::string, std::string>;

// One row of a bill: a valid one, changed. A value in double quotes is a quoted field.
class FocusRowTest : public testing::Test {
 protected:
  // Returns "" if the row is a charge (then in row_), else "field: reason".
  std::string Read(const Cells& changes) {
    cells_ = {{"BilledCost", "1.5"},
              {"EffectiveCost", "1.25"},
              {"ListCost", "2"},
              {"ContractedCost", "NULL"},
              {"BillingAccountId", "\"00012345\""},
              {"BillingCurrency", "USD"},
              {"BillingPeriodStart", "2024-09-01 00:00:00"},
              {"BillingPeriodEnd", "2024-10-01T00:00:00Z"},
              {"ChargePeriodStart", "2024-09-18T22:00:00Z"},
              {"ChargePeriodEnd", "2024-09-18T23:00:00Z"},
              {"ChargeCategory", "Usage"},
              {"InvoiceIssuerName", "Amazon Web Services, Inc."},
              {"ProviderName", "AWS"},
              {"SkuPriceDetails", ""},
              {"x_SkuDetails", ""},
              {"Tags", "NULL"}};
    for (const auto& [name, value] : changes) cells_[name] = value;
    CsvRow names;
    CsvRow row;
    for (const auto& [name, value] : cells_) {
      const bool quoted = value.size() > 1 && value.starts_with('"');
      names.fields.push_back({name, false});
      row.fields.push_back(
          {quoted ? std::string_view(value).substr(1, value.size() - 2) : value, quoted});
      raw_ += value + ",";
    }
    row.raw = raw_;
    row.defect = defect_;
    if (extra_field_) row.fields.push_back({"", false});
    header_ = *ReadFocusHeader(names, "bill.csv", {});
    reader_.emplace(header_, kFocusNullTokens);
    if (reader_->Read(row, row_, refused_)) return "";
    return refused_.field + ": " + refused_.reason;
  }

  Cells cells_;
  std::string raw_;
  bool extra_field_ = false;
  CsvDefect defect_ = CsvDefect::kNone;
  FocusHeader header_;
  std::optional<FocusRowReader> reader_;
  FocusRow row_;
  RefusedRow refused_;
};

TEST_F(FocusRowTest, ReadsAChargeAndKeepsLeadingZeros) {
  ASSERT_EQ(Read({}), "");
  EXPECT_EQ(row_[FocusColumn::kBillingAccountId], "00012345");
  EXPECT_EQ(row_.issuer, "Amazon Web Services, Inc.");
  EXPECT_EQ(row_.costs[0]->ToString(), "1.5");
  EXPECT_EQ(row_.costs[2]->ToString(), "2");
  EXPECT_FALSE(row_.costs[3].has_value());
  EXPECT_EQ(ToString(row_.billing), "2024-09-01T00:00:00Z/2024-10-01T00:00:00Z");
  EXPECT_EQ(ToString(row_.charge), "2024-09-18T22:00:00Z/2024-09-18T23:00:00Z");
  EXPECT_EQ(row_.tags, "{}");
}

TEST_F(FocusRowTest, OnlyUnquotedTokensAreNull) {
  for (const char* token : {"NULL", "null", "(null)", ""}) {
    ASSERT_EQ(Read({{"ResourceName", token}}), "") << token;
    EXPECT_EQ(row_[FocusColumn::kResourceName], "") << token;
  }
  ASSERT_EQ(Read({{"ResourceName", "\"NULL\""}}), "");
  EXPECT_EQ(row_[FocusColumn::kResourceName], "NULL");
  EXPECT_EQ(Read({{"BilledCost", "NULL"}}), "BilledCost: is null; FOCUS requires it");
  EXPECT_EQ(Read({{"EffectiveCost", ""}}), "EffectiveCost: is null; FOCUS requires it");
}

TEST_F(FocusRowTest, CostsAreExactAtFullScale) {
  ASSERT_EQ(Read({{"BilledCost", "0.0000000072922557592391990000"}, {"EffectiveCost", "1.81E-8"}}),
            "");
  EXPECT_EQ(row_.costs[0]->ToString(), "0.000000007292255759239199");
  EXPECT_EQ(row_.costs[1]->ToString(), "0.0000000181");
  EXPECT_EQ(RestsOf(row_)[1], ExactDecimal::Parse("0.0000000001")->rest());
}

TEST_F(FocusRowTest, BadCostsAreRefused) {
  EXPECT_EQ(Read({{"BilledCost", "\"$10,000.00 \""}}),
            "BilledCost: '$10,000.00': not a decimal number");
  EXPECT_EQ(Read({{"ListCost", "abc"}}), "ListCost: 'abc': not a decimal number");
  EXPECT_EQ(Read({{"BilledCost", "-1000000000"}}),
            "BilledCost: '-1000000000': one charge holds less than 10^9 units");
  EXPECT_EQ(Read({{"BilledCost", "999999999.9999999991"}}),
            "BilledCost: '999999999.9999999991': one charge holds less than 10^9 units");
  EXPECT_EQ(Read({{"BilledCost", "999999999.9999999981"}}), "");
}

TEST_F(FocusRowTest, BadTimesAreRefused) {
  EXPECT_EQ(Read({{"ChargePeriodEnd", "2023-02-01T30:00:00Z"}}),
            "ChargePeriodEnd: '2023-02-01T30:00:00Z' is not a time such as 2026-11-23T00:00:00Z");
  EXPECT_EQ(Read({{"BillingPeriodEnd", "5/1/25"}}).substr(0, 17), "BillingPeriodEnd:");
  EXPECT_EQ(Read({{"ChargePeriodEnd", "2024-09-18T22:00:00Z"}}),
            "ChargePeriodEnd: is not after ChargePeriodStart; the end is exclusive");
  EXPECT_EQ(Read({{"ChargePeriodEnd", "2999-09-18T22:00:00Z"}}),
            "ChargePeriodEnd: is more than ten years after ChargePeriodStart; correct the year");
  EXPECT_EQ(Read({{"BillingPeriodEnd", "2024-09-01"}}),
            "BillingPeriodEnd: is not after BillingPeriodStart; the end is exclusive");
  EXPECT_EQ(Read({{"BillingPeriodStart", "NULL"}}),
            "BillingPeriodStart: is null; FOCUS requires it");
}

TEST_F(FocusRowTest, ChargeWithoutDatesIsBookedOnTheBillingPeriod) {
  ASSERT_EQ(Read({{"ChargePeriodStart", "null"}, {"ChargePeriodEnd", ""}}), "");
  EXPECT_EQ(row_.charge, row_.billing);
}

TEST_F(FocusRowTest, UnknownCategoryAndCurrencyAreRefused) {
  EXPECT_EQ(Read({{"ChargeCategory", "Refund"}}),
            "ChargeCategory: 'Refund' is none of Usage, Purchase, Tax, Credit, Adjustment");
  EXPECT_EQ(Read({{"BillingCurrency", "US$"}}),
            "BillingCurrency: 'US$' is not an ISO 4217 code such as USD");
  EXPECT_EQ(Read({{"BillingAccountId", "\"\""}}), "BillingAccountId: is null; FOCUS requires it");
}

TEST_F(FocusRowTest, NullIssuerIsTheProvider) {
  ASSERT_EQ(Read({{"InvoiceIssuerName", "NULL"}}), "");
  EXPECT_EQ(row_.issuer, "AWS");
  EXPECT_EQ(Read({{"ProviderName", "NULL"}}), "ProviderName: is null; FOCUS requires it");
}

TEST_F(FocusRowTest, ServiceProviderNameStandsBeforeProviderName) {
  ASSERT_EQ(Read({{"ServiceProviderName", "Acme"}}), "");
  EXPECT_EQ(row_.provider, "Acme");
  ASSERT_EQ(Read({{"ServiceProviderName", "NULL"}}), "");
  EXPECT_EQ(row_.provider, "AWS");
}

TEST_F(FocusRowTest, InstanceTypeComesFromItsColumnOrTheDetails) {
  ASSERT_EQ(Read({{"SkuPriceDetails", R"({"InstanceType":"p5.48xlarge"})"}}), "");
  EXPECT_EQ(row_.instance_type, "p5.48xlarge");
  ASSERT_EQ(Read({{"x_SkuDetails", R"({"ServiceType":"Standard_NC24"})"}}), "");
  EXPECT_EQ(row_.instance_type, "Standard_NC24");
  ASSERT_EQ(Read({{"SkuPriceDetails", R"({"InstanceType":"a"})"}, {"x_InstanceType", "b"}}), "");
  EXPECT_EQ(row_.instance_type, "b");
}

TEST_F(FocusRowTest, BadTagsKeepTheCharge) {
  ASSERT_EQ(Read({{"Tags", R"({"a":["b"]})"}}), "");
  EXPECT_EQ(row_.tags, "{}");
  EXPECT_NE(row_.tags_defect, "");
}

TEST_F(FocusRowTest, RefusedRowSaysItsBillAndMoney) {
  ASSERT_NE(Read({{"ChargeCategory", "?"}}), "");
  ASSERT_TRUE(refused_.scope.has_value());
  EXPECT_EQ(refused_.scope->account, "00012345");
  EXPECT_EQ(refused_.provider, "AWS");
  EXPECT_EQ(refused_.billed->ToString(), "1.5");
  EXPECT_EQ(refused_.effective->ToString(), "1.25");
}

TEST_F(FocusRowTest, BrokenRowsAreRefused) {
  extra_field_ = true;
  EXPECT_EQ(Read({}), ": 17 fields where the header has 16; quote fields that hold commas");
  EXPECT_FALSE(refused_.scope.has_value()) << "its texts may stand under the wrong names";
  EXPECT_EQ(refused_.billed->ToString(), "1.5");
  extra_field_ = false;
  defect_ = CsvDefect::kTextAfterQuote;
  EXPECT_EQ(Read({}).substr(0, 28), ": text after a closing quote");
  defect_ = CsvDefect::kNone;
  EXPECT_EQ(Read({{"ResourceName", "caf\xE9"}}), ": not UTF-8 text; export the bill as UTF-8");
}

TEST_F(FocusRowTest, WritesFloorsIntoTheBatch) {
  ASSERT_EQ(Read({{"BilledCost", "-0.0000000001"}}), "");
  ChargeBatch batch;
  std::apply([&](auto... column) { ((batch.*(column.values)).resize(2), ...); },
             ChargeBatch::kColumns);
  WriteCharge(row_, 12, batch, 1);
  EXPECT_EQ(batch.line[1], 12);
  EXPECT_EQ(batch.billed_cost[1], Money::FromNanos(-1));
  EXPECT_EQ(batch.list_cost[1], Money::Units(2));
  EXPECT_EQ(batch.contracted_cost[1], std::nullopt);
  EXPECT_EQ(batch.account[1], "00012345");
}

}  // namespace
}  // namespace plimsoll
