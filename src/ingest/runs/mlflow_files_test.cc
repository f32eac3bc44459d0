#include "ingest/runs/mlflow_files.h"

#include <gtest/gtest.h>

#include <sstream>

#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kMeta =
    "artifact_uri: file:///m/1/r/artifacts\nend_time: 1796068860000\nentry_point_name: ''\n"
    "experiment_id: '1'\nlifecycle_stage: active\nrun_id: r\nrun_name: lively-owl\nrun_uuid: r\n"
    "start_time: 1796068800000\nstatus: 3\ntags: []\nuser_id: ada\n";

TEST(MlflowFilesTest, AFolderIsARunWithItsExperimentMetricsParamsAndTags) {
  const TestFolder folder("mlflow");
  folder.Write("1/meta.yaml", "experiment_id: '1'\nname: baseline\nlifecycle_stage: active\n");
  folder.Write("1/r/meta.yaml", kMeta);
  folder.Write("1/r/metrics/train/loss", "1796068801000 2.5 1\n1796068802000 nan 2\n");
  folder.Write("1/r/params/lr", "0.1");
  folder.Write("1/r/tags/plimsoll.gpus", "8");
  RunFacts facts;
  ReadMlflowFolder(folder.Path("1/r"), *ReadMlflowMeta(kMeta), facts);
  EXPECT_TRUE(facts.rejections.empty());
  EXPECT_EQ(facts.runs.experiment[0], "baseline");
  EXPECT_EQ(facts.runs.name[0], "lively-owl");
  EXPECT_EQ(facts.runs.labels[0], R"({"lr":"0.1","plimsoll.gpus":"8"})");
  EXPECT_EQ(EventTexts(facts.events),
            (Texts{"r#0 2026-11-30T20:00:00Z start 8g", "r#0 2026-11-30T20:01:00Z stop completed",
                   "r#0 2026-11-30T20:00:01Z metric 1 train/loss=2.5",
                   "r#0 2026-11-30T20:00:02Z metric 2 train/loss=nan"}));
}

TEST(MlflowFilesTest, ADeletedRunIsPassedOver) {
  RunFacts facts;
  ReadMlflowFolder(
      "nowhere", {{"run_id", "r"}, {"experiment_id", "1"}, {"lifecycle_stage", "deleted"}}, facts);
  EXPECT_EQ(RowsOf(facts.runs), 0U);
  EXPECT_EQ(facts.passed.size(), 1U);
}

TEST(MlflowFilesTest, MetaTellsARunFromAnExperiment) {
  EXPECT_TRUE(IsMlflowRun(*ReadMlflowMeta(kMeta)));
  EXPECT_TRUE(IsMlflowRun(*ReadMlflowMeta("run_uuid: r\nexperiment_id: '0'\n")));
  EXPECT_FALSE(IsMlflowRun(*ReadMlflowMeta("experiment_id: '1'\nname: baseline\n")));
  EXPECT_FALSE(IsMlflowRun(*ReadMlflowMeta("run_id: null\nexperiment_id: '1'\n")));
  EXPECT_EQ(ReadMlflowMeta("- a\n"), std::nullopt);
  EXPECT_EQ(ReadMlflowMeta("a: [\n"), std::nullopt);
}

TEST(MlflowFilesTest, MetricLinesMayLackAStepAndHaveMoreFields) {
  std::istringstream in("1796068801000 2.5\n1796068802000 2 7 data abc\n\n");
  RunFacts facts;
  ReadMlflowMetrics(in, "f", "loss", "r", facts);
  EXPECT_TRUE(facts.rejections.empty());
  EXPECT_EQ(EventTexts(facts.events), (Texts{"r#0 2026-11-30T20:00:01Z metric 0 loss=2.5",
                                             "r#0 2026-11-30T20:00:02Z metric 7 loss=2"}));
}

TEST(MlflowFilesTest, ABrokenLineIsRefusedAndALastOneThatBreaksOffIsANote) {
  std::istringstream in("1796068801000 low 1\n1796068802000\n1796068803000 2");
  RunFacts facts;
  ReadMlflowMetrics(in, "f", "loss", "r", facts);
  ASSERT_EQ(facts.rejections.size(), 2U);
  EXPECT_EQ(facts.rejections[0].line, 1);
  EXPECT_EQ(facts.rejections[1].line, 2);
  EXPECT_EQ(facts.ignored.size(), 1U);
  EXPECT_EQ(RowsOf(facts.events), 0U);
}

}  // namespace
}  // namespace plimsoll
