#include "capacity/placement/node_ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "sim/random.h"

namespace plimsoll {
namespace {

TEST(NodeRankingTest, TheFirstIsThatOfALookAtAll) {
  for (const std::size_t size : {1U, 2U, 3U, 7U, 8U, 100U}) {
    SCOPED_TRACE(size);
    RandomStream random(size, "ranking", 0);
    std::vector<std::uint32_t> rank(size);
    std::iota(rank.begin(), rank.end(), 0U);
    for (std::size_t i = size; i > 1; --i) std::swap(rank[i - 1], rank[random.Below(i)]);
    NodeRanking ranking(rank);
    std::vector<std::int32_t> points(size, kDoesNotFit);
    for (int round = 0; round < 2'000; ++round) {
      const auto id = static_cast<NodeId>(random.Below(size));
      points[id] = static_cast<std::int32_t>(random.Below(6)) - 1;
      ranking.Set(id, points[id]);
      NodeId best = 0;
      for (NodeId other = 1; other < size; ++other) {
        if (points[other] > points[best] ||
            (points[other] == points[best] && rank[other] < rank[best])) {
          best = other;
        }
      }
      ASSERT_EQ(ranking.first(), best) << round;
      ASSERT_EQ(ranking.points(id), points[id]);
    }
  }
}

TEST(NodePoolTest, HoldsThoseThatAreIn) {
  RandomStream random(1, "pool", 0);
  NodePool pool(40);
  std::set<NodeId> in;
  for (int round = 0; round < 2'000; ++round) {
    const auto id = static_cast<NodeId>(random.Below(40));
    const bool now = random.Below(2) == 0;
    pool.Set(id, now);
    if (now) {
      in.insert(id);
    } else {
      in.erase(id);
    }
    ASSERT_EQ(std::set<NodeId>(pool.nodes().begin(), pool.nodes().end()), in);
    ASSERT_EQ(pool.nodes().size(), in.size());
  }
}

}  // namespace
}  // namespace plimsoll
