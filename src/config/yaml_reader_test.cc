#include "config/yaml_reader.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(YamlReaderTest, ErrorsComeByLineAndKeepTheirOrderWithinOne) {
  YamlErrors errors("f");
  YamlMap map(YAML::Load("a: 1\nb: 2\nc: 3\n"), "", errors);
  map.Fail("c", "third");
  map.Fail("a", "first");
  map.Fail("a", "second");
  EXPECT_EQ(errors.Joined(), "f:1: a: first\nf:1: a: second\nf:3: c: third");
}

TEST(YamlReaderTest, AbsentAndNullKeysLeaveTheDefault) {
  YamlErrors errors("f");
  YamlMap map(YAML::Load("a:\nb: ~\n"), "", errors);
  std::string a = "x", b = "y", c = "z";
  map.Text("a", &a);
  map.Text("b", &b);
  map.Text("c", &c);
  map.Finish();
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(a + b + c, "xyz");
}

TEST(YamlReaderTest, UnknownKeysAreFoundAtEveryDepth) {
  YamlErrors errors("f");
  YamlMap map(YAML::Load("top:\n  list:\n    - {good: 1, goood: 2}\nother: 1\n"), "", errors);
  map.Map("top", [](YamlMap& top) { top.Maps("list", [](YamlMap& item) { item.Has("good"); }); });
  map.Finish();
  EXPECT_EQ(errors.Joined(),
            "f:3: top.list[0].goood: is not a known key; did you mean 'good'?\n"
            "f:4: other: is not a known key; known are top");
}

TEST(YamlReaderTest, OneValueStandsForAListOfOne) {
  YamlErrors errors("f");
  YamlMap map(YAML::Load("files: a.csv\n"), "", errors);
  std::vector<std::string> files;
  map.Texts("files", &files);
  EXPECT_EQ(files, std::vector<std::string>{"a.csv"});
}

}  // namespace
}  // namespace plimsoll
