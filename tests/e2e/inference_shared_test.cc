// Real vLLM runs and public load-test files (../shared, not part of the repository), against
// figures that another program computed from them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "economics/inference_cost.h"
#include "ingest/requests/request_reader.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

fs::path SharedLoadTests() {
  if (const char* shared = std::getenv("PLIMSOLL_SHARED")) {
    return fs::path(shared) / "data" / "loadtest";
  }
  const char* root = std::getenv("PLIMSOLL_ROOT");
  return fs::path(root == nullptr ? "." : root) / ".." / "shared" / "data" / "loadtest";
}

class InferenceSharedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(SharedLoadTests())) GTEST_SKIP() << "no shared data in " << SharedLoadTests();
  }

  ServiceFigures Price(const fs::path& file, const Slo& slo, RequestReading* reading = nullptr) {
    InferenceFoldOptions options;
    options.fallback.slo = slo;
    options.fallback.gpus = 1;
    options.fallback.gpu_price = Money::Units(2);
    options.latencies = true;
    InferenceFold fold(options);
    const auto read =
        ReadRequests({.files = {file.string()}, .maps = {}, .service = "", .parquet = {}},
                     [&](RequestRows& rows) { return fold.Add(rows.batch, rows.rest_ns); });
    EXPECT_TRUE(read) << read.error().message;
    if (reading != nullptr && read) *reading = *read;
    const FoldedRequests folded = fold.Finish();
    const FoldedService& service = folded.services.at(0);
    const auto paid = PaidByPrice(service.declared, service.until_ns - service.begin_ns);
    return PriceRequests(folded, {*paid})->front();
  }
};

double Number(const std::optional<Money>& money) {
  return money ? std::stod(money->ToString()) : std::nan("");
}
double Seconds(const std::optional<std::int64_t>& ns) {
  return ns ? static_cast<double>(*ns) / 1e9 : std::nan("");
}

// Every figure of every real run. Money is rounded to nanos, latencies to nanoseconds.
TEST_F(InferenceSharedTest, RealVllmRunsGiveTheExpectedFigures) {
  std::ifstream in(SharedLoadTests() / "expected.json");
  const auto runs = nlohmann::json::parse(in).at("real_vllm_runs");
  ASSERT_EQ(runs.size(), 2U);
  for (const auto& [name, expected] : runs.items()) {
    SCOPED_TRACE(name);
    const auto ns = [&](const char* key) {
      return std::llround(expected.at(key).get<double>() * 1e9);
    };
    const fs::path file =
        SharedLoadTests() / "llmservingsim_bench" / name / "vllm" / "requests.jsonl";
    const Slo slo{ns("slo_ttft_s"), ns("slo_tpot_s"), std::nullopt};
    ASSERT_EQ(expected.at("usd_per_hour"), 2.0);
    ServiceFigures got = Price(file, slo);
    EXPECT_EQ(got.sums.all.requests, expected.at("n"));
    EXPECT_EQ(got.sums.good.requests, expected.at("good"));
    EXPECT_EQ(got.sums.all.input, expected.at("input_tokens"));
    EXPECT_EQ(got.sums.all.output, expected.at("output_tokens"));
    EXPECT_EQ(got.sums.good.input, expected.at("good_input_tokens"));
    EXPECT_EQ(got.sums.good.output, expected.at("good_output_tokens"));
    const auto near = [&](double value, const char* key, double tolerance) {
      EXPECT_NEAR(value, expected.at(key).get<double>(), tolerance) << key;
    };
    near(static_cast<double>(got.window_ns()) / 1e9, "duration_s", 2e-9);
    near(std::stod(*PerSecond(got.sums.good.requests, got.window_ns())), "goodput_rps", 1e-8);
    near(std::stod(*PerSecond(got.sums.all.requests, got.window_ns())), "throughput_rps", 1e-8);
    near(Number(got.sums.cost), "window_cost_usd", 1e-9);
    near(Number(got.sums.PerMillionOutput()), "usd_per_1M_output_all", 1e-8);
    near(Number(got.sums.PerMillionGoodOutput()), "usd_per_1M_output_in_slo", 1e-8);
    RequestLatencies& latencies = got.service.latencies;
    const std::int64_t percentiles[] = {50'000, 90'000, 99'000};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(Seconds(latencies.ttft.Percentile(percentiles[i])),
                  expected.at("ttft_p50_p90_p99")[i].get<double>(), 2e-9);
      EXPECT_NEAR(Seconds(latencies.tpot.Percentile(percentiles[i])),
                  expected.at("tpot_p50_p90_p99")[i].get<double>(), 2e-9);
    }
    near(Seconds(latencies.e2e.Percentile(99'000)), "e2e_p99_linear", 2e-9);
    near(Seconds(latencies.e2e.NearestRank(99'000)), "e2e_p99_nearest_rank", 2e-9);
    // "Higher" is the value above the interpolated rank 296.01: the 298th of 300.
    near(Seconds(latencies.e2e.NearestRank(99'333)), "e2e_p99_higher", 2e-9);
    EXPECT_EQ(Price(file, {slo.ttft_ns, {}, {}}).sums.good.requests, expected.at("ttft_only_good"));
    EXPECT_EQ(Price(file, {{}, slo.tpot_ns, {}}).sums.good.requests, expected.at("tpot_only_good"));
  }
}

TEST_F(InferenceSharedTest, AiPerfsSampleHasItsLatenciesAndItsCancellation) {
  const ServiceFigures got =
      Price(SharedLoadTests() / "aiperf" / "profile_export_docs_sample.jsonl", {});
  EXPECT_EQ(got.sums.all.requests, 2);
  EXPECT_EQ(got.outcomes[static_cast<std::size_t>(Outcome::kCancelled)], 1);
  EXPECT_EQ(got.sums.good.output, 9);
  RequestLatencies latencies = got.service.latencies;
  EXPECT_EQ(latencies.ttft.Percentile(50'000), 255'886'568);
  EXPECT_EQ(latencies.tpot.Percentile(50'000), 5'204'832);  // 5.2048325 ms, half to even
}

TEST_F(InferenceSharedTest, GenAiPerfsUnitTestFileIsRead) {
  const ServiceFigures got =
      Price(SharedLoadTests() / "genai-perf" / "profile_export_from_unit_test.json", {});
  EXPECT_EQ(got.sums.all.requests, 4);
  EXPECT_EQ(got.sums.all.tokens_unknown, 4);
  EXPECT_FALSE(got.sums.PerMillionOutput());
}

TEST_F(InferenceSharedTest, SummariesWithoutRequestsSayHowToGetThem) {
  for (const auto& entry : fs::directory_iterator(SharedLoadTests() / "vllm_bench_serve")) {
    const auto read =
        ReadRequests({.files = {entry.path().string()}, .maps = {}, .service = "", .parquet = {}},
                     [](RequestRows&) { return Ok(); });
    ASSERT_FALSE(read) << entry.path();
    EXPECT_NE(read.error().message.find("--save-detailed"), std::string::npos);
  }
}

}  // namespace
}  // namespace plimsoll
