#include <gtest/gtest.h>

#include "ingest/trace/test_trace.h"

namespace plimsoll {
namespace {

constexpr const char* kHead = "cloud,gpu,ngpu,zone,start,end,preempted_1_censored_0,hours\n";

TEST(LifetimesCsvTest, PoolsAreKeptApart) {
  const SpotHistory history = ReadTrace(
      "lives.csv", std::string(kHead) +
                       "gcp,nvidia-tesla-v100,1,us-east1-c,2020-03-01T00:00:00,"
                       "2020-03-01T02:00:00,1,2.0\n"
                       "aws,k80,8,us-east-1b,2020-03-15T10:00:00,2020-03-15T11:00:00,0,1.0\n"
                       "gcp,nvidia-tesla-v100,1,us-east1-c,2020-03-02T00:00:00,"
                       "2020-03-02T00:00:00,1,0\n");
  ASSERT_EQ(history.lifetimes.size(), 2U);
  EXPECT_EQ(history.lifetimes[0].pool, (SpotPool{"aws", "us-east-1b", "k80x8"}));
  EXPECT_EQ(history.lifetimes[0].preempted, (std::vector<std::uint8_t>{0}));
  EXPECT_EQ(history.lifetimes[1].pool, (SpotPool{"gcp", "us-east1-c", "v100x1"}));
  EXPECT_EQ(history.lifetimes[1].lifetime, (std::vector<Duration>{Hours(2), Duration()}));
}

TEST(LifetimesCsvTest, OnlyTimesAndTheEndAreNeeded) {
  const SpotHistory history =
      ReadTrace("lives.csv", "start,end,preempted\n2026-11-01T00:00:00Z,2026-11-01T01:00:00Z,1\n");
  EXPECT_EQ(history.lifetimes.at(0).pool, SpotPool());
  EXPECT_EQ(history.lifetimes[0].lifetime, (std::vector<Duration>{Hours(1)}));
}

TEST(LifetimesCsvTest, WrongRowsNameTheField) {
  const std::string head = "start,end,preempted\n";
  EXPECT_TRUE(Says(TraceErrorOf("l.csv", head + "x,2026-11-01T01:00:00Z,1\n"), "line 2, field 1"));
  EXPECT_TRUE(Says(TraceErrorOf("l.csv", head + "2026-11-01T01:00:00Z,2026-11-01,1\n"),
                   "before the instance's start"));
  EXPECT_TRUE(
      Says(TraceErrorOf("l.csv", head + "2026-11-01,2026-11-02,maybe\n"), "line 2, field 3"));
  EXPECT_TRUE(Says(TraceErrorOf("l.csv", "start,end\n1,2\n"), "preempted"));
  EXPECT_TRUE(Says(TraceErrorOf("l.csv", head), "no rows"));
}

}  // namespace
}  // namespace plimsoll
