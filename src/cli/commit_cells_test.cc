#include "cli/commit_cells.h"

#include <gtest/gtest.h>

#include "model/commitment.h"

namespace plimsoll {
namespace {

TEST(CommitCellsTest, SharesAndUnitsAreExactText) {
  EXPECT_EQ(*ShareCell(571'428'571), "0.571428571");
  EXPECT_FALSE(ShareCell(std::nullopt).has_value());
  EXPECT_EQ(PercentText(257'142'857), "25.71 %");
  EXPECT_EQ(PercentText(550'000'000), "55 %");
  EXPECT_EQ(PercentText(1'000'000'000), "100 %");
  EXPECT_EQ(UnitsCell(kUnitHour * 15 / 2), "7.5");
  EXPECT_EQ(UnitsCell(0), "0");
}

TEST(CommitCellsTest, MonthsHave730Hours) {
  const Instant start = *ParseInstant("2026-12-01T00:00:00Z");
  EXPECT_EQ(MonthDate(start, 0), "2026-12-01");
  EXPECT_EQ(MonthDate(start, 12), "2027-12-01");
  EXPECT_EQ(MonthDate(start, 36), "2029-11-30");  // 2028 has a day more
}

TEST(CommitCellsTest, KeepsNamedColumns) {
  Table table;
  table.columns = {{"a"}, {"b"}, {"c"}};
  table.rows = {{"1", "2", "3"}};
  KeepColumns(table, {"a", "c"});
  EXPECT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(*table.rows.front()[1], "3");
}

}  // namespace
}  // namespace plimsoll
