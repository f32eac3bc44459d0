#include "capacity/placement/fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/random.h"

namespace plimsoll {
namespace {

constexpr PlacementPolicy kAll[] = {PlacementPolicy::kRandom,     PlacementPolicy::kDotProduct,
                                    PlacementPolicy::kClustering, PlacementPolicy::kPacking,
                                    PlacementPolicy::kBestFit,    PlacementPolicy::kFgd};

Cluster SmallCluster() {
  std::vector<NodeSpec> nodes;
  for (int i = 0; i < 24; ++i) {
    nodes.push_back(
        {"n" + std::to_string(i), i % 3 == 0 ? 1U : 0U, 64'000, 262'144, i % 2 == 0 ? 8 : 4, {}});
  }
  return Cluster({"A", "B"}, DomainTree(), std::move(nodes));
}

std::vector<PodShape> SmallPods() {
  return {{4'000, 8'192, 1, 500, kAnyFlavor},    {8'000, 16'384, 1, 1'000, kAnyFlavor},
          {16'000, 16'384, 2, 1'000, 0b1},       {32'000, 65'536, 8, 1'000, kAnyFlavor},
          {8'000, 16'384, 0, 1'000, kAnyFlavor}, {2'000, 8'192, 1, 300, 0b10}};
}

TEST(FillTest, ArrivalsAskForJustUnderWhatIsWanted) {
  const std::vector<PodShape> pods = SmallPods();
  for (const std::int64_t wanted : {5'000, 200'000}) {  // less than the list, and more
    const std::vector<std::uint32_t> order = FillArrivals(pods, wanted, 7);
    std::int64_t asked = 0;
    for (const std::uint32_t pod : order) asked += GpuMilli(pods[pod]);
    EXPECT_LE(asked, wanted);
    EXPECT_GT(asked, wanted - 8'000 - 1);
    EXPECT_EQ(order, FillArrivals(pods, wanted, 7));
    EXPECT_NE(order, FillArrivals(pods, wanted, 8));
  }
}

TEST(FillTest, AllOfTheListArriveOnceBeforeAnyTwice) {
  const std::vector<PodShape> pods = SmallPods();
  std::vector<std::uint32_t> order = FillArrivals(pods, 100'000, 1);
  ASSERT_GT(order.size(), pods.size());
  order.resize(pods.size());
  std::ranges::sort(order);
  for (std::uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(FillTest, WhatIsAllocatedAndIdleAddsUpToTheCluster) {
  for (const PlacementPolicy policy : kAll) {
    FillOptions options;
    options.policy = policy;
    options.runs = 2;
    const Result<FillOutcome> outcome = RunFill(SmallCluster(), SmallPods(), options);
    ASSERT_TRUE(outcome.has_value());
    for (const FillRun& run : outcome->runs) {
      std::vector<std::int64_t> percents;
      for (const FillPoint& point : run.points) {
        percents.push_back(point.arrived_percent);
        EXPECT_EQ(point.fragmentation.idle(),
                  point.fragmentation.pods * (outcome->gpu_milli - point.allocated_milli));
        EXPECT_LE(point.allocated_milli, outcome->gpu_milli);
      }
      EXPECT_EQ(percents, (std::vector<std::int64_t>{50, 80, 90, 95, 100, 110, 120, 130}));
      EXPECT_LE(run.pods_placed, run.pods_arrived);
    }
  }
}

TEST(FillTest, EveryRunHasEveryPoint) {
  // A node of 8 GPUs: whether an arrival reaches a point depends on the order of the two pods.
  const Cluster cluster({"A"}, DomainTree(), {{"n", 0, 64'000, 262'144, 8, {}}});
  const std::vector<PodShape> pods{{0, 0, 8, 1'000, kAnyFlavor}, {0, 0, 1, 1'000, kAnyFlavor}};
  FillOptions options;
  options.runs = 20;
  const Result<FillOutcome> outcome = RunFill(cluster, pods, options);
  ASSERT_TRUE(outcome.has_value());
  bool stops_early = false;
  for (const FillRun& run : outcome->runs) {
    ASSERT_EQ(run.points.size(), 8U);
    stops_early = stops_early || run.gpu_milli_asked < 120 * 80;
    for (const FillPoint& point : run.points) {
      if (point.arrived_percent * 80 <= run.gpu_milli_asked) continue;
      EXPECT_EQ(point.allocated_milli, run.points.back().allocated_milli);
    }
  }
  EXPECT_TRUE(stops_early) << "no run of these seeds shows anything";
}

TEST(FillTest, PodsThatStayAwayAreThoseOfTheDrawsOneAfterAnother) {
  std::vector<PodShape> pods;
  for (int i = 0; i < 200; ++i) pods.push_back({0, 0, 1 + i % 5, 1'000, kAnyFlavor});
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    RandomStream random(seed, "fill.arrivals", 0);
    std::vector<std::uint32_t> order(pods.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    for (std::int64_t asked = 600'000; asked > 90'000;) {
      const auto out = order.begin() + static_cast<std::ptrdiff_t>(random.Below(order.size()));
      asked -= GpuMilli(pods[*out]);
      order.erase(out);
    }
    std::vector<std::uint32_t> arrived = FillArrivals(pods, 90'000, seed);
    ASSERT_GE(arrived.size(), order.size());
    arrived.resize(order.size());
    EXPECT_EQ(arrived, order);
  }
}

TEST(FillTest, AMillionPodsOfWhichMostStayAwayAreSoonDrawn) {
  const std::vector<PodShape> pods(1'000'000, PodShape{0, 0, 1, 1'000, kAnyFlavor});
  EXPECT_EQ(FillArrivals(pods, 100'000'000, 1).size(), 100'000U);
}

TEST(FillTest, TheAnswerDoesNotDependOnThreads) {
  FillOptions options;
  options.runs = 5;
  options.threads = 1;
  const FillOutcome one = *RunFill(SmallCluster(), SmallPods(), options);
  options.threads = 3;
  const FillOutcome three = *RunFill(SmallCluster(), SmallPods(), options);
  for (std::size_t run = 0; run < 5; ++run) {
    EXPECT_EQ(one.runs[run].pods_placed, three.runs[run].pods_placed);
    for (std::size_t at = 0; at < one.runs[run].points.size(); ++at) {
      EXPECT_EQ(one.runs[run].points[at].fragmentation.by_class,
                three.runs[run].points[at].fragmentation.by_class);
    }
  }
}

TEST(FillTest, ARunIsThatOfItsSeedWhereverItBegins) {
  FillOptions options;
  options.runs = 3;
  const FillOutcome all = *RunFill(SmallCluster(), SmallPods(), options);
  options.seed = 44;
  options.runs = 1;
  const FillOutcome last = *RunFill(SmallCluster(), SmallPods(), options);
  EXPECT_EQ(all.runs[2].points.back().allocated_milli, last.runs[0].points.back().allocated_milli);
  EXPECT_EQ(last.SpreadOf(0, FillFigure::kAllocated).deviation, std::nullopt);
}

TEST(FillTest, ClassesAddUpToWhatIsIdleAtTheEnd) {
  FillOptions options;
  options.runs = 3;
  const FillOutcome outcome = *RunFill(SmallCluster(), SmallPods(), options);
  std::int64_t idle = 0;
  for (std::size_t i = 0; i < kIdleClasses; ++i) idle += outcome.IdleIn(static_cast<IdleClass>(i));
  const std::size_t end = outcome.runs[0].points.size() - 1;
  EXPECT_NEAR(static_cast<double>(idle),
              1e11 - static_cast<double>(outcome.SpreadOf(end, FillFigure::kAllocated).mean), 10);
  EXPECT_NEAR(static_cast<double>(idle - outcome.IdleIn(IdleClass::kUsable)),
              static_cast<double>(outcome.SpreadOf(end, FillFigure::kFragmented).mean), 10);
}

TEST(FillTest, PodsThatFitExactlyFillAllOfIt) {
  const std::vector<PodShape> pods{{1'000, 0, 1, 500, kAnyFlavor}};
  FillOptions options;
  options.runs = 1;
  options.fill_percent = 100;
  const FillOutcome outcome = *RunFill(SmallCluster(), pods, options);
  EXPECT_EQ(outcome.SpreadOf(5 - 1, FillFigure::kAllocated).mean, 100'000'000'000);
}

TEST(FillTest, WhatCanNotEndIsRefused) {
  const std::vector<PodShape> cpu{{1'000, 0, 0, 1'000, kAnyFlavor}};
  EXPECT_EQ(RunFill(SmallCluster(), cpu, {}).error().code, ErrorCode::kInvalidArgument);
  const Cluster none({"cpu"}, DomainTree(), {{"n", 0, 1'000, 0, 0, {}}});
  EXPECT_NE(RunFill(none, SmallPods(), {}).error().message.find("no node has a GPU"),
            std::string::npos);
  std::vector<PodShape> rare(1'000'000, cpu[0]);
  rare.push_back({0, 0, 1, 1, kAnyFlavor});
  EXPECT_NE(RunFill(SmallCluster(), rare, {}).error().message.find("would arrive"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
