#include "sim/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace plimsoll {
namespace {

// The greatest of a chi-square with `bins` bins in one of 10^6 draws, by Wilson and Hilferty.
double ChiSquareBound(double bins) {
  const double degrees = bins - 1, z = 4.753;
  return degrees * std::pow(1 - 2 / (9 * degrees) + z * std::sqrt(2 / (9 * degrees)), 3);
}

double ChiSquare(const std::vector<int>& counts, double draws) {
  const double expected = draws / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(RandomTest, GeneratorsGiveTheirAuthorsReferenceValues) {
  RandomStream xoshiro(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  for (const std::uint64_t expected :
       {std::uint64_t{41943041}, std::uint64_t{58720359}, std::uint64_t{3588806011781223},
        std::uint64_t{3591011842654386}, std::uint64_t{9228616714210784205U},
        std::uint64_t{9973669472204895162U}}) {
    EXPECT_EQ(xoshiro.Bits(), expected);
  }
  SplitMix splitmix(1234567);
  EXPECT_EQ(splitmix.Next(), 6457827717110365317U);
  EXPECT_EQ(splitmix.Next(), 3203168211198807973U);
  EXPECT_EQ(splitmix.Next(), 9817491932198370423U);
}

TEST(RandomTest, AStreamIsAFunctionOfSeedNameAndReplication) {
  const auto first = [](std::uint64_t seed, const char* name, std::uint64_t replication) {
    return RandomStream(seed, name, replication).Bits();
  };
  EXPECT_EQ(first(1, "evictions", 0), first(1, "evictions", 0));
  const std::set<std::uint64_t> different{first(1, "evictions", 0), first(2, "evictions", 0),
                                          first(1, "arrivals", 0), first(1, "evictions", 1),
                                          first(0, "evictions", 1)};
  EXPECT_EQ(different.size(), 5U);
}

// What was drawn here once is drawn everywhere and for good: recorded answers depend on it.
TEST(RandomTest, StreamsKeepTheirBits) {
  RandomStream stream(1, "evictions", 0);
  EXPECT_EQ(stream.Bits(), 11218504348432452914U);
  EXPECT_EQ(stream.Bits(), 1817481738779165031U);
}

TEST(RandomTest, FirstNumbersOfNeighbouringStreamsAreUniformAndDistinct) {
  constexpr int kStreams = 100'000, kBins = 256;
  std::vector<int> high(kBins), low(kBins);
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < kStreams; ++i) {
    const std::uint64_t bits = RandomStream(42, "x", i).Bits();
    ++high[bits >> 56];
    ++low[bits & 255];
    seen.insert(bits);
  }
  EXPECT_EQ(seen.size(), std::size_t{kStreams});
  EXPECT_LT(ChiSquare(high, kStreams), ChiSquareBound(kBins));
  EXPECT_LT(ChiSquare(low, kStreams), ChiSquareBound(kBins));
}

TEST(RandomTest, StreamsDoNotHangTogether) {
  constexpr int kDraws = 50'000;
  // Pairs that differ in the replication, the name or the seed alone.
  const auto streams = [](int pair) -> std::pair<RandomStream, RandomStream> {
    const auto n = static_cast<std::uint64_t>(pair);
    if (pair % 3 == 0) return {RandomStream(5, "a", n), RandomStream(5, "a", n + 1)};
    if (pair % 3 == 1) return {RandomStream(5, "a", n), RandomStream(5, "b", n)};
    return {RandomStream(n, "a", 0), RandomStream(n + 1, "a", 0)};
  };
  for (int pair = 0; pair < 30; ++pair) {
    auto [a, b] = streams(pair);
    double sum = 0;
    std::vector<int> joint(256);
    for (int i = 0; i < kDraws; ++i) {
      const double x = a.Uniform(), y = b.Uniform();
      sum += (x - 0.5) * (y - 0.5) * 12;
      ++joint[static_cast<std::size_t>(x * 16) * 16 + static_cast<std::size_t>(y * 16)];
    }
    // A correlation of none has deviation 1/sqrt(n); five of it in 30 pairs is one in 50,000.
    EXPECT_LT(std::abs(sum / kDraws), 5 / std::sqrt(double{kDraws})) << pair;
    EXPECT_LT(ChiSquare(joint, kDraws), ChiSquareBound(256)) << pair;
  }
}

TEST(RandomTest, BelowIsEvenlySpread) {
  RandomStream stream(3, "below", 0);
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts[stream.Below(7)];
  EXPECT_LT(ChiSquare(counts, 70'000), ChiSquareBound(7));
  EXPECT_EQ(stream.Below(1), 0U);
}

TEST(RandomTest, UniformsStayInTheirRange) {
  RandomStream stream(3, "range", 0);
  for (int i = 0; i < 100'000; ++i) {
    const double from_zero = stream.Uniform(), to_one = stream.UniformPositive();
    ASSERT_TRUE(from_zero >= 0 && from_zero < 1);
    ASSERT_TRUE(to_one > 0 && to_one <= 1);
  }
}

}  // namespace
}  // namespace plimsoll
