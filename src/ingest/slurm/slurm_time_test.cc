#include "ingest/slurm/slurm_time.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::vector<Instant> Read(const char* zone, const char* text) {
  const auto clock = SlurmClock::Open(zone);
  EXPECT_TRUE(clock) << zone;
  const auto instants = clock->Read(text);
  EXPECT_TRUE(instants) << text;
  return instants ? *instants : std::vector<Instant>{};
}

Instant Utc(const char* text) { return *ParseInstant(text); }

TEST(SlurmClockTest, LocalTimeIsReadInItsZone) {
  EXPECT_EQ(Read("", "2026-01-05T08:00:00"), std::vector{Utc("2026-01-05T08:00:00Z")});
  EXPECT_EQ(Read("Europe/Berlin", "2026-01-05T08:00:00"), std::vector{Utc("2026-01-05T07:00:00Z")});
  EXPECT_EQ(Read("Europe/Berlin", "2026-07-05T08:00:00"), std::vector{Utc("2026-07-05T06:00:00Z")});
}

TEST(SlurmClockTest, EpochSecondsAndOffsetsNeedNoZone) {
  EXPECT_EQ(Read("Europe/Berlin", "1767600000"), std::vector{AtSeconds(1767600000)});
  EXPECT_EQ(Read("Europe/Berlin", "2026-01-05T08:00:00+0200"),
            std::vector{Utc("2026-01-05T06:00:00Z")});
}

TEST(SlurmClockTest, UnknownTimesAreNone) {
  for (const char* text : {"Unknown", "None", "", "N/A", "0"}) {
    EXPECT_TRUE(Read("", text).empty()) << text;
  }
}

TEST(SlurmClockTest, RepeatedHourHasTwoMeaningsAndSkippedHourNone) {
  EXPECT_EQ(Read("Europe/Berlin", "2026-10-25T02:30:00"),
            (std::vector{Utc("2026-10-25T00:30:00Z"), Utc("2026-10-25T01:30:00Z")}));
  EXPECT_FALSE(SlurmClock::Open("Europe/Berlin")->Read("2026-03-29T02:30:00"));
}

TEST(SlurmClockTest, RefusesTextThatIsNoTimeAndZonesThatAreNone) {
  EXPECT_FALSE(SlurmClock::Open("")->Read("yesterday"));
  EXPECT_FALSE(SlurmClock::Open("")->Read("2026-13-05T08:00:00"));
  EXPECT_FALSE(SlurmClock::Open("Mars/Olympus"));
}

TEST(ElapsedTest, ReadsDaysClockAndFractions) {
  EXPECT_EQ(**ParseElapsed("1-01:00:00"), Hours(25));
  EXPECT_EQ(**ParseElapsed("15:28:22"), Seconds(15 * 3600 + 28 * 60 + 22));
  EXPECT_EQ(**ParseElapsed("23:08.358"), Millis((23 * 60 + 8) * 1000 + 358));
  EXPECT_EQ(**ParseElapsed("3600"), Hours(1));
  EXPECT_FALSE(ParseElapsed("")->has_value());
  for (const char* bad : {"1:2:3:4", "-1:00:00", "a-01:00:00", "01:xx:00", "1-5", "::"}) {
    EXPECT_FALSE(ParseElapsed(bad)) << bad;
  }
}

TEST(HeldTimeTest, ElapsedDecidesOverEnd) {
  const auto held = ResolveHeld({AtSeconds(100)}, {AtSeconds(900)}, Seconds(600));
  ASSERT_TRUE(held);
  EXPECT_EQ(held->until, AtSeconds(700));
  EXPECT_TRUE(held->differs);
  EXPECT_FALSE(ResolveHeld({AtSeconds(100)}, {AtSeconds(700)}, Seconds(600))->differs);
}

TEST(HeldTimeTest, ElapsedDecidesARepeatedHourOrTheRowIsRefused) {
  const std::vector<Instant> twice = {AtSeconds(1'000), AtSeconds(4'600)};
  EXPECT_EQ(ResolveHeld(twice, {AtSeconds(9'000)}, Seconds(4'400))->begin, AtSeconds(4'600));
  EXPECT_EQ(ResolveHeld({AtSeconds(500)}, twice, Seconds(4'100))->until, AtSeconds(4'600));
  EXPECT_FALSE(ResolveHeld(twice, {}, Seconds(60)));
  EXPECT_FALSE(ResolveHeld(twice, {AtSeconds(1'600), AtSeconds(5'200)}, Seconds(600)));
  EXPECT_FALSE(ResolveHeld({AtSeconds(500)}, twice, std::nullopt));
}

TEST(HeldTimeTest, RunningJobIsHeldWithoutAnEnd) {
  EXPECT_FALSE(ResolveHeld({AtSeconds(100)}, {}, Seconds(600))->until.has_value());
  EXPECT_FALSE(ResolveHeld({}, {}, Seconds(600)));
  EXPECT_FALSE(ResolveHeld({AtSeconds(100)}, {AtSeconds(50)}, std::nullopt));
}

}  // namespace
}  // namespace plimsoll
