#include "capacity/queue/node_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace plimsoll {
namespace {

TEST(NodeSetTest, FindsTheNextMemberAsASetDoes) {
  for (const std::size_t size : {1U, 64U, 65U, 4'096U, 10'000U}) {
    NodeSet nodes(size);
    std::set<std::size_t> oracle;
    std::mt19937 random(20'261'201);
    for (int i = 0; i < 3'000; ++i) {
      const std::size_t id = random() % size;
      if (random() % 3 == 0) {
        nodes.Insert(id);
        oracle.insert(id);
      } else {
        nodes.Erase(id);
        oracle.erase(id);
      }
      const std::size_t from = random() % (size + 2);
      const auto next = oracle.lower_bound(from);
      ASSERT_EQ(nodes.Next(from), next == oracle.end() ? NodeSet::kEnd : *next) << size;
    }
  }
}

}  // namespace
}  // namespace plimsoll
