#include "ingest/trace/trace_text.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(TraceTextTest, LinesKeepTheirNumberPastBlanksAndComments) {
  const auto lines = TraceLines("\xEF\xBB\xBF# seen\r\n\r\n a , \"b\" ,c\r\n1,");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].number, 3);
  EXPECT_EQ(lines[0].fields, (std::vector<std::string_view>{"a", "b", "c"}));
  EXPECT_EQ(lines[1].number, 4);
  EXPECT_EQ(lines[1].fields, (std::vector<std::string_view>{"1", ""}));
}

TEST(TraceTextTest, ErrorsSayFileLineAndField) {
  const auto lines = TraceLines("\n7,x");
  const Result<std::int64_t> value = WholeField("a.csv", lines[0], 1, {0, 9});
  ASSERT_FALSE(value.has_value());
  EXPECT_EQ(value.error().code, ErrorCode::kBadData);
  EXPECT_TRUE(
      value.error().message.starts_with("a.csv, line 2, field 2: 'x' is no whole number "
                                        "from 0 to 9"))
      << value.error().message;
  EXPECT_FALSE(WholeField("a.csv", lines[0], 2, {}).has_value()) << "a field that is not there";
}

TEST(TraceTextTest, DecimalsAreExactToTheMillisecond) {
  EXPECT_EQ(DecimalDuration("5.016", Hours(1)), Millis(18'057'600));
  EXPECT_EQ(DecimalDuration("0.0005", Seconds(1)), Millis(0));
  EXPECT_EQ(DecimalDuration("-1", Seconds(1)), std::nullopt);
  EXPECT_EQ(DecimalDuration("1e12", Hours(1)), std::nullopt);
  EXPECT_EQ(DecimalDuration("soon", Hours(1)), std::nullopt);
}

TEST(TraceTextTest, UnknownPricesAreNullAndNeverZero) {
  std::optional<Money> price = Money();
  for (const char* text : {"", "NaN", "nan", "null", "-", "N/A", "-0.5"}) {
    EXPECT_TRUE(ReadPrice(text, price)) << text;
    EXPECT_EQ(price, std::nullopt) << text;
  }
  EXPECT_TRUE(ReadPrice("0.918", price));
  EXPECT_EQ(price, *Money::Parse("0.918"));
  EXPECT_FALSE(ReadPrice("cheap", price));
}

TEST(TraceTextTest, NamesOfFilesTellThePool) {
  EXPECT_EQ(TraceNameOf("a/b.c/us-west-2a_k80_1.json"), "us-west-2a_k80_1");
  EXPECT_EQ(PoolOfName("us-west-2a_k80_8"), (SpotPool{"aws", "us-west-2a", "k80x8"}));
  EXPECT_EQ(PoolOfName("us-east1-c_v100_1"), (SpotPool{"gcp", "us-east1-c", "v100x1"}));
  EXPECT_EQ(PoolOfName("g4dn-trace"), (SpotPool{"", "", "g4dn-trace"}));
}

TEST(TraceTextTest, CloudsAreToldByTheirZones) {
  EXPECT_EQ(CloudOfZone("us-west-2a"), "aws");
  EXPECT_EQ(CloudOfZone("ca-central-1"), "aws");
  EXPECT_EQ(CloudOfZone("us-central1"), "gcp");
  EXPECT_EQ(CloudOfZone("europe-west4-a"), "gcp");
  for (const char* zone : {"", "-", "eastus", "a-", "-a", "-1a", "rack-b"}) {
    EXPECT_NE(CloudOfZone(zone), "gcp") << zone;
  }
}

}  // namespace
}  // namespace plimsoll
