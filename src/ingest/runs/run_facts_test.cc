#include "ingest/runs/run_facts.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(RunFactsTest, LabelsFillWhatTheRowDoesNotSay) {
  RunRow row;
  row.cluster = "own";
  row.labels = {{"plimsoll.cluster", "other"}, {"plimsoll.namespace", "ns"},
                {"plimsoll.workload", "w"},    {"plimsoll.pod", "p"},
                {"SLURM_JOB_ID", "12"},        {"plimsoll.model", "m"},
                {"_name_or_path", "n"},        {"plimsoll.gpus", "8.0"}};
  EXPECT_EQ(TakeRunLabels(row), 8);
  EXPECT_EQ(row.cluster, "own");
  EXPECT_EQ(row.ns + row.workload + row.pod + row.job + row.model, "nswp12m");
  row.labels["plimsoll.gpus"] = "-1";
  EXPECT_EQ(TakeRunLabels(row), std::nullopt);
}

TEST(RunFactsTest, TextsOfRowsAreUtf8AndLabelsSorted) {
  RunRow row;
  row.run = "a\xFF";
  row.labels = {{"b", "\xFF"}, {"a", "1"}};
  RunBatch batch;
  Append(batch, row);
  EXPECT_EQ(batch.run[0], "a\xEF\xBF\xBD");
  EXPECT_EQ(batch.labels[0], "{\"a\":\"1\",\"b\":\"\xEF\xBF\xBD\"}");
  EXPECT_EQ(RunLabelsOf(batch.labels[0]).at("a"), "1");
  EXPECT_TRUE(RunLabelsOf("[1]").empty());
  EXPECT_TRUE(RunLabelsOf("{").empty());
}

TEST(RunFactsTest, FactsAreAddedWithTheirCounts) {
  RunFacts a, b;
  a.passed["x"] = 1;
  b.passed["x"] = 2;
  b.warnings = {"w"};
  Append(b.events, RunEvent{});
  AppendFacts(a, b);
  AppendFacts(a, b);
  EXPECT_EQ(a.passed.at("x"), 5);
  EXPECT_EQ(RowsOf(a.events), 2U);
  EXPECT_EQ(a.warnings.size(), 1U);
}

}  // namespace
}  // namespace plimsoll
