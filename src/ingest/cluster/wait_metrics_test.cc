#include "ingest/cluster/wait_metrics.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kText = R"(# TYPE kueue_admission_wait_time_seconds histogram
kueue_admission_wait_time_seconds_bucket{cluster_queue="a",replica_role="leader",le="1"} 10
kueue_admission_wait_time_seconds_bucket{cluster_queue="a",replica_role="leader",le="2.5"} 18
kueue_admission_wait_time_seconds_bucket{cluster_queue="a",replica_role="leader",le="+Inf"} 20
kueue_admission_wait_time_seconds_sum{cluster_queue="a",replica_role="leader"} 31
kueue_admission_wait_time_seconds_bucket{cluster_queue="a",replica_role="follower",le="1"} 1
kueue_admission_wait_time_seconds_bucket{cluster_queue="a",replica_role="follower",le="2.5"} 1
kueue_admission_wait_time_seconds_bucket{cluster_queue="a",replica_role="follower",le="+Inf"} 1
slurm_job_wait_time_seconds_bucket{partition="gpu",le="60"} 4
slurm_job_wait_time_seconds_bucket{partition="gpu",le="+Inf"} 9
kueue_pending_workloads{cluster_queue="a",status="active"} 3
)";

TEST(WaitMetricsTest, BucketsOfAQueueAreAHistogram) {
  const auto metrics = ReadWaitMetrics("m.prom", kText);
  ASSERT_TRUE(metrics) << metrics.error().message;
  ASSERT_EQ(metrics->histograms.size(), 2U);
  const WaitHistogram& kueue = metrics->histograms[0];
  EXPECT_EQ(kueue.metric, "kueue_admission_wait_time_seconds");
  EXPECT_EQ(kueue.queue, "a");
  ASSERT_EQ(kueue.buckets.size(), 3U);
  EXPECT_EQ(kueue.buckets[1].upper, Millis(2'500));
  EXPECT_EQ(kueue.buckets[1].count, 19) << "of both replicas";
  EXPECT_FALSE(kueue.buckets[2].upper);
  const auto p95 = QuantileRange(kueue, 950);
  ASSERT_TRUE(p95);
  EXPECT_EQ(p95->low, Millis(2'500));
  EXPECT_FALSE(p95->high);
  EXPECT_EQ(metrics->histograms[1].queue, "gpu");
}

TEST(WaitMetricsTest, ABrokenHistogramIsANote) {
  const auto metrics =
      ReadWaitMetrics("m.prom", std::string(kText) +
                                    "x_wait_time_seconds_bucket{queue=\"q\",le=\"1\"} 5\n"
                                    "x_wait_time_seconds_bucket{queue=\"q\",le=\"+Inf\"} 4\n"
                                    "y_wait_time_seconds_bucket{queue=\"q\",le=\"soon\"} 4\n");
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->histograms.size(), 2U);
  EXPECT_EQ(metrics->notes.size(), 2U);
}

TEST(WaitMetricsTest, SeriesOfDifferentBucketsAreNotAddedUp) {
  const auto metrics = ReadWaitMetrics(
      "m.prom", std::string(kText) +
                    "x_wait_time_seconds_bucket{queue=\"q\",p=\"1\",le=\"1\"} 5\n"
                    "x_wait_time_seconds_bucket{queue=\"q\",p=\"1\",le=\"+Inf\"} 9\n"
                    "x_wait_time_seconds_bucket{queue=\"q\",p=\"2\",le=\"2\"} 1\n"
                    "x_wait_time_seconds_bucket{queue=\"q\",p=\"2\",le=\"+Inf\"} 2\n");
  ASSERT_TRUE(metrics) << metrics.error().message;
  EXPECT_EQ(metrics->histograms.size(), 2U);
  ASSERT_EQ(metrics->notes.size(), 1U);
  EXPECT_NE(metrics->notes[0].find("different buckets"), std::string::npos);
}

TEST(WaitMetricsTest, NotesOfAHostileFileAreFew) {
  std::string text = kText;
  for (int i = 0; i < 10'000; ++i) {
    text += "x_wait_time_seconds_bucket{queue=\"q\",le=\"b" + std::to_string(i) + "\"} 5\n";
  }
  const auto metrics = ReadWaitMetrics("m.prom", text);
  ASSERT_TRUE(metrics) << metrics.error().message;
  EXPECT_EQ(metrics->notes.size(), 51U);
  EXPECT_EQ(metrics->notes.back(), "and 9950 more of such");
}

TEST(WaitMetricsTest, NoHistogramIsAnError) {
  const auto metrics = ReadWaitMetrics("m.prom", "kueue_pending_workloads 3\n");
  ASSERT_FALSE(metrics);
  EXPECT_EQ(metrics.error().code, ErrorCode::kBadData);
  EXPECT_NE(metrics.error().message.find("m.prom"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
