#include "catalog/provider.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(ProviderTest, BillNamesAndNodeIdsMeetInOneName) {
  EXPECT_EQ(CanonicalProvider("Amazon Web Services"), "aws");
  EXPECT_EQ(CanonicalProvider("AWS"), "aws");
  EXPECT_EQ(CanonicalProvider("gce"), "gcp");
  EXPECT_EQ(CanonicalProvider("Google Cloud"), "gcp");
  EXPECT_EQ(CanonicalProvider("Microsoft"), "azure");
  EXPECT_EQ(CanonicalProvider("On-Premises"), "on-prem");
}

TEST(ProviderTest, UnknownNamesKeepTheirIdentity) {
  EXPECT_EQ(CanonicalProvider("Lambda Labs"), "lambda-labs");
  EXPECT_EQ(CanonicalProvider(""), "");
}

TEST(ProviderTest, IsIdempotent) {
  for (const char* name : {"Amazon Web Services", "gce", "Lambda Labs", "On-Premises", "azure"}) {
    const std::string once = CanonicalProvider(name);
    EXPECT_EQ(CanonicalProvider(once), once);
  }
}

TEST(ProviderTest, RegionLosesCaseAndSpaces) {
  EXPECT_EQ(CanonicalRegion("East US"), "eastus");
  EXPECT_EQ(CanonicalRegion("us-east-1"), "us-east-1");
}

}  // namespace
}  // namespace plimsoll
