#include "capacity/workload/arrival_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// 2026-11-02 is a Monday.
const Window kFourWeeks{AtSeconds(1'793'577'600), AtSeconds(1'793'577'600) + Days(28)};

ArrivalFit Flat(double per_hour) {
  ArrivalFit fit;
  fit.per_hour = per_hour;
  fit.profile.fill(1);
  return fit;
}

std::vector<Instant> Draw(const ArrivalFit& fit, ArrivalModel model, double scale = 1) {
  RandomStream random(5, "arrivals", 0);
  return DrawArrivals(fit, {model, kFourWeeks, scale}, random);
}

TEST(ArrivalFitTest, HoursOfTheWeekBeginOnMonday) {
  EXPECT_EQ(HourOfWeek(kFourWeeks.begin), 0U);
  EXPECT_EQ(HourOfWeek(kFourWeeks.begin + Hours(25)), 25U);
  EXPECT_EQ(HourOfWeek(kFourWeeks.begin - Millis(1)), 167U);
  EXPECT_EQ(HourOfWeek(AtMillis(0)), 72U) << "a Thursday";
  EXPECT_EQ(HourOfWeek(AtMillis(-1)), 71U);
}

TEST(ArrivalFitTest, PoissonArrivalsAreFoundToBePoisson) {
  const auto times = Draw(Flat(50), ArrivalModel::kPoisson);
  const ArrivalFit fit = FitArrivals(times, kFourWeeks);
  EXPECT_NEAR(fit.per_hour, 50, 1);
  EXPECT_NEAR(fit.ca2, 1, 0.05);
  EXPECT_LT(fit.day_variance, 0.005);
  EXPECT_LT(fit.hour_variance, 0.005);
  for (const double factor : fit.profile) EXPECT_NEAR(factor, 1, 0.2);
}

TEST(ArrivalFitTest, AProfileIsFoundAgainAndAveragesToOne) {
  ArrivalFit truth = Flat(100);
  for (std::size_t i = 0; i < kWeekHours; ++i) {
    const bool weekend = i >= 120, night = i % 24 < 8;
    truth.profile[i] = (weekend ? 0.25 : 1.3) * (night ? 0.2 : 1.4);
  }
  const ArrivalFit fit = FitArrivals(Draw(truth, ArrivalModel::kProfile), kFourWeeks);
  double sum = 0;
  for (std::size_t i = 0; i < kWeekHours; ++i) {
    sum += fit.profile[i];
    EXPECT_NEAR(fit.RateAt(kFourWeeks.begin + Hours(static_cast<std::int64_t>(i))),
                100 * truth.profile[i], 25);
  }
  EXPECT_NEAR(sum, 168, 1e-6);
  EXPECT_LT(fit.day_variance + fit.hour_variance, 0.02) << "the profile explains it";
}

TEST(ArrivalFitTest, BurstsAreFoundAgainDaysAndHoursApart) {
  ArrivalFit truth = Flat(200);
  truth.day_variance = 0.2;
  truth.hour_variance = 0.5;
  const Window year{kFourWeeks.begin, kFourWeeks.begin + Days(364)};
  RandomStream random(9, "arrivals", 0);
  const auto times = DrawArrivals(truth, {ArrivalModel::kBursty, year, 1}, random);
  const ArrivalFit fit = FitArrivals(times, year);
  EXPECT_NEAR(fit.per_hour, 200, 12);
  EXPECT_NEAR(fit.day_variance, 0.2, 0.06);
  EXPECT_NEAR(fit.hour_variance, 0.5, 0.1);
  EXPECT_GT(fit.ca2, 1.1);
}

TEST(ArrivalFitTest, DrawsScaleRepeatAndStayInTheWindow) {
  const auto once = Draw(Flat(30), ArrivalModel::kProfile);
  EXPECT_EQ(once, Draw(Flat(30), ArrivalModel::kProfile));
  const auto twice = Draw(Flat(30), ArrivalModel::kProfile, 2);
  EXPECT_NEAR(static_cast<double>(twice.size()) / static_cast<double>(once.size()), 2, 0.05);
  EXPECT_TRUE(std::is_sorted(twice.begin(), twice.end()));
  EXPECT_TRUE(kFourWeeks.contains(twice.front()) && kFourWeeks.contains(twice.back()));
  EXPECT_TRUE(Draw(Flat(30), ArrivalModel::kProfile, 0).empty());
}

TEST(ArrivalFitTest, NoArrivalsAreARateOfZero) {
  const ArrivalFit fit = FitArrivals({}, kFourWeeks);
  EXPECT_EQ(fit.per_hour, 0);
  EXPECT_TRUE(Draw(fit, ArrivalModel::kBursty).empty());
}

}  // namespace
}  // namespace plimsoll
