// SPDX-License-Identifier: Apache-2.0
#include "capacity/model/cluster.h"

#include <gtest/gtest.h>

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

TEST(ClusterDeathTest, NothingIsGivenTwice) {
  Cluster cluster = OneNode(2);
  cluster.Take(0, Shape(1), 0b1);
  EXPECT_DEATH(cluster.Take(0, Shape(1), 0b1), "gpu_milli");
  EXPECT_DEATH(cluster.Give(0, Shape(1), 0b10), "");
}

}  // namespace
}  // namespace plimsoll
