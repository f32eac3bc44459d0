#include "capacity/workload/arrival_fit.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "sim/distributions.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr double kMsPerHour = 3.6e6;
constexpr std::size_t kDayHours = 24;
constexpr double kFactorLeast = 1e-4;  // a variance below draws no factor

double HoursOf(Duration duration) { return static_cast<double>(duration.base()) / kMsPerHour; }

// Calls visit(part) for the window cut at each full hour.
template <class Visit>
void ForEachHour(Window window, const Visit& visit) {
  for (Instant at = window.begin; at < window.until;) {
    const Instant next = std::min(FloorTo(at, Hours(1)) + Hours(1), window.until);
    visit(Window{at, next});
    at = next;
  }
}

// Counts and hours seen by some cut of time; a rate of each against the mean, 1 where nothing is
// known.
class RatesBy {
 public:
  explicit RatesBy(std::size_t size) : counts_(size), hours_(size) {}
  void AddTime(std::size_t i, double hours) { hours_[i] += hours; }
  void AddCount(std::size_t i) { ++counts_[i]; }
  double Against(std::size_t i, double per_hour) const {
    return hours_[i] > 0 && per_hour > 0 ? counts_[i] / hours_[i] / per_hour : 1;
  }

 private:
  std::vector<double> counts_, hours_;
};

void FitProfile(std::span<const Instant> times, Window window, ArrivalFit& fit) {
  RatesBy days(7), hours(kDayHours);
  std::array<double, kWeekHours> seen{};
  ForEachHour(window, [&](Window part) {
    const std::size_t hour = HourOfWeek(part.begin);
    seen[hour] += HoursOf(part.length());
    days.AddTime(hour / kDayHours, HoursOf(part.length()));
    hours.AddTime(hour % kDayHours, HoursOf(part.length()));
  });
  for (const Instant t : times) {
    days.AddCount(HourOfWeek(t) / kDayHours);
    hours.AddCount(HourOfWeek(t) % kDayHours);
  }
  double expected = 0, all = 0;
  for (std::size_t i = 0; i < kWeekHours; ++i) {
    fit.profile[i] =
        days.Against(i / kDayHours, fit.per_hour) * hours.Against(i % kDayHours, fit.per_hour);
    expected += fit.profile[i] * seen[i];
    all += seen[i];
  }
  // A product of two shapes need not average to 1 over what was seen.
  for (double& factor : fit.profile) factor = expected > 0 ? factor * all / expected : 1;
}

// Variance beyond Poisson's of counts against what was expected: sum((n - m)^2 - m) / sum(m^2).
class Overdispersion {
 public:
  void Add(double count, double expected) {
    excess_ += (count - expected) * (count - expected) - expected;
    squares_ += expected * expected;
  }
  double variance() const { return squares_ > 0 ? std::max(excess_ / squares_, 0.0) : 0; }

 private:
  double excess_ = 0, squares_ = 0;
};

void FitBursts(std::span<const Instant> times, Window window, ArrivalFit& fit) {
  Overdispersion of_hours, of_days;
  double within = 0, day_squares = 0;  // sums of squares of hours' and days' expectations
  double day_count = 0, day_expected = 0;
  std::size_t next = 0;
  Instant day = FloorTo(window.begin, Days(1));
  const auto close_day = [&] {
    of_days.Add(day_count, day_expected);
    day_squares += day_expected * day_expected;
    day_count = day_expected = 0;
  };
  ForEachHour(window, [&](Window part) {
    if (FloorTo(part.begin, Days(1)) != day) {
      close_day();
      day = FloorTo(part.begin, Days(1));
    }
    double count = 0;
    for (; next < times.size() && times[next] < part.until; ++next) ++count;
    const double expected = fit.RateAt(part.begin) * HoursOf(part.length());
    of_hours.Add(count, expected);
    within += expected * expected;
    day_count += count;
    day_expected += expected;
  });
  close_day();
  // Hours' own factors make days vary too, by a part of within / day_squares; what is beyond that
  // is the day's. (1 + day)(1 + hour) = 1 + all.
  const double all = of_hours.variance(), days = of_days.variance();
  const double part = day_squares > 0 ? within / day_squares : 0;
  fit.day_variance = part < 1 ? std::clamp((days - all * part) / (1 - part), 0.0, all) : 0;
  fit.hour_variance = (1 + all) / (1 + fit.day_variance) - 1;
}

double SquaredVariation(std::span<const Instant> times) {
  Moments gaps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    gaps.Add(static_cast<double>(Between(times[i - 1], times[i]).base()));
  }
  const double square = gaps.mean() * gaps.mean();
  return square > 0 ? gaps.variance() / square : 0;
}

// Mean 1.
double DrawFactor(double variance, RandomStream& random) {
  return variance < kFactorLeast ? 1 : DrawGamma(random, 1 / variance, variance);
}

}  // namespace

std::size_t HourOfWeek(Instant t) {
  // 1970-01-01 was a Thursday: Monday is three days before.
  const Instant monday = AtMillis(-Days(3).base());
  const std::int64_t ms = Between(FloorTo(t, Hours(1)), t).base();
  const std::int64_t hours = (t.base() - ms - monday.base()) / Hours(1).base();
  const auto week = static_cast<std::int64_t>(kWeekHours);
  return static_cast<std::size_t>(((hours % week) + week) % week);
}

double ArrivalFit::RateAt(Instant t) const { return per_hour * profile[HourOfWeek(t)]; }

ArrivalFit FitArrivals(std::span<const Instant> times, Window window) {
  PLIMSOLL_CHECK(!window.empty());
  PLIMSOLL_CHECK(std::is_sorted(times.begin(), times.end()));
  PLIMSOLL_CHECK(times.empty() ||
                 (window.contains(times.front()) && window.contains(times.back())));
  ArrivalFit fit;
  fit.count = static_cast<std::int64_t>(times.size());
  fit.per_hour = static_cast<double>(times.size()) / HoursOf(window.length());
  FitProfile(times, window, fit);
  FitBursts(times, window, fit);
  fit.ca2 = SquaredVariation(times);
  return fit;
}

std::vector<Instant> DrawArrivals(const ArrivalFit& fit, const ArrivalDraw& draw,
                                  RandomStream& random) {
  PLIMSOLL_CHECK(draw.scale >= 0);
  std::vector<Instant> times;
  double day_factor = 1;
  std::optional<Instant> day;
  double left = DrawExponential(random, 1);  // of expected arrivals, until the next
  ForEachHour(draw.window, [&](Window part) {
    double rate = draw.scale * fit.per_hour;
    if (draw.model != ArrivalModel::kPoisson) rate = draw.scale * fit.RateAt(part.begin);
    if (draw.model == ArrivalModel::kBursty) {
      if (!day || FloorTo(part.begin, Days(1)) != *day) {
        day = FloorTo(part.begin, Days(1));
        day_factor = DrawFactor(fit.day_variance, random);
      }
      rate *= day_factor * DrawFactor(fit.hour_variance, random);
    }
    double hours = 0;
    const double length = HoursOf(part.length());
    while (rate > 0 && hours + left / rate < length) {
      hours += left / rate;
      times.push_back(part.begin + Millis(static_cast<std::int64_t>(hours * kMsPerHour)));
      left = DrawExponential(random, 1);
    }
    left -= rate * (length - hours);
  });
  return times;
}

}  // namespace plimsoll
