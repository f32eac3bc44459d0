#include "economics/serving_histogram.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/serving.h"
#include "units/money.h"

namespace plimsoll {

LatencyHistogram::LatencyHistogram(std::vector<LatencyBucket> buckets)
    : buckets_(std::move(buckets)) {
  // Of two counts for one edge the greater is the whole one.
  std::sort(buckets_.begin(), buckets_.end(), [](const LatencyBucket& a, const LatencyBucket& b) {
    return a.le_ns != b.le_ns ? a.le_ns < b.le_ns : a.count > b.count;
  });
  buckets_.erase(std::unique(buckets_.begin(), buckets_.end(),
                             [](const auto& a, const auto& b) { return a.le_ns == b.le_ns; }),
                 buckets_.end());
  for (LatencyBucket& bucket : buckets_) {
    if (bucket.count < total_) was_raised_ = true;
    bucket.count = total_ = std::max(total_, bucket.count);
  }
  if (!buckets_.empty() && buckets_.back().le_ns == kLeInfinite) buckets_.pop_back();
}

EdgesBeside LatencyHistogram::Beside(std::int64_t threshold_ns) const {
  EdgesBeside edges;
  for (const LatencyBucket& bucket : buckets_) {
    if (bucket.le_ns <= threshold_ns) edges.below_ns = bucket.le_ns;
    if (bucket.le_ns >= threshold_ns && !edges.above_ns) edges.above_ns = bucket.le_ns;
  }
  edges.is_edge = edges.below_ns && *edges.below_ns == threshold_ns;
  return edges;
}

CountBounds LatencyHistogram::CountWithin(std::int64_t threshold_ns) const {
  CountBounds bounds{0, total_};
  for (const LatencyBucket& bucket : buckets_) {
    if (bucket.le_ns <= threshold_ns) bounds.low = bucket.count;
    if (bucket.le_ns >= threshold_ns) {
      bounds.high = bucket.count;
      break;
    }
  }
  return bounds;
}

std::optional<LatencyHistogram::Bracket> LatencyHistogram::Quantile(std::int64_t num,
                                                                    std::int64_t den) const {
  if (total_ == 0) return std::nullopt;
  const int128 rank = (int128{total_} * num + den - 1) / den;
  Bracket bracket;
  for (const LatencyBucket& bucket : buckets_) {
    if (bucket.count >= rank) {
      bracket.at_most_ns = bucket.le_ns;
      return bracket;
    }
    bracket.above_ns = bucket.le_ns;
  }
  return bracket;
}

CountBounds MeetEvery(std::span<const CountBounds> conditions, std::int64_t all) {
  int128 missing = 0;  // at most this many miss some condition
  CountBounds met{all, all};
  for (const CountBounds& condition : conditions) {
    missing += all - std::clamp<std::int64_t>(condition.low, 0, all);
    met.high = std::min(met.high, std::clamp<std::int64_t>(condition.high, 0, all));
  }
  met.low = static_cast<std::int64_t>(std::max<int128>(0, int128{all} - missing));
  return met;
}

std::string LatencyText(std::int64_t ns) {
  static constexpr std::array<std::pair<std::int64_t, const char*>, 4> kUnits{
      {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}}};
  for (const auto& [size, name] : kUnits) {
    if (ns < size && size > 1) continue;
    std::string text = std::to_string(ns / size);
    std::string rest = std::to_string(size + ns % size).substr(1);
    while (!rest.empty() && rest.back() == '0') rest.pop_back();
    if (!rest.empty()) text += "." + rest;
    return text + name;
  }
  return "0s";
}

}  // namespace plimsoll
