#include "catalog/yaml_fields.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

class YamlFieldsTest : public ::testing::Test {
 protected:
  YamlFields Fields(const std::string& text) {
    const std::optional<YAML::Node> node = ParseYaml("f.yaml", text, problems_);
    EXPECT_TRUE(node.has_value());
    return YamlFields(node.value_or(YAML::Node(YAML::NodeType::Map)), "f.yaml", "", problems_);
  }
  std::vector<Rejection> problems_;
};

TEST_F(YamlFieldsTest, TextStaysAsWritten) {
  YamlFields fields = Fields("a: 1.10\nb: ~\nc: '00123'\n");
  EXPECT_EQ(fields.Text("a"), "1.10");
  EXPECT_EQ(fields.Text("b"), "");
  EXPECT_EQ(fields.Text("c"), "00123");
  EXPECT_EQ(fields.Text("d"), "");
  fields.Finish();
  EXPECT_TRUE(problems_.empty());
}

TEST_F(YamlFieldsTest, NumbersAreExactOrRefused) {
  YamlFields fields = Fields("a: 1.25\nb: 1.2505\nc: -1\nd: 0.1\ne: 1e400\nf: 12\n");
  EXPECT_EQ(fields.Scaled("a", 1'000, 0), 1'250);
  EXPECT_EQ(fields.Scaled("b", 1'000, 7), 7);
  EXPECT_EQ(fields.Scaled("c", 1'000, 7), 7);
  EXPECT_EQ(fields.Amount("d"), *Money::Parse("0.1"));
  EXPECT_EQ(fields.Amount("e"), Money());
  EXPECT_EQ(fields.Integer("f", 0, 0), 12);
  EXPECT_EQ(fields.Integer("a", 0, 3), 3);
  EXPECT_EQ(fields.Integer("none", 0, 3), 3);
  ASSERT_EQ(problems_.size(), 4U);
  EXPECT_EQ(problems_[0].line, 2);
  EXPECT_EQ(problems_[0].field, "b");
}

TEST_F(YamlFieldsTest, UnknownAndDoubledKeysAreReported) {
  YamlFields fields = Fields("a: 1\nb: 2\na: 3\n");
  fields.Text("a");
  fields.Finish();
  ASSERT_EQ(problems_.size(), 2U);
  EXPECT_EQ(problems_[0].field, "b");
  EXPECT_EQ(problems_[1].reason, "is written twice");
}

TEST_F(YamlFieldsTest, ListsOfTheWrongKindAreReportedAndTheRestIsKept) {
  YamlFields fields = Fields("a: [1, x, 3]\nb: 1\nc: [{x: 1}, 2]\nd: [[1], y]\n");
  EXPECT_EQ(fields.Integers("a"), (std::vector<std::int64_t>{1, 3}));
  EXPECT_TRUE(fields.Texts("b").empty());
  EXPECT_EQ(fields.Maps("c").size(), 1U);
  EXPECT_EQ(fields.Texts("d"), std::vector<std::string>{"y"});
  EXPECT_EQ(problems_.size(), 4U);
}

TEST_F(YamlFieldsTest, DeepNestingIsAnErrorNotACrash) {
  std::vector<Rejection> problems;
  EXPECT_FALSE(ParseYaml("f.yaml", "a: " + std::string(100'000, '['), problems).has_value());
  EXPECT_EQ(problems.size(), 1U);
}

}  // namespace
}  // namespace plimsoll
