#include "allocation/text_ids.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(TextIdsTest, TheSameTextHasTheSameId) {
  TextIds ids;
  EXPECT_EQ(ids.Of("a"), 0);
  EXPECT_EQ(ids.Of("b"), 1);
  EXPECT_EQ(ids.Of("a"), 0);
  EXPECT_EQ(ids.TextOf(1), "b");
  EXPECT_EQ(ids.Find("c"), -1);
}

TEST(TextIdsTest, FieldsDoNotRunIntoEachOther) {
  TextIds ids;
  EXPECT_EQ(ids.OfFields({"ab", "c"}), 0);
  EXPECT_EQ(ids.OfFields({"a", "bc"}), 1);
  EXPECT_EQ(ids.FindFields({"ab", "c"}), 0);
}

TEST(TextIdsTest, IdsSurviveGrowth) {
  TextIds ids;
  for (int i = 0; i < 10'000; ++i) EXPECT_EQ(ids.Of(std::to_string(i)), i);
  for (int i = 0; i < 10'000; ++i) EXPECT_EQ(ids.Find(std::to_string(i)), i);
}

}  // namespace
}  // namespace plimsoll
