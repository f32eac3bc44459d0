#include "purchase/sku/memory_plan.h"

#include <gtest/gtest.h>

#include "purchase/sku/test_skus.h"

namespace plimsoll {
namespace {

TEST(MemoryPlanTest, PublishedSizesOfCheckpoints) {
  EXPECT_EQ(WeightBytes(ModelOf("llama-3.1-8b"), "bf16"), 16'060'522'496);
  EXPECT_EQ(WeightBytes(ModelOf("llama-3.1-405b"), "bf16"), 811'706'777'600);
  // Feed-forward matrices of 124 of 126 layers in fp8: 487.2 GB, 453.7 GiB; not 406.
  const std::int64_t fp8 = WeightBytes(ModelOf("llama-3.1-405b"), "fp8");
  EXPECT_NEAR(static_cast<double>(fp8) / 1e9, 487.2, 0.05);
  EXPECT_NEAR(GibOf(fp8), 453.7, 0.05);
  // A checkpoint of all layers in fp8 keeps embedding and head: 70.55 + 2 x 1.05 GB.
  EXPECT_NEAR(static_cast<double>(WeightBytes(ModelOf("llama-3.3-70b"), "fp8")) / 1e9, 72.7, 0.05);
  // A scale byte for every 16 values; a 16-bit scale and a 4-bit zero point for every 128.
  const LanguageModel& model = ModelOf("llama-3.1-8b");
  const std::int64_t ends = 2 * 128'256 * 4'096;
  const std::int64_t inner = model.parameters - ends;
  EXPECT_EQ(WeightBytes(model, "fp4"), ends * 2 + inner * 9 / 16);
  EXPECT_NEAR(static_cast<double>(WeightBytes(model, "int4") - ends * 2),
              static_cast<double>(inner) * (4 + 20.0 / 128) / 8, static_cast<double>(inner) / 1e4);
}

TEST(MemoryPlanTest, PublishedKvBytesPerToken) {
  const std::pair<const char*, std::int64_t> published[] = {
      {"llama-2-7b", 524'288},   {"llama-2-13b", 819'200},    {"llama-2-70b", 327'680},
      {"llama-3.1-8b", 131'072}, {"llama-3.1-405b", 516'096}, {"llama-3.3-70b", 327'680}};
  for (const auto& [name, bytes] : published) {
    EXPECT_EQ(KvBytesPerToken(ModelOf(name), 16), bytes) << name;
    EXPECT_EQ(KvBytesPerToken(ModelOf(name), 8), bytes / 2) << name;
  }
  // Latent attention: 512 latent and 64 rotary values a layer, however many heads.
  EXPECT_EQ(KvBytesPerToken(ModelOf("deepseek-v3"), 16), 61 * 576 * 2);
}

// vllm-project/vllm issue 6746: with 8 H100 the engine that prefills a whole context at once
// counted 79,392 tokens of 131,072. Here the weights are 1.8 % less than it loaded (56.7 to
// 57.75 GiB a GPU), and the runtime is one flat GiB: within 10 %, not exact.
TEST(MemoryPlanTest, Llama405bInFp8DoesNotFit8xH100At131072) {
  const MemoryPlan plan =
      PlanMemory(ModelOf("llama-3.1-405b"), GpuOf("H100-SXM-80GB"), {8, 1}, Demand("fp8", 131'072));
  EXPECT_FALSE(plan.feasible);
  EXPECT_NEAR(static_cast<double>(plan.kv_tokens_max), 79'392, 79'392 * 0.10);
  EXPECT_NE(plan.reason.find("of 131072 tokens; fits with chunked prefill"), std::string::npos)
      << plan.reason;
  EXPECT_EQ(plan.total(), plan.weights + plan.kv + plan.overhead());
  EXPECT_GT(plan.total(), plan.available);
  EXPECT_TRUE(
      PlanMemory(ModelOf("llama-3.1-405b"), GpuOf("H200-SXM-141GB"), {8, 1}, Demand("fp8", 131'072))
          .feasible);
}

// SubgraphRAG issue 19: 39,024 tokens of 131,072 on a 3090 of 24 GB; an engine of that date
// chunks its prefill (8192 is assumed: the issue does not say).
TEST(MemoryPlanTest, Llama8bOn3090HoldsTheObservedTokens) {
  const MemoryPlan plan = PlanMemory(ModelOf("llama-3.1-8b"), GpuOf("RTX-3090"), {1, 1},
                                     Demand("bf16", 131'072, 8'192));
  EXPECT_FALSE(plan.feasible);
  EXPECT_NEAR(static_cast<double>(plan.kv_tokens_max), 39'024, 39'024 * 0.05);
  EXPECT_NEAR(static_cast<double>(plan.context_max), 39'024, 39'024 * 0.05);
}

// vllm issue 10517: 141.1 GB of weights leave no room for a sequence of 42.9 GB on 2 x 80 GB.
TEST(MemoryPlanTest, Llama70bIn16BitDoesNotFit2xH100) {
  for (const std::int64_t batched : {0, 8'192}) {
    const MemoryPlan plan = PlanMemory(ModelOf("llama-3.1-70b"), GpuOf("H100-SXM-80GB"), {2, 1},
                                       Demand("bf16", 131'072, batched));
    EXPECT_FALSE(plan.feasible);
    EXPECT_NEAR(GibOf(plan.weights), 131.4, 0.1);
    EXPECT_NEAR(GibOf(plan.kv), 40.0, 0.01);
  }
  // What an engine that chunks could hold is some thousands of tokens, never a whole sequence.
  const MemoryPlan chunked = PlanMemory(ModelOf("llama-3.1-70b"), GpuOf("H100-SXM-80GB"), {2, 1},
                                        Demand("bf16", 131'072, 8'192));
  EXPECT_GT(chunked.kv_tokens_max, 0);
  EXPECT_LT(chunked.kv_tokens_max, 131'072 / 3);
}

TEST(MemoryPlanTest, ReportedLimitsAreTheLimits) {
  const LanguageModel& model = ModelOf("llama-3.1-8b");
  const GpuModel& gpu = GpuOf("L4");
  MemoryDemand demand = Demand("bf16", 4'096, 2'048);
  const MemoryPlan plan = PlanMemory(model, gpu, {1, 1}, demand);
  ASSERT_TRUE(plan.feasible);
  demand.load.context = plan.context_max;
  EXPECT_TRUE(PlanMemory(model, gpu, {1, 1}, demand).feasible);
  ++demand.load.context;
  EXPECT_FALSE(PlanMemory(model, gpu, {1, 1}, demand).feasible);
  demand.load.context = 4'096;
  demand.load.concurrency = plan.concurrency_max;
  EXPECT_TRUE(PlanMemory(model, gpu, {1, 1}, demand).feasible);
  ++demand.load.concurrency;
  const MemoryPlan over = PlanMemory(model, gpu, {1, 1}, demand);
  EXPECT_FALSE(over.feasible);
  EXPECT_NE(over.reason.find("KV cache holds"), std::string::npos) << over.reason;
}

TEST(MemoryPlanTest, HeadsThatAreOnSeveralGpusAreCopied) {
  // 4 KV heads on 8 GPUs: each holds one, so the cache is stored twice.
  const LanguageModel& model = ModelOf("qwen3-235b-a22b");
  const MemoryPlan four = PlanMemory(model, GpuOf("H200-SXM-141GB"), {4, 1}, Demand("fp8", 32'768));
  const MemoryPlan eight =
      PlanMemory(model, GpuOf("H200-SXM-141GB"), {8, 1}, Demand("fp8", 32'768));
  EXPECT_EQ(four.kv, KvBytesPerToken(model, 16) * 32'768);
  EXPECT_EQ(eight.kv, 2 * four.kv);
  // A latent cache is whole on every GPU.
  const LanguageModel& latent = ModelOf("deepseek-v3");
  EXPECT_EQ(PlanMemory(latent, GpuOf("H200-SXM-141GB"), {8, 1}, Demand("fp8", 32'768)).kv,
            8 * KvBytesPerToken(latent, 16) * 32'768);
}

TEST(MemoryPlanTest, HeadsThatDoNotDivideAreNotFeasible) {
  const MemoryPlan plan =
      PlanMemory(ModelOf("qwen2.5-7b"), GpuOf("H100-SXM-80GB"), {8, 1}, Demand("bf16", 1'024));
  EXPECT_FALSE(plan.feasible);
  EXPECT_EQ(plan.reason, "28 heads and 4 KV heads cannot be divided among 8 GPUs");
}

TEST(MemoryPlanTest, CardsWithoutKernelsOfThePrecisionAreNotFeasible) {
  const LanguageModel& model = ModelOf("llama-3.2-3b");
  EXPECT_FALSE(PlanMemory(model, GpuOf("T4"), {1, 1}, Demand("fp8", 1'024)).feasible);
  EXPECT_TRUE(PlanMemory(model, GpuOf("T4"), {1, 1}, Demand("int8", 1'024)).feasible);
  EXPECT_TRUE(PlanMemory(model, GpuOf("A10G"), {1, 1}, Demand("fp8", 1'024)).feasible);
}

TEST(MemoryPlanTest, StagesHoldTheirLayersAndOneEnd) {
  const LanguageModel& model = ModelOf("llama-3.1-405b");
  const MemoryPlan one = PlanMemory(model, GpuOf("H100-SXM-80GB"), {8, 1}, Demand("bf16", 8'192));
  const MemoryPlan two = PlanMemory(model, GpuOf("H100-SXM-80GB"), {8, 2}, Demand("bf16", 8'192));
  EXPECT_FALSE(one.feasible);
  EXPECT_NE(one.reason.find("weights take 94.5 GiB a GPU"), std::string::npos) << one.reason;
  EXPECT_TRUE(two.feasible) << two.reason;
  EXPECT_EQ(two.kv, one.kv);
  EXPECT_NEAR(GibOf(two.weights), GibOf(one.weights), 0.01);
  EXPECT_NE(PlanMemory(model, GpuOf("H100-SXM-80GB"), {1, 127}, Demand("bf16", 8'192))
                .reason.find("pipeline stages"),
            std::string::npos);
}

TEST(MemoryPlanTest, WindowsLimitTheCacheOfTheirLayers) {
  const LanguageModel& model = ModelOf("gemma-2-9b");  // every other layer sees 4096 tokens
  const std::int64_t layer = 2 * 8 * 256 * 2;
  EXPECT_EQ(PlanMemory(model, GpuOf("L40S"), {1, 1}, Demand("bf16", 8'192)).kv,
            layer * 21 * (8'192 + 4'096));
  EXPECT_EQ(PlanMemory(model, GpuOf("L40S"), {1, 1}, Demand("bf16", 1'000)).kv, layer * 42 * 1'000);
}

}  // namespace
}  // namespace plimsoll
