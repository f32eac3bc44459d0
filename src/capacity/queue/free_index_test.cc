#include "capacity/queue/free_index.h"

#include <gtest/gtest.h>

#include <random>

#include "capacity/queue/queue_fixture.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;

std::int64_t SlotsByHand(const Cluster& cluster, DomainId domain, std::int32_t gpus) {
  std::int64_t slots = 0;
  for (NodeId id = 0; id < cluster.size(); ++id) {
    const bool is_in = domain == kNoDomain || cluster.node(id).domains[0] == domain;
    if (is_in && cluster.free(id).up) slots += cluster.free(id).whole_gpus / gpus;
  }
  return slots;
}

TEST(FreeIndexTest, CountsAreThoseOfAFreshCount) {
  std::mt19937 random(7);
  Cluster cluster = ClusterOf({8, 4, 8, 2, 8, 8}, 2);
  FreeIndex index(cluster);
  std::vector<std::pair<NodeId, std::pair<PodShape, GpuSet>>> held;
  for (int round = 0; round < 2'000; ++round) {
    const auto node = static_cast<NodeId>(random() % cluster.size());
    PodShape shape;
    shape.gpus = static_cast<std::int32_t>(1 + random() % 4);
    if (random() % 3 == 0) shape.gpus = 1, shape.gpu_milli = 400;
    if (random() % 8 == 0) {
      cluster.SetUp(node, !cluster.free(node).up);
    } else if (random() % 2 == 0 && cluster.Fits(node, shape)) {
      const GpuSet gpus = cluster.ChooseGpus(node, shape);
      cluster.Take(node, shape, gpus);
      held.push_back({node, {shape, gpus}});
    } else if (!held.empty()) {
      const auto [where, what] = held.back();
      held.pop_back();
      cluster.Give(where, what.first, what.second);
      index.Refresh(cluster, where);
    }
    index.Refresh(cluster, node);
    for (std::int32_t gpus = 1; gpus <= 8; ++gpus) {
      ASSERT_EQ(index.SlotsByGpu(kAnyFlavor, gpus), SlotsByHand(cluster, kNoDomain, gpus));
      for (const DomainId domain : index.domains(0)) {
        ASSERT_EQ(index.SlotsByGpu(domain, kAnyFlavor, gpus), SlotsByHand(cluster, domain, gpus));
      }
    }
    ASSERT_EQ(index.FreeUp(kAnyFlavor) + index.FreeDown(kAnyFlavor), cluster.gpu_milli_free());
  }
}

TEST(FreeIndexTest, OtherFlavorsDoNotCount) {
  const Cluster cluster({"a", "b"}, DomainTree(), {{"n0", 0, 0, 0, 4, {}}, {"n1", 1, 0, 0, 2, {}}});
  const FreeIndex index(cluster);
  EXPECT_EQ(index.SlotsByGpu(FlavorSet{0b01}, 2), 2);
  EXPECT_EQ(index.SlotsByGpu(FlavorSet{0b10}, 2), 1);
  EXPECT_EQ(index.FreeUp(FlavorSet{0b10}), 2'000);
}

}  // namespace
}  // namespace plimsoll
