#include "capacity/workload/run_time_fit.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "sim/distributions.h"
#include "sim/portable_math.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr std::size_t kTailLeast = 40;  // fewer times have no tail to speak of
constexpr std::int64_t kBeyondLongest = 10;

double SecondsOf(Duration time) { return static_cast<double>(time.base()) / 1'000; }

// At least a millisecond, so that it has a logarithm.
double LogSeconds(Duration time) { return portable::Log(std::max(SecondsOf(time), 0.001)); }

double NormalCdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double Distance(std::span<const Duration> sorted, double mu, double sigma) {
  const auto count = static_cast<double>(sorted.size());
  double worst = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    // Of equal times the step is one: from before the first to after the last.
    const bool first = i == 0 || sorted[i] != sorted[i - 1];
    const bool last = i + 1 == sorted.size() || sorted[i] != sorted[i + 1];
    const double log = LogSeconds(sorted[i]);
    const double at = sigma > 0 ? NormalCdf((log - mu) / sigma) : (log >= mu ? 1.0 : 0.0);
    const double before = sigma > 0 ? at : (log > mu ? 1.0 : 0.0);
    if (first) worst = std::max(worst, std::abs(before - static_cast<double>(i) / count));
    if (last) worst = std::max(worst, std::abs(at - static_cast<double>(i + 1) / count));
  }
  return worst;
}

std::optional<double> Hill(std::span<const Duration> sorted) {
  if (sorted.size() < kTailLeast) return std::nullopt;
  const std::size_t top = std::max<std::size_t>(sorted.size() / 20, 10);
  const double threshold = LogSeconds(sorted[sorted.size() - top - 1]);
  double sum = 0;
  for (std::size_t i = sorted.size() - top; i < sorted.size(); ++i) {
    sum += LogSeconds(sorted[i]) - threshold;
  }
  if (sum <= 0) return std::nullopt;  // they all ran as long: no tail
  return static_cast<double>(top) / sum;
}

double ShareOfLongest(std::span<const Duration> sorted) {
  const std::size_t top = std::max<std::size_t>(sorted.size() / 100, 1);
  double all = 0, longest = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    all += SecondsOf(sorted[i]);
    if (i + top >= sorted.size()) longest += SecondsOf(sorted[i]);
  }
  return all > 0 ? longest / all : 0;
}

}  // namespace

RunTimeFit::RunTimeFit(std::span<const Duration> runs) : sorted_(runs.begin(), runs.end()) {
  PLIMSOLL_CHECK(!sorted_.empty());
  std::sort(sorted_.begin(), sorted_.end());
  PLIMSOLL_CHECK(sorted_.front() >= Duration());
  Moments seconds, logs;
  for (const Duration run : sorted_) {
    seconds.Add(SecondsOf(run));
    logs.Add(LogSeconds(run));
  }
  mu_ = logs.mean();
  sigma_ = std::sqrt(logs.variance());
  quality_.count = seconds.count();
  quality_.mean_s = seconds.mean();
  quality_.median_s = SecondsOf(sorted_[QuantileRank(sorted_.size(), 0.5)]);
  quality_.p95_s = SecondsOf(sorted_[QuantileRank(sorted_.size(), 0.95)]);
  const double square = seconds.mean() * seconds.mean();
  quality_.cs2 = square > 0 ? seconds.variance() / square : 0;
  quality_.ks_lognormal = Distance(sorted_, mu_, sigma_);
  quality_.tail_index = Hill(sorted_);
  quality_.share_of_longest = ShareOfLongest(sorted_);
}

Duration RunTimeFit::Draw(RunTimeModel model, RandomStream& random) const {
  if (model == RunTimeModel::kEmpirical) return sorted_[random.Below(sorted_.size())];
  const double most =
      static_cast<double>(std::max<std::int64_t>(sorted_.back().base(), 1)) * kBeyondLongest;
  const double ms = DrawLognormal(random, mu_, sigma_) * 1'000;
  return Millis(static_cast<std::int64_t>(std::min(ms, most) + 0.5));
}

}  // namespace plimsoll
