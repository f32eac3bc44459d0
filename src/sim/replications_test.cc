#include "sim/replications.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sim/fingerprint.h"
#include "sim/random.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

struct Sums {
  Moments moments;
  Fingerprint fingerprint;
  std::vector<std::int64_t> seen;

  void Merge(Sums&& other) {
    moments.Merge(other.moments);
    fingerprint.Add(other.fingerprint);
    seen.insert(seen.end(), other.seen.begin(), other.seen.end());
  }
};

Sums RunWith(unsigned threads, std::int64_t count, std::int64_t first = 0) {
  ReplicationOptions options;
  options.count = count;
  options.first = first;
  options.threads = threads;
  return Replicate<Sums>(options, [](std::int64_t replication, Sums& sums) {
    RandomStream random(1, "x", static_cast<std::uint64_t>(replication));
    const double x = random.Uniform();
    sums.moments.Add(x);
    sums.fingerprint.Add(static_cast<std::int64_t>(x * 1e9));
    sums.seen.push_back(replication);
  });
}

TEST(ReplicationsTest, ThreadCountChangesNoBit) {
  const Sums one = RunWith(1, 5'000);
  for (const unsigned threads : {2U, 3U, 8U, 0U}) {
    const Sums other = RunWith(threads, 5'000);
    EXPECT_EQ(one.moments.mean(), other.moments.mean()) << threads;
    EXPECT_EQ(one.moments.variance(), other.moments.variance()) << threads;
    EXPECT_EQ(one.fingerprint, other.fingerprint) << threads;
    EXPECT_EQ(one.seen, other.seen) << threads;
  }
}

TEST(ReplicationsTest, EachReplicationRunsOnceAndInOrder) {
  for (const std::int64_t count : {0, 1, 255, 256, 257, 1'000}) {
    std::vector<std::int64_t> expected(static_cast<std::size_t>(count));
    std::iota(expected.begin(), expected.end(), 7);
    EXPECT_EQ(RunWith(3, count, 7).seen, expected) << count;
  }
}

}  // namespace
}  // namespace plimsoll
