#include "purchase/spot/lifetime_renewal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "purchase/spot/checkpoint_interval.h"

namespace plimsoll {
namespace {

constexpr double kHour = 3.6e6;

RenewalRun RunOf(double work_hours, double interval_hours) {
  return {work_hours * kHour, interval_hours * kHour, kHour / 12, kHour / 6, kHour / 2, true};
}

TEST(LifetimeRenewalTest, WithoutMemoryItIsTheClosedForm) {
  const Lifetime life = *Lifetime::Exponential(4 * kHour);
  const CheckpointModel model{4, 1.0 / 12, 1.0 / 6, 0.5};
  for (const double interval : {0.3, 0.761912, 1.0, 7.0, 100.0}) {
    for (const bool saved : {true, false}) {
      RenewalRun run = RunOf(100, interval);
      run.last_is_saved = saved;
      const double expected = ExpectedTime(model, 100, interval, saved);
      EXPECT_NEAR(RenewalTime(life, run) / kHour / expected, 1, 1e-9) << interval;
    }
  }
  EXPECT_NEAR(RenewalTime(life, RunOf(100, 1)) / kHour, 145.930966, 5e-7);
  // A Weibull of shape 1 goes through the integration.
  EXPECT_NEAR(RenewalTime(*Lifetime::Weibull(1, 4 * kHour), RunOf(100, 1)) / kHour, 145.930966,
              5e-7);
}

TEST(LifetimeRenewalTest, ALifeOfOneLengthIsCountedByHand) {
  // Two hours each: the run of spot_run_test.cc, 6.5 hours.
  const Lifetime life = Lifetime::Measured(*MeasuredLife::Of({{Hours(2), true}, {Hours(2), true}}));
  RenewalRun run{3 * kHour, kHour, kHour / 6, kHour / 3, kHour / 2, true};
  EXPECT_NEAR(RenewalTime(life, run) / kHour, 6.5, 1e-9);
  run.interval = 1.9 * kHour;  // no instance lives through a segment
  EXPECT_EQ(RenewalTime(life, run), INFINITY);
}

TEST(LifetimeRenewalTest, TheBestIntervalWithoutMemoryIsTheClosedOne) {
  const double best = BestInterval(*Lifetime::Exponential(4 * kHour), RunOf(1'000, 0));
  EXPECT_NEAR(best / kHour, OptimalInterval(1.0 / 12, 4), 0.003);
}

TEST(LifetimeRenewalTest, NoOtherEvenIntervalIsMuchBetter) {
  for (const double shape : {0.5, 0.7, 2.0}) {
    const Lifetime life = *Lifetime::WeibullOfMean(shape, 4 * kHour);
    RenewalRun run = RunOf(60, 0);
    run.interval = BestInterval(life, run);
    const double least = RenewalTime(life, run);
    for (int segments = 10; segments <= 300; segments += 5) {
      run.interval = 60 * kHour / segments;
      EXPECT_GE(RenewalTime(life, run), least * (1 - 2e-4)) << shape << " " << segments;
    }
  }
}

TEST(LifetimeRenewalTest, WhereOnlyShortSegmentsEndTheyAreFound) {
  const Lifetime life = Lifetime::Measured(
      *MeasuredLife::Of({{Minutes(30), true}, {Minutes(30), true}, {Minutes(36), true}}));
  const double best = BestInterval(life, RunOf(20, 0));
  EXPECT_LT(best, 0.5 * kHour);
  RenewalRun run = RunOf(20, 0);
  run.interval = best;
  EXPECT_TRUE(std::isfinite(RenewalTime(life, run)));
}

}  // namespace
}  // namespace plimsoll
