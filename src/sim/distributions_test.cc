#include "sim/distributions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace plimsoll {
namespace {

constexpr int kDraws = 40'000;

// The greatest distance between the draws' distribution and `cdf`, by sqrt(n) (Kolmogorov and
// Smirnov); above 2.6 in one of 10^6 samples.
double Distance(const std::function<double(RandomStream&)>& draw,
                const std::function<double(double)>& cdf) {
  RandomStream random(11, "distribution", 0);
  std::vector<double> values(kDraws);
  for (double& value : values) value = draw(random);
  std::sort(values.begin(), values.end());
  double worst = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double at = cdf(values[static_cast<std::size_t>(i)]);
    worst =
        std::max({worst, std::abs(at - double(i) / kDraws), std::abs(at - double(i + 1) / kDraws)});
  }
  return worst * std::sqrt(double{kDraws});
}

double Phi(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }

TEST(DistributionsTest, DrawsFollowTheirDistribution) {
  EXPECT_LT(Distance([](auto& r) { return DrawExponential(r, 4); },
                     [](double x) { return 1 - std::exp(-x / 4); }),
            2.6);
  EXPECT_LT(Distance([](auto& r) { return DrawWeibull(r, 0.56, 2.09); },
                     [](double x) { return 1 - std::exp(-std::pow(x / 2.09, 0.56)); }),
            2.6);
  EXPECT_LT(Distance([](auto& r) { return DrawNormal(r, -1, 3); },
                     [](double x) { return Phi((x + 1) / 3); }),
            2.6);
  EXPECT_LT(Distance([](auto& r) { return DrawLognormal(r, 1, 0.5); },
                     [](double x) { return Phi((std::log(x) - 1) / 0.5); }),
            2.6);
  EXPECT_LT(Distance([](auto& r) { return DrawGamma(r, 2, 3); },
                     [](double x) { return 1 - std::exp(-x / 3) * (1 + x / 3); }),
            2.6);
  EXPECT_LT(Distance([](auto& r) { return DrawGamma(r, 0.5, 2); },
                     [](double x) { return std::erf(std::sqrt(x / 2)); }),
            2.6);
}

TEST(DistributionsTest, AWrongDistributionIsSeen) {
  EXPECT_GT(Distance([](auto& r) { return DrawExponential(r, 4); },
                     [](double x) { return 1 - std::exp(-x / 4.2); }),
            2.6);
}

TEST(DistributionsTest, MeasuredValuesComeAsOftenAsTheyWereMeasured) {
  const EmpiricalDistribution values({5, 1, 1, 2});
  EXPECT_EQ(values.mean(), 2.25);
  EXPECT_EQ(values.sorted(), (std::vector<double>{1, 1, 2, 5}));
  RandomStream random(1, "measured", 0);
  int ones = 0;
  for (int i = 0; i < kDraws; ++i) ones += values.Draw(random) == 1;
  EXPECT_NEAR(ones, kDraws / 2, 5 * std::sqrt(kDraws / 4));
}

TEST(DistributionsTest, TimesAreWholeMillisecondsOfTheSameDraw) {
  RandomStream one(1, "times", 0), two(1, "times", 0);
  for (int i = 0; i < 1'000; ++i) {
    const std::int64_t rounded = std::llround(DrawExponential(one, 3.0));
    EXPECT_EQ(DrawExponentialTime(two, Millis(3)).base(), std::max<std::int64_t>(rounded, 1));
  }
}

}  // namespace
}  // namespace plimsoll
