#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

std::vector<std::string> Line(const std::vector<std::string>& more) {
  std::vector<std::string> line{
      "plan",        "spot",      "--work", "100h",   "--gpus", "8",      "--checkpoint-write",
      "5m",          "--restart", "10m",    "--wait", "30m",    "--mtbf", "4h",
      "--on-demand", "32.77",     "--spot", "11.47"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

TEST(PlanSpotTest, TheHundredHourRunHasThePublishedFigures) {
  TestIo io("plan_spot_golden");
  const Ran run = io.Run(Line({"--interval", "1h", "--deadline", "130h", "--format", "json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_NEAR(json["interval_young_hours"].get<double>(), 0.816497, 1e-6);
  EXPECT_NEAR(json["interval_daly_hours"].get<double>(), 45.713 / 60, 1e-5);
  EXPECT_NEAR(json["interval_optimal_hours"].get<double>(), 0.761912, 1e-6);
  EXPECT_NEAR(json["expected_hours_closed_form"].get<double>(), 145.930966, 1e-6);
  const Json& simulated = json["expected_hours_simulated"];
  EXPECT_LT(simulated["low"].get<double>(), 145.930966);
  EXPECT_GT(simulated["high"].get<double>(), 145.930966);
  EXPECT_LT(simulated["high"].get<double>() - simulated["low"].get<double>(), 1);
  for (const char* name : {"mean", "p50", "p90", "p99"}) EXPECT_TRUE(json["cost"].contains(name));
  EXPECT_TRUE(json["p_deadline"].is_number());
  EXPECT_TRUE(json["net_saving"].is_string());
  EXPECT_EQ(json["deductions"].size(), 9U);
  EXPECT_GT(json["break_even_mtbf_hours"].get<double>(), 0.1);
  EXPECT_EQ(json["advised"], "fallback");
  EXPECT_EQ(json["policies"].size(), 3U);
}

TEST(PlanSpotTest, SameSeedSameBytes) {
  TestIo io("plan_spot_seed");
  const auto with = [&](const char* seed) {
    return io.Run(Line({"--seed", seed, "--replications", "300", "--format", "json"})).out;
  };
  EXPECT_EQ(with("5"), with("5"));
  EXPECT_NE(with("5"), with("6"));
}

TEST(PlanSpotTest, LifetimesOfOnesOwnAreRead) {
  TestIo io("plan_spot_lifetimes");
  std::string csv = "lifetime,evicted\n";
  for (int i = 1; i <= 40; ++i)
    csv += std::to_string(i * 13) + "m," + (i % 5 ? "true" : "false") + "\n";
  io.Write("lives.csv", csv);
  const Ran run = io.Run({"plan", "spot", "--work", "20h", "--checkpoint-write", "2m", "--model",
                          "lifetimes:lives.csv", "--on-demand", "3.06", "--spot", "0.92",
                          "--replications", "500"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("What a spot node of some age"), std::string::npos) << run.out;
  io.Write("bad.csv", "lifetime\nx\n");
  const Ran bad = io.Run({"plan", "spot", "--work", "20h", "--checkpoint-write", "2m", "--model",
                          "lifetimes:bad.csv", "--on-demand", "3.06", "--spot", "0.92"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_NE(bad.err.find("bad.csv:2"), std::string::npos) << bad.err;
}

TEST(PlanSpotTest, WrongOptionsAreUsageErrors) {
  TestIo io("plan_spot_wrong");
  for (const auto& more : std::vector<std::vector<std::string>>{
           {"--nodes", "0"}, {"--gpus", "x"}, {"--replications", "0"}, {"--interval", "1ms"}}) {
    const Ran run = io.Run(Line(more));
    EXPECT_EQ(run.code, 2) << more[0];
    EXPECT_FALSE(run.err.empty());
  }
  EXPECT_EQ(io.Run({"plan", "spot"}).code, 2);
}

}  // namespace
}  // namespace plimsoll
