#include "cli/render.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/text.h"

namespace plimsoll {
namespace {

Table Costs() {
  Table table;
  table.name = "costs";
  table.title = "Cost by team";
  table.columns = {{"team"},
                   {"workload"},
                   {"gpu_hours", CellKind::kDecimal, 1},
                   {"pods", CellKind::kNumber},
                   {"effective_cost", CellKind::kMoney, 2}};
  table.rows = {{"search", "llm-serving-production-eu-central-1-with-a-very-long-name-indeed",
                 "1234.56789", "12", "12345.675000000"},
                {"vision", "train", std::nullopt, "1", "-0.005000000"},
                {std::nullopt, "日本語のジョブ", "0.000000278", "1000000", "0.015000001"}};
  table.total = Row{"total", std::nullopt, "1234.567890278", "1000013", "12345.685000001"};
  return table;
}

TEST(RenderTest, TextFitsEightyColumns) {
  EXPECT_EQ(RenderText(Costs(), {80, false}),
            "Cost by team\n"
            "team    workload                            gpu hours       pods  effective cost\n"
            "------  ----------------------------------  ---------  ---------  --------------\n"
            "search  llm-serving-production-eu-central…    1,234.6         12       12,345.68\n"
            "vision  train                                       -          1            0.00\n"
            "-       日本語のジョブ                            0.0  1,000,000            0.02\n"
            "------  ----------------------------------  ---------  ---------  --------------\n"
            "total   -                                     1,234.6  1,000,013       12,345.69\n");
}

TEST(RenderTest, TextFitsAHundredAndTwentyColumns) {
  EXPECT_EQ(RenderText(Costs(), {120, false}),
            "Cost by team\n"
            "team    workload                                                          gpu hours   "
            "    pods  effective cost\n"
            "------  ----------------------------------------------------------------  ---------  "
            "---------  --------------\n"
            "search  llm-serving-production-eu-central-1-with-a-very-long-name-indeed    1,234.6   "
            "      12       12,345.68\n"
            "vision  train                                                                     -   "
            "       1            0.00\n"
            "-       日本語のジョブ                                                          0.0  "
            "1,000,000            0.02\n"
            "------  ----------------------------------------------------------------  ---------  "
            "---------  --------------\n"
            "total   -                                                                   1,234.6  "
            "1,000,013       12,345.69\n");
}

TEST(RenderTest, NoLineIsWiderThanTheTerminal) {
  for (const std::size_t columns : {60u, 70u, 80u, 100u, 120u}) {
    std::string text = RenderText(Costs(), {columns, false});
    while (!text.empty()) {
      const std::string line = text.substr(0, text.find('\n'));
      EXPECT_LE(WidthOf(line), columns) << line;
      text.erase(0, line.size() + 1);
    }
  }
}

TEST(RenderTest, WithoutATerminalNothingIsCut) {
  const std::string text = RenderText(Costs(), {0, false});
  EXPECT_NE(text.find("with-a-very-long-name-indeed"), std::string::npos);
  EXPECT_EQ(text.find("…"), std::string::npos);
}

TEST(RenderTest, ColourIsOnlyAddedNeverNeeded) {
  std::string coloured = RenderText(Costs(), {80, true});
  EXPECT_NE(coloured.find("\033[1m"), std::string::npos);
  for (const char* code : {"\033[1m", "\033[0m"}) {
    for (std::size_t at = 0; (at = coloured.find(code)) != std::string::npos;) {
      coloured.erase(at, 4);
    }
  }
  EXPECT_EQ(coloured, RenderText(Costs(), {80, false}));
}

TEST(RenderTest, DataCannotSteerTheTerminal) {
  Table table;
  table.columns = {{"name"}};
  table.rows = {{"\x1b]0;owned\x07"}, {"a\nb"}};
  const std::string text = RenderText(table, {80, false});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("a?b\n"), std::string::npos);
}

TEST(RenderTest, AnEmptyTableSaysSo) {
  Table table = Costs();
  table.rows.clear();
  table.total.reset();
  EXPECT_EQ(RenderText(table, {80, false}), "Cost by team\n(no rows)\n");
}

TEST(RenderTest, DecimalsAreRoundedHalfToEvenForTheEyeOnly) {
  EXPECT_EQ(DisplayDecimal("0.125", 2), "0.12");
  EXPECT_EQ(DisplayDecimal("0.135", 2), "0.14");
  EXPECT_EQ(DisplayDecimal("-1234567.891", 2), "-1,234,567.89");
  EXPECT_EQ(DisplayDecimal("0.5", 0), "0");
  EXPECT_EQ(DisplayDecimal("1.5", 0), "2");
  EXPECT_EQ(DisplayDecimal("3", 2), "3.00");
  EXPECT_EQ(DisplayDecimal("1234.000000001", -1), "1,234.000000001");
  EXPECT_EQ(DisplayDecimal("0.00000000729225575923", 2), "0.00000000729225575923");
  EXPECT_EQ(DisplayDecimal("n/a", 2), "n/a");
}

TEST(RenderTest, CsvIsRfc4180) {
  Table table;
  table.columns = {{"a"}, {"b", CellKind::kMoney, 2}};
  table.rows = {{"plain", "1.000000001"},
                {"comma, \"quote\"", std::nullopt},
                {"two\nlines", ""},
                {"=SUM(A1)", "-1"}};
  EXPECT_EQ(RenderCsv(table),
            "a,b\r\nplain,1.000000001\r\n\"comma, \"\"quote\"\"\",\r\n\"two\nlines\",\r\n"
            "=SUM(A1),-1\r\n");
}

TEST(RenderTest, AnAnswerIsLinesTablesAndNotes) {
  Answer answer;
  answer.lines = {"2 rows"};
  answer.facts = {{"rows", CellKind::kNumber, "2"}};
  Table first;
  first.name = "first";
  first.columns = {{"x"}};
  first.rows = {{"1"}};
  Table empty = first;
  empty.rows.clear();
  answer.tables = {first, empty};
  answer.notes = {"that is all"};
  EXPECT_EQ(RenderText(answer, {}), "2 rows\n\nx\n-\n1\n\nthat is all\n");
  EXPECT_EQ(RenderCsv(answer), "x\r\n1\r\n");
}

}  // namespace
}  // namespace plimsoll
