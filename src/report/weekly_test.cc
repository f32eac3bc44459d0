#include "report/weekly.h"

#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

using WeeklyTest = WeekFixture;

TEST_F(WeeklyTest, HasTheSevenDimensionsInOrder) {
  const auto document = BuildWeekly(*ledger_, {Day(), "UTC", {}});
  ASSERT_TRUE(document) << document.error().message;
  std::vector<std::string> keys;
  for (const ReportSection& section : document->dimensions) keys.push_back(section.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"capacity", "utilization", "queue", "training",
                                            "inference", "tenant", "optimization"}));
}

TEST_F(WeeklyTest, SummaryPartsAddUpToTheTotal) {
  const auto document = BuildWeekly(*ledger_, {Day(), "UTC", {}});
  ASSERT_TRUE(document);
  const ReportSection& summary = document->summary;
  EXPECT_EQ(Find(summary, "total_cost")->value, "44.000000000");
  EXPECT_EQ(Find(summary, "waste_cost")->value, "15.000000000");
  EXPECT_EQ(Find(summary, "other_cost")->value, "24.000000000");
  EXPECT_EQ(Find(summary, "unattributed_cost")->value, "24.000000000");  // the tax
  EXPECT_EQ(Find(summary, "total_cost")->note, "no earlier week is loaded to compare with");
  Money sum;
  for (const ReportFact& fact : summary.facts) {
    if (fact.key == "total_cost" || fact.key == "unattributed_cost" || !fact.value) continue;
    sum += *Money::Parse(*fact.value);
  }
  EXPECT_EQ(sum.ToString(), "44.000000000");
  EXPECT_NE(Find(summary, "unattributed_cost")->note.find("counted in the rows above too"),
            std::string::npos);
}

TEST_F(WeeklyTest, WhatWasUsedIsNotKnownWithoutASignal) {
  const auto document = BuildWeekly(*ledger_, {Day(), "UTC", {}});
  ASSERT_TRUE(document);
  const ReportFact* used = Find(document->summary, "used_cost");
  EXPECT_EQ(used->value, std::nullopt);
  EXPECT_EQ(used->note, "no usage signal: connect DCGM metrics");
  EXPECT_EQ(Find(document->summary, "unknown_cost")->value, "5.000000000");
  EXPECT_EQ(Find(document->dimensions[1], "used_share")->value, std::nullopt);
  EXPECT_NE(document->summary.sentences[0].find("was held by work whose use no signal tells"),
            std::string::npos)
      << document->summary.sentences[0];
}

TEST_F(WeeklyTest, HeaderSaysTieOutAndMissingSignal) {
  const auto document = BuildWeekly(*ledger_, {Day(), "Europe/Berlin", {}});
  ASSERT_TRUE(document);
  const auto value = [&](const std::string& key) {
    for (const ReportFact& fact : document->header) {
      if (fact.key == key) return fact.value.value_or("null");
    }
    return std::string("absent");
  };
  EXPECT_EQ(value("tie_out"), "ties: 1 bill, unexplained 0.000000000");
  EXPECT_EQ(value("time_zone"), "Europe/Berlin");
  EXPECT_EQ(value("no_signal_share"), "100.0");  // nothing measured the job
  EXPECT_EQ(value("completeness"), "0.0");
}

TEST_F(WeeklyTest, AWindowWithoutCostIsRefused) {
  const Window later{kFactsDay + Days(30), kFactsDay + Days(31)};
  const auto document = BuildWeekly(*ledger_, {later, "UTC", {}});
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace plimsoll
