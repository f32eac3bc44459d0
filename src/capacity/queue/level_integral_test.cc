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
  EXPECT_EQ(integral.sum(), 7 * 10 + 4 * 10);
  EXPECT_EQ(integral.level(), 4);
}

TEST(LevelIntegralTest, StepsAddUpToTheSum) {
  LevelIntegral integral(AtMillis(100), Millis(10));
  integral.Add(1, AtMillis(90));
  integral.Add(1, AtMillis(105));
  integral.Add(-2, AtMillis(132));
  integral.Advance(AtMillis(150));
  EXPECT_EQ(integral.steps(), (std::vector<std::int64_t>{15, 20, 20, 4, 0}));
  EXPECT_EQ(integral.sum(), 59);
}

}  // namespace
}  // namespace plimsoll
