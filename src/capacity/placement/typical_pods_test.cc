#include "capacity/placement/typical_pods.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

PodShape Shape(std::int64_t cpu, std::int32_t gpus, std::int32_t milli = kMilliPerGpu) {
  return {cpu, 1, gpus, milli, kAnyFlavor};
}

std::vector<PodShape> Times(std::initializer_list<std::pair<PodShape, int>> counts) {
  std::vector<PodShape> pods;
  for (const auto& [shape, count] : counts) {
    pods.insert(pods.end(), static_cast<std::size_t>(count), shape);
  }
  return pods;
}

TEST(TypicalPodsTest, TheMostFrequentComeFirstUntilTheShareIsReached) {
  const auto pods =
      Times({{Shape(1, 1), 30}, {Shape(2, 1), 60}, {Shape(3, 1), 6}, {Shape(4, 1), 4}});
  const TypicalPods typical = TypicalPodsOf(pods, 95);
  ASSERT_EQ(typical.pods.size(), 3U);  // 60 + 30 are not 95 %, 96 are
  EXPECT_EQ(typical.pods[0].shape.cpu_milli, 2);
  EXPECT_EQ(typical.pods[2].count, 6);
  EXPECT_EQ(typical.count, 96);
  EXPECT_EQ(typical.shapes_seen, 4);
  EXPECT_EQ(TypicalPodsOf(pods, 90).pods.size(), 2U);
  EXPECT_EQ(TypicalPodsOf(pods, 100).pods.size(), 4U);
}

TEST(TypicalPodsTest, MemoryIsNoPartOfAShape) {
  std::vector<PodShape> pods{Shape(1, 1), Shape(1, 1)};
  pods[1].memory_mib = 77;
  const TypicalPods typical = TypicalPodsOf(pods);
  ASSERT_EQ(typical.pods.size(), 1U);
  EXPECT_EQ(typical.pods[0].count, 2);
  EXPECT_EQ(typical.pods[0].shape.memory_mib, 0);
}

TEST(TypicalPodsTest, TheOrderOfTheListDoesNotMatter) {
  auto pods = Times({{Shape(1, 1), 3}, {Shape(2, 0), 3}, {Shape(2, 1, 500), 3}});
  const TypicalPods one = TypicalPodsOf(pods, 60);
  std::reverse(pods.begin(), pods.end());
  const TypicalPods other = TypicalPodsOf(pods, 60);
  ASSERT_EQ(one.pods.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(one.pods[i].shape, other.pods[i].shape);
}

TEST(TypicalPodsTest, NoPodsAreNoTypicalPods) {
  const TypicalPods typical = TypicalPodsOf({});
  EXPECT_TRUE(typical.pods.empty());
  EXPECT_EQ(typical.count, 0);
}

}  // namespace
}  // namespace plimsoll
