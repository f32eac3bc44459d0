// The placer with its caches against the policies written down plainly, on random clusters.
#include <gtest/gtest.h>

#include "capacity/placement/placer.h"
#include "property/naive_placement.h"
#include "sim/random.h"

namespace plimsoll {
namespace {

PodShape RandomShape(RandomStream& random) {
  PodShape pod{static_cast<std::int64_t>(1 + random.Below(16)) * 1'000,
               static_cast<std::int64_t>(random.Below(5)) * 8'192, 1, kMilliPerGpu, kAnyFlavor};
  switch (random.Below(6)) {
    case 0:
      pod.gpus = 0;
      break;
    case 1:
      pod.gpus = static_cast<std::int32_t>(1 << random.Below(4));
      break;
    case 2:
      break;
    default:
      pod.gpu_milli = static_cast<std::int32_t>(1 + random.Below(19)) * 50;
  }
  if (random.Below(4) == 0) pod.flavors = FlavorSet{1} << random.Below(2);
  return pod;
}

struct Both {
  Cluster cluster;
  std::vector<naive::Node> nodes;
};

Both RandomCluster(RandomStream& random) {
  std::vector<NodeSpec> specs;
  std::vector<naive::Node> nodes;
  for (std::uint64_t i = 0; i < 8; ++i) {
    NodeSpec spec{"n" + std::to_string(i),
                  static_cast<std::uint32_t>(random.Below(2)),
                  static_cast<std::int64_t>(16 << random.Below(4)) * 1'000,
                  static_cast<std::int64_t>(1 + random.Below(8)) * 65'536,
                  static_cast<std::int32_t>(1 << random.Below(4)),
                  {}};
    nodes.push_back({spec.cpu_milli,
                     spec.memory_mib,
                     spec.flavor,
                     std::vector<std::int64_t>(static_cast<std::size_t>(spec.gpus), 1'000),
                     {}});
    specs.push_back(std::move(spec));
  }
  return {Cluster({"A", "B"}, DomainTree(), std::move(specs)), std::move(nodes)};
}

GpuSet SetOf(const std::vector<std::size_t>& gpus) {
  GpuSet set = 0;
  for (const std::size_t gpu : gpus) set |= GpuSet{1} << gpu;
  return set;
}

void RunBoth(PlacementPolicy policy, std::uint64_t seed) {
  RandomStream random(seed, "placement_property", 0);
  Both both = RandomCluster(random);
  std::vector<PodShape> shapes;
  for (int i = 0; i < 12; ++i) shapes.push_back(RandomShape(random));
  const TypicalPods typical = TypicalPodsOf(shapes, 80);
  const FragmentationMeasure measure(typical);
  Placer placer(both.cluster, {policy, &measure});
  for (int i = 0; i < 80; ++i) {
    const PodShape& pod = shapes[random.Below(shapes.size())];
    const auto expected = naive::Choose(policy, both.nodes, pod, typical);
    const auto chosen = placer.Choose(both.cluster, pod);
    ASSERT_EQ(chosen.has_value(), expected.has_value()) << "pod " << i;
    if (!chosen) continue;
    ASSERT_EQ(chosen->node, expected->node) << "pod " << i;
    ASSERT_EQ(chosen->gpus, SetOf(expected->gpus)) << "pod " << i;
    both.cluster.Take(chosen->node, pod, chosen->gpus);
    naive::Take(both.nodes[expected->node], pod, expected->gpus);
  }
  std::int64_t fragmented = 0;
  for (const naive::Node& node : both.nodes) fragmented += naive::Fragmented(node, typical);
  EXPECT_EQ(measure.Of(both.cluster).fragmented(), fragmented);
}

TEST(PlacementPropertyTest, EveryPolicyChoosesAsItsTextSays) {
  for (const PlacementPolicy policy :
       {PlacementPolicy::kDotProduct, PlacementPolicy::kClustering, PlacementPolicy::kPacking,
        PlacementPolicy::kBestFit, PlacementPolicy::kFgd}) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(std::string(NameOf(policy)) + " seed " + std::to_string(seed));
      RunBoth(policy, seed);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(PlacementPropertyTest, GivingBackIsAsIfItHadNeverBeen) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, "give_back", 0);
    Both both = RandomCluster(random);
    const TypicalPods typical = TypicalPodsOf(std::vector<PodShape>(1, RandomShape(random)));
    const FragmentationMeasure measure(typical);
    Placer used(both.cluster, {PlacementPolicy::kFgd, &measure});
    std::vector<std::pair<PodShape, Placement>> taken;
    for (int i = 0; i < 40; ++i) {
      const PodShape pod = RandomShape(random);
      const auto place = used.Choose(both.cluster, pod);
      if (!place) continue;
      both.cluster.Take(place->node, pod, place->gpus);
      taken.emplace_back(pod, *place);
    }
    for (const auto& [pod, place] : taken) both.cluster.Give(place.node, pod, place.gpus);
    EXPECT_EQ(both.cluster.gpu_milli_free(), both.cluster.gpu_milli_total());
    Placer fresh(both.cluster, {PlacementPolicy::kFgd, &measure});
    for (int i = 0; i < 10; ++i) {
      const PodShape pod = RandomShape(random);
      EXPECT_EQ(used.Choose(both.cluster, pod), fresh.Choose(both.cluster, pod));
    }
  }
}

}  // namespace
}  // namespace plimsoll
