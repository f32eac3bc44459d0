#include "economics/unit_trend.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

UnitPoint Week(int number, std::int64_t output, std::int64_t cost) {
  const Instant begin = AtMillis(0) + Days(7 * number);
  return {{begin, begin + Days(7)}, {{"a", {output, WholeGpuHours(1), Money::Units(cost)}}}};
}

UnitMove Moved(const std::vector<UnitPoint>& points, const UnitBand& band = {}) {
  const auto move = MoveOf(points, 1'000'000, band);
  EXPECT_TRUE(move && *move);
  return move && *move ? **move : UnitMove();
}

TEST(UnitTrendTest, TheUnitCostIsAllCostByAllOutput) {
  const Segments segments{{"a", {3'000'000, {}, Money::Units(2)}},
                          {"idle", {0, {}, Money::Units(1)}}};
  const auto cost = UnitCostOf(segments, 1'000'000);
  ASSERT_TRUE(cost && *cost);
  EXPECT_EQ(**cost, Money::Units(1));
}

TEST(UnitTrendTest, WithoutOutputThereIsNoUnitCost) {
  const auto cost = UnitCostOf({{"idle", {0, {}, Money::Units(1)}}}, 1'000'000);
  ASSERT_TRUE(cost);
  EXPECT_FALSE(*cost);
}

TEST(UnitTrendTest, WeeksBeforeCountByTheirOutput) {
  // 1 and 4 for a million each, but nine tenths of the output were made at 1.
  const UnitMove move =
      Moved({Week(0, 9'000'000, 9), Week(1, 1'000'000, 4), Week(2, 1'000'000, 2)});
  EXPECT_EQ(move.usual.ToString(), "1.300000000");
  EXPECT_EQ(move.now, Money::Units(2));
  EXPECT_EQ(move.permille, 538);
  EXPECT_TRUE(move.is_alert);
}

TEST(UnitTrendTest, AMoveOfExactlyTheBandIsNoAlertAndBothDirectionsCount) {
  EXPECT_FALSE(Moved({Week(0, 1'000'000, 10), Week(1, 1'000'000, 12)}).is_alert);
  EXPECT_TRUE(Moved({Week(0, 1'000'000, 10), Week(1, 1'000'000, 13)}).is_alert);
  EXPECT_FALSE(Moved({Week(0, 1'000'000, 10), Week(1, 1'000'000, 8)}).is_alert);
  EXPECT_TRUE(Moved({Week(0, 1'000'000, 10), Week(1, 1'000'000, 7)}).is_alert);
}

TEST(UnitTrendTest, OnlyTheDeclaredNumberOfWeeksIsLookedBackAt) {
  const std::vector<UnitPoint> points{Week(0, 1'000'000, 100), Week(1, 1'000'000, 10),
                                      Week(2, 1'000'000, 11)};
  EXPECT_EQ(Moved(points, {.percent = 20, .windows = 1}).usual, Money::Units(10));
  EXPECT_EQ(Moved(points, {.percent = 20, .windows = 2}).usual, Money::Units(55));
}

TEST(UnitTrendTest, AWeekWithoutOutputIsNotWhatIsUsual) {
  EXPECT_EQ(Moved({Week(0, 1'000'000, 10), Week(1, 0, 500), Week(2, 1'000'000, 10)}).permille, 0);
  const auto move = MoveOf({Week(0, 0, 10), Week(1, 1'000'000, 10)}, 1'000'000, {});
  ASSERT_TRUE(move);
  EXPECT_FALSE(*move);
}

}  // namespace
}  // namespace plimsoll
