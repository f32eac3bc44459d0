#include "purchase/spot/fit_lifetime.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr double kBillion = 1e9;
constexpr double kMsPerHour = 3.6e6;
constexpr double kHalfChi95 = 1.9207294103470636;  // half the 95 % point of chi-square, 1 degree
constexpr double kNormal95 = 1.959963984540054;
constexpr double kShapeLeast = 0.01, kShapeMost = 100;
constexpr double kMeanLeast = 1e-6, kMeanMost = 1e9;  // against the estimate
constexpr int kHalvings = 200;
constexpr double kHoursMost = 8.76e6;  // a thousand years: longer is as good as never

double HoursOf(Duration duration) { return static_cast<double>(duration.base()) / kMsPerHour; }

Duration OfHours(double hours) {
  return Millis(std::llround(std::min(hours, kHoursMost) * kMsPerHour));
}

std::int64_t Billionths(double value) {
  return static_cast<std::int64_t>(std::llround(value * kBillion));
}

// Where `f`, which falls from `from` to `to` or rises, crosses zero, on a log scale.
double Crossing(double from, double to, const std::function<double(double)>& f) {
  const bool falls = f(from) > 0;
  double low = std::log(from), high = std::log(to);
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    ((f(std::exp(middle)) > 0) == falls ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

// Sums of a Weibull likelihood, with times against the longest, so that powers stay within 1.
class WeibullSums {
 public:
  explicit WeibullSums(const LifetimeSample& sample) {
    Duration longest;
    for (const Duration time : sample.time) longest = std::max(longest, time);
    longest_ = HoursOf(longest);
    for (std::size_t i = 0; i < sample.time.size(); ++i) {
      const double log = std::log(HoursOf(sample.time[i]) / longest_);
      logs_.push_back(log);
      if (sample.ended[i] == 0) continue;
      ++ends_;
      log_sum_ += log;
    }
  }

  // The derivative of the profile likelihood by the shape; falls.
  double Slope(double k) const {
    double powers = 0, weighted = 0;
    for (const double log : logs_) {
      const double power = std::exp(k * log);
      powers += power;
      weighted += power * log;
    }
    return ends_ / k + log_sum_ - ends_ * weighted / powers;
  }

  double Scale(double k) const { return longest_ * std::pow(Powers(k) / ends_, 1 / k); }

  // The likelihood at the best scale for this shape.
  double LogLikelihood(double k) const {
    return ends_ * std::log(k) - ends_ * std::log(Powers(k) / ends_) + (k - 1) * log_sum_ - ends_ -
           ends_ * std::log(longest_);
  }

 private:
  double Powers(double k) const {
    double powers = 0;
    for (const double log : logs_) powers += std::exp(k * log);
    return powers;
  }

  double longest_ = 0;
  std::vector<double> logs_;
  double ends_ = 0;
  double log_sum_ = 0;  // of those that ended
};

bool HasTwoEnds(const LifetimeSample& sample) {
  std::optional<Duration> first;
  for (std::size_t i = 0; i < sample.time.size(); ++i) {
    if (sample.ended[i] == 0) continue;
    if (first && sample.time[i] != *first) return true;
    first = sample.time[i];
  }
  return false;
}

// Lower bound of a share of which all of n are left: 0.025 = low^n.
double LowOfAll(std::int64_t n) { return std::pow(0.025, 1 / static_cast<double>(n)); }

}  // namespace

void LifetimeSample::Add(Duration lifetime, bool has_ended) {
  PLIMSOLL_CHECK(lifetime > Duration());
  time.push_back(lifetime);
  ended.push_back(has_ended ? 1 : 0);
}

std::int64_t LifetimeSample::ends() const { return std::count(ended.begin(), ended.end(), 1); }

Duration LifetimeSample::total() const {
  Duration sum;
  for (const Duration lifetime : time) sum += lifetime;
  return sum;
}

std::optional<ExponentialFit> FitExponential(const LifetimeSample& sample) {
  return FitExponential(sample.total(), sample.ends());
}

std::optional<ExponentialFit> FitExponential(Duration total, std::int64_t count) {
  if (count <= 0 || total <= Duration()) return std::nullopt;
  const auto ends = static_cast<double>(count);
  const double mean = HoursOf(total) / ends;
  const auto likelihood = [&](double m) { return -ends * std::log(m) - ends * mean / m; };
  const double best = likelihood(mean);
  const auto above = [&](double m) { return likelihood(m) - best + kHalfChi95; };
  ExponentialFit fit;
  fit.mean = OfHours(mean);
  fit.mean_low = OfHours(Crossing(mean * kMeanLeast, mean, above));
  fit.mean_high = OfHours(Crossing(mean, mean * kMeanMost, above));
  fit.log_likelihood = Billionths(best);
  fit.aic = Billionths(2 - 2 * best);
  return fit;
}

std::optional<WeibullFit> FitWeibull(const LifetimeSample& sample) {
  if (!HasTwoEnds(sample)) return std::nullopt;
  const WeibullSums sums(sample);
  const double k = Crossing(kShapeLeast, kShapeMost, [&](double at) { return sums.Slope(at); });
  const double best = sums.LogLikelihood(k);
  const auto above = [&](double at) { return sums.LogLikelihood(at) - best + kHalfChi95; };
  WeibullFit fit;
  fit.shape = Billionths(k);
  fit.shape_low = Billionths(Crossing(kShapeLeast, k, above));
  fit.shape_high = Billionths(Crossing(k, kShapeMost, above));
  fit.scale = OfHours(sums.Scale(k));
  fit.mean = OfHours(sums.Scale(k) * std::tgamma(1 + 1 / k));
  fit.log_likelihood = Billionths(best);
  fit.aic = Billionths(4 - 2 * best);
  return fit;
}

std::int64_t WeibullSurvival(const WeibullFit& fit, Duration age, Duration more) {
  const double k = static_cast<double>(fit.shape) / kBillion, scale = HoursOf(fit.scale);
  const double before = std::pow(HoursOf(age) / scale, k);
  return Billionths(std::exp(before - std::pow(HoursOf(age + more) / scale, k)));
}

std::int64_t ExponentialSurvival(Duration mean, Duration more) {
  return Billionths(std::exp(-HoursOf(more) / HoursOf(mean)));
}

std::optional<Survival> KaplanMeier(const LifetimeSample& sample, Duration t) {
  std::map<Duration, std::pair<std::int64_t, std::int64_t>> at;  // ended, all
  for (std::size_t i = 0; i < sample.time.size(); ++i) {
    auto& [ended, all] = at[sample.time[i]];
    ended += sample.ended[i];
    ++all;
  }
  auto left = static_cast<std::int64_t>(sample.time.size());
  double survival = 1, variance = 0;
  for (const auto& [time, counts] : at) {
    if (time > t) break;
    const auto ended = static_cast<double>(counts.first), risk = static_cast<double>(left);
    survival *= 1 - ended / risk;
    if (counts.first < left) variance += ended / (risk * (risk - ended));
    left -= counts.second;
    if (counts.first == counts.second + left) break;  // all that were left ended
  }
  const bool is_cut = survival > 0 && left == 0 && (at.empty() || at.rbegin()->first < t);
  if (at.empty() || is_cut) return std::nullopt;
  Survival answer;
  answer.at_risk = left;
  const auto n = static_cast<std::int64_t>(sample.time.size());
  double low = survival, high = survival;
  if (survival >= 1) {
    low = LowOfAll(std::max<std::int64_t>(left, 1));
  } else if (survival <= 0) {
    high = 1 - LowOfAll(n);
  } else {
    const double width = kNormal95 * std::sqrt(variance) / -std::log(survival);
    low = std::pow(survival, std::exp(width));
    high = std::pow(survival, std::exp(-width));
  }
  answer.probability = Billionths(survival);
  answer.low = Billionths(low);
  answer.high = Billionths(high);
  return answer;
}

}  // namespace plimsoll
