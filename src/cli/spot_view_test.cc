#include "cli/spot_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cli/render.h"

namespace plimsoll {
namespace {

SpotView View(const Lifetime& lifetime, bool deadline) {
  SpotQuestion question(lifetime);
  question.run.work = Hours(20);
  question.run.save = Minutes(5);
  question.run.restart = Minutes(10);
  question.run.wait = Minutes(30);
  question.run.nodes = 2;
  if (deadline) question.run.deadline = Hours(30);
  question.prices.on_demand = *Money::Parse("32.77");
  question.prices.spot = *Money::Parse("11.47");
  question.prices.penalty = *Money::Parse("100");
  question.sampling.replications = 400;
  return {question, *PlanSpot(question), 8};
}
SpotView View(bool deadline = true) { return View(*Lifetime::Exponential(8 * 3.6e6), deadline); }

std::map<std::string, Cell> FactsOf(const Answer& answer) {
  std::map<std::string, Cell> facts;
  for (const Fact& fact : answer.facts) facts[fact.name] = fact.value;
  return facts;
}

Money MoneyOf(const Cell& cell) { return *Money::Parse(*cell); }

TEST(SpotViewTest, WhatIsPrintedAddsUp) {
  const Answer answer = SpotAnswer(View());
  auto facts = FactsOf(answer);
  Money deductions;
  for (const auto& [name, value] : facts) {
    if (name.starts_with("deductions.")) deductions += MoneyOf(value);
  }
  EXPECT_EQ(MoneyOf(facts["gross_saving"]) - deductions, MoneyOf(facts["net_saving"]));
  EXPECT_EQ(MoneyOf(facts["on_demand_cost"]) - MoneyOf(facts["net_saving"]),
            MoneyOf(facts["cost.mean"]));
  const Table& savings = answer.tables[1];
  for (std::size_t column = 1; column < savings.columns.size(); ++column) {
    Money sum;
    for (const Row& row : savings.rows) sum += MoneyOf(row[column]);
    EXPECT_EQ(sum, MoneyOf((*savings.total)[column]));
  }
}

TEST(SpotViewTest, ThreePoliciesWithADeadlineTwoWithout) {
  const Answer with = SpotAnswer(View()), without = SpotAnswer(View(false));
  EXPECT_EQ(with.tables[0].rows.size(), 3U);
  EXPECT_EQ(without.tables[0].rows.size(), 2U);
  EXPECT_TRUE(FactsOf(with)["p_deadline"]);
  EXPECT_FALSE(FactsOf(without)["p_deadline"]);
  for (const Table& table : with.tables) {
    for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  }
}

TEST(SpotViewTest, TablesFitInEightyColumns) {
  const std::string text = RenderText(SpotAnswer(View()), {80, false});
  const std::size_t tables = text.find("Ways to buy");
  ASSERT_NE(tables, std::string::npos);
  std::size_t begin = tables;
  const std::size_t end_of_tables = text.find("Where the hours go");
  while (begin < end_of_tables) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 80U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(SpotViewTest, AgesAreShownOfLivesThatHaveOne) {
  const Answer young = SpotAnswer(View(*Lifetime::Weibull(0.56, 2.09 * 3.6e6), false));
  ASSERT_EQ(young.tables.size(), 4U);
  EXPECT_EQ(young.tables[3].rows[0][1], "0.515928665");
  EXPECT_EQ(SpotAnswer(View()).tables.size(), 3U);
}

TEST(SpotViewTest, SpansAreShort) {
  EXPECT_EQ(ShortSpan(Millis(2'742'884)), "45m43s");
  EXPECT_EQ(ShortSpan(Millis(1'234)), "1s234ms");
  EXPECT_EQ(ShortSpan(Hours(30) + Seconds(29)), "1d6h");
}

}  // namespace
}  // namespace plimsoll
