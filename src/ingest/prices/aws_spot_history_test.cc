#include <gtest/gtest.h>

#include "ingest/prices/price_formats.h"

namespace plimsoll {
namespace {

ForeignPrices Read(const std::string& text) {
  return ReadAwsSpotHistory("spot.json", text, PriceDefaults{.source = "spot.json"});
}

std::string Entry(const std::string& zone, const std::string& price, const std::string& time,
                  const std::string& product = "Linux/UNIX") {
  return R"({"AvailabilityZone": ")" + zone +
         R"(", "InstanceType": "p5.48xlarge", "ProductDescription": ")" + product +
         R"(", "SpotPrice": ")" + price + R"(", "Timestamp": ")" + time + R"("})";
}

std::string History(std::initializer_list<std::string> entries) {
  std::string text = R"({"SpotPriceHistory": [)";
  for (const std::string& entry : entries) text += (text.back() == '[' ? "" : ",") + entry;
  return text + "]}";
}

TEST(AwsSpotHistoryTest, APriceHoldsUntilItsZonesNextOne) {
  // As the CLI prints it: the newest first, zones mixed.
  const ForeignPrices read =
      Read(History({Entry("us-east-1b", "21.500000", "2026-07-02T10:00:00+00:00"),
                    Entry("us-east-1a", "20.254700", "2026-07-02T09:00:00.000Z"),
                    Entry("us-east-1b", "31.999900", "2026-07-01T08:00:00+00:00")}));
  ASSERT_TRUE(read.file.rejections.empty()) << ToText(read.file.rejections[0]);
  const PriceBatch& prices = read.file.prices;
  ASSERT_EQ(RowsOf(prices), 3U);
  EXPECT_EQ(prices.region, (std::vector<std::string>{"us-east-1a", "us-east-1b", "us-east-1b"}));
  EXPECT_EQ(prices.amount[0], *Money::Parse("20.2547"));
  EXPECT_EQ(prices.valid_until[0], std::nullopt);
  EXPECT_EQ(prices.valid_until[1], *ParseInstant("2026-07-02T10:00:00Z"));
  EXPECT_EQ(prices.valid_until[2], std::nullopt);
  EXPECT_EQ(prices.rung[0], kRungSpotHistory);
  EXPECT_EQ(prices.purchase[0], "spot");
  EXPECT_EQ(prices.currency[0], "USD");
  EXPECT_EQ(prices.as_of[2], "2026-07-02");
}

TEST(AwsSpotHistoryTest, OtherProductsAndBrokenEntriesAreRefusedWithTheirPlace) {
  const ForeignPrices read =
      Read(History({Entry("a", "1", "2026-07-01T00:00:00Z", "Windows"), Entry("a", "1", "soon"),
                    R"({"SpotPrice": 1})", "7", Entry("a", "free", "2026-07-01T00:00:00Z"),
                    Entry("a", "1", "2026-07-01T00:00:00Z")}));
  EXPECT_EQ(RowsOf(read.file.prices), 1U);
  std::vector<std::string> fields;
  for (const Rejection& rejection : read.file.rejections) fields.push_back(rejection.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"SpotPriceHistory[0].ProductDescription",
                                              "SpotPriceHistory[1].Timestamp",
                                              "SpotPriceHistory[2].AvailabilityZone",
                                              "SpotPriceHistory[3]", "SpotPriceHistory[4]"}));
}

TEST(AwsSpotHistoryTest, AnUnfinishedPageIsSaid) {
  const ForeignPrices read = Read(R"({"SpotPriceHistory": [], "NextToken": "abc"})");
  EXPECT_EQ(read.warnings.size(), 1U);
  EXPECT_EQ(Read(R"({"SpotPriceHistory": [], "NextToken": ""})").warnings.size(), 0U);
}

TEST(AwsSpotHistoryTest, OtherJsonIsOneRejection) {
  for (const char* text : {"{", "[]", "{}", R"({"SpotPriceHistory": 1})"}) {
    const ForeignPrices read = Read(text);
    EXPECT_EQ(read.file.rejections.size(), 1U) << text;
    EXPECT_EQ(RowsOf(read.file.prices), 0U) << text;
  }
}

}  // namespace
}  // namespace plimsoll
