#include "config/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace plimsoll {
namespace {

const std::vector<std::string> kWords{"sources", "time_zone", "token_file", "token_env", "db"};

TEST(SuggestTest, FindsTheWordBehindASlip) {
  EXPECT_EQ(NearestOf("source", kWords), "sources");
  EXPECT_EQ(NearestOf("soruces", kWords), "sources");
  EXPECT_EQ(NearestOf("timezone", kWords), "time_zone");
  EXPECT_EQ(NearestOf("Time-Zone", kWords), "time_zone");
  EXPECT_EQ(NearestOf("token_flie", kWords), "token_file");
}

TEST(SuggestTest, GivesNothingForAWordThatIsNotNear) {
  EXPECT_EQ(NearestOf("kubernetes", kWords), "");
  EXPECT_EQ(NearestOf("", kWords), "");
  EXPECT_EQ(NearestOf(std::string(100'000, 's'), kWords), "");
}

TEST(SuggestTest, TiesGoToTheEarlierWord) {
  EXPECT_EQ(NearestOf("bat", std::vector<std::string>{"cat", "hat"}), "cat");
}

TEST(SuggestTest, TheSentencePartIsEmptyWithoutASuggestion) {
  EXPECT_EQ(DidYouMean("dbb", kWords), "; did you mean 'db'?");
  EXPECT_EQ(DidYouMean("zzzzzz", kWords), "");
}

}  // namespace
}  // namespace plimsoll
