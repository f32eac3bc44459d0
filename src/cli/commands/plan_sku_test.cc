#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class PlanSkuTest : public ::testing::Test {
 protected:
  PlanSkuTest() : io("plan_sku") {}

  Json Ask(std::vector<std::string> options) {
    std::vector<std::string> line{"plan", "sku"};
    line.insert(line.end(), options.begin(), options.end());
    line.insert(line.end(), {"--format", "json"});
    const Ran run = io.Run(line);
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out, nullptr, false);
  }

  static Json Sku(const Json& answer, const std::string& name) {
    for (const Json& sku : answer["skus"]) {
      if (sku["sku"] == name) return sku;
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }

  TestIo io;
};

TEST_F(PlanSkuTest, Llama405bFits8xH200AndNot8xH100) {
  const Json answer =
      Ask({"--model", "llama-3.1-405b", "--quantization", "fp8", "--context", "131072"});
  const Json h100 = Sku(answer, "8x H100-SXM-80GB");
  EXPECT_EQ(h100["feasible"], false);
  EXPECT_TRUE(Holds(h100["reason"], "of 131072 tokens"));
  EXPECT_TRUE(h100["cost_per_million_output_tokens"].is_null());
  EXPECT_NEAR(h100["kv_tokens_max"].get<double>(), 79'392, 79'392 * 0.1);
  const Json h200 = Sku(answer, "8x H200-SXM-141GB");
  EXPECT_EQ(h200["feasible"], true);
  EXPECT_TRUE(h200["reason"].is_null());
  const Json& memory = h200["memory_gib"];
  EXPECT_NEAR(memory["weights"].get<double>(), 453.7, 0.1);
  EXPECT_NEAR(memory["kv"].get<double>(), 63.0, 0.01);
  EXPECT_NEAR(memory["weights"].get<double>() + memory["kv"].get<double>() +
                  memory["overhead"].get<double>(),
              memory["total"].get<double>(), 0.002);
  EXPECT_LE(memory["total"].get<double>(), memory["available"].get<double>());
  EXPECT_GT(h200["cost_per_million_output_tokens"].get<double>(), 0);
  EXPECT_EQ(h200["throughput"]["precision"], "fp8");
  EXPECT_EQ(Sku(answer, "4x B200-180GB")["throughput"]["precision_differs"], true);
}

TEST_F(PlanSkuTest, WithoutAMeasurementThereIsNoCost) {
  const Json answer = Ask({"--model", "qwen3-32b", "--context", "4096"});
  EXPECT_FALSE(answer["skus"].empty());
  for (const Json& sku : answer["skus"]) {
    EXPECT_TRUE(sku["cost_per_million_output_tokens"].is_null());
    EXPECT_TRUE(sku["throughput"]["output_tokens_per_second"].is_null());
  }
}

TEST_F(PlanSkuTest, OwnMeasurementsAndPricesMakeTheCost) {
  io.Write("mine.csv",
           "model,precision,gpu,gpus,tensor_parallel,input_tokens,output_tokens,"
           "output_tokens_per_second,source,as_of,ttft_ms,tpot_ms,latency_of\n"
           "mine,bf16,L4,1,1,500,200,1000,load test,2026-11-01,300,35,p99\n");
  const Json answer = Ask(
      {"--model",      "mine", "--parameters", "8.03e9",  "--layers",     "32",
       "--hidden",     "4096", "--heads",      "32",      "--kv-heads",   "8",
       "--input",      "500",  "--output",     "200",     "--throughput", "mine.csv",
       "--gpu",        "L4",   "--gpu-price",  "L4=0.36", "--target",     "ttft=400ms,tpot=40ms",
       "--good-share", "0.8"});
  ASSERT_EQ(answer["skus"].size(), 1U);
  const Json& sku = answer["skus"][0];
  EXPECT_EQ(sku["feasible"], true);
  EXPECT_EQ(sku["latency_target"], "met");
  EXPECT_EQ(sku["cost_per_million_output_tokens"].get<double>(), 0.1);
  EXPECT_EQ(sku["cost_per_million_output_tokens_good"].get<double>(), 0.125);
  EXPECT_EQ(sku["provider"], "own");
}

TEST_F(PlanSkuTest, ReservedAndSpotPricesOfTheCatalogStandBesideOnDemand) {
  const Json answer = Ask({"--model", "llama-3.1-8b", "--quantization", "fp8", "--gpu", "A10G",
                           "--context", "4096", "--provider", "aws", "--region", "us-east-1"});
  const Json sku = Sku(answer, "1x A10G");
  EXPECT_EQ(sku["instance_type"], "g5.xlarge");
  EXPECT_EQ(sku["price_per_hour"], "1.006000000");
  EXPECT_EQ(sku["price_per_hour_reserved"], "0.420000000");
  EXPECT_EQ(sku["reserved_term"], "reserved-3y");
  EXPECT_EQ(sku["price_per_hour_spot"], "0.300000000");
  EXPECT_TRUE(sku["cost_per_million_output_tokens"].is_null());
}

TEST_F(PlanSkuTest, NegotiatedPricesOfTheConfigurationGoBeforeTheList) {
  io.Write("plimsoll.yaml",
           "prices:\n"
           "  - provider: aws\n"
           "    instance_type: g5.xlarge\n"
           "    purchase: on-demand\n"
           "    amount: 0.80\n"
           "    per: hour\n"
           "    valid_from: 2026-01-01\n");
  const Json answer = Ask({"--model", "llama-3.1-8b", "--quantization", "fp8", "--gpu", "A10G",
                           "--context", "4096", "--provider", "aws"});
  EXPECT_EQ(Sku(answer, "1x A10G")["price_per_hour"], "0.800000000");
}

TEST_F(PlanSkuTest, AModelFileAddsModels) {
  io.Write("own.yaml",
           "models:\n"
           "  - {name: ours, parameters: 1.2e9, layers: 1}\n");
  const Ran wrong = io.Run({"plan", "sku", "--model", "ours", "--model-file", "own.yaml"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_TRUE(Holds(wrong.err, "own.yaml:2: models[0].hidden: is missing")) << wrong.err;
  io.Write("own.yaml",
           "models:\n"
           "  - {name: ours, parameters: 1235814400, layers: 16, hidden: 2048, heads: 32,\n"
           "     kv_heads: 8, head_dim: 64, ffn: 8192, vocabulary: 128256, context: 131072,\n"
           "     tied_embeddings: true, source: own, as_of: 2026-11-01}\n");
  const Json answer = Ask({"--model", "ours", "--model-file", "own.yaml", "--gpu", "L4"});
  EXPECT_EQ(answer["weights_bytes"], 2'471'628'800);
  EXPECT_EQ(answer["kv_bytes_per_token"], 32'768);
}

TEST_F(PlanSkuTest, IndifferenceHasThePublishedRatios) {
  const Json answer = Ask({"--model", "llama-3.3-70b", "--quantization", "fp8", "--gpu",
                           "B200-180GB", "--gpu", "H200-SXM-141GB", "--gpu", "H100-SXM-80GB"});
  ASSERT_EQ(answer["indifference"].size(), 2U);
  EXPECT_NEAR(answer["indifference"][0]["break_even_price_ratio"].get<double>(), 2.409, 0.0005);
  EXPECT_NEAR(answer["indifference"][1]["break_even_price_ratio"].get<double>(), 1.384, 0.0005);
}

TEST_F(PlanSkuTest, PeopleSeeWhatFitsWhatDoesNotAndWhy) {
  const Ran run =
      io.Run({"plan", "sku", "--model", "llama-3.1-405b", "--quantization", "fp8", "--context",
              "131072", "--gpu", "H100-SXM-80GB", "--gpu", "H200-SXM-141GB"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* part :
       {"Cheapest measured in fp8: 8x H200-SXM-141GB", "Does not fit", "--batched-tokens 8192",
        "never of lengths between measured ones", "Meta's FP8 release"}) {
    EXPECT_TRUE(Holds(run.out, part)) << part << "\n" << run.out;
  }
  const Ran mismatch = io.Run(
      {"plan", "sku", "--model", "llama-3.3-70b", "--quantization", "fp8", "--gpu", "B200-180GB"});
  EXPECT_TRUE(Holds(mismatch.out, "fp4 !")) << mismatch.out;
  EXPECT_TRUE(Holds(mismatch.out, "--quality same")) << mismatch.out;
}

TEST_F(PlanSkuTest, WrongOptionsSayHowToWriteThem) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--model", "llama-3.1-8b", "--context", "0"}, "--context: '0' must be a whole number"},
      {{"--model", "llama-3.1-8b", "--context", "131073"}, "more than llama-3.1-8b takes"},
      {{"--model", "llama-3.1-8b", "--quantization", "fp3"},
       "must be bf16, fp8, int8, fp4 or int4"},
      {{"--model", "llama-3.1-8b", "--gpu", "H100-SMX-80GB"}, "did you mean 'H100-SXM-80GB'"},
      {{"--model", "llama-3.1-8b", "--kv", "int4"}, "must be bf16 or fp8"},
      {{"--model", "llama-3.1-8b", "--gpu-price", "L4"}, "H100-SXM=2.10"},
      {{"--model", "llama-3.1-8b", "--memory-utilization", "1.2"}, "at most 1"},
      {{"--model", "llama-3.1-8b", "--target", "fast"}, "ttft=20s"},
      {{"--model", "llama-3.1-8b", "--good-share", "0"}, "over 0"},
      {{"--model", "x", "--parameters", "1e9"}, "--layers: is missing"}};
  for (const auto& [options, wanted] : cases) {
    std::vector<std::string> line{"plan", "sku"};
    line.insert(line.end(), options.begin(), options.end());
    const Ran run = io.Run(line);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_TRUE(Holds(run.err, wanted)) << run.err;
  }
  const Ran unknown = io.Run({"plan", "sku", "--model", "llama-3.1-8"});
  EXPECT_NE(unknown.code, 0);
  EXPECT_TRUE(Holds(unknown.err, "did you mean 'llama-3.1-8b'")) << unknown.err;
}

}  // namespace
}  // namespace plimsoll
