#include "cli/spot_measure.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

TEST(SpotMeasureTest, LifetimesHaveWhatWasTakenAndWhatStillRanAsCensored) {
  SpotSaving saving;
  saving.window = {AtSeconds(0), AtSeconds(86'400)};
  SpotNode taken;
  taken.provider = "AWS";
  taken.zone = "us-east-1a";
  taken.instance_type = "g6.12xlarge";
  taken.begin = AtSeconds(-3'600);
  taken.until = taken.taken = AtSeconds(7'200);
  SpotNode runs = taken;
  runs.until = AtSeconds(90'000);  // after the window: not looked at
  runs.taken.reset();
  SpotNode unknown = runs;
  unknown.begin.reset();
  saving.nodes = {taken, runs, unknown};
  std::int64_t left_out = 0;
  EXPECT_EQ(LifetimesCsv(saving, AtSeconds(1'000'000), left_out),
            "cloud,zone,sku,start,end,preempted,lifetime_seconds,evicted\n"
            "aws,us-east-1a,g6.12xlarge,1969-12-31T23:00:00Z,1970-01-01T02:00:00Z,1,10800,1\n"
            "aws,us-east-1a,g6.12xlarge,1969-12-31T23:00:00Z,1970-01-02T00:00:00Z,0,90000,0\n");
  EXPECT_EQ(left_out, 1);
}

// The demo knows its truth (demo --check); here that the command shows it and the planners take
// the fleet's own lifetimes.
TEST(SpotMeasureTest, TheDemosSavingIsNetAndItsLifetimesFeedThePlanners) {
  TestIo io("spot-measure");
  const Ran demo = io.Run({"demo", "--gpus", "16", "--days", "7", "--db", "d.duckdb", "--check"});
  ASSERT_EQ(demo.code, 0) << demo.err;
  EXPECT_NE(demo.err.find("what spot saved ("), std::string::npos) << demo.err;
  const Ran ran = io.Run({"unit", "spot", "--config", "out/plimsoll.yaml", "--db", "d.duckdb",
                          "--lifetimes", "own.csv", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  const auto money = [&](const char* name) {
    return *Money::Parse(json.at(name).get<std::string>());
  };
  EXPECT_GT(money("recomputation"), Money());
  EXPECT_GT(money("restart"), Money());
  EXPECT_EQ(money("net_saving"),
            money("gross_saving") - money("recomputation") - money("restart") - money("declared"));
  EXPECT_LT(money("net_saving"), money("gross_saving"));
  EXPECT_GE(json.at("eviction_count").get<int>(), 2);
  EXPECT_EQ(io.Run({"plan", "zones", "own.csv"}).code, 0);
}

TEST(SpotMeasureTest, AFleetWithoutSpotSaysSo) {
  TestIo io("spot-none");
  io.Write("prices.yaml",
           "provider: on-prem\ncurrency: USD\nprices:\n  - {instance_type: n1, amount: 12}\n");
  io.Write("jobs.psv",
           "JobID|JobIDRaw|Cluster|Account|User|Submit|Start|End|State|NNodes|NCPUS|ReqMem|"
           "AllocTRES|NodeList|JobName\n"
           "1|1|hpc|bio|ann|2026-11-16T00:00:00|2026-11-16T00:00:00|2026-11-16T02:00:00|COMPLETED|"
           "1|4|8G|cpu=4,mem=8G,node=1,gres/gpu=1|n1|fold\n");
  const Ran ran =
      io.Run({"unit", "spot", "--from", "slurm:hpc=jobs.psv", "--from", "prices=prices.yaml"});
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.err.find("nothing ran on spot"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
