#include "purchase/spot/trace_summary.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TraceOutcome Cost(std::int64_t units, Duration finished = Hours(1)) {
  TraceOutcome outcome;
  outcome.cost = Money::Units(units);
  outcome.finished = finished;
  outcome.done = true;
  return outcome;
}

TraceJob JobBy(Duration deadline) {
  TraceJob job;
  job.deadline = deadline;
  return job;
}

TEST(TraceSummaryTest, DeviationIsThatOfThePopulation) {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, deviation 2.
  std::vector<TraceOutcome> outcomes;
  for (const std::int64_t cost : {2, 4, 4, 4, 5, 5, 7, 9}) outcomes.push_back(Cost(cost));
  const TraceSummary summary = SummarizeOutcomes(outcomes, JobBy(Hours(1)));
  EXPECT_EQ(summary.mean, Money::Units(5));
  EXPECT_EQ(summary.sd, Money::Units(2));
  EXPECT_EQ(summary.late, 0);
}

TEST(TraceSummaryTest, LargeAmountsKeepTheirDeviation) {
  std::vector<TraceOutcome> outcomes;
  for (int i = 0; i < 1'000; ++i) outcomes.push_back(Cost(i % 2 == 0 ? 0 : 40'000'000'000));
  EXPECT_EQ(SummarizeOutcomes(outcomes, JobBy(Hours(1))).sd, Money::Units(20'000'000'000));
}

TEST(TraceSummaryTest, PercentilesHaveTheirShareOfStartsBelow) {
  std::vector<TraceOutcome> outcomes;
  for (std::int64_t cost = 1000; cost >= 1; --cost) outcomes.push_back(Cost(cost));
  const TraceSummary summary = SummarizeOutcomes(outcomes, JobBy(Hours(1)));
  EXPECT_EQ(summary.p90, Money::Units(901));
  EXPECT_EQ(summary.p99, Money::Units(991));
}

TEST(TraceSummaryTest, WhatEndsAfterTheDeadlineOrNeverIsLate) {
  std::vector<TraceOutcome> outcomes{Cost(1, Hours(2)), Cost(1, Hours(2) + Millis(1)), Cost(1)};
  outcomes[2].done = false;
  const TraceSummary summary = SummarizeOutcomes(outcomes, JobBy(Hours(2)));
  EXPECT_EQ(summary.late, 2);
  EXPECT_EQ(summary.unfinished, 1);
}

TEST(TraceSummaryTest, GapIsClosedByThePartOfTheWay) {
  EXPECT_EQ(GapClosed(Money::Units(70), Money::Units(110), Money::Units(60)), 800'000'000);
  EXPECT_EQ(GapClosed(Money::Units(120), Money::Units(110), Money::Units(60)), -200'000'000);
  EXPECT_EQ(GapClosed(Money::Units(60), Money::Units(60), Money::Units(60)), std::nullopt);
}

TEST(TraceSummaryTest, AStartLeavesRoomUpToTheDeadline) {
  EXPECT_EQ(StartsWithRoom(5, Minutes(10), Minutes(25)), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_TRUE(StartsWithRoom(2, Minutes(10), Minutes(25)).empty());
}

TEST(TraceSummaryTest, ManyStartsAreThinnedEvenly) {
  const std::vector<std::int64_t> starts{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(EvenStarts(starts, 10), starts);
  EXPECT_EQ(EvenStarts(starts, 4), (std::vector<std::int64_t>{0, 2, 5, 7}));
}

TEST(TraceSummaryTest, RandomStartsAreOfTheSetAndTheSameForASeed) {
  const std::vector<std::int64_t> starts{3, 5, 8};
  const std::vector<std::int64_t> drawn = RandomStarts(starts, 300, 7);
  EXPECT_EQ(drawn, RandomStarts(starts, 300, 7));
  EXPECT_NE(drawn, RandomStarts(starts, 300, 8));
  for (const std::int64_t start : starts) {
    EXPECT_GT(std::count(drawn.begin(), drawn.end(), start), 60) << start;
  }
}

}  // namespace
}  // namespace plimsoll
