#include "purchase/sku/sku_choice.h"

#include <gtest/gtest.h>

#include "purchase/sku/test_skus.h"

namespace plimsoll {
namespace {

class SkuChoiceTest : public ::testing::Test {
 protected:
  SkuChoiceTest() {
    options_.at = *ParseInstant("2026-12-01");
    for (const char* gpu : {"H100-SXM-80GB", "H200-SXM-141GB", "B200-180GB", "L4"}) {
      request_.gpus.push_back(&GpuOf(gpu));
    }
    options_.gpu_price = {{"H100-SXM-80GB", Money::Units(2)},
                          {"H200-SXM-141GB", Money::Units(3)},
                          {"B200-180GB", Money::Units(6)},
                          {"L4", Money::Units(1)}};
  }

  std::vector<SkuChoice> Choose(const std::string& model) const {
    const SkuPrices prices(BuiltinCatalog(), {&BuiltinCatalog().prices()}, options_);
    const auto choices = ChooseSkus(ModelOf(model), request_, BuiltinCatalog(), prices);
    EXPECT_TRUE(choices.has_value());
    return *choices;
  }

  static const SkuChoice* Find(const std::vector<SkuChoice>& choices, const std::string& gpu,
                               std::int64_t tensor) {
    for (const SkuChoice& choice : choices) {
      if (choice.gpu->name == gpu && choice.layout.tensor == tensor) return &choice;
    }
    return nullptr;
  }

  SkuRequest request_;
  SkuPriceOptions options_;
};

TEST_F(SkuChoiceTest, RanksByCostOfMeasuredTokens) {
  request_.demand = Demand("fp8", 2'048);
  const std::vector<SkuChoice> choices = Choose("llama-3.3-70b");
  ASSERT_GE(choices.size(), 4U);
  // $/Mtok: B200 6 x 0.03964 = 0.2379, H100 x 2 4 x 0.06606 = 0.2642, H200 3 x 0.09549.
  EXPECT_EQ(choices[0].gpu->name, "B200-180GB");
  EXPECT_TRUE(choices[0].precision_differs);
  EXPECT_EQ(choices[1].gpu->name, "H100-SXM-80GB");
  EXPECT_EQ(choices[1].on_demand, *Money::Parse("0.264235698"));
  EXPECT_EQ(choices[2].on_demand, *Money::Parse("0.286467285"));
  for (std::size_t i = 1; i < choices.size(); ++i) {
    EXPECT_GE(choices[i - 1].memory.feasible, choices[i].memory.feasible);
  }
  const SkuChoice* const l4 = Find(choices, "L4", 4);
  ASSERT_NE(l4, nullptr);
  EXPECT_EQ(l4->throughput, nullptr);
  EXPECT_FALSE(l4->on_demand.has_value());
}

TEST_F(SkuChoiceTest, TheSamePrecisionIsNoDataElsewhere) {
  request_.demand = Demand("fp8", 2'048);
  request_.same_precision = true;
  const std::vector<SkuChoice> choices = Choose("llama-3.3-70b");
  const SkuChoice* const b200 = Find(choices, "B200-180GB", 1);
  ASSERT_NE(b200, nullptr);
  EXPECT_EQ(b200->throughput, nullptr);
}

TEST_F(SkuChoiceTest, WhatDoesNotFitHasNoCost) {
  request_.demand = Demand("fp8", 131'072);
  const std::vector<SkuChoice> choices = Choose("llama-3.1-405b");
  const SkuChoice* const h100 = Find(choices, "H100-SXM-80GB", 8);
  ASSERT_NE(h100, nullptr);
  EXPECT_FALSE(h100->memory.feasible);
  EXPECT_NE(h100->throughput, nullptr);
  EXPECT_FALSE(h100->on_demand.has_value());
  const SkuChoice* const h200 = Find(choices, "H200-SXM-141GB", 8);
  ASSERT_NE(h200, nullptr);
  EXPECT_TRUE(h200->memory.feasible);
  EXPECT_EQ(h200->on_demand, *CostPerMillionTokens(Money::Units(24), {3'330'000}));
}

TEST_F(SkuChoiceTest, LengthsThatNobodyMeasuredAreNoData) {
  request_.demand = Demand("fp8", 2'048);
  request_.input_tokens = 1'001;
  for (const SkuChoice& choice : Choose("llama-3.3-70b")) {
    EXPECT_EQ(choice.throughput, nullptr);
    EXPECT_FALSE(choice.on_demand.has_value());
  }
}

TEST_F(SkuChoiceTest, ATargetIsMetOnlyByMeasurement) {
  request_.demand = Demand("fp8", 2'048);
  request_.tpot_us = 40'000;
  for (const SkuChoice& choice : Choose("llama-3.3-70b")) {
    EXPECT_EQ(choice.latency, LatencyVerdict::kNotKnown);
  }
}

TEST_F(SkuChoiceTest, MeasuredLatenciesDecideAndRank) {
  const std::string rows =
      "model,precision,gpu,gpus,tensor_parallel,input_tokens,output_tokens,"
      "output_tokens_per_second,source,as_of,tpot_ms,latency_of,engine\n"
      "llama-3.1-8b,fp8,L4,1,1,10,10,900,s,2026-01-01,50,p99,a\n"
      "llama-3.1-8b,fp8,L4,1,1,10,10,500,s,2026-01-01,30,p99,b\n"
      "llama-3.1-8b,fp8,B200-180GB,1,1,10,10,9000,s,2026-01-01,60,p99,a\n";
  std::vector<CatalogFile> files = BuiltinCatalogFiles();
  files.push_back({"own.csv", rows});
  const Result<Catalog> catalog = Catalog::Load(files);
  ASSERT_TRUE(catalog.has_value()) << catalog.error().message;
  request_.gpus = {catalog->FindGpu("L4"), catalog->FindGpu("B200-180GB")};
  request_.demand = Demand("fp8", 2'048);
  request_.input_tokens = request_.output_tokens = 10;
  request_.tpot_us = 40'000;
  const SkuPrices prices(*catalog, {&catalog->prices()}, options_);
  const auto choices = ChooseSkus(*catalog->FindModel("llama-3.1-8b"), request_, *catalog, prices);
  ASSERT_TRUE(choices.has_value());
  EXPECT_EQ((*choices)[0].gpu->name, "L4");
  EXPECT_EQ((*choices)[0].latency, LatencyVerdict::kMet);
  EXPECT_EQ((*choices)[0].throughput->engine, "b");  // slower, but within the target
  EXPECT_EQ((*choices)[1].latency, LatencyVerdict::kMissed);
  EXPECT_TRUE(Indifferences(*choices).empty());  // one GPU alone keeps the target
}

TEST_F(SkuChoiceTest, OwnMeasurementsGoBeforeTheCatalogs) {
  std::vector<CatalogFile> files = BuiltinCatalogFiles();
  files.push_back({"own.csv",
                   "model,precision,gpu,gpus,tensor_parallel,input_tokens,output_tokens,"
                   "output_tokens_per_second,source,as_of,engine\n"
                   "llama-3.3-70b,fp8,H100-SXM-80GB,2,2,1000,1000,3000,own,2026-01-01,vLLM\n"});
  const Result<Catalog> catalog = Catalog::Load(files);
  ASSERT_TRUE(catalog.has_value());
  request_.gpus = {catalog->FindGpu("H100-SXM-80GB")};
  request_.demand = Demand("fp8", 2'048);
  const SkuPrices prices(*catalog, {&catalog->prices()}, options_);
  const auto choices = ChooseSkus(*catalog->FindModel("llama-3.3-70b"), request_, *catalog, prices);
  ASSERT_TRUE(choices.has_value());
  EXPECT_EQ((*choices)[0].throughput->milli_tokens_per_second, 3'000'000);
}

TEST_F(SkuChoiceTest, IndifferenceIsTheRatioOfTokensAGpu) {
  request_.demand = Demand("fp8", 2'048);
  const std::vector<SkuChoice> choices = Choose("llama-3.3-70b");
  const std::vector<Indifference> pairs = Indifferences(choices);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].dearer->gpu->name, "B200-180GB");
  EXPECT_EQ(pairs[0].cheaper->gpu->name, "H200-SXM-141GB");
  EXPECT_EQ(pairs[0].break_even_nanos, 2'408'731'523);
  EXPECT_EQ(pairs[0].price_nanos, 2'000'000'000);
  EXPECT_EQ(pairs[1].break_even_nanos, 1'383'590'963);
}

TEST_F(SkuChoiceTest, AllShowsEveryNumberOfGpus) {
  request_.demand = Demand("fp8", 2'048);
  request_.all = true;
  EXPECT_EQ(Choose("llama-3.1-8b").size(), 16U);
  request_.tensor = 4;
  EXPECT_EQ(Choose("llama-3.1-8b").size(), 4U);
}

}  // namespace
}  // namespace plimsoll
