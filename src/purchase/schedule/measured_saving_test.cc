#include "purchase/schedule/measured_saving.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const std::int64_t kMonday = LocalDay(ParseInstant("2026-06-01T00:00Z")->base());

// One instance that runs `hours_of(day)` hours of each of `days` days from Monday on.
template <class HoursOf>
FleetHours Fleet(std::int64_t days, const HoursOf& hours_of) {
  FleetHours fleet;
  fleet.instances.push_back({"dev", {}, {}});
  fleet.wall_ms.emplace_back();
  for (std::int64_t day = 0; day < days; ++day) {
    for (std::int64_t hour = 0; hour < hours_of(day); ++hour) {
      const std::int64_t ms = (kMonday + day) * 86'400'000 + hour * 3'600'000;
      fleet.instances.front().hour.push_back(AtMillis(ms));
      fleet.instances.front().active.push_back(0);
      fleet.wall_ms.front().push_back(ms);
    }
  }
  return fleet;
}

TEST(MeasuredSavingTest, WeekdaysAreComparedWithTheirLike) {
  // Two weeks of 24 hours a day, then a week of 9 hours on working days.
  const FleetHours fleet = Fleet(21, [](std::int64_t day) {
    return day < 14 ? 24 : day % 7 < 5 ? 9 : 0;
  });
  const MeasuredSaving saved =
      MeasureSince(fleet, kMonday, kMonday + 14, kMonday + 20, Money::Units(1));
  EXPECT_EQ(saved.hours_after, 45);
  EXPECT_EQ(*saved.minutes_expected, 168 * 60);
  EXPECT_EQ(*saved.saving, Money::Units(123));
  EXPECT_EQ(saved.days_before, 14);
  EXPECT_EQ(saved.instances_after, 1);
}

// Before: weekends off already. After: only Saturday was seen; it is not compared with a Monday.
TEST(MeasuredSavingTest, ASaturdayIsNoMonday) {
  const FleetHours fleet = Fleet(13, [](std::int64_t day) { return day % 7 < 5 ? 10 : 2; });
  const MeasuredSaving saved =
      MeasureSince(fleet, kMonday, kMonday + 12, kMonday + 12, Money::Units(1));
  EXPECT_EQ(*saved.saving, Money());
}

TEST(MeasuredSavingTest, AWeekdayWithoutItsLikeIsNotGuessed) {
  const FleetHours fleet = Fleet(7, [](std::int64_t) { return 10; });
  const MeasuredSaving saved =
      MeasureSince(fleet, kMonday, kMonday + 3, kMonday + 6, Money::Units(1));
  EXPECT_FALSE(saved.saving.has_value());
  EXPECT_FALSE(MeasureSince(fleet, kMonday, kMonday + 7, kMonday + 6, Money::Units(1)).saving);
}

TEST(MeasuredSavingTest, RunningMoreIsANegativeSaving) {
  const FleetHours fleet = Fleet(14, [](std::int64_t day) { return day < 7 ? 1 : 2; });
  EXPECT_EQ(*MeasureSince(fleet, kMonday, kMonday + 7, kMonday + 13, Money::Units(1)).saving,
            Money::Units(-7));
}

}  // namespace
}  // namespace plimsoll
