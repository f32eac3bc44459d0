#include "config/zone.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Instant At(const char* text) { return *ParseInstant(text); }
WallTime Wall(const char* text) { return WallTime::FromBase(ParseInstant(text)->base()); }

TEST(ZoneTest, UtcShowsTheInstantItself) {
  const Zone utc = *Zone::Find("UTC");
  EXPECT_EQ(utc.WallOf(At("2026-11-29T12:34:56.789Z")), Wall("2026-11-29T12:34:56.789"));
  EXPECT_EQ(utc.FirstAt(Wall("2026-11-29")), At("2026-11-29T00:00:00Z"));
}

TEST(ZoneTest, SummerTimeHoldsInEveryYear) {
  const Zone berlin = *Zone::Find("Europe/Berlin");
  for (const char* year : {"2019", "2026", "2036"}) {
    EXPECT_EQ(berlin.FirstAt(Wall((std::string(year) + "-07-01").c_str())),
              At((std::string(year) + "-06-30T22:00:00Z").c_str()));
    EXPECT_EQ(berlin.FirstAt(Wall((std::string(year) + "-12-01").c_str())),
              At((std::string(year) + "-11-30T23:00:00Z").c_str()));
  }
  EXPECT_EQ(berlin.WallOf(At("2026-07-01T12:00:00.5Z")), Wall("2026-07-01T14:00:00.5"));
}

TEST(ZoneTest, ASkippedMidnightIsTheInstantOfTheChange) {
  // Cairo's clocks go from 23:59:59 on 23 April 2026 to 01:00 on the 24th.
  const Zone cairo = *Zone::Find("Africa/Cairo");
  EXPECT_EQ(cairo.FirstAt(Wall("2026-04-24")), At("2026-04-23T22:00:00Z"));
}

TEST(ZoneTest, AnAmbiguousTimeIsRefusedWithBothWaysToWriteIt) {
  const Zone berlin = *Zone::Find("Europe/Berlin");
  const auto twice = berlin.OnlyAt(Wall("2026-10-25T02:30"));
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().message,
            "2026-10-25T02:30 comes twice in Europe/Berlin (the clocks change); write it with "
            "an offset: 2026-10-25T02:30+02:00 or 2026-10-25T02:30+01:00");
  const auto skipped = berlin.OnlyAt(Wall("2026-03-29T02:30"));
  ASSERT_FALSE(skipped.has_value());
  EXPECT_NE(skipped.error().message.find("does not exist in Europe/Berlin"), std::string::npos);
  EXPECT_EQ(*berlin.OnlyAt(Wall("2026-10-25T03:30")), At("2026-10-25T02:30:00Z"));
}

TEST(ZoneTest, ARuleAfterTheListedChangesIsSeen) {
  EXPECT_TRUE(HasFooterRule("TZif2...\nCET-1CEST,M3.5.0,M10.5.0/3\n"));
  EXPECT_FALSE(HasFooterRule("TZif2,..\nIST-5:30\n"));
  EXPECT_FALSE(HasFooterRule("TZif"));
  EXPECT_FALSE(HasFooterRule(""));
  for (const char* zone : {"America/New_York", "Europe/Dublin", "Africa/Casablanca", "Asia/Kolkata",
                           "Australia/Lord_Howe", "Etc/UTC"}) {
    EXPECT_TRUE(Zone::Find(zone).has_value()) << zone;
  }
}

TEST(ZoneTest, AnUnknownZoneNamesTheNearest) {
  const auto zone = Zone::Find("Europe/Berlni");
  ASSERT_FALSE(zone.has_value());
  EXPECT_EQ(zone.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(zone.error().message.find("did you mean 'Europe/Berlin'?"), std::string::npos);
  EXPECT_FALSE(Zone::Find("").has_value());
  EXPECT_FALSE(Zone::Find("../../etc/passwd").has_value());
}

}  // namespace
}  // namespace plimsoll
