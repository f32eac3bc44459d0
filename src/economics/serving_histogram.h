// Histograms of latencies: what they say of a threshold or a quantile, and no more.
//
// A bucket tells how many were at most its edge. So of a threshold inside a bucket only bounds
// are known, and of what lies beyond the last edge only that it does. Counts are exact integers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

// Both ends are possible: low <= the truth <= high.
struct CountBounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool exact() const { return low == high; }
  friend auto operator<=>(const CountBounds&, const CountBounds&) = default;
};

struct LatencyBucket {
  std::int64_t le_ns = 0;  // upper edge, inclusive; kLeInfinite (model/serving.h): +Inf
  std::int64_t count = 0;  // of all values up to the edge
  friend auto operator<=>(const LatencyBucket&, const LatencyBucket&) = default;
};

// Edges beside a threshold; null where there is none (+Inf is no edge).
struct EdgesBeside {
  std::optional<std::int64_t> below_ns, above_ns;
  bool is_edge = false;  // then both are the threshold
};

class LatencyHistogram {
 public:
  // Takes buckets in any order. Counts that fall from one edge to the next are raised to the
  // ones before: a scrape in the middle of an observation leaves them so.
  explicit LatencyHistogram(std::vector<LatencyBucket> buckets);

  // All values: the bucket +Inf, else the greatest count.
  std::int64_t total() const { return total_; }
  bool was_raised() const { return was_raised_; }
  std::span<const LatencyBucket> buckets() const { return buckets_; }  // in order, without +Inf

  EdgesBeside Beside(std::int64_t threshold_ns) const;

  // How many values are at most `threshold_ns`: exact at an edge.
  CountBounds CountWithin(std::int64_t threshold_ns) const;

  // The bucket that holds the value of rank ceil(total x num / den): (above, at_most]. Null
  // `at_most`: beyond the last edge. Null at all: there is no value.
  // REQUIRES: 0 < num <= den
  struct Bracket {
    std::int64_t above_ns = 0;
    std::optional<std::int64_t> at_most_ns;
  };
  std::optional<Bracket> Quantile(std::int64_t num, std::int64_t den) const;

 private:
  std::vector<LatencyBucket> buckets_;
  std::int64_t total_ = 0;
  bool was_raised_ = false;
};

// How many of `all` meet every condition, if each is met by as many as its bounds say. Sharp
// without knowledge of how they hang together (Frechet 1935): max(0, sum of lows - (k-1) all)
// to the least high. No condition: all.
CountBounds MeetEvery(std::span<const CountBounds> conditions, std::int64_t all);

// "25ms", "1.5s", "60s", "800us": exact.
std::string LatencyText(std::int64_t ns);

}  // namespace plimsoll
