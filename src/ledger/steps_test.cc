#include "ledger/steps.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

// "2026-03-28T23:00:00Z 2026-03-29T22:00:00Z ...": all borders.
std::string Borders(const char* begin, const char* until, const char* step,
                    const std::string& zone_name = "UTC") {
  const Window window{*ParseInstant(begin), *ParseInstant(until)};
  const auto zone = Zone::Find(zone_name);
  EXPECT_TRUE(zone) << zone.error().message;
  const auto steps = CutIntoSteps(window, step, *zone);
  if (!steps) return steps.error().message;
  std::string text = ToString(steps->front().begin);
  for (std::size_t i = 0; i < steps->size(); ++i) {
    EXPECT_TRUE(i == 0 || (*steps)[i].begin == (*steps)[i - 1].until);
    text += " " + ToString((*steps)[i].until);
  }
  EXPECT_EQ(steps->front().begin, window.begin);
  EXPECT_EQ(steps->back().until, window.until);
  return text;
}

TEST(StepsTest, HoursCountFromTheBeginAndTheLastIsCut) {
  EXPECT_EQ(Borders("2026-11-16T05:00Z", "2026-11-16T20:00Z", "6h"),
            "2026-11-16T05:00:00Z 2026-11-16T11:00:00Z 2026-11-16T17:00:00Z "
            "2026-11-16T20:00:00Z");
  EXPECT_EQ(Borders("2026-11-16", "2026-11-17", "window"),
            "2026-11-16T00:00:00Z 2026-11-17T00:00:00Z");
}

TEST(StepsTest, DaysAreThoseOfTheWallClock) {
  // Berlin: 29 March 2026 has 23 hours.
  EXPECT_EQ(Borders("2026-03-28T12:00Z", "2026-03-30T12:00Z", "1d", "Europe/Berlin"),
            "2026-03-28T12:00:00Z 2026-03-28T23:00:00Z 2026-03-29T22:00:00Z "
            "2026-03-30T12:00:00Z");
  // India is off by half an hour: midnight is 18:30Z, the hour before begins at 18:00Z.
  EXPECT_EQ(Borders("2026-11-16", "2026-11-17", "1d", "Asia/Kolkata"),
            "2026-11-16T00:00:00Z 2026-11-16T18:00:00Z 2026-11-17T00:00:00Z");
}

TEST(StepsTest, WeeksBeginOnMonday) {
  EXPECT_EQ(Borders("2026-11-18", "2026-12-01", "1w"),
            "2026-11-18T00:00:00Z 2026-11-23T00:00:00Z 2026-11-30T00:00:00Z "
            "2026-12-01T00:00:00Z");
  EXPECT_EQ(Borders("1969-12-30", "1970-01-06", "1w"),
            "1969-12-30T00:00:00Z 1970-01-05T00:00:00Z 1970-01-06T00:00:00Z");
  EXPECT_EQ(Borders("2026-11-16", "2026-11-19", "2d"),
            "2026-11-16T00:00:00Z 2026-11-18T00:00:00Z 2026-11-19T00:00:00Z");
}

TEST(StepsTest, AnythingElseIsRefused) {
  EXPECT_EQ(Borders("2026-11-16", "2026-11-17", "1m"),
            "step '1m': its unit is none of h, d, w; write one of: 1h, 6h, 1d, 1w or window");
  for (const char* bad : {"", "h", "0h", "-1d", "1.5h", "1h30m", "day", "99999999999999999999h"}) {
    EXPECT_EQ(Borders("2026-11-16", "2026-11-17", bad),
              std::string("step '") + bad + "': it is no number of hours, days or weeks; write " +
                  "one of: 1h, 6h, 1d, 1w or window");
  }
  EXPECT_NE(Borders("1990-01-01", "2026-01-01", "1h").find("more than 100,000"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
