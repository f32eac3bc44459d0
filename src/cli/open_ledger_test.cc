#include "cli/open_ledger.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(OpenLedgerTest, KeysAreSplitAtCommasWithoutBlanks) {
  EXPECT_EQ(SplitKeys("team, class"), (std::vector<std::string>{"team", "class"}));
  EXPECT_EQ(SplitKeys(",team,"), (std::vector<std::string>{"team"}));
  EXPECT_TRUE(SplitKeys("").empty());
}

}  // namespace
}  // namespace plimsoll
