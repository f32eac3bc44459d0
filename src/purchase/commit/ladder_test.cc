#include "purchase/commit/ladder.h"

#include <gtest/gtest.h>

#include "model/commitment.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

class LadderTest : public testing::Test {
 protected:
  UsageCurve curve_{std::vector<std::int64_t>(24, 100 * kUnitHour)};
  UnitForecast forecast_{&curve_, std::vector<ForecastMonth>(12, {1'000'000, Amount("10"), 0}), 1};
  UnitOffer offer_{12, Money::FromNanos(Amount("5.5").nanos() * 8'760)};
};

TEST_F(LadderTest, PartsAddUpAndEarlierOnesAreLarger) {
  const auto ladder = *LadderOf(forecast_, offer_, 10, 3);
  ASSERT_EQ(ladder.size(), 3U);
  EXPECT_EQ(ladder[0].units, 4);
  EXPECT_EQ(ladder[1].units, 3);
  EXPECT_EQ(ladder[2].units_total, 10);
  EXPECT_EQ(ladder[2].ends_month, 14);
}

TEST_F(LadderTest, WaitingCostsTheSavingOfItsMonths) {
  const auto ladder = *LadderOf(forecast_, offer_, 10, 3);
  EXPECT_EQ(ladder[0].saving_forgone, Amount("0"));
  EXPECT_EQ(ladder[1].saving_forgone, Amount("9855"));   // 3 x 4.5 x 730
  EXPECT_EQ(ladder[2].saving_forgone, Amount("19710"));  // 3 x 4.5 x 1460
}

TEST_F(LadderTest, PartsAreWholeSteps) {
  forecast_.step = 8;
  const auto ladder = *LadderOf(forecast_, offer_, 16, 3);
  ASSERT_EQ(ladder.size(), 2U);
  EXPECT_EQ(ladder[1].units, 8);
}

TEST_F(LadderTest, HasAtMostAsManyRungsAsTheTermHasMonths) {
  EXPECT_EQ(LadderOf(forecast_, offer_, 10, 0).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(LadderOf(forecast_, offer_, 10, 13).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(LadderOf(forecast_, offer_, 0, 3)->empty());
}

}  // namespace
}  // namespace plimsoll
