#include "capacity/queue/level_integral.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(LevelIntegralTest, TimeBeforeTheWindowDoesNotCount) {
  LevelIntegral integral(AtMillis(100), Duration());
  integral.Add(5, AtMillis(0));
  integral.Add(2, AtMillis(50));
  integral.Add(-3, AtMillis(110));
  integral.Advance(AtMillis(120));
  EXPECT_EQ(static_cast<std::int64_t>(integral.sum()), 7 * 10 + 4 * 10);
  EXPECT_EQ(integral.level(), 4);
}

TEST(LevelIntegralTest, StepsAddUpToTheSum) {
  LevelIntegral integral(AtMillis(100), Millis(10));
  integral.Add(1, AtMillis(90));
  integral.Add(1, AtMillis(105));
  integral.Add(-2, AtMillis(132));
  integral.Advance(AtMillis(150));
  EXPECT_EQ(std::vector<std::int64_t>(integral.steps().begin(), integral.steps().end()),
            (std::vector<std::int64_t>{15, 20, 20, 4, 0}));
  EXPECT_EQ(static_cast<std::int64_t>(integral.sum()), 59);
}

TEST(LevelIntegralTest, AFleetForAYearIsCounted) {
  LevelIntegral integral(AtMillis(0), Days(365));
  integral.Add(std::int64_t{800'000} * 1'000, AtMillis(0));
  integral.Advance(AtMillis(Days(730).base()));
  const auto year = static_cast<double>(Days(365).base()) * 8e8;
  EXPECT_EQ(static_cast<double>(integral.sum()), 2 * year);
  ASSERT_EQ(integral.steps().size(), 2U);
  EXPECT_EQ(static_cast<double>(integral.steps()[1]), year);
}

}  // namespace
}  // namespace plimsoll
