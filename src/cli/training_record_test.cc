#include "cli/training_record.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr Instant kBegin = AtMillis(0);

// Ten jobs of an hour's distance that waited 1 to 10 minutes and simulate as twice that.
struct Case {
  TrainingWorkload workload;
  QueueOutcome run;
  SizingTargets targets;
};
Case TenJobs() {
  Case made;
  made.workload.queues = {"a", "b", "unused"};
  for (int i = 0; i < 10; ++i) {
    TrainingJob job;
    job.submitted = kBegin + Hours(i);
    job.started = job.submitted + Minutes(i + 1);
    job.queue = i < 5 ? 0 : 1;
    job.shape.gpus = 8;
    made.workload.jobs.push_back(job);
    JobOutcome outcome;
    outcome.started = job.submitted + Minutes(2 * (i + 1));
    outcome.first_wait[WaitCause::kBusy] = Minutes(2 * (i + 1));
    made.run.jobs.push_back(outcome);
  }
  made.targets.classes.resize(2);
  made.targets.classes[0].name = "small";
  made.targets.classes[0].gpus_max = 1;
  made.targets.classes[1].name = "large";
  return made;
}

TEST(TrainingRecordTest, QuantilesAreOfTheSameJobs) {
  const Case made = TenJobs();
  const auto rows = CompareWithRecord(made.targets, made.workload, made.run, kBegin);
  ASSERT_EQ(rows.size(), 3U) << "no job is small, none is in the third queue";
  EXPECT_EQ(rows[0].name, "large");
  EXPECT_EQ(rows[0].jobs, 10);
  EXPECT_EQ(rows[0].recorded, (std::array{Minutes(5), Minutes(9), Minutes(10)}));
  EXPECT_EQ(rows[0].simulated[1], Minutes(18));
  EXPECT_TRUE(rows[1].is_queue);
  EXPECT_EQ(rows[1].recorded[0], Minutes(3));
  EXPECT_EQ(rows[2].recorded[0], Minutes(8));
}

TEST(TrainingRecordTest, JobsWithoutAWaitOnRecordOrBeforeTheTimeAreLeftOut) {
  Case made = TenJobs();
  made.workload.jobs[9].started.reset();
  const auto rows = CompareWithRecord(made.targets, made.workload, made.run, kBegin + Hours(1));
  EXPECT_EQ(rows[0].jobs, 8);
  EXPECT_EQ(rows[0].recorded[2], Minutes(9));
}

TEST(TrainingRecordTest, AJobThatNeverStartedIsAboveAllOthers) {
  Case made = TenJobs();
  made.run.jobs[0].started.reset();
  const auto rows = CompareWithRecord(made.targets, made.workload, made.run, kBegin);
  EXPECT_EQ(rows[0].simulated[2], std::nullopt);
  EXPECT_EQ(rows[0].simulated[1], Minutes(20));
  const Table table = RecordTable(rows, false);
  EXPECT_EQ(table.columns[3].name, "recorded.p50_wait_hours");
  EXPECT_EQ(table.rows[0][8], std::nullopt);
  EXPECT_EQ(RecordTable(rows, true).rows[0][8], "never");
}

}  // namespace
}  // namespace plimsoll
