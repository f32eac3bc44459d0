#include "ledger/filter.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string Sql(std::string_view text) {
  const auto condition = ParseFilter(text);
  return condition ? condition->sql : condition.error().message;
}

TEST(FilterTest, EmptyFilterTakesEverything) {
  EXPECT_EQ(Sql(""), "true");
  EXPECT_EQ(Sql("  "), "true");
}

TEST(FilterTest, ValuesAreParametersNeverSql) {
  const auto condition = ParseFilter("team:\"x'; DROP TABLE charge; --\"");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->sql, "((coalesce(w.team, '') = ?))");
  ASSERT_EQ(condition->params.size(), 1u);
  EXPECT_EQ(std::get<std::string>(condition->params[0]), "x'; DROP TABLE charge; --");
}

TEST(FilterTest, CommaListIsAnyAndBangNegatesTheWholeList) {
  EXPECT_EQ(Sql("team!:a,b"), "((NOT (coalesce(w.team, '') = ? OR coalesce(w.team, '') = ?)))");
  EXPECT_EQ(Sql("node~:\"spot\""), "((contains(coalesce(n.node, ''), ?)))");
  EXPECT_EQ(Sql("node<~:a"), "((starts_with(coalesce(n.node, ''), ?)))");
  EXPECT_EQ(Sql("node!~>:a"), "((NOT (ends_with(coalesce(n.node, ''), ?))))");
}

TEST(FilterTest, AndBindsByParenthesesOnly) {
  EXPECT_EQ(Sql("team:a+(zone:b|zone:c)"),
            "((coalesce(w.team, '') = ?) AND ((coalesce(n.zone, '') = ?) OR "
            "(coalesce(n.zone, '') = ?)))");
  EXPECT_EQ(Sql("team:a+zone:b|zone:c"),
            "filter 'team:a+zone:b|zone:c', character 14: expected parentheses: '+' and '|' may "
            "not be mixed on one level");
}

TEST(FilterTest, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(Sql("taem:a"),
            "no field 'taem'; did you mean 'team'? (plimsoll allocate --help lists them)");
  EXPECT_EQ(Sql("team"),
            "filter 'team', character 5: expected an operator such as ':' or '!:' "
            "after 'team'");
  EXPECT_EQ(Sql("team:"), "filter 'team:', character 6: expected a value, in double quotes");
  EXPECT_EQ(Sql("team:\"a"), "filter 'team:\"a', character 6: expected a closing '\"'");
  EXPECT_EQ(Sql("(team:a"), "filter '(team:a', character 8: expected ')'");
  EXPECT_EQ(Sql("team:a)"), "filter 'team:a)', character 7: expected '+', '|' or the end");
  EXPECT_EQ(Sql("team[x]:a"), "field 'team' has no keys: write team:\"VALUE\" without [x]");
  EXPECT_NE(Sql(std::string(200, '(')).find("expected fewer parentheses"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
