// SPDX-License-Identifier: Apache-2.0
#include "capacity/model/cluster.h"

#include <gtest/gtest.h>

#include "capacity/model/test_mig.h"

namespace plimsoll {
namespace {

Cluster OneNode(std::int32_t gpus) {
  return Cluster({"A100"}, DomainTree(), {{"n1", 0, 32'000, 262'144, gpus, {}}});
}

PodShape Shape(std::int32_t gpus, std::int32_t milli = kMilliPerGpu) {
  return {1'000, 1'024, gpus, milli, kAnyFlavor};
}

TEST(ClusterTest, WhatIsTakenIsGivenBack) {
  Cluster cluster = OneNode(4);
  const PodShape shape = Shape(3);
  const GpuSet gpus = cluster.ChooseGpus(0, shape);
  EXPECT_EQ(gpus, 0b111U);
  cluster.Take(0, shape, gpus);
  EXPECT_EQ(cluster.free(0).whole_gpus, 1);
  EXPECT_EQ(cluster.gpu_milli_free(), 1'000);
  EXPECT_FALSE(cluster.Fits(0, Shape(2)));
  cluster.Give(0, shape, gpus);
  EXPECT_EQ(cluster.free(0).whole_gpus, 4);
  EXPECT_EQ(cluster.free(0).cpu_milli, 32'000);
  EXPECT_EQ(cluster.gpu_milli_free(), cluster.gpu_milli_total());
}

TEST(ClusterTest, ASharedPodGoesToTheFullestGpuThatTakesIt) {
  Cluster cluster = OneNode(2);
  cluster.Take(0, Shape(1, 300), 0b01);
  cluster.Take(0, Shape(1, 600), 0b10);
  EXPECT_EQ(cluster.ChooseGpus(0, Shape(1, 400)), 0b10U);
  EXPECT_EQ(cluster.ChooseGpus(0, Shape(1, 500)), 0b01U);
  EXPECT_EQ(cluster.free(0).whole_gpus, 0);
  EXPECT_EQ(cluster.free(0).gpu_milli, 1'100);
  EXPECT_FALSE(cluster.Fits(0, Shape(1, 800)));  // 1,100 are free, but not on one GPU
  EXPECT_EQ(cluster.Slots(0, Shape(1, 200)), 3 + 2);
}

TEST(ClusterTest, SlotsCountWhatRunsOutFirst) {
  const Cluster cluster = OneNode(8);
  EXPECT_EQ(cluster.Slots(0, Shape(3)), 2);
  EXPECT_EQ(cluster.Slots(0, {20'000, 1'024, 1, kMilliPerGpu, kAnyFlavor}), 1);
  EXPECT_EQ(cluster.Slots(0, {1'000, 100'000, 1, kMilliPerGpu, kAnyFlavor}), 2);
  EXPECT_EQ(cluster.Slots(0, {1'000, 1'024, 1, kMilliPerGpu, FlavorSet{2}}), 0);
}

TEST(ClusterTest, ANodeThatIsDownTakesNobodyAndKeepsWhoIsThere) {
  Cluster cluster = OneNode(2);
  cluster.Take(0, Shape(1), 0b1);
  const std::uint32_t version = cluster.free(0).version;
  cluster.SetUp(0, false);
  EXPECT_NE(cluster.free(0).version, version);
  EXPECT_FALSE(cluster.Fits(0, Shape(1)));
  EXPECT_EQ(cluster.Slots(0, Shape(1)), 0);
  cluster.Give(0, Shape(1), 0b1);
  cluster.SetUp(0, true);
  EXPECT_EQ(cluster.Slots(0, Shape(1)), 2);
}

TEST(ClusterTest, ANodeKnowsWhatKindsOfPodsItHas) {
  Cluster cluster = OneNode(8);
  EXPECT_EQ(cluster.free(0).kinds, 0U);
  cluster.Take(0, {1'000, 1'024, 0, kMilliPerGpu, kAnyFlavor}, 0);
  EXPECT_EQ(cluster.free(0).kinds, 0U);  // one without GPUs is no kind
  cluster.Take(0, Shape(1, 300), 0b1);
  cluster.Take(0, Shape(1, 300), 0b1);
  cluster.Take(0, Shape(2), 0b110);
  EXPECT_EQ(cluster.free(0).kinds, 0b101U);
  cluster.Give(0, Shape(1, 300), 0b1);
  EXPECT_EQ(cluster.free(0).kinds, 0b101U);
  cluster.Give(0, Shape(1, 300), 0b1);
  EXPECT_EQ(cluster.free(0).kinds, 0b100U);
}

TEST(ClusterTest, ChangesAreToldUntilTheyAreLongAgo) {
  Cluster cluster({"A"}, DomainTree(), {{"a", 0, 9, 9, 1, {}}, {"b", 0, 9, 9, 1, {}}});
  const std::uint64_t begin = cluster.mark();
  EXPECT_TRUE(cluster.ChangedSince(begin)->empty());
  cluster.SetUp(1, false);
  const std::uint64_t later = cluster.mark();
  cluster.SetUp(0, false);
  cluster.SetUp(0, false);  // no change
  ASSERT_EQ(cluster.ChangedSince(begin)->size(), 2U);
  EXPECT_EQ((*cluster.ChangedSince(begin))[0], 1U);
  EXPECT_EQ((*cluster.ChangedSince(later))[0], 0U);
  for (int i = 0; i < 1'000; ++i) cluster.SetUp(0, i % 2 == 0);
  EXPECT_FALSE(cluster.ChangedSince(begin).has_value());
  const std::uint64_t now = cluster.mark();
  EXPECT_EQ(now, begin + 2 + 1'000);
  cluster.SetUp(1, true);
  EXPECT_EQ(cluster.ChangedSince(now)->size(), 1U);
}

TEST(ClusterTest, ACutCardIsForPodsWithAProfileUntilTheLastIsGivenBack) {
  Cluster cluster = OneNode(2);
  cluster.SetMig(A100s());
  const GpuSet first = cluster.ChooseGpus(0, MigPod(kMig3g));
  EXPECT_EQ(first, 0b1111'0000U);
  cluster.Take(0, MigPod(kMig3g), first);
  EXPECT_EQ(cluster.free(0).whole_gpus, 1);
  EXPECT_EQ(cluster.free(0).gpu_milli, 2'000 - 428);
  EXPECT_EQ(cluster.gpu_milli(0)[0], 0);
  EXPECT_TRUE(cluster.Fits(0, Shape(1)));
  EXPECT_FALSE(cluster.Fits(0, Shape(2)));
  EXPECT_EQ(cluster.Slots(0, Shape(1, 500)), 2);  // on the other card
  EXPECT_EQ(cluster.Slots(0, MigPod(kMig4g)), 2);
  EXPECT_EQ(cluster.Slots(0, MigPod(kMig1g)), 4 + 7);
  const GpuSet second = cluster.ChooseGpus(0, MigPod(kMig4g));
  EXPECT_EQ(second, 0b1111U);  // the cut card before the whole one
  cluster.Take(0, MigPod(kMig4g), second);
  EXPECT_EQ(cluster.slices(0)[0], (CardSlices{0xFF, 7, 428 + 571}));
  cluster.Give(0, MigPod(kMig3g), first);
  cluster.Give(0, MigPod(kMig4g), second);
  EXPECT_EQ(cluster.free(0).whole_gpus, 2);
  EXPECT_EQ(cluster.gpu_milli_free(), 2'000);
}

TEST(ClusterTest, SlotsThatAreScatteredTakeOneMiddleInstanceAndNoLargeOne) {
  Cluster cluster = OneNode(1);
  cluster.SetMig(A100s());
  for (const GpuSet slot : {0b1U, 0b10U, 0b10'0000U}) cluster.Take(0, MigPod(kMig1g), slot);
  EXPECT_FALSE(cluster.Fits(0, MigPod(kMig3g)));
  EXPECT_FALSE(cluster.Fits(0, MigPod(kMig4g)));
  EXPECT_EQ(cluster.Slots(0, MigPod(kMig2g)), 1);
  EXPECT_EQ(cluster.ChooseGpus(0, MigPod(kMig2g)), 0b1100U);
}

TEST(ClusterTest, WithoutMigNoPodWithAProfileFits) {
  const Cluster cluster = OneNode(2);
  EXPECT_FALSE(cluster.Fits(0, MigPod(kMig1g)));
  EXPECT_EQ(cluster.Slots(0, MigPod(kMig1g)), 0);
  EXPECT_TRUE(cluster.slices(0).empty());
}

TEST(ClusterDeathTest, NothingIsGivenTwice) {
  Cluster cluster = OneNode(2);
  cluster.Take(0, Shape(1), 0b1);
  EXPECT_DEATH(cluster.Take(0, Shape(1), 0b1), "gpu_milli");
  EXPECT_DEATH(cluster.Give(0, Shape(1), 0b10), "");
}

TEST(ClusterDeathTest, SlicesAreNotGivenTwice) {
  Cluster cluster = OneNode(1);
  cluster.SetMig(A100s());
  cluster.Take(0, MigPod(kMig2g), 0b11);
  EXPECT_DEATH(cluster.Take(0, MigPod(kMig1g), 0b10), "HasRoom");
  EXPECT_DEATH(cluster.Take(0, MigPod(kMig2g), 0b110), "starts");
  EXPECT_DEATH(cluster.Take(0, Shape(1), 0b1), "gpu_milli");
}

}  // namespace
}  // namespace plimsoll
