#include "ingest/prices/price_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/price_file.h"

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "provider,region,instance_type,purchase,rung,currency,amount,valid_from,valid_until\n";

PlacedPrices Placed(const std::string& rows) {
  const PriceFile file = ReadPriceCsv("p.csv", kHeader + rows, PriceDefaults{});
  EXPECT_TRUE(file.rejections.empty()) << ToText(file.rejections[0]);
  PlacedPrices placed{file.prices, {}, file.lines};
  placed.files.assign(file.lines.size(), "p.csv");
  return placed;
}

TEST(PriceRowsTest, TheSamePriceTwiceCountsOnce) {
  const SettledPrices settled =
      SettlePrices(Placed("aws,r,x,on-demand,list,USD,1,2026-01-01,\n"
                          "aws,R,X,on-demand,list,USD,1.0,2026-01-01,\n"));
  EXPECT_EQ(RowsOf(settled.prices), 1U);
  EXPECT_EQ(settled.duplicates, 1);
  EXPECT_TRUE(settled.rejections.empty());
}

TEST(PriceRowsTest, AContradictionIsRefusedAndNamesItsCounterpart) {
  const SettledPrices settled =
      SettlePrices(Placed("aws,r,x,on-demand,list,USD,2,2026-01-01,2026-03-01\n"
                          "aws,r,x,on-demand,list,USD,3,2026-02-01,\n"
                          "aws,r,x,on-demand,list,USD,4,2026-03-01,\n"
                          "aws,r,x,spot,list,USD,1,2026-02-01,\n"));
  EXPECT_EQ(RowsOf(settled.prices), 3U);
  ASSERT_EQ(settled.rejections.size(), 1U);
  EXPECT_EQ(ToText(settled.rejections[0]),
            "p.csv:3: amount: 3.000000000 of aws r x on-demand contradicts 2.000000000 at "
            "p.csv:2, in force at the same time; end one of them with valid_until");
}

TEST(PriceRowsTest, TheOrderOfRowsDoesNotMatter) {
  std::vector<std::string> rows{"aws,r,x,on-demand,list,USD,2,2026-01-01,2026-03-01\n",
                                "aws,r,x,on-demand,list,USD,3,2026-02-01,\n",
                                "aws,r,x,on-demand,list,USD,5,2026-02-01,\n",
                                "gcp,r,x,on-demand,list,USD,3,2026-02-01,\n"};
  std::sort(rows.begin(), rows.end());
  std::vector<Money> first;
  do {
    std::string text;
    for (const std::string& row : rows) text += row;
    const SettledPrices settled = SettlePrices(Placed(text));
    if (first.empty()) first = settled.prices.amount;
    EXPECT_EQ(settled.prices.amount, first);
    EXPECT_EQ(settled.rejections.size(), 2U);
  } while (std::next_permutation(rows.begin(), rows.end()));
}

TEST(PriceRowsTest, AMoveOfMoreThanFivePercentIsWorthALook) {
  const PriceBatch none;
  const auto jumps = [&](const char* then) {
    const SettledPrices settled =
        SettlePrices(Placed(std::string("aws,r,x,on-demand,list,USD,100,,2026-01-01\n"
                                        "aws,r,x,on-demand,list,USD,") +
                            then + ",2026-01-01,\n"));
    return PriceJumps(settled.prices, none).size();
  };
  EXPECT_EQ(jumps("105"), 0U);
  EXPECT_EQ(jumps("105.01"), 1U);
  EXPECT_EQ(jumps("95"), 0U);
  EXPECT_EQ(jumps("94.99"), 1U);
}

TEST(PriceRowsTest, ATenfoldDistanceFromTheListIsWorthALook) {
  const PriceBatch list = Placed("aws,r,x,on-demand,list,USD,100,,\n").prices;
  const auto jumps = [&](const std::string& row) {
    return PriceJumps(Placed(row).prices, list).size();
  };
  EXPECT_EQ(jumps("aws,q,x,on-demand,contracted,USD,1000,,\n"), 0U);
  EXPECT_EQ(jumps("aws,q,x,on-demand,contracted,USD,1001,,\n"), 1U);
  EXPECT_EQ(jumps("aws,q,x,on-demand,contracted,USD,9.9,,\n"), 1U);
  EXPECT_EQ(jumps("aws,q,x,on-demand,contracted,KRW,100000,,\n"), 0U);
}

}  // namespace
}  // namespace plimsoll
