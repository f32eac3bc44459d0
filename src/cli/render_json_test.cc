#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/render.h"

namespace plimsoll {
namespace {

Table Example() {
  Table table;
  table.name = "costs";
  table.columns = {{"team"},
                   {"pods", CellKind::kNumber},
                   {"hours", CellKind::kDecimal},
                   {"cost", CellKind::kMoney, 2},
                   {"marks", CellKind::kList}};
  table.rows = {{"a \"b\"", "12", "1.5", "0.000000001", "x\ny"},
                {std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt}};
  table.total = Row{"total", "12", "1.5", "0.000000001", std::nullopt};
  return table;
}

TEST(RenderJsonTest, MoneyAndHoursAreTextMissingIsNull) {
  EXPECT_EQ(RenderJson(Example()),
            "[\n"
            "  {\"team\": \"a \\\"b\\\"\", \"pods\": 12, \"hours\": \"1.5\", "
            "\"cost\": \"0.000000001\", \"marks\": [\"x\",\"y\"]},\n"
            "  {\"team\": null, \"pods\": null, \"hours\": null, \"cost\": null, \"marks\": []}\n"
            "]\n");
}

TEST(RenderJsonTest, NoRowsAreAnEmptyArray) {
  Table table = Example();
  table.rows.clear();
  EXPECT_EQ(RenderJson(table), "[]\n");
}

TEST(RenderJsonTest, NumbersKeepEveryDigitAndNonsenseBecomesText) {
  Table table;
  table.columns = {{"n", CellKind::kNumber}};
  table.rows = {{"9223372036854775807"}, {"0.25"}, {"nan"}, {"01"}, {"1}, {\"x\": 2"}};
  const auto parsed = nlohmann::json::parse(RenderJson(table));
  EXPECT_EQ(parsed[0]["n"].get<std::int64_t>(), INT64_MAX);
  EXPECT_TRUE(parsed[1]["n"].is_number());
  for (std::size_t i = 2; i < 5; ++i) EXPECT_TRUE(parsed[i]["n"].is_string());
  EXPECT_EQ(parsed.size(), 5u);
}

TEST(RenderJsonTest, BrokenUtf8IsStillJson) {
  Table table;
  table.columns = {{"t"}};
  table.rows = {{"\xFF\xC0 ok"}, {std::string("nul\0", 4)}};
  EXPECT_TRUE(nlohmann::json::accept(RenderJson(table)));
}

TEST(RenderJsonTest, AnAnswerIsOneObjectInOrder) {
  Answer answer;
  answer.lines = {"not in JSON"};
  answer.facts = {{"kind", CellKind::kText, "focus"}, {"warnings", CellKind::kList, ""}};
  answer.tables = {Example()};
  const std::string json = RenderJson(answer);
  const auto parsed = nlohmann::json::parse(json);
  EXPECT_EQ(parsed.size(), 3u);
  EXPECT_EQ(parsed["costs"].size(), 2u);
  EXPECT_EQ(parsed["warnings"], nlohmann::json::array());
  EXPECT_LT(json.find("\"kind\""), json.find("\"costs\""));
}

TEST(RenderJsonTest, NeighbouringFactsOfAGroupAreOneObject) {
  Answer answer;
  answer.facts = {{"cost.mean", CellKind::kMoney, "2.5"},
                  {"cost.p90", CellKind::kMoney, std::nullopt},
                  {"seed", CellKind::kNumber, "1"},
                  {"hours.low", CellKind::kNumber, "3"}};
  EXPECT_EQ(RenderJson(answer),
            "{\n  \"cost\": {\"mean\": \"2.5\", \"p90\": null},\n  \"seed\": 1,\n"
            "  \"hours\": {\"low\": 3}\n}\n");
}

TEST(RenderJsonTest, BooleansAreNotText) {
  Table table;
  table.columns = {
      {"yes", CellKind::kBoolean}, {"no", CellKind::kBoolean}, {"none", CellKind::kBoolean}};
  table.rows = {{"true", "false", std::nullopt}};
  EXPECT_EQ(RenderJson(table), "[\n  {\"yes\": true, \"no\": false, \"none\": null}\n]\n");
}

}  // namespace
}  // namespace plimsoll
