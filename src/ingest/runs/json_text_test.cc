#include "ingest/runs/json_text.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace plimsoll {
namespace {

JsonText Parsed(const std::string& text) {
  JsonText value;
  JsonFault fault;
  EXPECT_TRUE(ParseJsonText(text, value, fault)) << text << ": " << fault.reason;
  return value;
}

JsonFault Fault(const std::string& text) {
  JsonText value;
  JsonFault fault;
  EXPECT_FALSE(ParseJsonText(text, value, fault)) << text;
  return fault;
}

TEST(JsonTextTest, NumbersStayAsTheyAreWritten) {
  const JsonText value = Parsed(R"({"a": 0.10, "b": [1e-05, -3], "c": NaN, "d": -Infinity})");
  EXPECT_EQ(value.Find("a")->text, "0.10");
  EXPECT_EQ(value.Find("b")->items[0].text, "1e-05");
  EXPECT_EQ(value.Find("b")->items[1].text, "-3");
  EXPECT_EQ(value.Find("c")->kind, JsonKind::kNumber);
  EXPECT_EQ(value.Find("d")->text, "-Infinity");
  EXPECT_EQ(value.Find("e"), nullptr);
}

TEST(JsonTextTest, EveryKindOfValueIsTold) {
  const JsonText value = Parsed(" [null, true, false, \"\", {}, []] ");
  ASSERT_EQ(value.items.size(), 6U);
  EXPECT_EQ(value.items[0].kind, JsonKind::kNull);
  EXPECT_EQ(value.items[1].text, "true");
  EXPECT_EQ(value.items[2].kind, JsonKind::kBool);
  EXPECT_EQ(value.items[3].kind, JsonKind::kString);
  EXPECT_EQ(value.items[4].kind, JsonKind::kObject);
  EXPECT_EQ(value.items[5].kind, JsonKind::kArray);
}

TEST(JsonTextTest, EscapesBecomeTheirCharacters) {
  EXPECT_EQ(Parsed(R"("a\"\\\/\b\f\n\r\t")").text, "a\"\\/\b\f\n\r\t");
  EXPECT_EQ(Parsed(R"("\u0041\u00e9\u20ac\ud83d\ude00")").text,
            "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(Parsed(R"("\ud83dx\ude00\ud83d\u0041")").text,
            "\xEF\xBF\xBDx\xEF\xBF\xBD\xEF\xBF\xBD"
            "A");
}

TEST(JsonTextTest, OfANameThatIsWrittenTwiceTheLastCounts) {
  EXPECT_EQ(Parsed(R"({"a": 1, "a": 2})").Find("a")->text, "2");
}

TEST(JsonTextTest, EveryPrefixOfAnObjectIsCut) {
  const std::string text = R"({"kind":"step","n":[1,{"b":"\u00e9\n"}],"at":12,"ok":true})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_TRUE(Fault(text.substr(0, size)).cut) << text.substr(0, size);
  }
  Parsed(text);
}

TEST(JsonTextTest, WhatIsWrongInsideIsNotCut) {
  for (const char* text :
       {"{a:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1 2]", "{} {}", "\"\\x\"", "\"\\u00zz\"",
        "[tru]", "[1x]", "[--]", "broken", "[1, tru3", "nul l", "\"a\nb\"", "\"\xFF\""}) {
    const JsonFault fault = Fault(text);
    EXPECT_FALSE(fault.cut) << text;
    EXPECT_NE(fault.reason, "") << text;
  }
  EXPECT_EQ(Fault("[1, 2x]").offset, 4U);
}

TEST(JsonTextTest, NestingIsBounded) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  Parsed(nested(kNestingMax));
  EXPECT_NE(Fault(nested(kNestingMax + 1)).reason.find("deep"), std::string::npos);
  EXPECT_FALSE(Fault(std::string(1'000'000, '[')).cut);
}

}  // namespace
}  // namespace plimsoll
