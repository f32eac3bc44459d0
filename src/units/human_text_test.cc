#include "units/human_text.h"

#include <gtest/gtest.h>

#include <utility>

namespace plimsoll {
namespace {

TEST(HumanTextTest, SpansMayHaveDecimals) {
  const std::pair<const char*, Duration> cases[] = {
      {"45m", Minutes(45)},         {"1h30m", Minutes(90)}, {"4.5h", Minutes(270)},
      {"2.09h", Millis(7'524'000)}, {"0", Duration()},      {"0.0004s", Millis(0)},
      {"0.0015s", Millis(2)},       {"0.0025s", Millis(2)}, {"1d2.5h", Minutes(26 * 60 + 30)},
      {"0.5ms", Millis(0)},         {"1.5ms", Millis(2)},   {"100w", Days(700)}};
  for (const auto& [text, span] : cases) {
    const auto parsed = ParseSpan(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, span) << text;
  }
  for (const char* text : {"", "h", "5", "1.5", "-1h", "1m1h", "1h1h", "1..5h", "1 h", "1e3h",
                           "9999999999h", "1000000h", "4h5", "nan"}) {
    const auto parsed = ParseSpan(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find("1h30m"), std::string::npos);
  }
}

TEST(HumanTextTest, SharesAreDecimalsPercentOrCounts) {
  EXPECT_EQ(*ParseShare("0/6"), 0);  // none of six saves worked: a measured 0
  EXPECT_EQ(*ParseShare("1/3"), 333'333'333);
  EXPECT_EQ(*ParseShare("35%"), 350'000'000);
  EXPECT_EQ(*ParseShare("33.333333333%"), 333'333'333);
  EXPECT_EQ(*ParseShare("0.44"), 440'000'000);
  EXPECT_EQ(*ParseShare("1"), 1'000'000'000);
  for (const char* text : {"", "7/6", "1/0", "-1/2", "101%", "%", "x", "1.1", "-0.1", "/", "1/"}) {
    const auto share = ParseShare(text);
    ASSERT_FALSE(share) << text;
    EXPECT_EQ(share.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(HumanTextTest, WholeNumbersAreDigitsAndNothingElse) {
  EXPECT_EQ(ParseWhole("0"), 0);
  EXPECT_EQ(ParseWhole("-7"), -7);
  EXPECT_EQ(ParseWhole("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(ParseWhole("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseWhole("8", 1, 8), 8);
  EXPECT_FALSE(ParseWhole("9", 1, 8));
  EXPECT_FALSE(ParseWhole("0", 1, 8));
  for (const char* text : {"", "-", "+7", " 7", "7 ", "7.0", "1e3", "0x7", "9223372036854775808"}) {
    EXPECT_FALSE(ParseWhole(text)) << text;
  }
}

}  // namespace
}  // namespace plimsoll
