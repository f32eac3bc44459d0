#include "ingest/prices/price_formats.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(PriceFormatsTest, EachKindIsKnownByItsContent) {
  EXPECT_EQ(DetectPriceFormat("# name: x\n\ninstance_type,amount\n"), PriceFormat::kCsv);
  EXPECT_EQ(DetectPriceFormat("\xEF\xBB\xBFprovider,instance_type,amount\n"), PriceFormat::kCsv);
  EXPECT_EQ(DetectPriceFormat("currency: USD\n"), PriceFormat::kYaml);
  EXPECT_EQ(DetectPriceFormat("---\nprices: []\n"), PriceFormat::kYaml);
  EXPECT_EQ(DetectPriceFormat(" {\"SpotPriceHistory\": []}"), PriceFormat::kAwsSpotHistory);
  EXPECT_EQ(DetectPriceFormat("EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,"
                              "InstanceType,MarketPriceHourly,Version\n"),
            PriceFormat::kOpenCost);
  EXPECT_EQ(DetectPriceFormat("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,"
                              "GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n"),
            PriceFormat::kSkyPilot);
}

TEST(PriceFormatsTest, OtherTextsAreNoPriceFiles) {
  EXPECT_EQ(DetectPriceFormat(""), std::nullopt);
  EXPECT_EQ(DetectPriceFormat("# only a comment\n"), std::nullopt);
  EXPECT_EQ(DetectPriceFormat("JobID|Account|Elapsed\n"), std::nullopt);
}

}  // namespace
}  // namespace plimsoll
