// ArrivalFit: when jobs come: a rate, its shape over the week, and how unevenly they come beside.
//
// Times of the week are UTC, from Monday on. What is fitted is submissions, of which one may
// bring several jobs (a sweep, an array).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/random.h"
#include "units/time.h"

namespace plimsoll {

inline constexpr std::size_t kWeekHours = 168;

enum class ArrivalModel : unsigned char {
  kPoisson,  // the mean rate, at any time
  kProfile,  // Poisson at the rate of the hour of the week
  kBursty,   // that rate times a gamma factor a day and one an hour, as uneven as was seen
};

struct ArrivalFit {
  std::int64_t count = 0;
  double per_hour = 0;
  // Against the mean: weekday times hour of day, which 31 numbers of a few weeks can tell.
  std::array<double, kWeekHours> profile{};
  // Variances of the gamma factors (mean 1): of a day, and of an hour within it. 0 is Poisson.
  double day_variance = 0, hour_variance = 0;
  double ca2 = 0;  // squared coefficient of variation of the times between; 1 is Poisson

  double RateAt(Instant t) const;  // an hour, of kProfile
};

// REQUIRES: times sorted and within the window, which is not empty
ArrivalFit FitArrivals(std::span<const Instant> times, Window window);

struct ArrivalDraw {
  ArrivalModel model = ArrivalModel::kBursty;
  Window window;
  double scale = 1;  // of the rate
};

// Sorted. REQUIRES: scale >= 0
std::vector<Instant> DrawArrivals(const ArrivalFit& fit, const ArrivalDraw& draw,
                                  RandomStream& random);

// 0 is Monday 00:00 to 01:00 UTC.
std::size_t HourOfWeek(Instant t);

}  // namespace plimsoll
