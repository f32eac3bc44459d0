#include "cli/plan_spot_trace_view.h"

#include <gtest/gtest.h>

#include "cli/render.h"

namespace plimsoll {
namespace {

PolicyOutcomes Of(TracePolicy policy, std::int64_t cost, std::int64_t late) {
  PolicyOutcomes one;
  one.policy = policy;
  one.summary.starts = 4;
  one.summary.mean = Money::Units(cost);
  one.summary.late = late;
  return one;
}

TEST(PlanSpotTraceViewTest, AdviceIsTheCheapestThatIsNeverLateWithoutForesight) {
  SpotTraceView view;
  view.trace = "t";
  view.currency = "USD";
  view.gap = Minutes(10);
  view.ticks = 10;
  view.policies = {Of(TracePolicy::kOnDemand, 100, 0), Of(TracePolicy::kSpotOnly, 20, 3),
                   Of(TracePolicy::kGreedy, 80, 0), Of(TracePolicy::kUniformProgress, 60, 0),
                   Of(TracePolicy::kOptimum, 30, 0)};
  const Answer answer = SpotTraceAnswer(view);
  ASSERT_EQ(answer.lines.size(), 2U);
  EXPECT_EQ(answer.lines[1],
            "uniform-progress is the cheapest that is never late: 60.00 USD a job, 40 % below "
            "on-demand");
  EXPECT_EQ(answer.tables[0].rows[3][6], "0.400000000");
}

TEST(PlanSpotTraceViewTest, WithoutGreedyOrOptimumNoGapIsClosed) {
  SpotTraceView view;
  view.gap = Minutes(10);
  view.policies = {Of(TracePolicy::kGreedy, 80, 1)};
  const Answer answer = SpotTraceAnswer(view);
  EXPECT_EQ(answer.tables[0].rows[0][6].has_value(), false);
  EXPECT_EQ(answer.lines[1], "No policy that was replayed met the deadline from every start");
}

TEST(PlanSpotTraceViewTest, TablesFitATerminal) {
  SpotTraceView view;
  view.currency = "USD";
  view.gap = Minutes(10);
  view.policies = {Of(TracePolicy::kUniformHysteresis, 1'000, 0)};
  const Answer answer = SpotTraceAnswer(view);
  for (const Table& table : answer.tables) {
    const std::string text = RenderText(table, {.columns = 80});
    for (std::size_t from = 0, end = 0; from < text.size(); from = end + 1) {
      end = std::min(text.find('\n', from), text.size());
      EXPECT_LE(end - from, 82U) << text;  // "…" is three bytes wide as one column
    }
  }
}

}  // namespace
}  // namespace plimsoll
