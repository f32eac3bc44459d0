#include "ingest/runs/mlflow_run.h"

#include <gtest/gtest.h>

#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

MlflowRun ARun() {
  MlflowRun run;
  run.file = "meta.yaml";
  run.run = "r";
  run.experiment = "e";
  run.status = "3";
  run.began = AtSeconds(1'796'068'800);
  run.ended = AtSeconds(1'796'068'860);
  return run;
}

Texts Events(const MlflowRun& run) {
  RunFacts facts;
  AppendMlflowRun(run, facts);
  return EventTexts(facts.events);
}

TEST(MlflowRunTest, TheStatusSaysHowTheRunEnded) {
  MlflowRun run = ARun();
  for (const auto& [status, end] :
       {std::pair("3", "stop completed"), std::pair("FINISHED", "stop completed"),
        std::pair("5", "stop cancelled"), std::pair("KILLED", "stop cancelled"),
        std::pair("4", "failure FAILED"), std::pair("FAILED", "failure FAILED")}) {
    run.status = status;
    EXPECT_EQ(Events(run), (Texts{"r#0 2026-11-30T20:00:00Z start",
                                  "r#0 2026-11-30T20:01:00Z " + std::string(end)}));
  }
  run.ended.reset();
  run.status = "RUNNING";
  EXPECT_EQ(Events(run), Texts{"r#0 2026-11-30T20:00:00Z start"});
}

TEST(MlflowRunTest, TagsJoinTheRunAndTheRestAreLabels) {
  MlflowRun run = ARun();
  run.params = {{"lr", "0.1"}, {"_name_or_path", "llama"}, {"notes", std::string(501, 'x')}};
  run.tags = {{"mlflow.runName", "lively-owl"}, {"mlflow.user", "ada"}, {"team", "nlp"},
              {"plimsoll.gpus", "8"},           {"SLURM_JOB_ID", "12"}, {"mlflow.source.git", "x"}};
  RunFacts facts;
  AppendMlflowRun(run, facts);
  EXPECT_EQ(facts.runs.name[0], "lively-owl");
  EXPECT_EQ(facts.runs.model[0], "llama");
  EXPECT_EQ(facts.runs.job[0], "12");
  EXPECT_EQ(facts.events.gpus[0], 8);
  const auto labels = RunLabelsOf(facts.runs.labels[0]);
  EXPECT_EQ(labels.at("lr"), "0.1");
  EXPECT_EQ(labels.at("team"), "nlp");
  EXPECT_EQ(labels.at("mlflow.user"), "ada");
  EXPECT_FALSE(labels.contains("mlflow.source.git"));
  EXPECT_FALSE(labels.contains("notes"));
  EXPECT_EQ(facts.passed.size(), 1U);
}

TEST(MlflowRunTest, AMetricIsTakenOrSaysWhatIsWrong) {
  RunFacts facts;
  EXPECT_EQ(AppendMlflowMetric("r", {"loss", "1796068801500", "2.50", "7"}, facts), std::nullopt);
  EXPECT_EQ(AppendMlflowMetric("r", {"system/gpu_0_power", "1", "2", "7"}, facts), std::nullopt);
  EXPECT_EQ(EventTexts(facts.events), Texts{"r#0 2026-11-30T20:00:01.500Z metric 7 loss=2.50"});
  EXPECT_EQ(facts.passed.size(), 1U);
  EXPECT_NE(AppendMlflowMetric("r", {"loss", "now", "2", "7"}, facts)->find("'now'"),
            std::string::npos);
  EXPECT_NE(AppendMlflowMetric("r", {"loss", "1", "low", "7"}, facts)->find("'low'"),
            std::string::npos);
  EXPECT_NE(AppendMlflowMetric("r", {"loss", "1", "2", "x"}, facts)->find("'x'"),
            std::string::npos);
  EXPECT_EQ(RowsOf(facts.events), 1U);
}

}  // namespace
}  // namespace plimsoll
