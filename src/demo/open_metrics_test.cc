#include "demo/open_metrics.h"

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(OpenMetricsTest, WritesFamiliesSeriesAndSamples) {
  const ScratchFolder folder("om");
  OpenMetricsWriter out(folder.File("a.om"));
  out.Family("up", "Is it up.");
  out.Series("job=\"a\"");
  out.Sample(AtSeconds(60), "1");
  out.Sample(AtSeconds(120), "0");
  ASSERT_TRUE(out.Finish().has_value());
  EXPECT_EQ(ReadFile(folder.File("a.om")),
            "# HELP up Is it up.\n# TYPE up gauge\nup{job=\"a\"} 1 60\nup{job=\"a\"} 0 120\n"
            "# EOF\n");
}

TEST(OpenMetricsTest, FailsOnAFolderThatIsNotThere) {
  OpenMetricsWriter out("/nonexistent/folder/a.om");
  const Status status = out.Finish();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUnavailable);
}

TEST(OpenMetricsTest, EscapesLabelValues) {
  std::string labels;
  AppendLabel(labels, "a", "x");
  AppendLabel(labels, "b", "q\"\\\n");
  EXPECT_EQ(labels, R"(a="x",b="q\"\\\n")");
}

TEST(OpenMetricsTest, NumbersAreWrittenAsGoWritesThem) {
  EXPECT_EQ(GoNumber(0), "0");
  EXPECT_EQ(GoNumber(192), "192");
  EXPECT_EQ(GoNumber(999'999), "999999");
  EXPECT_EQ(GoNumber(1'000'000), "1e+06");
  EXPECT_EQ(GoNumber(1'794'787'860), "1.79478786e+09");
  EXPECT_EQ(GoNumber(2'199'023'255'552), "2.199023255552e+12");
  EXPECT_EQ(GoNumber(-20), "-20");
}

}  // namespace
}  // namespace plimsoll
