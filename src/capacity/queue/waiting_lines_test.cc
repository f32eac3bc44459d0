#include "capacity/queue/waiting_lines.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

WaitClass ClassWith(std::int32_t gpus) {
  WaitClass wait_class;
  wait_class.need.shape.gpus = gpus;
  return wait_class;
}

TEST(WaitingLinesTest, TheFirstIsTheLeastKeyOfAllClasses) {
  WaitingLines lines(1);
  bool fresh = false;
  const auto small = lines.Find(ClassWith(1), fresh), large = lines.Find(ClassWith(8), fresh);
  EXPECT_TRUE(fresh);
  EXPECT_EQ(lines.Find(ClassWith(1), fresh), small);
  EXPECT_FALSE(fresh);
  lines.Insert(small, {0, AtMillis(2), 1, 1});
  lines.Insert(large, {0, AtMillis(1), 0, 0});
  lines.Insert(small, {-5, AtMillis(3), 2, 2});
  const auto none = [](const WaitClass&) { return false; };
  EXPECT_EQ(lines.First(0, none)->key.job, 2U);
  EXPECT_EQ(lines.First(0, [](const WaitClass& c) { return c.need.shape.gpus == 1; })->key.job, 0U);
  const auto two = lines.FirstOf(0, 2);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].key.job, 2U);
  EXPECT_EQ(two[1].key.job, 0U);
  lines.Erase(large, {0, AtMillis(1), 0, 0});
  EXPECT_EQ(lines.active(0), std::vector<WaitingLines::ClassId>{small});
  EXPECT_EQ(lines.size(), 2U);
}

TEST(WaitingLinesTest, TwoReadingsOfAMeterDifferByTheTimeBetween) {
  CauseMeter meter;
  meter.Set(WaitCause::kBusy, AtMillis(10));
  const WaitSplit first = meter.Read(AtMillis(15));
  meter.Set(WaitCause::kFragmented, AtMillis(20));
  const WaitSplit second = meter.Read(AtMillis(50));
  EXPECT_EQ(second[WaitCause::kBusy] - first[WaitCause::kBusy], Millis(5));
  EXPECT_EQ(second[WaitCause::kFragmented], Millis(30));
  EXPECT_EQ(second.total() - first.total(), Millis(35));
}

}  // namespace
}  // namespace plimsoll
