#include "purchase/sku/sku_price.h"

#include <gtest/gtest.h>

#include "purchase/sku/test_skus.h"

namespace plimsoll {
namespace {

constexpr const char* kGpus =
    "gpus:\n  - {name: G, vendor: nvidia, memory_mib: 81920}\n"
    "  - {name: H, vendor: nvidia, memory_mib: 81920}\n";
constexpr const char* kShapes =
    "provider,instance_type,gpu_model,gpu_count,vcpu,memory_gib,source,as_of\n"
    "aws,eight,G,8,96,1024,s,2026-01-01\n"
    "aws,two,G,2,24,256,s,2026-01-01\n"
    "aws,bare,G,1,0,0,s,2026-01-01\n"
    "gcp,other,G,8,96,1024,s,2026-01-01\n"
    "aws,part,H,1/8,4,8,s,2026-01-01\n";
constexpr const char* kPrices =
    "provider,region,instance_type,purchase,currency,amount,per,valid_from,valid_until,source,"
    "as_of\n"
    "aws,us-east-1,eight,on-demand,USD,16,hour,,,s,2026-01-01\n"
    "aws,us-east-1,eight,reserved-1y,USD,12,hour,,,s,2026-01-01\n"
    "aws,us-east-1,eight,reserved-3y,USD,8,hour,,,s,2026-01-01\n"
    "aws,us-east-1,eight,spot,USD,4,hour,,,s,2026-01-01\n"
    "aws,eu-west-1,eight,on-demand,USD,20,hour,,,s,2026-01-01\n"
    "aws,us-east-1,two,on-demand,USD,6,hour,,,s,2026-01-01\n"
    "aws,us-east-1,bare,on-demand,USD,0.01,hour,,,s,2026-01-01\n"
    "aws,us-east-1,part,on-demand,USD,1,hour,,,s,2026-01-01\n"
    "gcp,us-central1,other,on-demand,EUR,1,hour,,,s,2026-01-01\n"
    "gcp,us-central1,other,on-demand,USD,24,hour,,,s,2026-01-01\n";

class SkuPriceTest : public ::testing::Test {
 protected:
  SkuPriceTest()
      : catalog_(*Catalog::Load({{"g.yaml", kGpus}, {"s.csv", kShapes}, {"p.csv", kPrices}})) {
    options_.at = *ParseInstant("2026-12-01");
  }

  std::optional<SkuPrice> Of(ParallelLayout layout, const char* gpu = "G") const {
    return SkuPrices(catalog_, {&catalog_.prices()}, options_)
        .Cheapest(*catalog_.FindGpu(gpu), layout);
  }

  Catalog catalog_;
  SkuPriceOptions options_;
};

TEST_F(SkuPriceTest, ReplicasShareTheCheapestInstance) {
  const auto one = Of({1, 1});
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->instance_type, "eight");
  EXPECT_EQ(one->replicas_per_instance, 8);
  EXPECT_EQ(one->on_demand, Money::Units(2));
  EXPECT_EQ(one->reserved, Money::Units(1));
  EXPECT_EQ(one->reserved_term, "reserved-3y");
  EXPECT_EQ(*one->spot, *Money::Parse("0.5"));
}

TEST_F(SkuPriceTest, GpusThatAreLeftOverArePaid) {
  // Three stages of two GPUs: one instance of eight carries one replica, for 16; three
  // instances of two cost 18.
  const auto price = Of({2, 3});
  ASSERT_TRUE(price.has_value());
  EXPECT_EQ(price->instance_type, "eight");
  EXPECT_EQ(price->on_demand, Money::Units(16));
  const auto nodes = Of({8, 2});
  ASSERT_TRUE(nodes.has_value());
  EXPECT_EQ(nodes->instances, 2);
  EXPECT_EQ(nodes->on_demand, Money::Units(32));
}

TEST_F(SkuPriceTest, RegionProviderAndCurrencyAreKept) {
  options_.region = "EU-West-1";
  EXPECT_EQ(Of({8, 1})->on_demand, Money::Units(20));
  EXPECT_FALSE(Of({8, 1})->spot.has_value());
  options_.region = "";
  options_.provider = "Google Cloud";
  EXPECT_EQ(Of({8, 1})->on_demand, Money::Units(24));
  options_.currency = "EUR";
  EXPECT_EQ(Of({8, 1})->on_demand, Money::Units(1));
  options_.provider = "azure";
  EXPECT_FALSE(Of({8, 1}).has_value());
}

TEST_F(SkuPriceTest, PartsOfCardsAndCardsWithoutHostAreNoOffers) {
  EXPECT_FALSE(Of({1, 1}, "H").has_value());
}

TEST_F(SkuPriceTest, AnOwnPriceGoesBefore) {
  options_.gpu_price["G"] = *Money::Parse("1.25");
  const auto price = Of({8, 2});
  ASSERT_TRUE(price.has_value());
  EXPECT_EQ(price->provider, "own");
  EXPECT_EQ(price->on_demand, Money::Units(20));
}

TEST_F(SkuPriceTest, AShareIsNeverLessThanWhatIsPaid) {
  // 20 an hour for 8: two and a half, exact; 16 for 3 replicas of 2 would not be, so it rounds up.
  PriceBatch batch = catalog_.prices();
  const auto share = Of({2, 1});
  ASSERT_TRUE(share.has_value());
  EXPECT_EQ(share->on_demand, Money::Units(4));
  options_.region = "us-east-1";
  const auto third = Of({1, 3});
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ(third->replicas_per_instance, 2);
  EXPECT_GE(third->on_demand->nanos() * 2, Money::Units(16).nanos());
}

}  // namespace
}  // namespace plimsoll
