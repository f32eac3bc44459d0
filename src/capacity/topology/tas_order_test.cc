// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_order.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

class TasOrderTest : public ::testing::Test {
 protected:
  TasOrderTest()
      : snapshot_(SnapshotOf({Host("b1", "r1", "a", 1), Host("b1", "r1", "b", 1),
                              Host("b1", "r1", "c", 1), Host("b1", "r1", "d", 1)})),
        hosts_(snapshot_.level(2).begin(), snapshot_.level(2).end()),
        states_(snapshot_.domains().size()) {}

  TasDomainState& State(std::size_t host) { return states_[hosts_[host]]; }
  void SetSlices(std::vector<std::int64_t> slices) {
    for (std::size_t i = 0; i < slices.size(); ++i) {
      State(i).slices = State(i).slices_with_leader = State(i).pods = slices[i];
    }
  }
  std::string Names(const TasDomains& domains) const {
    std::string names;
    for (const std::uint32_t i : domains) names += snapshot_.domains()[i].id;
    return names;
  }

  TasSnapshot snapshot_;
  TasDomains hosts_;
  TasStates states_;
};

TEST_F(TasOrderTest, LargestOrSmallestFirstThenFewerPodsThenNames) {
  SetSlices({1, 3, 2, 3});
  State(1).pods = 7;
  EXPECT_EQ(Names(TasOrder(snapshot_, {}).Sorted(hosts_, states_)), "dbca");
  EXPECT_EQ(Names(TasOrder(snapshot_, {.least_free = true}).Sorted(hosts_, states_)), "acdb");
}

TEST_F(TasOrderTest, AffinityGoesBeforeSizeOnlyUnderItsRule) {
  SetSlices({1, 3, 2, 3});
  State(0).affinity = 10;
  EXPECT_EQ(Names(TasOrder(snapshot_, {.affinity = true}).Sorted(hosts_, states_)), "abdc");
  EXPECT_EQ(Names(TasOrder(snapshot_, {}).Sorted(hosts_, states_)), "bdca");
}

TEST_F(TasOrderTest, DomainsThatTakeALeaderComeFirst) {
  SetSlices({1, 3, 2, 3});
  State(2).leaders = 1;
  EXPECT_EQ(Names(TasOrder(snapshot_, {}).SortedWithLeader(hosts_, states_)), "cbda");
}

TEST_F(TasOrderTest, BestFitIsTheSmallestThatSuffices) {
  SetSlices({5, 3, 2, 3});
  const TasOrder order(snapshot_, {});
  const TasDomains sorted = order.Sorted(hosts_, states_);
  const auto best = [&](std::int64_t needed, std::int64_t leaders) {
    return Names({order.BestFit(sorted, states_, TasUnit::kSlices, needed, leaders)});
  };
  EXPECT_EQ(best(3, 0), "b");
  EXPECT_EQ(best(4, 0), "a");
  EXPECT_EQ(best(1, 0), "c");
  EXPECT_EQ(best(9, 0), "a") << "none suffices";
  State(3).leaders = 1;
  EXPECT_EQ(best(2, 1), "d");
}

TEST_F(TasOrderTest, BestFitStaysAmongDomainsOfTheBestAffinity) {
  SetSlices({5, 3, 2, 3});
  State(0).affinity = State(1).affinity = 10;
  const TasOrder order(snapshot_, {.affinity = true});
  const TasDomains sorted = order.Sorted(hosts_, states_);
  EXPECT_EQ(Names({order.BestFit(sorted, states_, TasUnit::kSlices, 2, 0)}), "b");
}

TEST_F(TasOrderTest, TheLeaderGoesWhereWorkersCanSpareTheRoom) {
  SetSlices({3, 3, 2, 0});
  State(0).leaders = State(2).leaders = 1;
  State(0).slices_with_leader = 1;
  State(2).slices_with_leader = 2;
  const TasOrder order(snapshot_, {});
  EXPECT_EQ(Names(order.LeaderFirst(hosts_, states_, TasUnit::kSlices, 8, 1)), "cabd");
  EXPECT_EQ(Names(order.LeaderFirst(hosts_, states_, TasUnit::kSlices, 6, 1)), "abcd");
  EXPECT_EQ(Names(order.LeaderFirst(hosts_, states_, TasUnit::kSlices, 9, 1)), "abcd");
}

}  // namespace
}  // namespace plimsoll
