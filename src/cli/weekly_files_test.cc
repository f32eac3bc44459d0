#include "cli/weekly_files.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace plimsoll {
namespace {

ReportDocument Tiny() {
  ReportDocument document;
  document.title = "Report";
  document.subtitle = "a week";
  document.header = {{"tie_out", "Tie-out", ValueKind::kText, "ties", "", "", ""}};
  document.summary.facts = {
      {"total_cost", "Effective cost", ValueKind::kMoney, "12.345000000", "USD", "f", "100.0 %"}};
  document.summary.sentences = {"Look here."};
  return document;
}

TEST(WeeklyFilesTest, AllThreeFormatsAreReplacedWhole) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "weekly_files" / "deep";
  std::filesystem::remove_all(folder);
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(WriteWeekly(Tiny(), {folder.string(), "weekly"}));
  }
  for (const char* extension : {".html", ".md", ".json"}) {
    EXPECT_GT(std::filesystem::file_size(folder / (std::string("weekly") + extension)), 0u);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder),
                          std::filesystem::directory_iterator()),
            3);
}

TEST(WeeklyFilesTest, AFolderThatCannotBeMadeIsNamed) {
  const Status status = WriteWeekly(Tiny(), {"/proc/no/such", "weekly"});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(status.error().message.find("/proc/no/such"), std::string::npos);
}

TEST(WeeklyFilesTest, SummaryShowsTieOutAmountsAndPaths) {
  const Answer answer = WeeklySummary(Tiny(), {"out", "weekly"});
  EXPECT_EQ(answer.lines.at(1), "Tie-out: ties");
  EXPECT_EQ(answer.tables.at(0).rows.at(0).at(1), "12.345000000");
  EXPECT_EQ(answer.notes.back(), "Report: out/weekly.html, out/weekly.md, out/weekly.json");
}

}  // namespace
}  // namespace plimsoll
