#include "ingest/prometheus/sample_value.h"

#include <gtest/gtest.h>

#include <charconv>
#include <random>
#include <string>

namespace plimsoll {
namespace {

TEST(SampleValueTest, ReadsDecimalsExactly) {
  EXPECT_EQ(ParseScaled("0.962104", 6), 962'104);
  EXPECT_EQ(ParseScaled("97", 4), 970'000);
  EXPECT_EQ(ParseScaled("652.310000", 3), 652'310);
  EXPECT_EQ(ParseScaled("1.501569018e+09", 3), 1'501'569'018'000);
  EXPECT_EQ(ParseScaled("-0.5", 1), -5);
  EXPECT_EQ(ParseScaled("+3.", 0), 3);
  EXPECT_EQ(ParseScaled(".5", 1), 5);
  EXPECT_EQ(ParseScaled("5E-06", 6), 5);
}

TEST(SampleValueTest, RoundsHalfToEvenFromTheDigits) {
  EXPECT_EQ(ParseScaled("0.0000005", 6), 0);
  EXPECT_EQ(ParseScaled("0.0000015", 6), 2);
  EXPECT_EQ(ParseScaled("0.0000025", 6), 2);
  EXPECT_EQ(ParseScaled("0.00000250000000000000000000000000000000000000000001", 6), 3);
  EXPECT_EQ(ParseScaled("0.0000024999999999999999999999999999999999999999999999999", 6), 2);
  EXPECT_EQ(ParseScaled("1e-400", 6), 0);
}

TEST(SampleValueTest, SaturatesBeyondInt64) {
  EXPECT_EQ(ParseScaled("1e300", 0), INT64_MAX);
  EXPECT_EQ(ParseScaled("-9e18", 3), INT64_MIN);
  EXPECT_EQ(ParseScaled("9223372036854775807", 0), INT64_MAX);
  EXPECT_EQ(ParseScaled(std::string(200, '9'), 0), INT64_MAX);
  EXPECT_EQ(ParseScaled("0e999999999999", 3), 0);
}

TEST(SampleValueTest, RefusesWhatIsNoDecimal) {
  for (const char* text : {"", "-", ".", "1e", "1e+", "1.2.3", "0x10", "NaN", "1 ", "e5", "1_0"}) {
    EXPECT_FALSE(ParseScaled(text, 6).has_value()) << text;
  }
  EXPECT_TRUE(IsSampleValue("NaN"));
  EXPECT_TRUE(IsSampleValue("+Inf"));
  EXPECT_TRUE(IsNotANumber("-inf"));
  EXPECT_FALSE(IsSampleValue("twelve"));
}

// A server prints the shortest text that reads back as the same double.
TEST(SampleValueTest, ADoublesShortestFormGivesTheSamePpmAsItsSixDecimals) {
  std::mt19937_64 random(305);
  for (int i = 0; i < 100'000; ++i) {
    const auto ppm = static_cast<std::int64_t>(random() % 1'000'001);
    std::string text = std::to_string(1'000'000 + ppm);
    text = (ppm == 1'000'000 ? "1." : "0.") + text.substr(1);
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    char shortest[40];
    const auto end = std::to_chars(shortest, shortest + sizeof shortest, value).ptr;
    ASSERT_EQ(ParseScaled({shortest, end}, 6), ParseScaled(text, 6)) << text;
  }
}

}  // namespace
}  // namespace plimsoll
