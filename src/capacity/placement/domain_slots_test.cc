#include "capacity/placement/domain_slots.h"

#include <gtest/gtest.h>

#include "sim/random.h"

namespace plimsoll {
namespace {

constexpr PodShape kGpu{0, 0, 1, kMilliPerGpu, kAnyFlavor};

// Hosts in leaf groups of these sizes.
Cluster Leaves(const std::vector<int>& sizes, std::int32_t gpus) {
  DomainTree tree({"leaf"});
  std::vector<NodeSpec> nodes;
  for (std::size_t leaf = 0; leaf < sizes.size(); ++leaf) {
    const std::vector<std::string> name{"leaf" + std::to_string(leaf)};
    const std::vector<DomainId> domains = tree.Add(name);
    for (int i = 0; i < sizes[leaf]; ++i) {
      nodes.push_back({"n" + std::to_string(nodes.size()), 0, 1'000'000, 0, gpus, domains});
    }
  }
  return Cluster({"H100"}, std::move(tree), std::move(nodes));
}

PodShape Hosts(std::int32_t gpus) { return {0, 0, gpus, kMilliPerGpu, kAnyFlavor}; }

TEST(DomainSlotsTest, CountingGpusOverstatesGangs) {
  const Cluster cluster = Leaves({1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 6, 6, 6, 8, 11}, 8);
  ASSERT_EQ(cluster.size(), 64U);
  const GangRoom room = GangRoomOf(cluster, {Hosts(8), 4, 0});
  EXPECT_EQ(room.in_domain, 9);
  EXPECT_EQ(room.by_count, 16);
  EXPECT_EQ(room.eligible_domains, 7);
  EXPECT_EQ(room.topology_fragmentation(), 7);
  EXPECT_EQ(room.largest_pods, 11);
  EXPECT_EQ(cluster.tree().at(*room.largest).name, "leaf14");
  EXPECT_EQ(GangRoomOf(cluster, {Hosts(8), 8, 0}).eligible_domains, 2);
  EXPECT_EQ(GangRoomOf(cluster, {Hosts(8), 12, 0}).in_domain, 0);
}

TEST(DomainSlotsTest, RacksOfEighteenStrandTwoNodesEachForSlicesOfSixteen) {
  const Cluster cluster = Leaves({18, 18, 18, 18, 18, 18, 18, 18, 17, 17}, 4);
  ASSERT_EQ(cluster.size(), 178U);
  const GangRoom room = GangRoomOf(cluster, {Hosts(4), 16, 0});
  EXPECT_EQ(room.in_domain, 10);
  EXPECT_EQ(room.in_domain * 16 * 4, 640);
  EXPECT_EQ(cluster.gpu_milli_free() / 1'000 - 640, 72);
}

TEST(DomainSlotsTest, AJobOfSeventeenNodesTakesARackOfEighteen) {
  Cluster cluster = Leaves({18, 18}, 4);
  const GangAsk job{Hosts(4), 17, 0};
  EXPECT_EQ(GangRoomOf(cluster, job).in_domain, 2);  // two of them need two racks
  EXPECT_EQ(SmallestDomainFor(cluster, job), DomainId{0});
  for (NodeId id = 0; id < 17; ++id) cluster.Take(id, Hosts(4), 0xF);
  EXPECT_EQ(SlotsByDomain(cluster, Hosts(4))[0], 1);  // one is spare
  EXPECT_EQ(GangRoomOf(cluster, job).in_domain, 1);
  EXPECT_EQ(SmallestDomainFor(cluster, job), DomainId{1});
}

TEST(DomainSlotsTest, ASmallGangGoesToTheSmallestDomainThatTakesIt) {
  Cluster cluster = Leaves({4, 4}, 8);
  cluster.Take(0, Hosts(8), 0xFF);
  cluster.Take(1, Hosts(8), 0xFF);  // the first leaf has 16 idle GPUs, the second 32
  EXPECT_EQ(SmallestDomainFor(cluster, {kGpu, 8, 0}), DomainId{0});
  EXPECT_EQ(SmallestDomainFor(cluster, {kGpu, 17, 0}), DomainId{1});
  EXPECT_EQ(SmallestDomainFor(cluster, {kGpu, 33, 0}), std::nullopt);
}

TEST(DomainSlotsTest, LargestGangsAreByFlavorAndLevel) {
  DomainTree tree({"block", "rack"});
  std::vector<NodeSpec> nodes;
  for (int i = 0; i < 6; ++i) {
    const std::vector<std::string> at{i < 4 ? "b0" : "b1", "r" + std::to_string(i / 2)};
    nodes.push_back({"n" + std::to_string(i), i == 5 ? 1U : 0U, 1'000, 0, 8, tree.Add(at)});
  }
  Cluster cluster({"H100", "A100"}, std::move(tree), std::move(nodes));
  cluster.Take(0, Hosts(8), 0xFF);
  const std::vector<LargestGang> largest = LargestGangs(cluster, Hosts(8));
  ASSERT_EQ(largest.size(), 4U);
  EXPECT_EQ(largest[0].pods, 3);  // H100 in a block
  EXPECT_EQ(largest[0].pods_empty, 4);
  EXPECT_EQ(largest[1].pods, 2);  // H100 in a rack
  EXPECT_EQ(largest[2].pods, 1);  // A100
  EXPECT_EQ(largest[2].flavor, 1U);
}

TEST(DomainSlotsTest, TheCheapestDomainIsDrained) {
  Cluster cluster = Leaves({3, 3}, 8);
  for (NodeId id = 0; id < 6; ++id) cluster.Take(id, Hosts(id == 4 ? 1 : 6), id == 4 ? 1 : 0x3F);
  const std::optional<Drain> two = CheapestDrain(cluster, {Hosts(8), 2, 0});
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(two->domain, 1U);
  EXPECT_EQ(two->gpu_milli, 7'000);
  EXPECT_EQ(two->nodes, (std::vector<NodeId>{3, 4}));
  EXPECT_EQ(CheapestDrain(cluster, {Hosts(8), 4, 0}), std::nullopt);
  const std::optional<Drain> none = CheapestDrain(cluster, {Hosts(2), 3, 0});
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->gpu_milli, 0);
  EXPECT_TRUE(none->nodes.empty());
}

TEST(DomainSlotsTest, ADrainOfManyNodesTakesLittleMemory) {
  // Two leaves of 5,000 nodes, each with one GPU of eight held.
  Cluster cluster = Leaves({5'000, 5'000}, 8);
  for (NodeId id = 0; id < cluster.size(); ++id) cluster.Take(id, Hosts(1), 1);
  EXPECT_EQ(CheapestDrain(cluster, {Hosts(8), 5'001, 0}), std::nullopt);
  const std::optional<Drain> drain = CheapestDrain(cluster, {Hosts(8), 5'000, 0});
  ASSERT_TRUE(drain.has_value());
  EXPECT_EQ(drain->nodes.size(), 5'000U);
  EXPECT_EQ(drain->gpu_milli, 5'000'000);
}

// All subsets of the nodes of each domain.
std::int64_t LeastDrain(const Cluster& cluster, const GangAsk& ask) {
  std::int64_t least = -1;
  for (std::uint32_t set = 0; set < (1U << cluster.size()); ++set) {
    for (DomainId domain = 0; domain < cluster.tree().size(); ++domain) {
      Cluster drained = Leaves({4, 5}, 8);
      std::int64_t cost = 0;
      for (NodeId id = 0; id < cluster.size(); ++id) {
        const std::int64_t held = 8'000 - cluster.free(id).gpu_milli;
        if (((set >> id) & 1U) != 0) {
          cost += held;
        } else if (held > 0) {
          const auto gpus = static_cast<std::int32_t>(held / 1'000);
          drained.Take(id, Hosts(gpus), (GpuSet{1} << gpus) - 1);
        }
      }
      const bool fits = SlotsByDomain(drained, ask.shape)[domain] >= ask.pods;
      if (fits && (least < 0 || cost < least)) least = cost;
    }
  }
  return least;
}

TEST(DomainSlotsTest, NoOtherDrainIsCheaper) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, "drain", 0);
    Cluster cluster = Leaves({4, 5}, 8);
    for (NodeId id = 0; id < cluster.size(); ++id) {
      const auto gpus = static_cast<std::int32_t>(random.Below(9));
      if (gpus > 0) cluster.Take(id, Hosts(gpus), (GpuSet{1} << gpus) - 1);
    }
    const GangAsk ask{Hosts(3), static_cast<std::int32_t>(3 + random.Below(6)), 0};
    const std::optional<Drain> drain = CheapestDrain(cluster, ask);
    EXPECT_EQ(drain ? drain->gpu_milli : -1, LeastDrain(cluster, ask));
  }
}

}  // namespace
}  // namespace plimsoll
