#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

using WeeklyQueueTest = WeekFixture;

TEST_F(WeeklyQueueTest, CountsAreNullWithoutAnyWorkAndNeverZero) {
  ASSERT_TRUE(store_->Execute("DELETE FROM holding", {}));
  const auto section = QueueSection(AskDay());
  ASSERT_TRUE(section) << section.error().message;
  EXPECT_EQ(Find(*section, "evicted")->value, std::nullopt);
  EXPECT_EQ(Find(*section, "pending")->value, std::nullopt);
}

TEST_F(WeeklyQueueTest, EndsAndWaitsOfTheWeekAreCounted) {
  ASSERT_TRUE(
      store_->Execute("UPDATE holding SET end_reason = 'Evicted', queued_at = begin_at - "
                      "5400000",
                      {}));
  const auto section = QueueSection(AskDay());
  ASSERT_TRUE(section) << section.error().message;
  EXPECT_EQ(Find(*section, "evicted")->value, "1");
  EXPECT_EQ(Find(*section, "preempted")->value, "0");
  EXPECT_EQ(Find(*section, "borrowing_share")->value, std::nullopt);
  const ReportTable* waits = FindTable(*section, "waits");
  ASSERT_NE(waits, nullptr);
  EXPECT_EQ(waits->rows[0][3], "90 min");
}

}  // namespace
}  // namespace plimsoll
