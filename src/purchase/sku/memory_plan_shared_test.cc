// Memory of models against the checked values of public configurations.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "catalog/csv.h"
#include "purchase/sku/memory_plan.h"
#include "purchase/sku/test_skus.h"

namespace plimsoll {
namespace {

std::filesystem::path SharedSku() {
  const char* const shared = std::getenv("PLIMSOLL_SHARED");
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  const std::filesystem::path base =
      shared != nullptr ? shared
                        : std::filesystem::path(root != nullptr ? root : ".") / "../shared";
  return base / "data" / "sku";
}

TEST(MemoryPlanSharedTest, EveryModelHasTheCheckedSizes) {
  const std::filesystem::path path = SharedSku() / "llm_memory.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data in " << path;
  std::ifstream in(path);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const CsvTable table = ReadCsv(text);
  ASSERT_EQ(table.records.size(), 6U);
  for (const CsvRecord& row : table.records) {
    std::string name(table.Field(row, "model"));
    if (name == "Llama-3.x-70B") name = "llama-3.3-70b";
    const LanguageModel* const model = BuiltinCatalog().FindModel(name);
    ASSERT_NE(model, nullptr) << name;
    const auto number = [&](const char* column) {
      return std::stoll(std::string(table.Field(row, column)));
    };
    EXPECT_EQ(model->parameters, number("params")) << name;
    EXPECT_EQ(model->layers, number("layers")) << name;
    EXPECT_EQ(model->hidden, number("hidden")) << name;
    EXPECT_EQ(model->heads, number("heads")) << name;
    EXPECT_EQ(model->ffn, number("ffn")) << name;
    EXPECT_EQ(model->vocabulary, number("vocab")) << name;
    EXPECT_EQ(WeightBytes(*model, "bf16"), number("bf16_weights_bytes")) << name;
    EXPECT_EQ(KvBytesPerToken(*model, 16), number("kv_bytes_per_token_bf16")) << name;
    EXPECT_EQ(KvBytesPerToken(*model, 8), number("kv_bytes_per_token_fp8")) << name;
    // The table quantizes every parameter; a checkpoint keeps at least embedding and head.
    const std::int64_t ends = 2 * model->vocabulary * model->hidden;
    EXPECT_GE(WeightBytes(*model, "fp8"), number("fp8_weights_bytes") + ends) << name;
    EXPECT_GT(WeightBytes(*model, "int4"), number("int4_weights_bytes")) << name;
    if (model->formats.empty()) {
      EXPECT_EQ(WeightBytes(*model, "fp8"), number("fp8_weights_bytes") + ends) << name;
    }
  }
}

TEST(MemoryPlanSharedTest, EveryMeasurementOfTheTableIsInTheCatalog) {
  const std::filesystem::path path = SharedSku() / "trtllm_v1.0_perf_overview.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data in " << path;
  std::ifstream in(path);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const CsvTable table = ReadCsv(text);
  std::int64_t found = 0;
  for (const CsvRecord& row : table.records) {
    const auto number = [&](const char* column) {
      return std::stoll(std::string(table.Field(row, column)));
    };
    const GpuModel* const gpu = BuiltinCatalog().FindGpu(table.Field(row, "gpu"));
    const LanguageModel* const model = BuiltinCatalog().FindModel(table.Field(row, "model"));
    ASSERT_TRUE(gpu != nullptr && model != nullptr) << row.raw;
    for (const Throughput& measured : BuiltinCatalog().throughputs()) {
      found +=
          measured.model == model->name && measured.gpu == gpu->name &&
                  measured.gpus == number("num_gpus") && measured.input_tokens == number("isl") &&
                  measured.output_tokens == number("osl") &&
                  measured.milli_tokens_per_second == number("total_output_tokens_per_s") * 1'000
              ? 1
              : 0;
    }
  }
  EXPECT_EQ(found, static_cast<std::int64_t>(table.records.size()));
}

}  // namespace
}  // namespace plimsoll
