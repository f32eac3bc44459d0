#include "capacity/workload/wait_bound.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

void Check(const BoundOptions& options) {
  PLIMSOLL_CHECK(options.quantile > 0 && options.quantile < 1);
  PLIMSOLL_CHECK(options.confidence > 0 && options.confidence < 1);
}

// P(X <= most) of X binomial: how many of `count` waits are below the quantile.
double AtMost(std::size_t most, std::size_t count, double quantile) {
  if (most >= count) return 1;
  return IncompleteBeta(static_cast<double>(count - most), static_cast<double>(most) + 1,
                        1 - quantile);
}

}  // namespace

std::size_t WaitsNeeded(const BoundOptions& options) {
  Check(options);
  const double count = std::log(1 - options.confidence) / std::log(options.quantile);
  return static_cast<std::size_t>(std::ceil(count - 1e-9));
}

std::optional<Duration> WaitUpperBound(std::span<const Duration> waits,
                                       const BoundOptions& options) {
  Check(options);
  if (waits.size() < WaitsNeeded(options)) return std::nullopt;
  // The k-th smallest is at or above the quantile unless k or more waits are below it.
  std::size_t low = 1, high = waits.size();
  while (low < high) {
    const std::size_t k = (low + high) / 2;
    if (AtMost(k - 1, waits.size(), options.quantile) >= options.confidence) {
      high = k;
    } else {
      low = k + 1;
    }
  }
  std::vector<Duration> sorted(waits.begin(), waits.end());
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(low - 1);
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

std::optional<Duration> WaitPredictor::Bound() const {
  const std::vector<Duration> waits(waits_.begin(), waits_.end());
  return WaitUpperBound(waits, options_);
}

void WaitPredictor::Add(Duration wait) {
  if (const auto bound = Bound()) {
    ++bounded_;
    const bool missed = wait > *bound;
    misses_ += missed ? 1 : 0;
    misses_in_row_ = missed ? misses_in_row_ + 1 : 0;
  }
  waits_.push_back(wait);
  if (misses_in_row_ < kMissesInRow) return;
  const std::size_t keep = WaitsNeeded(options_);
  while (waits_.size() > keep) waits_.pop_front();
  misses_in_row_ = 0;
  ++trims_;
}

}  // namespace plimsoll
