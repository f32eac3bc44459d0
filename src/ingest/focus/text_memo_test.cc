#include "ingest/focus/text_memo.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(TextMemoTest, ComputesOnceWhileRemembered) {
  TextMemo<std::size_t> memo(16);
  int computed = 0;
  const auto length = [&](std::string_view text) {
    ++computed;
    return text.size();
  };
  EXPECT_EQ(memo.Get("abc", length), 3U);
  EXPECT_EQ(memo.Get("abc", length), 3U);
  EXPECT_EQ(computed, 1);
}

TEST(TextMemoTest, TextsOnOneSlotReplaceEachOther) {
  TextMemo<std::size_t> memo(1);
  const auto length = [](std::string_view text) { return text.size(); };
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(memo.Get("", length), 0U);
    EXPECT_EQ(memo.Get("abc", length), 3U);
    EXPECT_EQ(memo.Get("ab", length), 2U);
  }
}

}  // namespace
}  // namespace plimsoll
