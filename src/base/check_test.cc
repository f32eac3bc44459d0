#include "base/check.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(CheckTest, HoldsInEveryBuildAndNamesTheCondition) {
  PLIMSOLL_CHECK(1 + 1 == 2);
  EXPECT_DEATH(PLIMSOLL_CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: check failed: 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace plimsoll
