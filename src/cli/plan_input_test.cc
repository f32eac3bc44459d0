#include "cli/plan_input.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(PlanInputTest, TimesMayHaveAFraction) {
  EXPECT_EQ(*ParsePlanTime("--restart", "0.1h"), Minutes(6));
  EXPECT_EQ(*ParsePlanTime("--restart", "1.5d"), Hours(36));
  EXPECT_EQ(*ParsePlanTime("--restart", "1h30m"), Minutes(90));
  EXPECT_EQ(*ParsePlanTime("--restart", "0"), Duration());
  EXPECT_EQ(*ParsePlanTime("--restart", "0h"), Duration());
}

TEST(PlanInputTest, WhatIsNoTimeNamesTheOption) {
  for (const char* text : {"", "h", "1", "1.5", "0.0001ms", "1.2.3h", "-1h", "1 h", "99999w",
                           "999999999999999999999h"}) {
    const Result<Duration> time = ParsePlanTime("--work", text);
    ASSERT_FALSE(time.has_value()) << text;
    EXPECT_EQ(time.error().code, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(time.error().message.starts_with("--work: '")) << time.error().message;
  }
}

TEST(PlanInputTest, PricesAreFromZeroOn) {
  EXPECT_EQ(*ParseHourlyPrice("--spot", "0.9731"), Money::FromNanos(973'100'000));
  EXPECT_FALSE(ParseHourlyPrice("--spot", "-1").has_value());
  EXPECT_FALSE(ParseHourlyPrice("--spot", "NaN").has_value());
  EXPECT_FALSE(ParseHourlyPrice("--spot", "1000001").has_value());
}

TEST(PlanInputTest, FractionsHaveNinePlaces) {
  EXPECT_EQ(BillionthsText(555'000'000), "0.555000000");
  EXPECT_EQ(BillionthsText(-1), "-0.000000001");
  EXPECT_EQ(HoursText(Minutes(90)), "1.500000000");
}

}  // namespace
}  // namespace plimsoll
