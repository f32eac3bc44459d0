#include "ledger/filter_tree.h"

#include <gtest/gtest.h>

#include <map>

namespace plimsoll {
namespace {

Status AnyField(const std::string&, const std::string&) { return Ok(); }

// A row of fields; label[app] is "label.app".
bool Keeps(std::string_view filter, const std::map<std::string, std::string>& row) {
  const auto tree = ParseFilterTree(filter, AnyField);
  EXPECT_TRUE(tree) << tree.error().message;
  return tree && Matches(*tree, [&](const FilterComparison& comparison) {
           const auto found =
               row.find(comparison.field + (comparison.key.empty() ? "" : "." + comparison.key));
           const std::string value = found == row.end() ? "" : found->second;
           return AnyHolds(comparison, value) != comparison.negated;
         });
}

std::string ErrorOf(std::string_view filter) {
  const auto tree = ParseFilterTree(filter, AnyField);
  return tree ? "" : tree.error().message;
}

TEST(FilterTreeTest, OperatorsCompareAndNegate) {
  const std::map<std::string, std::string> row{{"node", "gpu-spot-1"}};
  EXPECT_TRUE(Keeps("node:\"gpu-spot-1\"", row));
  EXPECT_FALSE(Keeps("node:\"gpu\"", row));
  EXPECT_TRUE(Keeps("node~:\"spot\"", row));
  EXPECT_TRUE(Keeps("node<~:\"gpu\"", row));
  EXPECT_FALSE(Keeps("node<~:\"spot\"", row));
  EXPECT_TRUE(Keeps("node~>:\"-1\"", row));
  EXPECT_FALSE(Keeps("node!~:\"spot\"", row));
  EXPECT_TRUE(Keeps("node!<~:\"spot\"", row));
  EXPECT_FALSE(Keeps("node!~>:\"-1\"", row));
  EXPECT_FALSE(Keeps("node!:\"a\",\"gpu-spot-1\"", row));
  EXPECT_TRUE(Keeps("node:\"a\",\"gpu-spot-1\"", row));
}

TEST(FilterTreeTest, AndOrAndParentheses) {
  const std::map<std::string, std::string> row{{"a", "1"}, {"b", "2"}, {"label.app", "x"}};
  EXPECT_TRUE(Keeps("", row));
  EXPECT_TRUE(Keeps("a:1+b:2", row));
  EXPECT_FALSE(Keeps("a:1+b:3", row));
  EXPECT_TRUE(Keeps("a:9|b:2", row));
  EXPECT_FALSE(Keeps("a:9|(b:2+label[app]:\"y\")", row));
  EXPECT_TRUE(Keeps("(a:9|label[app]:\"x\")+b!:3", row));
}

TEST(FilterTreeTest, SpacesAndLineEndsAreFree) {
  const std::map<std::string, std::string> row{{"node", "node 12 3"}, {"namespace", "kubecost"}};
  EXPECT_TRUE(Keeps("node:\"node a\" , \"node 12 3\"\n+\n\rnamespace : \"kubecost\"", row));
}

TEST(FilterTreeTest, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(ErrorOf("()"), "filter '()', character 2: expected a field name or '('");
  EXPECT_EQ(ErrorOf("label[app:\"x\""),
            "filter 'label[app:\"x\"', character 6: expected a closing ']'");
  EXPECT_EQ(ErrorOf("label[]:\"x\""),
            "filter 'label[]:\"x\"', character 6: expected a key between '[' and ']'");
  EXPECT_NE(ErrorOf("a.:\"x\""), "");
  EXPECT_NE(ErrorOf("(a:\"x\"))"), "");
  EXPECT_NE(ErrorOf("a:1|b:2+c:3"), "");
}

TEST(FilterTreeTest, AFieldCanBeRefused) {
  const auto refused = ParseFilterTree("a:1", [](const std::string& field, const std::string&) {
    return Status(Error{ErrorCode::kInvalidArgument, "no " + field});
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no a");
}

}  // namespace
}  // namespace plimsoll
