#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

// 2026-11-16T10:00:00Z, in milliseconds.
constexpr std::int64_t kBegin = 1'794'823'200'000;

// One counter, a sample a minute for an hour, from `first` up by `step`.
std::string Counter(const std::string& series, std::int64_t first, std::int64_t step) {
  std::string text;
  for (std::int64_t minute = 0; minute <= 60; ++minute) {
    text += series + " " + std::to_string(first + minute * step) + " " +
            std::to_string(kBegin + minute * 60'000) + "\n";
  }
  return text;
}

std::string Metrics() {
  const std::string pod = "model_name=\"llama\",namespace=\"inference\",pod=\"chat-1\"";
  const std::string ttft = "vllm:time_to_first_token_seconds_bucket{" + pod + ",le=";
  return Counter("vllm:request_success_total{finished_reason=\"stop\"," + pod + "}", 10, 10) +
         Counter("vllm:generation_tokens_total{" + pod + "}", 500, 1'000) +
         Counter("vllm:prompt_tokens_total{" + pod + "}", 500, 4'000) +
         Counter(ttft + "\"0.25\"}", 0, 6) + Counter(ttft + "\"0.5\"}", 0, 9) +
         Counter(ttft + "\"+Inf\"}", 0, 10);
}

TEST(UnitServingTest, GoodRequestsOfADatabaseAreBounds) {
  TestIo io("unit-serving");
  io.Write("metrics.txt", Metrics());
  const Ran loaded = io.Run({"ingest", "prometheus", "metrics.txt", "--cluster", "prod"});
  ASSERT_EQ(loaded.code, 0) << loaded.err;
  const Ran ran = io.Run({"unit", "serving", "--window",
                          "2026-11-16T10:00:00Z..2026-11-16T11:00:00Z", "--model", "llama", "--slo",
                          "ttft=300ms", "--gpus", "2", "--gpu-price", "2.50", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto service = nlohmann::json::parse(ran.out)["services"][0];
  EXPECT_EQ(service["requests_ok"], 600) << ran.out;
  EXPECT_EQ(service["cost"], "5.000000000");
  EXPECT_EQ(service["tokens_output"], 60'000);
  // The limit falls into the bucket from 250 ms to 500 ms.
  EXPECT_EQ(service["requests_good_low"], 360);
  EXPECT_EQ(service["requests_good_high"], 540);
}

TEST(UnitServingTest, WhatIsNotThereIsSaid) {
  TestIo io("unit-serving-none");
  io.Write("metrics.txt", Metrics());
  EXPECT_EQ(io.Run({"unit", "serving", "--window", "7d"}).code, 3);
  ASSERT_EQ(io.Run({"ingest", "prometheus", "metrics.txt"}).code, 0);
  const Ran other = io.Run({"unit", "serving", "--window", "2026-11-17..2026-11-18"});
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.err.find("plimsoll ingest prometheus"), std::string::npos) << other.err;
  EXPECT_EQ(io.Run({"unit", "serving", "--slo", "soon"}).code, 2);
  EXPECT_EQ(io.Run({"unit", "serving", "--gpus", "1", "--gpu-price", "dear"}).code, 2);
}

}  // namespace
}  // namespace plimsoll
