#include "catalog/price_file.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

PriceDefaults Defaults() {
  PriceDefaults defaults;
  defaults.provider = "aws";
  defaults.currency = "USD";
  return defaults;
}

// The problems of one price, "field: reason" a line; the price itself in `prices`.
std::string Problems(const PriceText& text, PriceBatch& prices) {
  std::string all;
  for (const FieldProblem& problem : AppendPrice(text, Defaults(), prices)) {
    all += problem.field + ": " + problem.reason + "\n";
  }
  return all;
}

PriceText Text(std::string_view amount, std::string_view per = "") {
  PriceText text;
  text.instance_type = "x";
  text.amount = amount;
  text.per = per;
  return text;
}

TEST(PriceFileTest, AmountsKeepEveryDigitByALongerBlock) {
  PriceBatch prices;
  EXPECT_EQ(Problems(Text("21.957642"), prices), "");
  EXPECT_EQ(Problems(Text("0.00000000012"), prices), "");
  EXPECT_EQ(Problems(Text("1.81E-8"), prices), "");
  EXPECT_EQ(prices.amount[0], *Money::Parse("21.957642"));
  EXPECT_EQ(prices.per_seconds[0], 3'600);
  EXPECT_EQ(prices.amount[1], *Money::Parse("0.000000012"));
  EXPECT_EQ(prices.per_seconds[1], 360'000);
  EXPECT_EQ(prices.amount[2], *Money::Parse("0.000000181"));
  EXPECT_EQ(prices.per_seconds[2], 36'000);
  EXPECT_NE(Problems(Text("0.1234567891234567891"), prices), "");
}

TEST(PriceFileTest, BlocksAreReadInAllSpellings) {
  PriceBatch prices;
  for (const char* per : {"hour", "1h", "3600", "3600s", "60m"}) {
    EXPECT_EQ(Problems(Text("1", per), prices), "") << per;
    EXPECT_EQ(prices.per_seconds.back(), 3'600) << per;
  }
  EXPECT_EQ(Problems(Text("1", "month"), prices), "");
  EXPECT_EQ(prices.per_seconds.back(), 730 * 3'600);
  for (const char* per : {"0", "-1", "fortnight", "h1", "1.5h", "99999999999999999999"}) {
    EXPECT_NE(Problems(Text("1", per), prices), "") << per;
  }
}

TEST(PriceFileTest, NoOfferIsNotAPriceOfZero) {
  PriceBatch prices;
  EXPECT_EQ(Problems(Text("0"), prices),
            "amount: must be above 0: leave the row out if there is no such offer\n");
  EXPECT_EQ(Problems(Text(""), prices),
            "amount: is missing: leave the row out if there is no such offer\n");
  EXPECT_NE(Problems(Text("-1"), prices), "");
  EXPECT_NE(Problems(Text("1000000000"), prices), "");
  EXPECT_NE(Problems(Text("1,5"), prices), "");
  EXPECT_NE(Problems(Text("$1"), prices), "");
  EXPECT_EQ(RowsOf(prices), 0U);
}

TEST(PriceFileTest, EverythingWrongWithARowIsSaidAtOnce) {
  PriceText text;
  text.provider = "aws";
  text.purchase = "lease";
  text.rung = "guess";
  text.currency = "EURO";
  text.amount = "1";
  text.valid_from = "2026-02-01";
  text.valid_until = "2026-02-01";
  text.as_of = "lately";
  PriceBatch prices;
  EXPECT_EQ(
      Problems(text, prices),
      "instance_type: is missing: the type the nodes report, a node's name or a pattern of names\n"
      "purchase: 'lease' is not on-demand, spot, reserved, reserved-1y, reserved-3y or "
      "owned\n"
      "rung: 'guess' is not contracted, spot-history or list\n"
      "currency: 'EURO' is not a currency: three capitals as in USD\n"
      "valid_until: must be after valid_from\n"
      "as_of: 'lately' is not a date such as 2026-07-20\n");
}

TEST(PriceFileTest, CsvKeepsGoodRowsAndReportsBadOnesWithTheirLines) {
  const PriceFile file = ReadPriceCsv("p.csv",
                                      "# name: our contract\n"
                                      "instance_type,amount,currency\n"
                                      "x,1,USD\n"
                                      "y,free,USD\n"
                                      "z,2\n"
                                      "x,3,EUR\n",
                                      Defaults());
  EXPECT_EQ(file.name, "our contract");
  EXPECT_EQ(file.lines, (std::vector<std::int64_t>{3, 6}));
  EXPECT_EQ(file.prices.rung[0], kRungContracted);
  EXPECT_EQ(file.prices.currency[1], "EUR");
  ASSERT_EQ(file.rejections.size(), 2U);
  EXPECT_EQ(file.rejections[0].line, 5);
  EXPECT_EQ(file.rejections[1].line, 4);
  EXPECT_EQ(file.rejections[1].raw, "y,free,USD");
}

TEST(PriceFileTest, AForeignHeaderIsOneRejectionWithTheRemedy) {
  const PriceFile file = ReadPriceCsv("p.csv", "type,cost\nx,1\n", Defaults());
  EXPECT_EQ(RowsOf(file.prices), 0U);
  ASSERT_FALSE(file.rejections.empty());
  EXPECT_EQ(ToText(file.rejections[0]),
            "p.csv:1: instance_type: the column is missing; see docs/formats/prices.md");
  EXPECT_EQ(ReadPriceCsv("p.csv", "", Defaults()).rejections.size(), 1U);
}

}  // namespace
}  // namespace plimsoll
