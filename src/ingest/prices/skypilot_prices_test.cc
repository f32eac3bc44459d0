#include <gtest/gtest.h>

#include "ingest/prices/price_formats.h"

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
    "AvailabilityZone\n";

const Catalog& TheCatalog() {
  static const Catalog catalog = *Catalog::Load(BuiltinCatalogFiles());
  return catalog;
}

ForeignPrices Read(const std::string& file, const std::string& rows,
                   const std::string& as_of = "2025-05-01") {
  PriceDefaults defaults;
  defaults.currency = "USD";
  defaults.as_of = as_of;
  return ReadSkyPilot(file, kHeader + rows, defaults, TheCatalog());
}

TEST(SkyPilotPricesTest, OnDemandIsRegionalSpotIsZonalAndBothStartAtTheFilesDate) {
  const ForeignPrices read =
      Read("catalogs/v7/aws/vms.csv",
           "p5.48xlarge,H100,8.0,192.0,2048.0,\"{'Gpus': [1, 2]}\",98.32,,us-east-1,use1-az1\n"
           "p5.48xlarge,H100,8.0,192.0,2048.0,,98.32,40.0976,us-east-1,use1-az6\n");
  ASSERT_TRUE(read.file.rejections.empty()) << ToText(read.file.rejections[0]);
  const PriceBatch& prices = read.file.prices;
  ASSERT_EQ(RowsOf(prices), 3U);
  EXPECT_EQ(prices.provider[0], "aws");
  EXPECT_EQ(prices.region, (std::vector<std::string>{"us-east-1", "us-east-1", "use1-az6"}));
  EXPECT_EQ(prices.purchase[2], "spot");
  EXPECT_EQ(prices.rung[2], kRungList);
  // Such a file outlives price cuts: it never prices what was used before it was fetched.
  EXPECT_EQ(prices.valid_from[0], *ParseInstant("2025-05-01"));
}

TEST(SkyPilotPricesTest, HostOnlyAndAcceleratorOnlyRowsAreRefused) {
  const ForeignPrices read =
      Read("catalogs/v7/gcp/vms.csv",
           "a2-highgpu-1g,,,12.0,85.0,,0.73948,0.29576,us-central1,us-central1-a\n"
           ",A100,1.0,,,,2.933905,0.880172,us-central1,us-central1-a\n"
           "n2-standard-4,,,4.0,16.0,,0.1942,,us-central1,us-central1-a\n");
  EXPECT_EQ(read.file.prices.instance_type, std::vector<std::string>{"n2-standard-4"});
  ASSERT_EQ(read.file.rejections.size(), 2U);
  EXPECT_EQ(read.file.rejections[0].field, "AcceleratorName");
  EXPECT_EQ(read.file.rejections[1].field, "InstanceType");
}

TEST(SkyPilotPricesTest, SpotThatIsNoCheaperIsSaid) {
  const ForeignPrices read =
      Read("catalogs/v7/aws/vms.csv",
           "p3.8xlarge,V100,4.0,32.0,244.0,,16.936,16.936000,ap-northeast-2,apne2-az3\n"
           "p3.8xlarge,V100,4.0,32.0,244.0,,16.936,1.6936,ap-northeast-2,apne2-az1\n");
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_NE(read.warnings[0].find("1 spot prices"), std::string::npos);
}

TEST(SkyPilotPricesTest, WithoutADateOrACloudNothingIsTaken) {
  const std::string row = "p3.8xlarge,V100,4.0,32.0,244.0,,16.936,,r,z\n";
  EXPECT_EQ(RowsOf(Read("catalogs/v7/aws/vms.csv", row, "").file.prices), 0U);
  EXPECT_EQ(Read("catalogs/v7/aws/vms.csv", row, "").file.rejections.size(), 1U);
  EXPECT_EQ(Read("prices.csv", row).file.rejections.size(), 1U);
}

TEST(SkyPilotPricesTest, ARowWithoutAnyPriceIsRefused) {
  EXPECT_EQ(Read("aws/vms.csv", "p3.8xlarge,V100,4.0,32.0,244.0,,,,r,z\n").file.rejections.size(),
            1U);
}

}  // namespace
}  // namespace plimsoll
