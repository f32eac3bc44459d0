#include "ingest/cluster/sacct_columns.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "JobID|JobName|Constraints|Submit|Start|End|Elapsed|State|AllocTRES|WorkDir";

std::vector<std::string> CutOf(const std::string& line) {
  const auto table = SacctTable::FromHeader(kHeader, SacctNeed::kJobs);
  const auto split = table->Split(line);
  SacctColumns columns(kHeader, *table);
  const auto fields = columns.Cut(line, split ? *split : SacctColumns::Fields());
  if (!fields) return {};
  return {fields->begin(), fields->end()};
}

const std::string kRest =
    "|2026-11-02T08:00:00|2026-11-02T08:00:00|2026-11-02T09:00:00|01:00:00|COMPLETED|gres/gpu=1|";

TEST(SacctColumnsTest, ARowOfPlainTextsIsCutAtItsDelimiters) {
  const auto fields = CutOf("7|train|h100" + kRest + "/home");
  ASSERT_EQ(fields.size(), 10U);
  EXPECT_EQ(fields[1], "train");
}

TEST(SacctColumnsTest, DelimitersWithinTextsStayThere) {
  const auto fields = CutOf("7|train|a100|h100" + kRest + "/home|x");
  ASSERT_EQ(fields.size(), 10U);
  EXPECT_EQ(fields[1] + "/" + fields[2], "train/a100|h100");
  EXPECT_EQ(fields[7], "COMPLETED");
  EXPECT_EQ(fields[9], "/home|x");
}

TEST(SacctColumnsTest, RowsThatNoCutMakesSoundSpendTheFilesStockOfTries) {
  const char* const header =
      "JobID|JobName|State|Constraints|Submit|Start|End|Elapsed|AllocTRES|WorkDir";
  const auto table = SacctTable::FromHeader(header, SacctNeed::kJobs);
  SacctColumns columns(header, *table);
  const std::string rest =
      "|COMPLETED|h100|2026-11-02T08:00:00|2026-11-02T08:00:00|2026-11-02T09:00:00|01:00:00|"
      "gres/gpu=1|/home";
  const std::string many = "7|a" + std::string(60, '|') + rest;  // found after 1,800 tries
  EXPECT_TRUE(columns.Cut(many, {}));
  const std::string no_row = "7|" + std::string(70, '|');
  for (int i = 0; i < 5'000; ++i) EXPECT_FALSE(columns.Cut(no_row, {}));
  EXPECT_FALSE(columns.Cut(many, {})) << "the stock is spent";
  const std::string one = "7|train|a" + rest;
  EXPECT_TRUE(columns.Cut(one, {})) << "but a few tries are each row's own";
}

TEST(SacctColumnsTest, WhatIsNoRowHasNoCut) {
  EXPECT_TRUE(CutOf("7|train|h100|no time|2026-11-02T08:00:00|||COMPLETED||/home").empty());
  EXPECT_TRUE(CutOf("7|train").empty());
  EXPECT_TRUE(CutOf("x|train|h100" + kRest + "/home").empty());
}

}  // namespace
}  // namespace plimsoll
