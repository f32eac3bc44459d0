#include "cli/plan_spot_trace.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Two days of ten-minute ticks: three hours up, one down.
std::string TraceText(const std::string& more = "") {
  std::string data;
  for (int tick = 0; tick < 288; ++tick) {
    data += (tick > 0 ? ", " : "") + std::string(tick % 24 < 18 ? "1" : "0");
  }
  return R"({"metadata": {"gap_seconds": 600}, "data": [)" + data + "]" + more + "}";
}

std::vector<std::string> Args(const std::vector<std::string>& more) {
  std::vector<std::string> args{"plan",       "spot", "--trace",   "t.json", "--work",      "6h",
                                "--deadline", "12h",  "--restart", "0.1h",   "--on-demand", "3.00"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST(PlanSpotTraceTest, PoliciesAreNamedWithTheirCost) {
  TestIo io("plan_spot_trace");
  io.Write("t.json", TraceText());
  const Ran run = io.Run(
      Args({"--spot", "1.00", "--policies", "on-demand,greedy,optimum", "--format", "json"}));
  EXPECT_EQ(run.code, 0) << run.err;
  // 6.1 h are 37 ticks.
  EXPECT_TRUE(Holds(run.out,
                    "{\"name\": \"on-demand\", \"cost\": {\"mean\": \"18.500000000\", "
                    "\"sd\": \"0.000000000\", \"p90\": \"18.500000000\", "
                    "\"p99\": \"18.500000000\"}, \"late\": 0"))
      << run.out;
  EXPECT_TRUE(Holds(run.out, "\"starts_count\": 217")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"name\": \"optimum\"")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"gap_closed\": 1.000000000")) << run.out;
}

TEST(PlanSpotTraceTest, StartsAreThoseOfTheFileAndShownOneByOne) {
  TestIo io("plan_spot_trace_starts");
  io.Write("t.json", TraceText());
  io.Write("s.csv", "i,start_index,end_index_exclusive\n0,0,288\n1,18,288\n");
  const Ran run = io.Run(Args({"--spot", "1.00", "--policies", "spot-only", "--starts", "s.csv",
                               "--per-start", "--format", "json"}));
  EXPECT_EQ(run.code, 0) << run.err;
  // From tick 0: 18 ticks up, 6 down, then 19 ticks with a second restart: one more pause.
  EXPECT_TRUE(Holds(run.out, "{\"name\": \"spot-only\", \"start\": 0, \"cost\": \"6.333333333\""))
      << run.out;
  EXPECT_TRUE(Holds(run.out, "\"start\": 18")) << run.out;
}

TEST(PlanSpotTraceTest, DrawnStartsAreTheSameForASeed) {
  TestIo io("plan_spot_trace_random");
  io.Write("t.json", TraceText());
  const auto with = [&](const std::string& seed) {
    return io
        .Run(Args({"--spot", "1", "--policies", "greedy", "--starts-random", "5", "--seed", seed,
                   "--per-start"}))
        .out;
  };
  EXPECT_EQ(with("3"), with("3"));
  EXPECT_NE(with("3"), with("4"));
}

TEST(PlanSpotTraceTest, PricesOfTheTraceServeWhereNoneIsGiven) {
  TestIo io("plan_spot_trace_prices");
  std::string prices, holes;
  for (int tick = 0; tick < 288; ++tick) {
    prices += (tick > 0 ? ", " : "") + std::string("0.918");
    holes += (tick > 0 ? ", " : "") + std::string(tick == 7 ? "NaN" : "0.918");
  }
  io.Write("t.json", TraceText(", \"prices\": [" + prices + "]"));
  EXPECT_EQ(io.Run(Args({})).code, 0);
  io.Write("t.json", TraceText(", \"prices\": [" + holes + "]"));
  const Ran unknown = io.Run(Args({}));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(Holds(unknown.err, "no price at tick 7, and unknown is not 0")) << unknown.err;
  io.Write("t.json", TraceText());
  EXPECT_TRUE(Holds(io.Run(Args({})).err, "tells no prices"));
}

TEST(PlanSpotTraceTest, WhatCannotBeIsSaidWithItsRemedy) {
  TestIo io("plan_spot_trace_wrong");
  io.Write("t.json", TraceText());
  io.Write("lives.csv", "start,end,preempted\n2026-11-01,2026-11-02,1\n");
  const auto error = [&](const std::vector<std::string>& more) { return io.Run(Args(more)).err; };
  const std::vector<std::string> spot{"--spot", "1"};
  EXPECT_TRUE(
      Holds(error({"--spot", "1", "--policies", "lazy"}), "there are on-demand, spot-only"));
  EXPECT_TRUE(Holds(error({"--spot", "x"}), "--spot: 'x' is no price"));
  EXPECT_TRUE(Holds(error({"--spot", "1", "--nodes", "0"}), "--nodes"));
  EXPECT_TRUE(Holds(error({"--spot", "1", "--starts", "no.csv"}), "no.csv"));
  const Ran early = io.Run({"plan", "spot", "--trace", "t.json", "--work", "6h", "--deadline", "6h",
                            "--restart", "6m", "--on-demand", "3", "--spot", "1"});
  EXPECT_EQ(early.code, 2);
  EXPECT_TRUE(Holds(early.err, "not even on demand")) << early.err;
  const Ran lives = io.Run({"plan", "spot", "--trace", "lives.csv", "--work", "6h", "--deadline",
                            "9h", "--on-demand", "3", "--spot", "1"});
  EXPECT_EQ(lives.code, 3);
  EXPECT_TRUE(Holds(lives.err, "plan zones")) << lives.err;
  const Ran longer = io.Run({"plan", "spot", "--trace", "t.json", "--work", "60h", "--deadline",
                             "70h", "--on-demand", "3", "--spot", "1"});
  EXPECT_TRUE(Holds(longer.err, "lasts 48.000000000 hours")) << longer.err;
}

TEST(PlanSpotTraceTest, ANodeMoreCostsANodeMore) {
  TestIo io("plan_spot_trace_nodes");
  std::string steps = "time,available\n";
  for (int tick = 0; tick < 288; ++tick) {
    steps += std::to_string(tick * 600) + "," + (tick % 24 < 18 ? "2" : "1") + "\n";
  }
  io.Write("t.json", steps);
  const Ran run = io.Run(Args(
      {"--spot", "1", "--nodes", "2", "--policies", "on-demand,spot-only", "--format", "json"}));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Holds(run.out, "\"mean\": \"37.000000000\"")) << run.out;
  EXPECT_TRUE(Holds(run.out, "\"availability\": 0.750000000")) << run.out;
}

}  // namespace
}  // namespace plimsoll
