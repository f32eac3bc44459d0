#include "cli/plan_input.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

template <class Value>
void ExpectRefused(const Result<Value>& value, const char* begin) {
  ASSERT_FALSE(value.has_value()) << begin;
  EXPECT_EQ(value.error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(value.error().message.starts_with(begin)) << value.error().message;
}

TEST(PlanInputTest, WhatIsReadIsOfTheOptionsKind) {
  EXPECT_EQ(*SpanOption("--restart", "0.1h"), Minutes(6));
  EXPECT_EQ(*ShareOption("--on-time", "95%"), 950'000'000);
  EXPECT_EQ(*AmountOption("--people-cost", "2000000"), Money::Units(2'000'000));
  EXPECT_EQ(*HourlyPriceOption("--spot", "0.9731"), Money::FromNanos(973'100'000));
  EXPECT_EQ(*CountOption("--nodes", "16"), 16);
  EXPECT_EQ(*GigabytesOption("--storage-gb", "965.7"), 965'700);
}

TEST(PlanInputTest, WhatIsWrongNamesTheOption) {
  ExpectRefused(SpanOption("--work", "100"), "--work: '100' is not a length of time");
  ExpectRefused(ShareOption("--on-time", "1.5"), "--on-time: '1.5' is no share");
  ExpectRefused(AmountOption("--spot", ""), "--spot: '' is not an amount");
  ExpectRefused(AmountOption("--spot", "-1"), "--spot: '-1' is not an amount");
  for (const char* text : {"-1", "NaN", "1000001"}) {
    ExpectRefused(HourlyPriceOption("--spot", text), "--spot: '");
  }
  for (const char* text : {"0", "1.5", "-1", "", "1000000001"}) {
    ExpectRefused(CountOption("--nodes", text), "--nodes: '");
  }
  ExpectRefused(GigabytesOption("--storage-gb", "many"), "--storage-gb: 'many'");
}

TEST(PlanInputTest, FractionsHaveNinePlaces) {
  EXPECT_EQ(BillionthsText(555'000'000), "0.555000000");
  EXPECT_EQ(BillionthsText(-1), "-0.000000001");
  EXPECT_EQ(HoursText(Minutes(90)), "1.500000000");
}

}  // namespace
}  // namespace plimsoll
