#include "purchase/spot/trace_replay.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TraceJob JobOf(std::int64_t work, std::int64_t deadline, std::int64_t restart) {
  TraceJob job;
  job.work = Minutes(work);
  job.deadline = Minutes(deadline);
  job.restart = Minutes(restart);
  job.on_demand = Money::Units(6);
  job.spot = Money::Units(2);
  return job;
}

TEST(TraceReplayTest, ATickIsPaidWholeAndWorksButForTheRestart) {
  const std::vector<std::uint8_t> up(10, 1);
  const TraceOutcome outcome =
      ReplayTrace(TracePolicy::kSpotOnly, JobOf(25, 100, 4), {Minutes(10), up});
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.finished, Minutes(29));
  EXPECT_EQ(outcome.spot_time, Minutes(30));
  EXPECT_EQ(outcome.cost, Money::Units(1));
  EXPECT_EQ(outcome.restarts, 1);
}

TEST(TraceReplayTest, APreemptionCostsTheRestartAndNothingForTheTick) {
  const std::vector<std::uint8_t> up{1, 1, 0, 1, 1, 1, 1};
  const TraceOutcome outcome =
      ReplayTrace(TracePolicy::kSpotOnly, JobOf(26, 100, 4), {Minutes(10), up});
  EXPECT_EQ(outcome.preemptions, 1);
  EXPECT_EQ(outcome.restarts, 2);
  EXPECT_EQ(outcome.spot_time, Minutes(40));  // ticks 0, 1, 3, 4
  EXPECT_EQ(outcome.finished, Minutes(30) + Minutes(4) + Minutes(10));
}

TEST(TraceReplayTest, ARestartLongerThanATickGoesOnInTheNext) {
  const std::vector<std::uint8_t> up(10, 1);
  const TraceOutcome outcome =
      ReplayTrace(TracePolicy::kSpotOnly, JobOf(10, 100, 25), {Minutes(10), up});
  EXPECT_EQ(outcome.finished, Minutes(35));
  EXPECT_EQ(outcome.spot_time, Minutes(40));
}

TEST(TraceReplayTest, ATraceThatEndsFirstLeavesTheJobUnfinished) {
  const std::vector<std::uint8_t> up{0, 1, 1};
  const TraceOutcome outcome =
      ReplayTrace(TracePolicy::kSpotOnly, JobOf(60, 100, 0), {Minutes(10), up});
  EXPECT_FALSE(outcome.done);
  EXPECT_TRUE(IsLate(outcome, JobOf(60, 100, 0)));
  EXPECT_EQ(outcome.cost, CostOfTicks(Money::Units(4), Minutes(10)));
}

TEST(TraceReplayTest, PricesOfTicksAreThoseThatArePaid) {
  const std::vector<std::uint8_t> up{1, 1};
  const std::vector<Money> prices{Money::Units(6), Money::Units(12)};
  const TraceOutcome outcome =
      ReplayTrace(TracePolicy::kSpotOnly, JobOf(20, 100, 0), {Minutes(10), up, prices});
  EXPECT_EQ(outcome.cost, Money::Units(3));
}

TEST(TraceReplayTest, CostIsRoundedOnceForAllTicks) {
  EXPECT_EQ(CostOfTicks(*Money::Parse("0.9731"), Minutes(10)), *Money::Parse("0.162183333"));
  EXPECT_EQ(CostOfTicks(*Money::Parse("2.9193"), Minutes(10)), *Money::Parse("0.48655"));
}

}  // namespace
}  // namespace plimsoll
