#include "economics/inference_latency.h"

#include <gtest/gtest.h>

#include "economics/test_requests.h"

namespace plimsoll {
namespace {

TEST(LatencyTest, PercentilesOfFewValues) {
  LatencySet set;
  EXPECT_EQ(set.Percentile(99'000), std::nullopt);
  EXPECT_EQ(set.NearestRank(99'000), std::nullopt);
  set.Add(7);
  EXPECT_EQ(set.Percentile(99'000), 7);
  EXPECT_EQ(set.NearestRank(50'000), 7);
  set.Add(11);
  EXPECT_EQ(set.Percentile(50'000), 9);
  EXPECT_EQ(set.NearestRank(50'000), 7);  // the lower of two
  EXPECT_EQ(set.Percentile(0), 7);
  EXPECT_EQ(set.Percentile(100'000), 11);
}

// T1: eight requests at ten a second through one slot of half a second: what the client waited
// is in its latency. Mean 1.9 s, p99 3.272 s.
TEST(LatencyTest, WaitInTheClientsQueueIsLatency) {
  RequestBatch batch;
  for (std::int64_t i = 0; i < 8; ++i) {
    const std::int64_t planned = 100 * i;
    const std::int64_t end = 500 * (i + 1);
    Append(batch, {.arrival_ms = 1'764'547'200'000 + planned,
                   .ttft_ms = end - planned - 100,
                   .e2e_ms = end - planned});
  }
  RequestLatencies latencies;
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < 8; ++row) {
    latencies.Add(batch, row);
    sum += *batch.e2e_ns[row];
  }
  EXPECT_EQ(sum / 8, 1'900'000'000);
  EXPECT_EQ(latencies.e2e.Percentile(99'000), 3'272'000'000);
}

// T3: 250 of 256 fail; the six that succeeded say nothing of p95, and the good share does.
TEST(LatencyTest, FailuresHaveNoLatency) {
  RequestBatch batch;
  for (int i = 0; i < 256; ++i) {
    Append(batch, {.status = i < 250 ? "error" : "ok", .e2e_ms = i < 250 ? 1 : 10'000});
  }
  RequestLatencies latencies;
  for (std::size_t row = 0; row < 256; ++row) latencies.Add(batch, row);
  EXPECT_EQ(latencies.e2e.size(), 6U);
  EXPECT_EQ(latencies.e2e.Percentile(95'000), 10'000'000'000);
}

TEST(LatencyTest, TimePerTokenIsOfRequestsWithTwoTokens) {
  RequestBatch batch;
  Append(batch, {.ttft_ms = 100, .e2e_ms = 400, .output = 4});
  Append(batch, {.ttft_ms = 100, .e2e_ms = 400, .output = 1});
  Append(batch, {.ttft_ms = std::nullopt, .tpot_ns = 5});
  RequestLatencies latencies;
  for (std::size_t row = 0; row < 3; ++row) latencies.Add(batch, row);
  EXPECT_EQ(latencies.tpot.size(), 2U);
  EXPECT_EQ(latencies.tpot.Percentile(100'000), 100'000'000);
  EXPECT_EQ(latencies.tpot.Percentile(0), 5);
}

}  // namespace
}  // namespace plimsoll
