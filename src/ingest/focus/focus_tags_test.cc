#include "ingest/focus/focus_tags.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string TagsOf(const std::string& text) {
  const NormalisedTags tags = NormaliseTags(text);
  return tags.defect.empty() ? tags.json : "defect: " + tags.defect;
}

TEST(NormaliseTagsTest, SortsKeysAndDropsBlanks) {
  EXPECT_EQ(TagsOf(R"({"b": "2", "a": "1"})"), R"({"a":"1","b":"2"})");
  EXPECT_EQ(TagsOf(R"( { "B" : "2" , "a" : "x y" } )"), R"({"B":"2","a":"x y"})");
}

TEST(NormaliseTagsTest, NoTagsAreAnEmptyObject) {
  for (const char* text : {"", "{}", " {} ", "{ }", R"({"a":null})"}) {
    EXPECT_EQ(TagsOf(text), "{}") << text;
  }
}

TEST(NormaliseTagsTest, ScalarsBecomeTextsAsWritten) {
  EXPECT_EQ(TagsOf(R"({"gpu":true,"x":false,"n":12,"m":-3,"f":1.50,"e":"1e3"})"),
            R"({"e":"1e3","f":"1.50","gpu":"true","m":"-3","n":"12","x":"false"})");
}

TEST(NormaliseTagsTest, NullLeavesItsKeyUnset) {
  EXPECT_EQ(TagsOf(R"({"team":null,"env":"dev"})"), R"({"env":"dev"})");
}

TEST(NormaliseTagsTest, TextNullIsAText) {
  EXPECT_EQ(TagsOf(R"({"team":"NULL"})"), R"({"team":"NULL"})");
}

TEST(NormaliseTagsTest, MissingBracesAreAdded) {
  EXPECT_EQ(TagsOf(R"("b":"1","a":"2")"), R"({"a":"2","b":"1"})");
}

TEST(NormaliseTagsTest, EscapesAreKeptInTheirShortestForm) {
  EXPECT_EQ(TagsOf(R"({"p":"a\/b","q":"\u00e9\"\\"})"),
            "{\"p\":\"a/b\",\"q\":\"\xC3\xA9\\\"\\\\\"}");
}

TEST(NormaliseTagsTest, WhatFocusForbidsIsADefectAndLeavesNoTags) {
  EXPECT_EQ(TagsOf(R"({"a":"1","a":"2"})"), "defect: key 'a' is given twice");
  EXPECT_EQ(TagsOf(R"({"a":1,"a":null})"), "defect: key 'a' is given twice");
  EXPECT_EQ(TagsOf(R"({"a":{"b":"c"}})"),
            "defect: a value is an object; tags are texts, numbers or true");
  EXPECT_EQ(TagsOf(R"({"a":["b"]})"), "defect: a value is a list; tags are texts, numbers or true");
  for (const char* text : {R"({"a":"1"}:)", R"({"a":"1")", "a=1", "[]", "1", "true", "null",
                           "\"x\"", "{\"a\":\"\n\"}", R"({"a":"1",})", R"({"a" "1"})"}) {
    EXPECT_EQ(TagsOf(text).substr(0, 8), "defect: ") << text;
    EXPECT_EQ(NormaliseTags(text).json, "{}") << text;
  }
}

TEST(InstanceTypeOfTest, ReadsFocusAndAzureNames) {
  EXPECT_EQ(InstanceTypeOf(R"({"InstanceType":"p5.48xlarge","GpuCount":8})"), "p5.48xlarge");
  EXPECT_EQ(InstanceTypeOf(R"({"ServiceType":"Standard_ND96isr_H100_v5","x":{"y":[1]}})"),
            "Standard_ND96isr_H100_v5");
  for (const char* text : {"", "{}", "[]", "not json", R"({"InstanceType":5})"}) {
    EXPECT_EQ(InstanceTypeOf(text), "") << text;
  }
}

TEST(InstanceTypeOfTest, DeepNestingIsNoCrash) {
  std::string deep = R"({"InstanceType":"a","x":)";
  for (int i = 0; i < 100'000; ++i) deep += "[";
  EXPECT_EQ(InstanceTypeOf(deep), "");
}

}  // namespace
}  // namespace plimsoll
