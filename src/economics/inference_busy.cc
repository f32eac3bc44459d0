#include "economics/inference_busy.h"

#include <algorithm>

namespace plimsoll {

void BusyTime::Compact() {
  std::sort(spans_.begin(), spans_.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < spans_.size(); ++i) {
    if (spans_[i].begin <= spans_[kept].until) {
      spans_[kept].until = std::max(spans_[kept].until, spans_[i].until);
    } else {
      spans_[++kept] = spans_[i];
    }
  }
  if (!spans_.empty()) spans_.resize(kept + 1);
  // Twice what is left: sorting stays a logarithm of the requests even if none overlap.
  compact_at_ = std::max<std::size_t>(4'096, 2 * spans_.size());
}

std::int64_t BusyTime::Within(std::int64_t begin, std::int64_t until) {
  Compact();
  std::int64_t sum = 0;
  for (const Span& span : spans_) {
    const std::int64_t from = std::max(span.begin, begin);
    const std::int64_t to = std::min(span.until, until);
    if (from < to) sum += to - from;
  }
  return sum;
}

}  // namespace plimsoll
