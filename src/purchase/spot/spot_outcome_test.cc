#include "purchase/spot/spot_outcome.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr double kHour = 3.6e6;

SpotRunModel Model() {
  SpotRunModel model(*Lifetime::Exponential(4 * kHour));
  model.work = Hours(20);
  model.interval = Hours(1);
  model.save = Minutes(5);
  model.restart = Minutes(10);
  model.wait = Minutes(30);
  model.deadline = Hours(30);
  model.give_up = Hours(1'000);
  return model;
}

SpotPrices Prices() {
  SpotPrices prices;
  prices.on_demand = *Money::Parse("32.77");
  prices.spot = *Money::Parse("11.47");
  return prices;
}

SpotOutcome Sample(unsigned threads, std::int64_t runs, SpotPolicy policy = SpotPolicy::kSpotOnly) {
  SpotSampling sampling;
  sampling.replications = runs;
  sampling.threads = threads;
  return SampleSpotRuns(Model(), Prices(), policy, sampling);
}

TEST(SpotOutcomeTest, ThreadCountChangesNothing) {
  const SpotOutcome one = Sample(1, 3'000);
  for (const unsigned threads : {2U, 3U}) {
    const SpotOutcome other = Sample(threads, 3'000);
    EXPECT_EQ(one.fingerprint, other.fingerprint);
    EXPECT_EQ(one.mean_time_low, other.mean_time_low);
    EXPECT_EQ(one.mean_cost.total(), other.mean_cost.total());
    EXPECT_EQ(one.cost_p99.value, other.cost_p99.value);
  }
}

TEST(SpotOutcomeTest, QuantilesAndSharesLieInTheirIntervals) {
  const SpotOutcome outcome = Sample(0, 5'000);
  EXPECT_LT(outcome.cost_p50.value, outcome.cost_p90.value);
  EXPECT_LT(outcome.cost_p90.value, outcome.cost_p99.value);
  ASSERT_TRUE(outcome.cost_p99.low && outcome.cost_p99.high);
  EXPECT_LE(*outcome.cost_p99.low, outcome.cost_p99.value);
  EXPECT_GE(*outcome.cost_p99.high, outcome.cost_p99.value);
  EXPECT_LT(outcome.mean_time_low, outcome.mean_time);
  EXPECT_GT(outcome.mean_time_high, outcome.mean_time);
  ASSERT_TRUE(outcome.on_time);
  EXPECT_GT(outcome.on_time->ppb, outcome.on_time->low_ppb);
  EXPECT_LT(outcome.on_time->ppb, outcome.on_time->high_ppb);
  EXPECT_FALSE(Sample(0, 20).cost_p99.high);  // too few to tell
}

TEST(SpotOutcomeTest, ARunOnDemandIsCertain) {
  const SpotOutcome outcome = Sample(0, 300, SpotPolicy::kOnDemand);
  EXPECT_EQ(outcome.mean_time, Hours(20));
  EXPECT_EQ(outcome.mean_time_low, Hours(20));
  EXPECT_EQ(outcome.mean_cost.total(), *Money::Parse("655.4"));
  EXPECT_EQ(outcome.cost_p99.value, *Money::Parse("655.4"));
  EXPECT_EQ(outcome.on_time->ppb, 1'000'000'000);
  EXPECT_EQ(outcome.unfinished, 0);
}

TEST(SpotOutcomeTest, RunsThatDoNotEndAreCounted) {
  SpotRunModel model = Model();
  model.give_up = Hours(25);
  SpotSampling sampling;
  sampling.replications = 500;
  const SpotOutcome outcome = SampleSpotRuns(model, Prices(), SpotPolicy::kSpotOnly, sampling);
  EXPECT_GT(outcome.unfinished, 100);
  EXPECT_LE(outcome.on_time->ppb, (500 - outcome.unfinished) * 2'000'000);
}

}  // namespace
}  // namespace plimsoll
