#include "cli/plan_zones_view.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string Repeat(const std::string& ticks, int times) {
  std::string data;
  for (int i = 0; i < times; ++i) data += (i > 0 ? "," : "") + ticks;
  return R"({"metadata": {"gap_seconds": 1800}, "data": [)" + data + "]}";
}

TEST(PlanZonesTest, LastingBeatsLaunching) {
  TestIo io("plan_zones_rank");
  io.Write("us-west-2a_v100_1.json", Repeat("1,1,1,0", 12));
  io.Write("us-west-2b_v100_1.json", Repeat("1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0", 6));
  const Ran run = io.Run({"plan", "zones", "*.json", "--run", "3h", "--format", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out,
                    "{\"rank\": 1, \"cloud\": \"aws\", \"zone\": \"us-west-2b\", "
                    "\"sku\": \"v100x1\", \"observed\": \"pings\""))
      << run.out;
  EXPECT_TRUE(Holds(run.out, "\"price\": null")) << run.out;
}

TEST(PlanZonesTest, HeldAndPingsHaveRankOneEach) {
  TestIo io("plan_zones_kinds");
  io.Write("preemption/us-west-2a_v100_1.json", Repeat("1,1,1,0", 12));
  io.Write("availability/us-west-2a_v100_1.json", Repeat("1,1,1,1,0", 12));
  const Ran run = io.Run({"plan", "zones", "preemption/us-west-2a_v100_1.json",
                          "availability/us-west-2a_v100_1.json", "--by", "sku", "--format", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "1,aws,,v100x1,held")) << run.out;
  EXPECT_TRUE(Holds(run.out, "1,aws,,v100x1,pings")) << run.out;
}

TEST(PlanZonesTest, SpotDearerThanOnDemandIsFlaggedAndLast) {
  TestIo io("plan_zones_advisor");
  io.Write("a.json", R"({"spot_advisor": {
      "ca-central-1": {"Linux": {"p5.48xlarge": {"s": -62, "r": 0}}},
      "us-east-1": {"Linux": {"p5.48xlarge": {"s": 52, "r": 4},
                              "m5.large": {"s": 60, "r": 0}}}}})");
  const Ran run = io.Run({"plan", "zones", "a.json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "dearer than on demand")) << run.out;
  EXPECT_GT(run.out.find("ca-central-1"), run.out.find("us-east-1"));
  EXPECT_FALSE(Holds(run.out, "m5.large")) << "has no GPU";
  EXPECT_TRUE(Holds(run.out, "a rate an hour or a zone cannot be had from it")) << run.out;
  EXPECT_TRUE(Holds(io.Run({"plan", "zones", "a.json", "--sku", "m5*"}).out, "m5.large"));
}

TEST(PlanZonesTest, CapsAndFailedCreationsAreTold) {
  TestIo io("plan_zones_lives");
  std::string rows = "cloud,gpu,ngpu,zone,start,end,preempted\n";
  rows += "gcp,v100,1,us-east1-c,2020-03-01T00:00:00,2020-03-01T00:00:00,1\n";
  rows += "gcp,v100,1,us-east1-c,2020-03-01T00:00:00,2020-03-01T02:00:00,1\n";
  rows += "gcp,v100,1,us-east1-c,2020-03-01T00:00:00,2020-03-02T00:10:00,1\n";
  io.Write("lives.csv", rows);
  const Ran run = io.Run({"plan", "zones", "lives.csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "1 lifetimes are left out as failed creations")) << run.out;
  EXPECT_TRUE(Holds(run.out, "1 lifetimes end at about 24 h")) << run.out;
  const Ran capped = io.Run({"plan", "zones", "lives.csv", "--cap", "23h30m", "--format", "json"});
  EXPECT_TRUE(Holds(capped.out, "\"runs\": 2, \"ended\": 1")) << capped.out;
}

TEST(PlanZonesTest, ASetWithoutNamesIsFiguredByItsRate) {
  TestIo io("plan_zones_rate");
  io.Write("p3.csv", "0,4\n3600000,2\n7200000,4\n10800000,4\n");  // 10 instance-hours, 2 left
  const Ran run = io.Run({"plan", "zones", "p3.csv", "--interval", "5h", "--format", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "\"p_interval\": 0.367879441")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"preemption_rate\": 0.200000000")) << run.out;
  EXPECT_TRUE(Holds(io.Run({"plan", "zones", "p3.csv"}).out, "1 sets tell how many left"));
}

TEST(PlanZonesTest, NothingToRankIsAnError) {
  TestIo io("plan_zones_none");
  io.Write("t.csv", "time,available\n0,1\n60,0\n");
  EXPECT_TRUE(Holds(io.Run({"plan", "zones", "t.csv", "--sku", "h100*"}).err, "no 'h100*'"));
  EXPECT_EQ(io.Run({"plan", "zones", "t.csv", "--interval", "soon"}).code, 2);
  EXPECT_EQ(io.Run({"plan", "zones", "t.csv", "--nodes", "0"}).code, 2);
}

}  // namespace
}  // namespace plimsoll
