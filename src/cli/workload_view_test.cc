#include "cli/workload_view.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

WorkloadReport Report() {
  WorkloadReport report;
  report.reading.format = "jobs";
  report.reading.workload.queues = {"q"};
  for (int i = 0; i < 3; ++i) {
    TrainingJob job;
    job.submitted = AtMillis(0) + Hours(i);
    job.shape.gpus = 8;
    job.run = Hours(1);
    report.reading.workload.jobs.push_back(job);
  }
  report.reading.rows = 5;
  report.reading.left_out["never started"] = 1;
  report.reading.refused = {{7, "gpus", "is wrong", "raw", WholeGpuHours(4)}};
  report.fit = FitWorkload(report.reading.workload, *WindowOf(report.reading.workload));
  return report;
}

const Table* Find(const Answer& answer, const std::string& name) {
  for (const Table& table : answer.tables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

TEST(WorkloadViewTest, NothingIsDroppedSilently) {
  const Answer answer = WorkloadAnswer(Report());
  ASSERT_EQ(answer.lines.size(), 3U);
  EXPECT_EQ(answer.lines[1], "Offered load: 8.0 GPUs on average");
  EXPECT_EQ(answer.lines[2], "1 of 5 rows were not taken; what is known of them is 4 GPU-hours");
  ASSERT_NE(Find(answer, "refused"), nullptr);
  ASSERT_NE(Find(answer, "left_out"), nullptr);
  EXPECT_EQ(Find(answer, "waits"), nullptr) << "no start is on record";
}

TEST(WorkloadViewTest, RowsAreAsLongAsTheirColumns) {
  WorkloadReport report = Report();
  report.waits = {{"m", "q", {{Seconds(1), 2}, {std::nullopt, 3}}}};
  for (const SummaryBy by : {SummaryBy::kSize, SummaryBy::kQueue, SummaryBy::kQueueAndSize}) {
    report.by = by;
    for (const Table& table : WorkloadAnswer(report).tables) {
      for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    }
  }
}

}  // namespace
}  // namespace plimsoll
