#include "ingest/cluster/sacct_columns.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "JobID|JobName|Constraints|Submit|Start|End|Elapsed|State|AllocTRES|WorkDir";

std::vector<std::string> CutOf(const std::string& line) {
  const auto table = SacctTable::FromHeader(kHeader, SacctNeed::kJobs);
  const auto fields = SacctColumns(kHeader, *table).Cut(line);
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

TEST(SacctColumnsTest, WhatIsNoRowHasNoCut) {
  EXPECT_TRUE(CutOf("7|train|h100|no time|2026-11-02T08:00:00|||COMPLETED||/home").empty());
  EXPECT_TRUE(CutOf("7|train").empty());
  EXPECT_TRUE(CutOf("x|train|h100" + kRest + "/home").empty());
}

}  // namespace
}  // namespace plimsoll
