#include "ingest/cluster/workload_builder.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Pods = std::pair<std::int32_t, std::int32_t>;

TEST(WorkloadBuilderTest, PodsAreTheLargestThatDivide) {
  EXPECT_EQ(EqualPods(0, 8), Pods(1, 0));
  EXPECT_EQ(EqualPods(5, 8), Pods(1, 5));
  EXPECT_EQ(EqualPods(8, 8), Pods(1, 8));
  EXPECT_EQ(EqualPods(12, 8), Pods(2, 6));
  EXPECT_EQ(EqualPods(32, 8), Pods(4, 8));
  EXPECT_EQ(EqualPods(11, 8), Pods(11, 1));
}

TEST(WorkloadBuilderTest, NamesGetIndexesAndFlavorsEnd) {
  WorkloadBuilder builder({"f", ""});
  EXPECT_EQ(builder.Queue("a"), 0U);
  EXPECT_EQ(builder.Queue("b"), 1U);
  EXPECT_EQ(builder.Queue("a"), 0U);
  for (std::size_t i = 0; i < kFlavorsMax; ++i) {
    EXPECT_TRUE(builder.Flavor("f" + std::to_string(i)).has_value());
  }
  EXPECT_FALSE(builder.Flavor("one more").has_value());
  EXPECT_TRUE(builder.Flavor("f3").has_value());
}

TEST(WorkloadBuilderTest, JobsAreSortedAndRowsAddUp) {
  WorkloadBuilder builder({"f", ""});
  for (const int at : {5, 3, 4, 3}) {
    TrainingJob job;
    job.name = std::to_string(at);
    job.queue = builder.Queue("q");
    job.submitted = AtSeconds(at);
    builder.Add(job);
  }
  builder.LeaveOut("never started");
  builder.LeaveOut("never started");
  builder.Refuse({3, "gpus", "is wrong", "raw", WholeGpuHours(2)});
  const auto reading = builder.Finish();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->rows, 7);
  EXPECT_EQ(reading->left_out.at("never started"), 2);
  EXPECT_EQ(reading->refused_gpu_time(), WholeGpuHours(2));
  std::string order;
  for (const TrainingJob& job : reading->workload.jobs) order += job.name;
  EXPECT_EQ(order, "3345");
}

TEST(WorkloadBuilderTest, NoJobIsAnErrorThatSaysWhy) {
  WorkloadBuilder builder({"f.csv", ""});
  builder.Refuse({3, "gpus", "is wrong", "raw", {}});
  const auto reading = builder.Finish();
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().code, ErrorCode::kBadData);
  EXPECT_EQ(reading.error().message,
            "f.csv has no job that can be read: f.csv, line 3, field gpus: is wrong");
}

TEST(WorkloadBuilderTest, StatesOfAllSourcesAreKnown) {
  EXPECT_EQ(EndOfState("COMPLETED"), JobEnd::kCompleted);
  EXPECT_EQ(EndOfState("Pass"), JobEnd::kCompleted);
  EXPECT_EQ(EndOfState("Killed"), JobEnd::kCancelled);
  EXPECT_EQ(EndOfState("NODE_FAIL"), JobEnd::kFailed);
  EXPECT_EQ(EndOfState("TIMEOUT"), JobEnd::kTimeout);
  EXPECT_FALSE(EndOfState("RUNNING"));
  EXPECT_EQ(EndOfReason("NodeLost"), JobEnd::kFailed);
  EXPECT_EQ(EndOfReason("Timeout"), JobEnd::kTimeout);
  EXPECT_EQ(EndOfReason("COMPLETED"), JobEnd::kUnknown);
}

}  // namespace
}  // namespace plimsoll
