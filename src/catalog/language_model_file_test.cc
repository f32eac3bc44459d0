#include "catalog/language_model_file.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/price_file.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr const char* kModel =
    "models:\n"
    "  - {name: Small, parameters: 1000000, layers: 4, hidden: 64, heads: 8, kv_heads: 2,\n"
    "     head_dim: 8, ffn: 256, vocabulary: 1000, context: 2048, source: s, as_of: 2026-01-01";
constexpr const char* kHeader =
    "model,precision,gpu,gpus,tensor_parallel,input_tokens,output_tokens,"
    "output_tokens_per_second,source,as_of,ttft_ms,tpot_ms,latency_of\n";

struct Read {
  LanguageModelFile file;
  std::string problems;
};

Read ReadYaml(const std::string& yaml) {
  Read read;
  std::vector<Rejection> problems;
  const auto document = ParseYaml("m.yaml", yaml, problems);
  EXPECT_TRUE(document.has_value());
  YamlFields fields(*document, "m.yaml", "", problems);
  ReadModelList(fields, "m.yaml", read.file, problems);
  for (const Rejection& problem : problems) read.problems += ToText(problem) + "\n";
  return read;
}

Read ReadRows(const std::string& rows) {
  Read read;
  std::vector<Rejection> problems;
  const std::string text = kHeader + rows;
  ReadThroughput(ReadCsv(text), "t.csv", read.file, problems);
  for (const Rejection& problem : problems) read.problems += ToText(problem) + "\n";
  return read;
}

TEST(LanguageModelFileTest, ReadsAModelWithItsDefaults) {
  const Read read = ReadYaml(std::string(kModel) + "}\n");
  EXPECT_EQ(read.problems, "");
  ASSERT_EQ(read.file.models.size(), 1U);
  const LanguageModel& model = read.file.models[0];
  EXPECT_EQ(model.name, "small");
  EXPECT_EQ(model.native, "bf16");
  EXPECT_EQ(model.kv_heads, 2);
  EXPECT_FALSE(model.tied_embeddings);
  EXPECT_EQ(read.file.model_lines[0], 2);
}

TEST(LanguageModelFileTest, WhatCannotBeOneModelIsRefusedWithItsField) {
  const std::pair<const char*, const char*> cases[] = {
      {", tied_embeddings: maybe}", "models[0].tied_embeddings: must be true or false"},
      {", native: fp3}", "models[0].native: must be bf16"},
      {", window_layers: 2}", "models[0].window_tokens: window_layers and window_tokens stand"},
      {", window_layers: 9, window_tokens: 1}", "models[0].window_layers: must be at most layers"},
      {", formats: [{quantization: fp8, whole_layers: 5}]}",
       "models[0].formats[0].whole_layers: must be at most the model's layers"},
      {", formats: [{quantization: fp8, part: head}]}", "models[0].formats[0].part: must be ffn"},
      {", wings: 2}", "wings"}};
  for (const auto& [rest, wanted] : cases) {
    const Read read = ReadYaml(std::string(kModel) + rest + "\n");
    EXPECT_TRUE(read.file.models.empty()) << rest;
    EXPECT_NE(read.problems.find(wanted), std::string::npos) << read.problems;
  }
  const Read none = ReadYaml("models:\n  - {name: x}\n");
  EXPECT_NE(none.problems.find("models[0].layers: is missing"), std::string::npos) << none.problems;
}

TEST(LanguageModelFileTest, ReadsThroughputExactly) {
  const Read read = ReadRows("m,NVFP4,H100,2,2,1000,500,4205.125,s,2026-01-01,350.5,,p99\n");
  EXPECT_EQ(read.problems, "");
  ASSERT_EQ(read.file.throughputs.size(), 1U);
  const Throughput& row = read.file.throughputs[0];
  EXPECT_EQ(row.precision, "fp4");
  EXPECT_EQ(row.milli_tokens_per_second, 4'205'125);
  EXPECT_EQ(row.ttft_us, 350'500);
  EXPECT_EQ(row.tpot_us, 0);
}

TEST(LanguageModelFileTest, RefusedMeasurementsNameTheColumn) {
  const std::pair<const char*, const char*> cases[] = {
      {"m,fp8,H100,1,1,10,10,0,s,2026-01-01,,,\n", "output_tokens_per_second: must be a positive"},
      {"m,fp8,H100,1,2,10,10,5,s,2026-01-01,,,\n", "tensor_parallel: must be at most gpus"},
      {"m,fp8,H100,1,1,10,10,5,s,2026-01-01,5,,\n", "latency_of: must say"},
      {"m,q5,H100,1,1,10,10,5,s,2026-01-01,,,\n", "precision: must be"},
      {"m,fp8,H100,1,1,1.5,10,5,s,2026-01-01,,,\n", "input_tokens: must be a whole number"},
      {"m,fp8,H100,1,1,10,10,5,,someday,,,\n", "as_of: must be a date"}};
  for (const auto& [row, wanted] : cases) {
    const Read read = ReadRows(row);
    EXPECT_TRUE(read.file.throughputs.empty()) << row;
    EXPECT_NE(read.problems.find(wanted), std::string::npos) << read.problems;
  }
}

// Dense models: embedding, head, attention, feed-forward. What is left is norms and biases.
TEST(LanguageModelFileTest, BuiltInDenseModelsHaveTheParametersOfTheirShape) {
  const Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog.has_value()) << catalog.error().message;
  std::size_t dense = 0;
  for (const LanguageModel& model : catalog->models()) {
    if (model.note.find("experts") != std::string::npos || model.kv_latent > 0 ||
        model.name == "llama-4-maverick") {
      continue;
    }
    const std::int64_t embedding =
        model.vocabulary * model.hidden * (model.tied_embeddings ? 1 : 2);
    const std::int64_t attention =
        2 * model.hidden * model.head_dim * (model.heads + model.kv_heads);
    const std::int64_t counted =
        embedding + model.layers * (attention + 3 * model.hidden * model.ffn);
    EXPECT_LE(counted, model.parameters) << model.name;
    EXPECT_LT(model.parameters - counted, model.parameters / 2'000) << model.name;
    ++dense;
  }
  EXPECT_GE(dense, 16U);
}

TEST(LanguageModelFileTest, BuiltInMixturesHaveTheirPublishedTotals) {
  const Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog.has_value()) << catalog.error().message;
  const std::pair<const char*, std::int64_t> published[] = {{"mixtral-8x7b", 46'700},
                                                            {"qwen3-30b-a3b", 30'500},
                                                            {"qwen3-235b-a22b", 235'000},
                                                            {"deepseek-v3", 671'000},
                                                            {"llama-4-maverick", 400'000}};
  for (const auto& [name, millions] : published) {
    const LanguageModel* const model = catalog->FindModel(name);
    ASSERT_NE(model, nullptr) << name;
    EXPECT_NEAR(static_cast<double>(model->parameters) / 1e6, static_cast<double>(millions),
                static_cast<double>(millions) * 0.002)
        << name;
  }
}

TEST(LanguageModelFileTest, MeasurementsAreOfKnownModelsAndGpus) {
  const Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog.has_value()) << catalog.error().message;
  EXPECT_EQ(catalog->throughputs().size(), 212U);
  for (const Throughput& row : catalog->throughputs()) {
    EXPECT_NE(catalog->FindModel(row.model), nullptr) << row.model;
    EXPECT_NE(catalog->FindGpu(row.gpu), nullptr) << row.gpu;
    EXPECT_FALSE(row.source.empty());
  }
  EXPECT_EQ(catalog->FindModel("Meta-Llama-3.1-405B-Instruct-FP8"),
            catalog->FindModel("llama_3.1_405b"));
  const Result<Catalog> wrong = Catalog::Load(
      {{"t.csv", std::string(kHeader) + "m,fp8,Abacus,1,1,10,10,5,s,2026-01-01,,,\n"}});
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().message.find("'Abacus' is no GPU of the catalog"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
