#include "report/ask.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(AskTest, PercentHasOneDecimalRoundedHalfAwayFromZero) {
  EXPECT_EQ(PercentOf(1, 3), "33.3");
  EXPECT_EQ(PercentOf(2, 3), "66.7");
  EXPECT_EQ(PercentOf(1, 2'000), "0.1");
  EXPECT_EQ(PercentOf(-1, 2'000), "-0.1");
  EXPECT_EQ(PercentOf(0, 5), "0.0");
}

TEST(AskTest, AShareOfNothingIsNoData) {
  EXPECT_EQ(PercentOf(1, 0), std::nullopt);
  EXPECT_EQ(PercentOf(1, -5), std::nullopt);
}

TEST(AskTest, FiltersAreJoinedAndNeverBroken) {
  EXPECT_EQ(And("", Is("team", "nlp")), "team:\"nlp\"");
  EXPECT_EQ(And(Is("team", "nlp"), Is("class", "used")), "team:\"nlp\"+class:\"used\"");
  EXPECT_EQ(Is("workload", "a\"b"), "");
}

}  // namespace
}  // namespace plimsoll
