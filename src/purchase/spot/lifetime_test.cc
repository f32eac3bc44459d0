#include "purchase/spot/lifetime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kHour = 3.6e6;

Lifetime Bathtub() { return *Lifetime::Bathtub({}); }
Lifetime Young() { return *Lifetime::Weibull(0.56, 2.09 * kHour); }
std::vector<Lifetime> Smooth() {
  return {*Lifetime::Exponential(4 * kHour), Young(), *Lifetime::Weibull(1.7, 3 * kHour),
          *Lifetime::Weibull(1, 3 * kHour), Bathtub()};
}

TEST(LifetimeTest, WeibullsHaveThePublishedSurvival) {
  const Lifetime life = Young();
  EXPECT_NEAR(life.Mean() / kHour, 3.4622, 5e-5);
  EXPECT_NEAR(life.SurvivalGiven(0, kHour), 0.5159, 5e-5);
  EXPECT_NEAR(life.SurvivalGiven(kHour, kHour), 0.7306, 5e-5);
  EXPECT_NEAR(life.SurvivalGiven(6 * kHour, kHour), 0.8498, 5e-5);
  const Lifetime memoryless = *Lifetime::Exponential(life.Mean());
  for (const double age : {0.0, 1.0, 6.0}) {
    EXPECT_NEAR(memoryless.SurvivalGiven(age * kHour, kHour), 0.7491, 5e-5);
  }
}

TEST(LifetimeTest, HazardIsTheRateAtWhichSurvivalFalls) {
  for (const Lifetime& life : Smooth()) {
    SCOPED_TRACE(life.ToString());
    for (const double hours : {0.3, 1.0, 5.0, 20.0}) {
      const double age = hours * kHour, step = 100;
      const double rate = -std::log(life.SurvivalGiven(age - step, 2 * step)) / (2 * step);
      EXPECT_NEAR(life.Hazard(age) / rate, 1, 1e-5) << hours;
      EXPECT_NEAR(life.CumulativeHazard(age - step, 2 * step), rate * 2 * step, 1e-15);
    }
  }
  EXPECT_EQ(Young().Hazard(0), INFINITY);
  EXPECT_EQ(Lifetime::Weibull(2, 1)->Hazard(0), 0);
  EXPECT_EQ(Bathtub().Hazard(24 * kHour), INFINITY);
}

TEST(LifetimeTest, AFallingHazardMeansTheOldLiveLonger) {
  EXPECT_GT(Young().Hazard(kHour), Young().Hazard(6 * kHour));
  // A bathtub falls, then rises towards the cap.
  EXPECT_GT(Bathtub().Hazard(0), Bathtub().Hazard(12 * kHour));
  EXPECT_GT(Bathtub().Hazard(23.5 * kHour), Bathtub().Hazard(12 * kHour));
}

TEST(LifetimeTest, MeansAreTheIntegralOfTheSurvival) {
  for (const Lifetime& life : Smooth()) {
    SCOPED_TRACE(life.ToString());
    double sum = 0;  // by the middle of each step of a minute
    for (double age = 3e4; age < 3'000 * kHour; age += 6e4) sum += 6e4 * life.Survival(age);
    EXPECT_NEAR(life.Mean() / sum, 1, 2e-3);
    const double parts = life.SurvivalIntegral(0, kHour) + life.SurvivalIntegral(kHour, 9 * kHour) +
                         life.SurvivalIntegral(9 * kHour, 5'000 * kHour);
    EXPECT_NEAR(parts / life.Mean(), 1, 1e-6);
  }
  EXPECT_NEAR(Lifetime::WeibullOfMean(0.6, 5 * kHour)->Mean(), 5 * kHour, 1e-3);
}

// Draws of what is left at an age follow the survival from that age on: Kolmogorov and Smirnov's
// distance, above 2.6 in one of 10^6.
TEST(LifetimeTest, DrawsFollowTheSurvivalFromAnyAge) {
  constexpr int kDraws = 20'000;
  for (const Lifetime& life : Smooth()) {
    for (const double age : {0.0, 0.5 * kHour, 8 * kHour}) {
      SCOPED_TRACE(life.ToString() + " at " + std::to_string(age));
      RandomStream random(5, "life", 0);
      std::vector<double> draws(kDraws);
      for (double& draw : draws) draw = life.Draw(random, age);
      std::sort(draws.begin(), draws.end());
      double worst = 0;
      for (int i = 0; i < kDraws; ++i) {
        const double draw = draws[static_cast<std::size_t>(i)];
        if (age + draw >= 24 * kHour - 1) break;  // the mass at the cap
        const double below = 1 - life.SurvivalGiven(age, draw);
        worst = std::max(worst, std::abs(below - (i + 0.5) / kDraws));
      }
      EXPECT_LT(worst * std::sqrt(double{kDraws}), 2.6);
    }
  }
}

TEST(LifetimeTest, NothingOutlivesTheCap) {
  const Lifetime life = Bathtub();
  RandomStream random(1, "cap", 0);
  for (int i = 0; i < 1'000; ++i) EXPECT_LE(life.Draw(random), 24 * kHour);
  EXPECT_EQ(life.Draw(random, 25 * kHour), 0);
  EXPECT_EQ(life.SurvivalGiven(25 * kHour, 1), 0);
}

TEST(LifetimeTest, MeasuredLivesAreALawLikeOthers) {
  const Lifetime life =
      Lifetime::Measured(*MeasuredLife::Of({{Hours(2), true}, {Hours(1), true}, {Hours(6), true}}));
  EXPECT_DOUBLE_EQ(life.Mean(), 3 * kHour);
  EXPECT_NEAR(life.SurvivalGiven(1.5 * kHour, kHour), 0.5, 1e-12);
  EXPECT_EQ(life.ToString(), "measured, 3 evictions in 3 lifetimes");
  EXPECT_FALSE(life.memoryless());
  EXPECT_GT(life.Hazard(0), 0);
}

TEST(LifetimeTest, WhatIsNoDistributionIsRefusedByName) {
  const std::pair<Result<Lifetime>, const char*> cases[] = {
      {Lifetime::Exponential(0), "mean"},
      {Lifetime::Weibull(0, 1), "k must"},
      {Lifetime::Weibull(NAN, 1), "k must"},
      {Lifetime::Weibull(1, -1), "scale"},
      {Lifetime::Bathtub({0, 1, 1, 1, 1}), "a must"},
      {Lifetime::Bathtub({0.5, 0, 1, 1, 1}), "tau1"},
      {Lifetime::Bathtub({0.5, 1, 0, 1, 1}), "tau2"},
      {Lifetime::Bathtub({0.5, 1, 1, 0, 1}), "b must"},
      {Lifetime::Bathtub({0.5, 1, 1, 1, INFINITY}), "cap"}};
  for (const auto& [result, what] : cases) {
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find(what), std::string::npos) << result.error().message;
  }
}

}  // namespace
}  // namespace plimsoll
