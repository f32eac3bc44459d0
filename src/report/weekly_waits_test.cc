#include <gtest/gtest.h>

#include "report/test_capacity_week.h"
#include "report/test_week.h"

namespace plimsoll {
namespace {

class WeeklyWaitsTest : public WeekFixture {};

TEST_F(WeeklyWaitsTest, WaitsAreSecondsAndUnknownOnesStandApart) {
  ReportSection section;
  AddJobWaits(TestCapacityWeek(), section);
  const ReportTable* sizes = FindTable(section, "waits_by_size");
  ASSERT_NE(sizes, nullptr);
  ASSERT_EQ(sizes->rows.size(), 1u);
  EXPECT_EQ(sizes->rows[0], (std::vector<Value>{"32+", "3", "40", "5400", "7200", "too few waits",
                                                "7500", "100.000000000", "2", "3"}));
  const ReportTable* queues = FindTable(section, "waits_by_queue");
  ASSERT_NE(queues, nullptr);
  EXPECT_EQ(queues->rows[0][6], "60 min to 2 h 05 min");
  EXPECT_EQ(Find(section, "gpu_hours_waited")->value, "100.000000000");
  EXPECT_EQ(Find(section, "gpu_hours_scattered")->value, "64.000000000");
  EXPECT_EQ(Find(section, "gpu_hours_scattered")->note, "64.0 % of it");
}

TEST_F(WeeklyWaitsTest, CausesAddUpAndOnlyThoseThatOccurAreShown) {
  ReportSection section;
  AddJobWaits(TestCapacityWeek(), section);
  const ReportTable* causes = FindTable(section, "wait_causes");
  ASSERT_NE(causes, nullptr);
  ASSERT_EQ(causes->rows.size(), 3u);
  EXPECT_EQ(causes->rows[1][1], "scattered");
  EXPECT_EQ(causes->rows[1][4], "64.0");
  ASSERT_GE(section.sentences.size(), 2u);
  EXPECT_EQ(
      section.sentences[0],
      "3 GPU jobs started, and jobs waited 100.0 GPU-hours in all; 3 still wait at the end; of "
      "2 more jobs nothing tells since when they waited.");
  EXPECT_TRUE(section.sentences[1].starts_with(
      "Of these GPU-hours 20.0 % had too few idle GPUs beside them, 64.0 % enough but scattered"))
      << section.sentences[1];
}

TEST_F(WeeklyWaitsTest, WithoutAnyReasonTheSectionSaysSoAndInventsNone) {
  CapacityWeek week = TestCapacityWeek();
  ReportSection section;
  AddJobWaits(week, section);
  ASSERT_NE(FindTable(section, "wait_reasons"), nullptr);
  EXPECT_EQ(FindTable(section, "wait_reasons")->rows[0],
            (std::vector<Value>{"c", "Resources", "3", "96.0"}));
  week.reasons[0].reason = "";
  ReportSection silent;
  AddJobWaits(week, silent);
  EXPECT_EQ(FindTable(silent, "wait_reasons"), nullptr);
  EXPECT_TRUE(std::any_of(silent.sentences.begin(), silent.sentences.end(), [](const auto& text) {
    return text.starts_with("No scheduler's reason");
  }));
}

TEST_F(WeeklyWaitsTest, WithoutJobsItSaysWhatToConnect) {
  ReportSection section;
  AddJobWaits({}, section);
  EXPECT_TRUE(section.tables.empty());
  EXPECT_EQ(Find(section, "gpu_hours_waited"), nullptr);
  ASSERT_EQ(section.connect.size(), 1u);
}

TEST_F(WeeklyWaitsTest, IdleGpusThatNoWaitingJobCanUseAreAFinding) {
  const std::vector<std::string> sentences = UnfitSentences(TestCapacityWeek());
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_EQ(sentences[0],
            "64 GPUs (H100-SXM-80GB, cluster c) were idle at the end, yet none of the 3 waiting "
            "32-GPU jobs fits: it needs 4 nodes with 8 idle each, and no node has them.");
  EXPECT_TRUE(UnfitSentences({}).empty());
}

TEST_F(WeeklyWaitsTest, GpusHaveOneDecimal) {
  EXPECT_EQ(GpusText(0), "0.0");
  EXPECT_EQ(GpusText(12'449), "12.4");
  EXPECT_EQ(GpusText(12'450), "12.5");
}

}  // namespace
}  // namespace plimsoll
