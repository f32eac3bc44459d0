#include "cli/spot_saving_view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr Window kDay{AtSeconds(0), AtSeconds(86'400)};

SpotNode Node() {
  SpotNode node;
  node.node = "a";
  node.currency = "USD";
  node.effective = Money::Units(20);
  node.list = Money::Units(80);
  node.gpu_time = WholeGpuHours(40);
  node.team_time = {{"", WholeGpuHours(10)}, {"nlp", WholeGpuHours(30)}};
  node.seen = Hours(10);
  return node;
}

Answer AnswerOf(SpotNode node, std::vector<SpotDeclared> declared = {}) {
  const auto saving = SavingOf(kDay, "USD", {std::move(node)}, std::move(declared));
  EXPECT_TRUE(saving);
  return SpotSavingAnswer(*saving);
}

Cell FactOf(const Answer& answer, const std::string& name) {
  const auto found = std::find_if(answer.facts.begin(), answer.facts.end(),
                                  [&](const Fact& fact) { return fact.name == name; });
  EXPECT_NE(found, answer.facts.end()) << name;
  return found == answer.facts.end() ? Cell("none") : found->value;
}

TEST(SpotSavingViewTest, LinesAddUpToTheNetSaving) {
  SpotNode node = Node();
  node.taken = AtSeconds(36'000);
  node.lost["nlp"] = {WholeGpuHours(4), WholeGpuHours(2)};
  const Answer answer = AnswerOf(node, {{"pager", "operations", Money::Units(5), ""}});
  Money sum;
  for (const Row& row : answer.tables[0].rows) sum += *Money::Parse(*row[1]);
  EXPECT_EQ(sum, Money::Units(43));
  EXPECT_EQ((*answer.tables[0].total)[1], sum.ToString());
  EXPECT_EQ(FactOf(answer, "net_saving"), sum.ToString());
  EXPECT_EQ(FactOf(answer, "net_is_exact"), "true");
  EXPECT_NE(answer.lines[0].find("Spot saved 43.00 net, of 60.00 USD gross"), std::string::npos)
      << answer.lines[0];
  for (const Table& table : answer.tables) {
    for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  }
}

TEST(SpotSavingViewTest, WhatNoLogTellsIsNull) {
  SpotNode node = Node();
  node.taken = AtSeconds(36'000);
  node.unlogged = WholeGpuHours(20);
  const Answer answer = AnswerOf(node);
  EXPECT_EQ(FactOf(answer, "recomputation"), std::nullopt);
  EXPECT_EQ(FactOf(answer, "net_saving"), "60.000000000");
  EXPECT_EQ(FactOf(answer, "net_saving_at_least"), "20.000000000");
  EXPECT_EQ(FactOf(answer, "net_is_exact"), "false");
  EXPECT_NE(answer.lines[0].find("20.00 to 60.00 net"), std::string::npos) << answer.lines[0];
}

TEST(SpotSavingViewTest, WithoutAListCostThereIsNoSaving) {
  SpotNode node = Node();
  node.list.reset();
  const Answer answer = AnswerOf(node);
  EXPECT_EQ(FactOf(answer, "gross_saving"), std::nullopt);
  EXPECT_EQ(FactOf(answer, "net_saving"), std::nullopt);
  EXPECT_EQ(FactOf(answer, "effective_cost"), "20.000000000");
}

}  // namespace
}  // namespace plimsoll
