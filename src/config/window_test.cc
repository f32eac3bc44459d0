#include "config/window.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

// Sunday, 29 November 2026, 12:34:56 UTC.
const Instant kNow = *ParseInstant("2026-11-29T12:34:56Z");

std::string Read(const char* text, const char* zone = "UTC", Instant now = kNow) {
  const Result<Window> window = ParseWindow(text, *Zone::Find(zone), now);
  return window ? ToString(*window) : window.error().message;
}
std::int64_t HoursOf(const char* text, const char* zone) {
  const Result<Window> window = ParseWindow(text, *Zone::Find(zone), kNow);
  return window ? window->length().base() / Hours(1).base() : -1;
}

TEST(WindowTest, RangesExcludeTheirEnd) {
  EXPECT_EQ(Read("2026-11-16..2026-11-23"), "2026-11-16T00:00:00Z/2026-11-23T00:00:00Z");
  EXPECT_EQ(Read("2026-11-16T00:00Z/2026-11-23T00:00Z"),
            "2026-11-16T00:00:00Z/2026-11-23T00:00:00Z");
  EXPECT_EQ(Read("2026-11-16T06:00+01:00..2026-11-16T09:30+01:00"),
            "2026-11-16T05:00:00Z/2026-11-16T08:30:00Z");
}

TEST(WindowTest, DatesAndTimesWithoutAnOffsetAreTheZones) {
  EXPECT_EQ(Read("2026-11-16..2026-11-17", "America/New_York"),
            "2026-11-16T05:00:00Z/2026-11-17T05:00:00Z");
  EXPECT_EQ(Read("2026-07-01T08:00/2026-07-01T09:00", "Europe/Berlin"),
            "2026-07-01T06:00:00Z/2026-07-01T07:00:00Z");
}

TEST(WindowTest, DaysOnWhichClocksChangeHave23Or25Hours) {
  EXPECT_EQ(HoursOf("2026-03-29", "Europe/Berlin"), 23);
  EXPECT_EQ(HoursOf("2026-10-25", "Europe/Berlin"), 25);
  EXPECT_EQ(HoursOf("2026-03-08", "America/New_York"), 23);
  EXPECT_EQ(HoursOf("2026-11-01", "America/New_York"), 25);
  EXPECT_EQ(HoursOf("2026-10-25", "UTC"), 24);
  EXPECT_EQ(HoursOf("2026-11", "America/New_York"), 30 * 24 + 1);
  EXPECT_EQ(HoursOf("2026-10-19..2026-10-26", "Europe/Berlin"), 7 * 24 + 1);
}

TEST(WindowTest, MonthsAreCalendarMonths) {
  EXPECT_EQ(Read("2026-11"), "2026-11-01T00:00:00Z/2026-12-01T00:00:00Z");
  EXPECT_EQ(Read("2026-12"), "2026-12-01T00:00:00Z/2027-01-01T00:00:00Z");
  EXPECT_EQ(Read("2024-02"), "2024-02-01T00:00:00Z/2024-03-01T00:00:00Z");
  EXPECT_EQ(Read("month"), "2026-11-01T00:00:00Z/2026-12-01T00:00:00Z");
  EXPECT_EQ(Read("lastmonth"), "2026-10-01T00:00:00Z/2026-11-01T00:00:00Z");
}

TEST(WindowTest, WeeksBeginOnMonday) {
  EXPECT_EQ(Read("week"), "2026-11-23T00:00:00Z/2026-11-30T00:00:00Z");
  EXPECT_EQ(Read("lastweek"), "2026-11-16T00:00:00Z/2026-11-23T00:00:00Z");
  const Instant monday = *ParseInstant("2026-11-30T00:00:00Z");
  EXPECT_EQ(Read("week", "UTC", monday), "2026-11-30T00:00:00Z/2026-12-07T00:00:00Z");
  // In New York it is still Sunday.
  EXPECT_EQ(Read("week", "America/New_York", monday), "2026-11-23T05:00:00Z/2026-11-30T05:00:00Z");
}

TEST(WindowTest, DaysAreTheZonesOwn) {
  EXPECT_EQ(Read("today"), "2026-11-29T00:00:00Z/2026-11-30T00:00:00Z");
  EXPECT_EQ(Read("yesterday"), "2026-11-28T00:00:00Z/2026-11-29T00:00:00Z");
  const Instant late = *ParseInstant("2026-11-29T23:30:00Z");
  EXPECT_EQ(Read("today", "Europe/Berlin", late), "2026-11-29T23:00:00Z/2026-11-30T23:00:00Z");
  EXPECT_EQ(Read("2026-11-29", "Asia/Kolkata"), "2026-11-28T18:30:00Z/2026-11-29T18:30:00Z");
}

TEST(WindowTest, LatestWindowsEndAtTheLastFullHour) {
  EXPECT_EQ(Read("24h"), "2026-11-28T12:00:00Z/2026-11-29T12:00:00Z");
  EXPECT_EQ(Read("7d"), "2026-11-22T12:00:00Z/2026-11-29T12:00:00Z");
  EXPECT_EQ(Read("2w"), "2026-11-15T12:00:00Z/2026-11-29T12:00:00Z");
}

TEST(WindowTest, DaysGoBackOnTheWallClockAndHoursDoNot) {
  const Instant after_change = *ParseInstant("2026-10-26T11:00:00Z");  // noon in Berlin
  EXPECT_EQ(Read("7d", "Europe/Berlin", after_change), "2026-10-19T10:00:00Z/2026-10-26T11:00:00Z");
  EXPECT_EQ(Read("168h", "Europe/Berlin", after_change),
            "2026-10-19T11:00:00Z/2026-10-26T11:00:00Z");
}

TEST(WindowTest, ErrorsNameTheWindowTheNearestFormAndExamples) {
  const Result<Window> typo = ParseWindow("lastwek", *Zone::Find("UTC"), kNow);
  ASSERT_FALSE(typo.has_value());
  EXPECT_EQ(typo.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(typo.error().message.find("window 'lastwek'"), std::string::npos);
  EXPECT_NE(typo.error().message.find("did you mean 'lastweek'?"), std::string::npos);
  EXPECT_NE(typo.error().message.find("2026-11-16..2026-11-23"), std::string::npos);
}

TEST(WindowTest, RefusesWhatIsNoWindow) {
  for (const char* text :
       {"", "2026-11-23..2026-11-16", "2026-11-16..2026-11-16", "2026-13", "2026-02-30",
        "2026-11-16..", "..", "/", "90m", "7", "d", "2026-11-16T08:00", "tomorrow",
        "2026-11-16..2026-11-23..2026-11-30", "99999999999999d"}) {
    EXPECT_FALSE(ParseWindow(text, *Zone::Find("UTC"), kNow).has_value()) << text;
  }
  EXPECT_NE(Read("2026-11-16..2026-11-16").find("2026-11-16..2026-11-17"), std::string::npos);
  EXPECT_NE(Read("2026-10-25T02:30..2026-10-26", "Europe/Berlin").find("comes twice"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
