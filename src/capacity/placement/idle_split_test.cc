#include "capacity/placement/idle_split.h"

#include <gtest/gtest.h>

#include "capacity/model/test_mig.h"
#include "sim/random.h"

namespace plimsoll {
namespace {

PodShape Shape(std::int64_t cpu, std::int32_t gpus, std::int32_t milli = kMilliPerGpu) {
  return {cpu, 0, gpus, milli, kAnyFlavor};
}

TEST(IdleSplitTest, EachIdleGpuIsInOnePart) {
  Cluster cluster(
      {"A100", "T4"}, DomainTree(),
      {{"a", 0, 10'000, 0, 8, {}}, {"b", 1, 10'000, 0, 2, {}}, {"c", 0, 9'000, 0, 4, {}}});
  cluster.Take(0, Shape(1'000, 1, 600), 0b1);
  cluster.SetUp(2, false);
  PodShape pod = Shape(3'000, 2);
  pod.flavors = 0b1;
  const IdleSplit split = SplitIdle(cluster, pod);
  EXPECT_EQ(split.down, 4'000);
  EXPECT_EQ(split.other_flavor, 2'000);
  EXPECT_EQ(split.fractional, 400);
  EXPECT_EQ(split.stranded, 1'000);  // seven whole ones make three pods and one
  EXPECT_EQ(split.pods, 3);          // 9,000 of CPU
  EXPECT_EQ(split.lacks_cpu, 0);
  EXPECT_EQ(split.usable, 6'000);
  cluster.Take(0, Shape(1'000, 0), 0);
  EXPECT_EQ(SplitIdle(cluster, pod).lacks_cpu, 2'000);
}

TEST(IdleSplitTest, ThreeGpusOnANodeOfFourLoseOne) {
  const Cluster cluster({"A10"}, DomainTree(), {{"n", 0, 100, 0, 4, {}}});
  const IdleSplit split = SplitIdle(cluster, Shape(1, 3));
  EXPECT_EQ(split.pods, 1);
  EXPECT_EQ(split.stranded, 1'000);
}

TEST(IdleSplitTest, OfSharedGpusTheSliverIsLost) {
  Cluster cluster({"A10"}, DomainTree(), {{"n", 0, 100, 0, 2, {}}});
  cluster.Take(0, Shape(1, 1, 500), 0b1);
  const IdleSplit split = SplitIdle(cluster, Shape(1, 1, 300));
  EXPECT_EQ(split.pods, 1 + 3);
  EXPECT_EQ(split.fractional, 200 + 100);
  EXPECT_EQ(split.stranded, 0);
}

TEST(IdleSplitTest, PartsAddUpWhateverRuns) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, "idle_split", 0);
    Cluster cluster({"A100"}, DomainTree(),
                    {{"a", 0, 20'000, 0, 4, {}}, {"b", 0, 20'000, 0, 8, {}}});
    cluster.SetMig(A100s());
    for (int i = 0; i < 12; ++i) {
      PodShape pod = Shape(static_cast<std::int64_t>(random.Below(4)) * 1'000, 1,
                           static_cast<std::int32_t>(1 + random.Below(10)) * 100);
      if (random.Below(3) == 0) pod = MigPod(static_cast<std::int32_t>(random.Below(5)));
      pod.memory_mib = 0;
      const auto node = static_cast<NodeId>(random.Below(2));
      if (cluster.Fits(node, pod)) cluster.Take(node, pod, cluster.ChooseGpus(node, pod));
    }
    PodShape mig = MigPod(kMig2g);
    mig.memory_mib = 0;
    for (const PodShape& pod : {Shape(2'000, 1), Shape(1'000, 3), Shape(0, 1, 350), mig}) {
      const IdleSplit split = SplitIdle(cluster, pod);
      EXPECT_EQ(split.total(), cluster.gpu_milli_free());
      for (const std::int64_t part :
           {split.fractional, split.stranded, split.lacks_cpu, split.usable}) {
        EXPECT_GE(part, 0);
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll
