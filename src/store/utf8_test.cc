#include "store/utf8.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Utf8Test, AcceptsEveryWellFormedLengthAndNul) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("plain ascii of more than eight bytes"));
  EXPECT_TRUE(IsUtf8(std::string_view("a\0b", 3)));
  EXPECT_TRUE(IsUtf8("12345678\xC3\xA9"));      // U+00E9 after a whole word
  EXPECT_TRUE(IsUtf8("\xE2\x82\xAC"));          // U+20AC
  EXPECT_TRUE(IsUtf8("\xF0\x9F\x98\x80 end"));  // U+1F600
  EXPECT_TRUE(IsUtf8("\xF4\x8F\xBF\xBF"));      // U+10FFFF
}

TEST(Utf8Test, RefusesCutOverlongSurrogateAndTooLarge) {
  EXPECT_FALSE(IsUtf8("\xFF"));
  EXPECT_FALSE(IsUtf8("\x80"));
  EXPECT_FALSE(IsUtf8("abc\xC3"));
  EXPECT_FALSE(IsUtf8("\xE2\x82"));
  EXPECT_FALSE(IsUtf8("\xF0\x9F\x98"));
  EXPECT_FALSE(IsUtf8("\xC0\xAF"));
  EXPECT_FALSE(IsUtf8("\xE0\x80\x80"));
  EXPECT_FALSE(IsUtf8("\xED\xA0\x80"));
  EXPECT_FALSE(IsUtf8("\xF0\x80\x80\x80"));
  EXPECT_FALSE(IsUtf8("\xF4\x90\x80\x80"));
}

TEST(Utf8Test, MendingKeepsGoodTextAndReplacesBadBytes) {
  EXPECT_EQ(ToUtf8("ok \xC3\xA9"), "ok \xC3\xA9");
  EXPECT_EQ(ToUtf8("cut \xE2\x82"), "cut \xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(ToUtf8("\xFF!"), "\xEF\xBF\xBD!");
}

TEST(Utf8Test, MendedTextIsAlwaysWellFormed) {
  std::uint64_t state = 7;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    state = state * 6364136223846793005U + 1442695040888963407U;
    for (std::uint64_t left = (state >> 33) % 12; left > 0; --left) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      bytes.push_back(static_cast<char>(state >> 56));
    }
    const std::string mended = ToUtf8(bytes);
    ASSERT_TRUE(IsUtf8(mended));
    if (IsUtf8(bytes)) {
      ASSERT_EQ(mended, bytes);
    }
  }
}

}  // namespace
}  // namespace plimsoll
