#include <gtest/gtest.h>

#include "ingest/prices/price_formats.h"

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,"
    "Version\n";

ForeignPrices Read(const std::string& rows) {
  PriceDefaults defaults;
  defaults.provider = "hetzner";
  defaults.currency = "EUR";
  return ReadOpenCost("pricing.csv", kHeader + rows, defaults);
}

TEST(OpenCostPricesTest, NodeRowsMatchedByTypeBecomeContractedPrices) {
  const ForeignPrices read = Read(
      "2019-04-17 23:34:22 UTC,i-1,us-east-1,node,spec.providerID,t3.medium,0.0416,v1\n"
      ",ml.g6.12xlarge,us-east-1,node,metadata.labels.node.kubernetes.io/instance-type,,"
      "13.9860,v1\n"
      ",worker-a,,node,metadata.name,,0.24,\n");
  ASSERT_TRUE(read.file.rejections.empty()) << ToText(read.file.rejections[0]);
  const PriceBatch& prices = read.file.prices;
  ASSERT_EQ(RowsOf(prices), 3U);
  EXPECT_EQ(prices.instance_type[2], "worker-a");
  EXPECT_EQ(prices.instance_type[1], "ml.g6.12xlarge");
  EXPECT_EQ(prices.amount[1], *Money::Parse("13.986"));
  EXPECT_EQ(prices.as_of[0], "2019-04-17");
  EXPECT_EQ(prices.valid_until[0], std::nullopt);
  EXPECT_EQ(prices.provider[0], "hetzner");
  EXPECT_EQ(prices.rung[0], kRungContracted);
}

TEST(OpenCostPricesTest, RowsThatPlimsollCannotUseSayWhy) {
  const ForeignPrices read = Read(
      ",Quadro_RTX_4000,,gpu,nvidia.com/gpu_type,,0.75,\n"
      ",hcloud-volumes,,pv,spec.storageClassName,,0.0000783562,v1\n"
      ",hcloud://1,,node,spec.providerID,,0.24,\n"
      ",x,,node,metadata.name,t3,0,\n"
      "short\n");
  EXPECT_EQ(RowsOf(read.file.prices), 0U);
  std::vector<std::string> fields;
  for (const Rejection& rejection : read.file.rejections) fields.push_back(rejection.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"", "AssetClass", "AssetClass", "InstanceType",
                                              "MarketPriceHourly"}));
}

}  // namespace
}  // namespace plimsoll
