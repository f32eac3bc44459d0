#include "ingest/trace/usage_csv.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto reading = ReadUsageCsv("u.csv", text);
  return reading ? "" : reading.error().message;
}

TEST(UsageCsvTest, SortsHoursByFlavor) {
  const UsageReading reading =
      *ReadUsageCsv("u.csv",
                    "hour,usage,flavor\n2026-11-01T01:00Z,2.5,H100\n2026-11-01T00:00Z,1,H100\n"
                    "2026-11-01T03:00Z,7,A100\n");
  ASSERT_EQ(reading.flavors.size(), 2U);
  EXPECT_EQ(reading.flavors[0].flavor, "A100");
  EXPECT_EQ(reading.flavors[1].used, (std::vector<std::int64_t>{kUnitHour, kUnitHour * 5 / 2}));
  EXPECT_EQ(ToString(reading.window), "2026-11-01T00:00:00Z/2026-11-01T04:00:00Z");
  EXPECT_EQ(reading.missing, (std::vector<std::int64_t>{3, 2}));
}

TEST(UsageCsvTest, TheSameHourAgainCountsOnce) {
  const UsageReading reading =
      *ReadUsageCsv("u.csv", "hour,usage\n2026-11-01T00:00Z,3\n2026-11-01T01:00+01:00,3.0\n");
  EXPECT_EQ(reading.duplicates, 1);
  EXPECT_EQ(reading.flavors.front().hour.size(), 1U);
}

TEST(UsageCsvTest, AnHourWithTwoValuesIsAnError) {
  EXPECT_EQ(ErrorOf("hour,usage\n2026-10-25T02:00:00,3\n2026-10-25T02:00:00,4.5\n"),
            "u.csv:3: 2026-10-25T02:00:00Z is 4.5 here and 3 in line 2; keep one, and write local "
            "times with their offset");
}

// The clocks go back: two hours that the wall shows alike, told apart by their offsets.
TEST(UsageCsvTest, ChangesOfTheClockAreToldByOffsets) {
  const UsageReading reading = *ReadUsageCsv("u.csv",
                                             "hour,usage\n2026-10-25T02:00:00+02:00,3\n"
                                             "2026-10-25T02:00:00+01:00,4\n");
  EXPECT_EQ(reading.flavors.front().hour.size(), 2U);
  EXPECT_EQ(reading.missing.front(), 0);
}

TEST(UsageCsvTest, WhatIsNoNumberIsNotZero) {
  for (const char* value : {"", "NaN", "-1", "n/a", "1000001", "3,5", "inf"}) {
    EXPECT_NE(ErrorOf(std::string("hour,usage\n2026-11-01T00:00Z,") + value + "\n"), "") << value;
  }
  EXPECT_EQ(ErrorOf("hour,usage\n"), "u.csv: has no rows");
}

TEST(UsageCsvTest, DigitsPastAUnitMillisecondAreRoundedAndCounted) {
  bool rounded = false;
  EXPECT_EQ(*ParseUnits("0.00001", &rounded), 36);
  EXPECT_FALSE(rounded);
  EXPECT_EQ(*ParseUnits("0.0000004", &rounded), 1);
  EXPECT_TRUE(rounded);
  EXPECT_EQ(*ParseUnits("7.3333333333333", &rounded), 26'400'000);
  EXPECT_TRUE(rounded);
  EXPECT_EQ(*ParseUnits("1e3", &rounded), 1'000 * kUnitHour);
  EXPECT_EQ(ReadUsageCsv("u", "hour,usage\n2026-11-01T00:00Z,0.3333333\n")->rounded, 1);
}

}  // namespace
}  // namespace plimsoll
