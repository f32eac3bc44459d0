#include "config/duration.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(DurationTest, ReadsEveryUnitAndTheirSums) {
  EXPECT_EQ(*ParseDuration("250ms"), Millis(250));
  EXPECT_EQ(*ParseDuration("30s"), Seconds(30));
  EXPECT_EQ(*ParseDuration("5m"), Minutes(5));
  EXPECT_EQ(*ParseDuration("1h30m"), Minutes(90));
  EXPECT_EQ(*ParseDuration("2w"), Days(14));
  EXPECT_EQ(*ParseDuration("1d12h"), Hours(36));
  EXPECT_EQ(*ParseDuration("1s5ms"), Millis(1'005));
}

TEST(DurationTest, RefusesEverythingElseWithAnExample) {
  for (const char* text : {"", "5", "m", "5 m", "-5m", "5x", "1.5h", "5m1h", "5m5m", "0s",
                           "99999999999999999999d", "9999999999w", "5M"}) {
    const Result<Duration> result = ParseDuration(text);
    ASSERT_FALSE(result.has_value()) << text;
    EXPECT_NE(result.error().message.find("such as 5m"), std::string::npos);
  }
}

TEST(DurationTest, TextReadsBackAsTheSameDuration) {
  for (const std::int64_t ms : {1LL, 999LL, 60'000LL, 5'400'000LL, 86'400'000LL, 694'861'001LL}) {
    EXPECT_EQ(*ParseDuration(FormatDuration(Millis(ms))), Millis(ms)) << ms;
  }
  EXPECT_EQ(FormatDuration(Millis(0)), "0s");
  EXPECT_EQ(FormatDuration(Minutes(90)), "1h30m");
}

}  // namespace
}  // namespace plimsoll
