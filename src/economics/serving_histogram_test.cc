#include "economics/serving_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "model/serving.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// vLLM's edges of the time per output token (vllm/v1/metrics/loggers.py), up to 100 ms.
LatencyHistogram VllmTpot() {
  return LatencyHistogram({{10 * kMs, 5},
                           {25 * kMs, 40},
                           {50 * kMs, 90},
                           {75 * kMs, 97},
                           {100 * kMs, 98},
                           {kLeInfinite, 100}});
}

TEST(ServingHistogramTest, ALimitInsideABucketIsBounds) {
  EXPECT_EQ(VllmTpot().CountWithin(40 * kMs), (CountBounds{40, 90}));
  const EdgesBeside edges = VllmTpot().Beside(40 * kMs);
  EXPECT_EQ(edges.below_ns, 25 * kMs);
  EXPECT_EQ(edges.above_ns, 50 * kMs);
  EXPECT_FALSE(edges.is_edge);
}

TEST(ServingHistogramTest, ALimitOnAnEdgeIsExactAndInclusive) {
  EXPECT_EQ(VllmTpot().CountWithin(50 * kMs), (CountBounds{90, 90}));
  EXPECT_TRUE(VllmTpot().Beside(50 * kMs).is_edge);
  EXPECT_EQ(VllmTpot().CountWithin(50 * kMs - 1), (CountBounds{40, 90}));
  EXPECT_EQ(VllmTpot().CountWithin(50 * kMs + 1), (CountBounds{90, 97}));
}

TEST(ServingHistogramTest, BeyondTheLastEdgeOnlyThatIsKnown) {
  EXPECT_EQ(VllmTpot().CountWithin(5'000 * kMs), (CountBounds{98, 100}));
  EXPECT_FALSE(VllmTpot().Beside(5'000 * kMs).above_ns.has_value());
  const auto p99 = VllmTpot().Quantile(99, 100);
  ASSERT_TRUE(p99.has_value());
  EXPECT_EQ(p99->above_ns, 100 * kMs);
  EXPECT_FALSE(p99->at_most_ns.has_value());  // "> 100ms", never the edge
}

TEST(ServingHistogramTest, QuantilesAreBuckets) {
  const auto p50 = VllmTpot().Quantile(50, 100);
  ASSERT_TRUE(p50.has_value());
  EXPECT_EQ(p50->above_ns, 25 * kMs);
  EXPECT_EQ(p50->at_most_ns, 50 * kMs);
  const auto p40 = VllmTpot().Quantile(40, 100);  // rank 40 is the last of its bucket
  EXPECT_EQ(p40->at_most_ns, 25 * kMs);
  EXPECT_FALSE(LatencyHistogram({}).Quantile(1, 2).has_value());
}

TEST(ServingHistogramTest, OrderAndRepetitionOfBucketsDoNotMatter) {
  const LatencyHistogram mixed({{kLeInfinite, 7}, {20, 5}, {10, 2}, {20, 5}});
  EXPECT_EQ(mixed.CountWithin(10), (CountBounds{2, 2}));
  EXPECT_EQ(mixed.CountWithin(20), (CountBounds{5, 5}));
  EXPECT_EQ(mixed.total(), 7);
  EXPECT_FALSE(mixed.was_raised());
}

TEST(ServingHistogramTest, CountsThatFallAreRaised) {
  const LatencyHistogram fallen({{10, 5}, {20, 3}, {kLeInfinite, 4}});
  EXPECT_TRUE(fallen.was_raised());
  EXPECT_EQ(fallen.CountWithin(20), (CountBounds{5, 5}));
  EXPECT_EQ(fallen.total(), 5);
}

// The oracle counts the values themselves.
TEST(ServingHistogramTest, BoundsHoldTheTruthForRandomValues) {
  constexpr unsigned kSeed = 20'261'130;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const auto pick = [&](std::int64_t below) {
    return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random);
  };
  for (int round = 0; round < 2'000; ++round) {
    std::vector<std::int64_t> edges;
    for (std::int64_t edge = 0; edges.size() < 6;) edges.push_back(edge += 1 + pick(20));
    std::vector<std::int64_t> values;
    for (std::int64_t n = pick(40); n > 0; --n) values.push_back(1 + pick(130));
    const auto within = [&](std::int64_t limit) {
      return std::count_if(values.begin(), values.end(),
                           [&](std::int64_t value) { return value <= limit; });
    };
    std::vector<LatencyBucket> buckets{{kLeInfinite, static_cast<std::int64_t>(values.size())}};
    for (const std::int64_t edge : edges) buckets.push_back({edge, within(edge)});
    const LatencyHistogram histogram(buckets);
    for (std::int64_t limit = 1; limit <= 140; ++limit) {
      const CountBounds bounds = histogram.CountWithin(limit);
      EXPECT_LE(bounds.low, within(limit));
      EXPECT_GE(bounds.high, within(limit));
      if (std::find(edges.begin(), edges.end(), limit) != edges.end()) {
        EXPECT_TRUE(bounds.exact());
      }
    }
  }
}

// Every way in which three conditions can hold for five requests: the bounds are those of all
// ways with the same counts, neither wider nor narrower.
TEST(ServingHistogramTest, MeetEveryIsSharp) {
  constexpr int kAll = 5;
  struct Extremes {
    std::int64_t least = kAll, most = 0;
  };
  std::map<std::tuple<int, int, int>, Extremes> seen;
  for (unsigned a = 0; a < 32; ++a) {
    for (unsigned b = 0; b < 32; ++b) {
      for (unsigned c = 0; c < 32; ++c) {
        Extremes& extremes =
            seen[{__builtin_popcount(a), __builtin_popcount(b), __builtin_popcount(c)}];
        const std::int64_t met = __builtin_popcount(a & b & c);
        extremes.least = std::min(extremes.least, met);
        extremes.most = std::max(extremes.most, met);
      }
    }
  }
  for (const auto& [counts, extremes] : seen) {
    const auto [a, b, c] = counts;
    const std::vector<CountBounds> conditions{{a, a}, {b, b}, {c, c}};
    EXPECT_EQ(MeetEvery(conditions, kAll), (CountBounds{extremes.least, extremes.most}));
  }
}

TEST(ServingHistogramTest, MeetEveryOfNothingIsAll) {
  EXPECT_EQ(MeetEvery({}, 7), (CountBounds{7, 7}));
  const std::vector<CountBounds> loose{{3, 6}, {5, 9}};  // 9 of 7 is 7
  EXPECT_EQ(MeetEvery(loose, 7), (CountBounds{1, 6}));
}

TEST(ServingHistogramTest, LatenciesAreWrittenExactly) {
  EXPECT_EQ(LatencyText(40 * kMs), "40ms");
  EXPECT_EQ(LatencyText(1'500 * kMs), "1.5s");
  EXPECT_EQ(LatencyText(60'000 * kMs), "60s");
  EXPECT_EQ(LatencyText(2'500), "2.5us");
  EXPECT_EQ(LatencyText(1), "1ns");
  EXPECT_EQ(LatencyText(0), "0ns");
}

}  // namespace
}  // namespace plimsoll
