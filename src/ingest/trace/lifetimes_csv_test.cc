#include <gtest/gtest.h>

#include <utility>

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

TEST(LifetimesCsvTest, LifetimesAreReadInAnyOfTheirColumns) {
  const SpotHistory hours = ReadTrace("l.csv", "lifetime_hours,evicted\n1.5,true\n3,no\n2,1\n");
  ASSERT_EQ(hours.lifetimes.size(), 1U);
  EXPECT_EQ(hours.lifetimes[0].lifetime, (std::vector<Duration>{Minutes(90), Hours(3), Hours(2)}));
  EXPECT_EQ(hours.lifetimes[0].preempted, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_TRUE(hours.notes.empty());
  const SpotHistory zones = ReadTrace("l.csv", "zone,lifetime\na,1h30m\nb,45m\n");
  ASSERT_EQ(zones.lifetimes.size(), 2U);
  EXPECT_EQ(zones.lifetimes[1].preempted, (std::vector<std::uint8_t>{1}));
  ASSERT_EQ(zones.notes.size(), 1U);
  EXPECT_TRUE(Says(zones.notes[0], "all of its instances count as evicted"));
  const SpotHistory seconds = ReadTrace("l.csv", "# of ours\nlifetime_seconds\n900\n1800.5\n");
  EXPECT_EQ(seconds.lifetimes.at(0).lifetime.at(1), Millis(1'800'500));
}

TEST(LifetimesCsvTest, WrongRowsNameLineAndColumn) {
  const std::pair<const char*, const char*> cases[] = {
      {"start,end,preempted\nx,2026-11-01T01:00:00Z,1\n", "l.csv:2: start: "},
      {"start,end,preempted\n2026-11-01T01:00:00Z,2026-11-01,1\n", "before the instance's start"},
      {"start,end,preempted\n2026-11-01,2026-11-02,maybe\n",
       "l.csv:2: preempted: must be true or false"},
      {"start,end,preempted\n", "l.csv:1: no rows"},
      {"start,end\n2026-11-01,\n", "l.csv:2: end: "},
      {"lifetime\n1h\n2\n", "l.csv:3: lifetime: '2' is not"},
      {"lifetime_hours\n1\n0\n", "l.csv:3: lifetime_hours: '0'"},
      {"lifetime,evicted\n1h,maybe\n", "l.csv:2: evicted: must be true or false"}};
  for (const auto& [text, what] : cases) {
    EXPECT_TRUE(Says(TraceErrorOf("l.csv", text), what)) << text;
  }
}

}  // namespace
}  // namespace plimsoll
