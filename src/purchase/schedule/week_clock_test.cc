#include "purchase/schedule/week_clock.h"

#include <gtest/gtest.h>

#include <bit>

#include "units/time.h"

namespace plimsoll {
namespace {

// The wall clock of a zone without an offset.
std::int64_t Wall(const char* text) { return ParseInstant(text)->base(); }

TEST(WeekClockTest, WeeksBeginOnMonday) {
  EXPECT_EQ(MinuteOfWeek(Wall("2026-11-30T00:00Z")), 0);
  EXPECT_EQ(MinuteOfWeek(Wall("2026-11-29T23:59Z")), kMinutesPerWeek - 1);
  EXPECT_EQ(MinuteOfWeek(Wall("1969-12-29T00:01Z")), 1);
  EXPECT_EQ(LocalDay(Wall("1969-12-31T23:00Z")), -1);
}

TEST(WeekClockTest, DailyHoursCutHoursInTwo) {
  const DailyHours hours{9 * 60 + 30, 18 * 60};
  EXPECT_EQ(MinutesWithin(Wall("2026-11-30T08:00Z"), hours, {}), 0U);
  EXPECT_EQ(std::popcount(MinutesWithin(Wall("2026-11-30T09:00Z"), hours, {})), 30);
  EXPECT_EQ(MinutesWithin(Wall("2026-11-30T17:00Z"), hours, {}), kWholeHour);
  EXPECT_EQ(MinutesWithin(Wall("2026-11-30T18:00Z"), hours, {}), 0U);
  const DailyHours night{22 * 60, 6 * 60};
  EXPECT_EQ(MinutesWithin(Wall("2026-11-30T23:00Z"), night, {}), kWholeHour);
  EXPECT_EQ(MinutesWithin(Wall("2026-11-30T06:00Z"), night, {}), 0U);
}

// An hour of a zone with half an hour of offset: half of it is Saturday.
TEST(WeekClockTest, AnHourMayLieInTwoDays) {
  EXPECT_EQ(std::popcount(MinutesOutside(Wall("2026-11-27T23:30Z"), {}, {})), 30);
  EXPECT_EQ(MinutesOutside(Wall("2026-11-28T12:00Z"), {}, {}), 0U);
  EXPECT_EQ(MinutesOutside(Wall("2026-11-30T00:00Z"), {}, {}), kWholeHour);
}

// A notebook left on from Friday 18:00 to Monday 09:00: 63 hours at 1.21 are 76.23.
TEST(WeekClockTest, AWeekendFromFridayEveningHas63Hours) {
  const WeeklyHours weekend{4 * kMinutesPerDay + 18 * 60, 9 * 60};
  int off = 0;
  for (int hour = 0; hour < 168; ++hour) {
    const std::int64_t wall = Wall("2026-11-23T00:00Z") + hour * 3'600'000LL;
    off += 60 - std::popcount(MinutesOutside(wall, weekend, {}));
  }
  EXPECT_EQ(off, 63 * 60);
}

TEST(WeekClockTest, HolidaysAreOff) {
  const Holidays christmas{LocalDay(Wall("2026-12-25T00:00Z"))};
  EXPECT_EQ(MinutesWithin(Wall("2026-12-25T10:00Z"), {}, christmas), 0U);
  EXPECT_EQ(MinutesOutside(Wall("2026-12-25T10:00Z"), {}, christmas), 0U);
  EXPECT_EQ(MinutesOutside(Wall("2026-12-24T10:00Z"), {}, christmas), kWholeHour);
}

}  // namespace
}  // namespace plimsoll
