#include "cli/schedule_options.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(ScheduleOptionsTest, HoursOfDaysAndWeeks) {
  EXPECT_EQ(ParseDailyHours("09:00-18:30")->until, 18 * 60 + 30);
  EXPECT_EQ(ParseDailyHours("22:00 - 06:00")->begin, 22 * 60);
  for (const char* text : {"", "9-18", "09:00", "09:00-09:00", "09:60-18:00", "09:00-25:00", "-"}) {
    EXPECT_FALSE(ParseDailyHours(text)) << text;
  }
  EXPECT_EQ(ParseWeeklyHours("sat-sun")->begin, 5 * kMinutesPerDay);
  EXPECT_EQ(ParseWeeklyHours("sat-sun")->until, kMinutesPerWeek);
  EXPECT_EQ(ParseWeeklyHours("fri 18:00 - mon 09:00")->begin, 4 * kMinutesPerDay + 1'080);
  EXPECT_EQ(ParseWeeklyHours("fri 18:00 - mon 09:00")->until, 540);
  for (const char* text :
       {"", "sat", "sat-", "weekend", "fri 6pm-mon 09:00", "mon 09:00-mon 09:00"}) {
    EXPECT_FALSE(ParseWeeklyHours(text)) << text;
  }
}

TEST(ScheduleOptionsTest, ControlsKeepTheirOrder) {
  EXPECT_EQ(*ParseControls("idle, weekend"),
            (std::vector<ControlKind>{ControlKind::kIdle, ControlKind::kWeekend}));
  EXPECT_NE(ParseControls("weekends").error().message.find("did you mean 'weekend'"),
            std::string::npos);
  EXPECT_FALSE(ParseControls("idle,idle"));
  EXPECT_FALSE(ParseControls(""));
}

TEST(ScheduleOptionsTest, HolidaysAreDates) {
  EXPECT_EQ(ParseHolidays("2026-12-25, 2026-12-26")->size(), 2U);
  EXPECT_TRUE(ParseHolidays("")->empty());
  EXPECT_FALSE(ParseHolidays("25.12.2026"));
  EXPECT_FALSE(ParseHolidays("2026-12-25T10:00Z"));
}

}  // namespace
}  // namespace plimsoll
