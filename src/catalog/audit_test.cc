#include "catalog/audit.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kGpus = "gpus:\n  - {name: A, vendor: nvidia, memory_mib: 1024}\n";
constexpr const char* kShapes =
    "provider,instance_type,gpu_model,gpu_count,vcpu,memory_gib,source,as_of\n"
    "aws,x,A,1,4,16,s,2026-01-01\n";

std::vector<std::string> FindingsOf(const std::string& rows) {
  const Result<Catalog> catalog =
      Catalog::Load({{"g.yaml", kGpus},
                     {"s.csv", kShapes},
                     {"p.csv", "provider,region,instance_type,purchase,currency,amount\n" + rows}});
  EXPECT_TRUE(catalog.has_value()) << catalog.error().message;
  return catalog.has_value() ? AuditCatalog(*catalog) : std::vector<std::string>{};
}

TEST(AuditTest, BuiltinCatalogHasNothingSuspicious) {
  const Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog.has_value()) << catalog.error().message;
  EXPECT_EQ(AuditCatalog(*catalog), std::vector<std::string>{});
}

TEST(AuditTest, EveryBuiltinPriceSaysWhereAndWhenItWasRead) {
  const Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog.has_value());
  const PriceBatch& prices = catalog->prices();
  for (std::size_t row = 0; row < RowsOf(prices); ++row) {
    EXPECT_NE(prices.source[row], "") << prices.instance_type[row];
    EXPECT_NE(prices.as_of[row], "") << prices.instance_type[row];
    EXPECT_EQ(prices.rung[row], kRungList) << prices.instance_type[row];
    EXPECT_NE(prices.region[row], "") << prices.instance_type[row];
  }
}

TEST(AuditTest, FindsAPriceOfAnUnknownShape) {
  EXPECT_EQ(FindingsOf("aws,r,y,on-demand,USD,1\n"),
            std::vector<std::string>{"aws y: has a price but no shape"});
}

TEST(AuditTest, FindsARegionWithTwoCurrencies) {
  EXPECT_EQ(FindingsOf("aws,r,x,on-demand,USD,1\naws,r,x,spot,CNY,1\n"),
            std::vector<std::string>{"aws r: has prices in CNY and USD"});
}

TEST(AuditTest, TenfoldJumpWithinACurrencyIsFoundAcrossCurrenciesNot) {
  EXPECT_EQ(FindingsOf("aws,r,x,on-demand,USD,1\naws,s,x,on-demand,USD,10\n").size(), 0U);
  EXPECT_EQ(FindingsOf("aws,r,x,on-demand,USD,1\naws,s,x,on-demand,CNY,11.8\n").size(), 0U);
  EXPECT_EQ(
      FindingsOf("aws,r,x,on-demand,USD,1\naws,s,x,on-demand,USD,10.01\n"),
      std::vector<std::string>{"aws s x on-demand: costs more than 10 times aws r x on-demand"});
}

}  // namespace
}  // namespace plimsoll
