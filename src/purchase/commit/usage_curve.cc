#include "purchase/commit/usage_curve.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {

UsageCurve::UsageCurve(std::vector<std::int64_t> used) : sorted_(std::move(used)) {
  std::sort(sorted_.begin(), sorted_.end());
  PLIMSOLL_CHECK(sorted_.empty() || sorted_.front() >= 0);
  sums_.reserve(sorted_.size() + 1);
  sums_.push_back(0);
  for (const std::int64_t used_ms : sorted_) sums_.push_back(sums_.back() + used_ms);
}

int128 UsageCurve::Below(std::int64_t level, std::int64_t scale) const {
  if (level <= 0 || scale <= 0) return 0;
  const int128 scaled_level = int128{level} * kWhole;
  const auto over = std::partition_point(sorted_.begin(), sorted_.end(), [&](std::int64_t used_ms) {
    return int128{used_ms} * scale <= scaled_level;
  });
  const auto under = static_cast<std::size_t>(over - sorted_.begin());
  return sums_[under] * scale + scaled_level * static_cast<int128>(sorted_.size() - under);
}

std::int64_t UsageCurve::Percentile(std::int64_t percent) const {
  if (sorted_.empty()) return 0;
  const std::int64_t rank = std::max<std::int64_t>(1, (hours() * percent + 99) / 100);
  return sorted_[static_cast<std::size_t>(rank - 1)];
}

}  // namespace plimsoll
