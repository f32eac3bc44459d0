#include "ingest/requests/json_value.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(JsonValueTest, NumbersKeepEveryDigit) {
  const Result<JsonValue> value = ParseJson(R"({"t": 1787267980.08274031234, "n": -1.5e-3})");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(value->Find("t")->Scalar(), "1787267980.08274031234");
  EXPECT_EQ(value->Find("n")->Scalar(), "-1.5e-3");
}

TEST(JsonValueTest, PythonsNumbersThatAreNoneAreNull) {
  const Result<JsonValue> value = ParseJson(R"({"a": NaN, "b": Infinity, "c": -Infinity, "d": 1})");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(value->Find("a"), nullptr);
  EXPECT_EQ(value->Find("b"), nullptr);
  EXPECT_EQ(value->Find("c"), nullptr);
  EXPECT_EQ(value->Find("d")->Scalar(), "1");
}

TEST(JsonValueTest, PathsGoIntoObjectsAndTextsThatAreJson) {
  const Result<JsonValue> value =
      ParseJson(R"({"m": {"u.v": {"n": 7}}, "s": "{\"u\": {\"n\": 8}}", "bad": "{oops"})");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(value->FindPath("m/u.v/n")->Scalar(), "7");
  EXPECT_EQ(value->FindPath("s/u/n")->Scalar(), "8");
  EXPECT_EQ(value->FindPath("m/none/n"), nullptr);
  EXPECT_EQ(value->FindPath("bad/n"), nullptr);
}

TEST(JsonValueTest, EscapesAreCharacters) {
  const Result<JsonValue> value = ParseJson(R"(["a\"\\\n\u00e9\ud83d\ude00", "\ud83d", true])");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(value->items[0].text, "a\"\\\n\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(value->items[1].text, "\xEF\xBF\xBD");
  EXPECT_EQ(value->items[2].Scalar(), "true");
}

TEST(JsonValueTest, CutShortIsToldFromBroken) {
  const char* cut[] = {"{", "{\"a", "{\"a\": ", "{\"a\": 1,", "[1, 2", "\"x\\", "tru", ""};
  for (const char* text : cut) {
    const Result<JsonValue> value = ParseJson(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code, ErrorCode::kOutOfRange) << text;
  }
  const char* broken[] = {"{a: 1}", "[1 2]", "{\"a\" 1}", "[1] x", "[tru]", "\"\\q\"", "[01x]"};
  for (const char* text : broken) {
    const Result<JsonValue> value = ParseJson(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code, ErrorCode::kBadData) << text;
  }
}

TEST(JsonValueTest, DepthIsLimitedAndValuesFollowEachOther) {
  EXPECT_FALSE(ParseJson(std::string(100'000, '[')));
  std::string_view two = " {\"a\": 1}\n[2] ";
  EXPECT_TRUE(TakeJson(two)->is_object());
  EXPECT_TRUE(TakeJson(two)->is_array());
  EXPECT_EQ(two, " ");
}

}  // namespace
}  // namespace plimsoll
