#include "cli/version.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace plimsoll {
namespace {

TEST(VersionTest, IsThreeNumbers) {
  const std::string version = Version();
  EXPECT_EQ(std::count(version.begin(), version.end(), '.'), 2) << version;
  EXPECT_EQ(version.find_first_not_of("0123456789."), std::string::npos) << version;
}

}  // namespace
}  // namespace plimsoll
