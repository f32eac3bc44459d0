#include "cli/text.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Lines = std::vector<std::string>;

TEST(TextTest, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(WidthOf("abc"), 3u);
  EXPECT_EQ(WidthOf("Zürich"), 6u);
  EXPECT_EQ(WidthOf("東京"), 4u);
  EXPECT_EQ(WidthOf("e\u0301"), 1u);
  EXPECT_EQ(WidthOf("a\xFF"), 2u);
}

TEST(TextTest, NothingPrintableCanSteerATerminal) {
  EXPECT_EQ(Printable("a\x1b[31mred\x07"), "a?[31mred?");
  EXPECT_EQ(Printable("two\nlines\t"), "two?lines?");
  EXPECT_EQ(PrintableLines("two\nlines\r\n"), "two\nlines?\n");
  EXPECT_EQ(Printable("\xC2\x9B"
                      "31m"),
            "?31m");  // C1 CSI
  EXPECT_EQ(Printable("x\u202Ey"), "x?y");
  EXPECT_EQ(Printable("ok Zürich"), "ok Zürich");
  EXPECT_EQ(Printable("\xC0\xAF\xED\xA0\x80\xF5"), "??????");
  EXPECT_EQ(Printable("cut \xE6\x9D"), "cut ??");
}

TEST(TextTest, ShortenNeverExceedsItsWidth) {
  EXPECT_EQ(Shorten("namespace", 9), "namespace");
  EXPECT_EQ(Shorten("namespace", 5), "name…");
  EXPECT_EQ(Shorten("東京都", 4), "東…");
  EXPECT_EQ(Shorten("abc", 1), "…");
  EXPECT_EQ(Shorten("abc", 0), "");
}

TEST(TextTest, WrapBreaksAtBlanksAndKeepsBreaks) {
  EXPECT_EQ(WrapText("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(WrapText("one\n\ntwo", 7), (Lines{"one", "", "two"}));
  EXPECT_EQ(WrapText("averylongword b", 5), (Lines{"averylongword", "b"}));
  EXPECT_EQ(WrapText("", 5), Lines{""});
}

TEST(TextTest, ThousandsAreGroupedBeforeThePointOnly) {
  EXPECT_EQ(GroupThousands("0"), "0");
  EXPECT_EQ(GroupThousands("123"), "123");
  EXPECT_EQ(GroupThousands("1234"), "1,234");
  EXPECT_EQ(GroupThousands("-1234567.123456789"), "-1,234,567.123456789");
}

}  // namespace
}  // namespace plimsoll
