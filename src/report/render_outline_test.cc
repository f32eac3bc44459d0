#include "report/render_outline.h"

#include <gtest/gtest.h>

#include "report/test_document.h"

namespace plimsoll {
namespace {

TEST(RenderOutlineTest, AChartFindsTheTableOfItsKey) {
  const ReportSection tenant = TestTenant();
  EXPECT_EQ(TableOfChart(tenant, tenant.charts[0]), &tenant.tables[0]);
  const ReportSection summary = TestSummary();
  EXPECT_EQ(TableOfChart(summary, summary.charts[0]), nullptr);
}

TEST(RenderOutlineTest, AChartsTableHasOneRowACategory) {
  const ReportTable table = ToTable(ClassChart());
  EXPECT_EQ(table.caption, "GPU time by class and day (GPU-hours)");
  ASSERT_EQ(table.rows.size(), 7u);
  ASSERT_EQ(table.columns.size(), 13u);
  EXPECT_EQ(table.columns[1].kind, ValueKind::kHours);
  EXPECT_EQ(table.rows[2][0], "2026-11-18");
  EXPECT_EQ(table.rows[2][1], "902");
}

TEST(RenderOutlineTest, ASeriesThatIsTooShortHasNoData) {
  const ReportTable table = ToTable({"k", "c", "USD", {"a", "b"}, {{"s", {"1"}}}});
  EXPECT_EQ(table.rows[1][1], std::nullopt);
}

TEST(RenderOutlineTest, EachFigureIsListedOnceByItsFirstName) {
  const std::vector<NamedFigure> figures = FiguresOf(TestDocument());
  ASSERT_EQ(figures.size(), 9u);
  EXPECT_EQ(figures[0].name, "Summary: Cost of the week");
  EXPECT_EQ(figures[0].figure, kWeek);
  // The class table's row has the figure of the fact before it: it is not listed again.
  EXPECT_EQ(figures[1].name, "Summary: Idle without a reason");
  EXPECT_EQ(figures[2].name, "GPU time by class: used");
}

}  // namespace
}  // namespace plimsoll
