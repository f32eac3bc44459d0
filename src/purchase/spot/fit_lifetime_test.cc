#include "purchase/spot/fit_lifetime.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace plimsoll {
namespace {

LifetimeSample Hourly(const std::vector<int>& hours, const std::vector<int>& ended = {}) {
  LifetimeSample sample;
  for (std::size_t i = 0; i < hours.size(); ++i) {
    sample.Add(Hours(hours[i]), ended.empty() || ended[i] == 1);
  }
  return sample;
}

double Part(std::int64_t billionths) { return static_cast<double>(billionths) / 1e9; }

TEST(FitLifetimeTest, ExponentialMeanIsAllTimeOverEnds) {
  const auto fit = FitExponential(Hourly({1, 2, 3, 6}, {1, 1, 1, 0}));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->mean, Hours(4));
  // -3 ln 4 - 12 / 4
  EXPECT_NEAR(Part(fit->log_likelihood), -3 * std::log(4) - 3, 1e-8);
  EXPECT_NEAR(Part(fit->aic), 2 + 2 * (3 * std::log(4) + 3), 1e-8);
  EXPECT_FALSE(FitExponential(Hourly({5}, {0})));
}

TEST(FitLifetimeTest, EndsOfTheIntervalHaveTheLikelihoodOfItsLevel) {
  const auto fit = FitExponential(Hourly({1, 2, 3, 6, 8, 4}));
  const auto likelihood = [](double m) { return -6 * std::log(m) - 24 / m; };
  for (const Duration end : {fit->mean_low, fit->mean_high}) {
    EXPECT_NEAR(likelihood(4) - likelihood(static_cast<double>(end.base()) / 3.6e6), 1.920729,
                1e-4);
  }
  EXPECT_LT(fit->mean_low, fit->mean);
  EXPECT_GT(fit->mean_high, fit->mean);
}

// The likelihood of a Weibull, written out, is nowhere greater near the fit than at it.
TEST(FitLifetimeTest, WeibullIsAtTheTopOfItsLikelihood) {
  const LifetimeSample sample = Hourly({1, 1, 2, 5, 9, 30, 12, 40}, {1, 1, 1, 1, 1, 0, 1, 0});
  const auto fit = FitWeibull(sample);
  ASSERT_TRUE(fit);
  const auto likelihood = [&](double k, double scale) {
    double sum = 0;
    for (std::size_t i = 0; i < sample.time.size(); ++i) {
      const double t = static_cast<double>(sample.time[i].base()) / 3.6e6;
      if (sample.ended[i] != 0) sum += std::log(k / scale) + (k - 1) * std::log(t / scale);
      sum -= std::pow(t / scale, k);
    }
    return sum;
  };
  const double k = Part(fit->shape), scale = static_cast<double>(fit->scale.base()) / 3.6e6;
  EXPECT_NEAR(likelihood(k, scale), Part(fit->log_likelihood), 1e-6);
  for (const double step : {0.99, 1.01}) {
    EXPECT_LT(likelihood(k * step, scale), likelihood(k, scale));
    EXPECT_LT(likelihood(k, scale * step), likelihood(k, scale));
  }
  EXPECT_LT(fit->shape_low, fit->shape);
  EXPECT_GT(fit->shape_high, fit->shape);
}

TEST(FitLifetimeTest, ShapeOfDrawnLifetimesIsWithinItsInterval) {
  std::mt19937_64 random(1960);
  int inside = 0;
  for (int round = 0; round < 100; ++round) {
    LifetimeSample sample;
    for (int i = 0; i < 80; ++i) {
      const double u = (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0;
      const double hours = 2.09 * std::pow(-std::log(u), 1 / 0.56);
      const bool ended = hours < 10;
      sample.Add(Millis(std::llround(std::min(hours, 10.0) * 3.6e6) + 1), ended);
    }
    const auto fit = FitWeibull(sample);
    ASSERT_TRUE(fit);
    if (fit->shape_low <= 560'000'000 && fit->shape_high >= 560'000'000) ++inside;
  }
  EXPECT_GE(inside, 88) << "of 100 intervals of 95 %";
}

TEST(FitLifetimeTest, WeibullSurvivalGrowsWithAgeBelowShapeOne) {
  WeibullFit fit;
  fit.shape = 560'000'000;
  fit.scale = Minutes(125) + Seconds(24);  // 2.09 h
  EXPECT_NEAR(Part(WeibullSurvival(fit, Duration(), Hours(1))), 0.5159, 5e-5);
  EXPECT_NEAR(Part(WeibullSurvival(fit, Hours(1), Hours(1))), 0.7306, 5e-5);
  EXPECT_NEAR(Part(WeibullSurvival(fit, Hours(6), Hours(1))), 0.8498, 5e-5);
  const Duration mean = Millis(std::llround(3.4622 * 3.6e6));
  EXPECT_NEAR(Part(ExponentialSurvival(mean, Hours(1))), 0.7491, 5e-5);
}

TEST(FitLifetimeTest, WhatHasNoSpreadHasNoShape) {
  EXPECT_FALSE(FitWeibull(Hourly({3, 3, 3})));
  EXPECT_FALSE(FitWeibull(Hourly({3, 4}, {1, 0})));
  EXPECT_TRUE(FitWeibull(Hourly({3, 4})));
}

// Leukaemia remission under 6-MP (Freireich 1963; Kalbfleisch and Prentice, table 1.1): weeks.
TEST(FitLifetimeTest, KaplanMeierOfTheTextbook) {
  const LifetimeSample sample =
      Hourly({6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35},
             {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(Part(KaplanMeier(sample, Hours(6))->probability), 0.8571, 5e-5);
  EXPECT_NEAR(Part(KaplanMeier(sample, Hours(10))->probability), 0.7529, 5e-5);
  const auto last = KaplanMeier(sample, Hours(23));
  EXPECT_NEAR(Part(last->probability), 0.4482, 5e-5);
  EXPECT_NEAR(Part(last->low), 0.1878, 5e-3);
  EXPECT_NEAR(Part(last->high), 0.6801, 5e-3);
  EXPECT_EQ(KaplanMeier(sample, Hours(36)).has_value(), false) << "the last were cut off before";
  EXPECT_TRUE(KaplanMeier(sample, Hours(35)));
}

TEST(FitLifetimeTest, AllOrNoneLeftHaveABoundByTheirNumber) {
  const auto all = KaplanMeier(Hourly({5, 6, 7}), Hours(1));
  EXPECT_EQ(all->probability, 1'000'000'000);
  EXPECT_NEAR(Part(all->low), std::cbrt(0.025), 1e-8);
  const auto none = KaplanMeier(Hourly({5, 6, 7}), Hours(100));
  EXPECT_EQ(none->probability, 0);
  EXPECT_EQ(none->low, 0);
  EXPECT_NEAR(Part(none->high), 1 - std::cbrt(0.025), 1e-8);
  EXPECT_FALSE(KaplanMeier(LifetimeSample(), Hours(1)));
}

}  // namespace
}  // namespace plimsoll
