#include "capacity/placement/fragmentation.h"

#include <gtest/gtest.h>

#include "capacity/model/test_mig.h"

namespace plimsoll {
namespace {

enum Model : std::uint32_t { k1080, k2080, kT4, kP100, kV100, kModels };

// CPU milli, GPU milli, GPUs, model or any, hundredths of a percent.
struct Listed {
  std::int64_t cpu;
  std::int32_t milli, gpus, model;
  std::int64_t share;
};
constexpr std::int32_t kAny = -1;

// The typical pods of the unit tests of the public FGD simulator.
const std::vector<Listed> kShared{
    {6000, 465, 1, kAny, 933},  {8000, 440, 1, k2080, 915},  {8000, 475, 1, kT4, 876},
    {8000, 440, 1, kP100, 872}, {2000, 465, 1, kAny, 868},   {12000, 900, 1, kAny, 865},
    {4000, 900, 1, kAny, 843},  {16000, 678, 1, kT4, 836},   {8000, 500, 1, kAny, 829},
    {6000, 511, 1, kAny, 811},  {14000, 1000, 2, k2080, 54}, {4000, 1000, 1, k2080, 43},
    {32000, 1000, 2, kT4, 43},  {16000, 1000, 1, kV100, 40}, {64000, 1000, 2, kAny, 40},
    {10000, 1000, 2, kAny, 40}, {11400, 1000, 1, kT4, 36},   {16000, 1000, 1, kT4, 36},
    {4000, 1000, 2, kAny, 36},  {14000, 1000, 2, kV100, 36}, {8000, 1000, 4, kAny, 36},
    {16000, 1000, 2, kAny, 32}, {2000, 1000, 1, kT4, 32},    {6000, 1000, 1, kAny, 32},
    {4000, 1000, 1, kAny, 32},  {5000, 1000, 1, kAny, 32},   {32000, 1000, 4, kV100, 32},
    {32000, 1000, 2, kAny, 32}, {24000, 1000, 8, k2080, 32}, {40000, 1000, 4, kAny, 29},
    {32000, 1000, 8, kAny, 29}, {32000, 1000, 1, kT4, 29},   {16000, 1000, 1, kAny, 25},
    {7000, 1000, 1, kV100, 25}, {24000, 1000, 1, kT4, 25}};
const std::vector<Listed> kWhole{
    {15700, 1000, 1, kAny, 2869}, {11900, 1000, 1, kAny, 1893}, {11400, 1000, 1, kAny, 1227},
    {1000, 0, 0, kAny, 736},      {18710, 1000, 1, kAny, 485},  {8200, 1000, 1, kAny, 379},
    {16400, 1000, 1, kAny, 331},  {9810, 1000, 1, kAny, 197},   {15200, 1000, 1, kAny, 187},
    {11200, 1000, 1, kAny, 181},  {14200, 1000, 1, kAny, 176},  {12000, 0, 0, kAny, 165},
    {14900, 1000, 1, kAny, 139},  {60200, 1000, 4, kAny, 123},  {64200, 1000, 8, kAny, 107},
    {32200, 1000, 4, kAny, 101},  {17400, 1000, 2, kAny, 91},   {30200, 1000, 2, kAny, 69},
    {16000, 1000, 1, kAny, 64},   {15000, 1000, 1, kAny, 59},   {64000, 1000, 8, kAny, 53},
    {15000, 0, 0, kAny, 53},      {11910, 1000, 1, kAny, 53},   {120200, 1000, 8, kAny, 48},
    {11300, 1000, 1, kAny, 37},   {30000, 1000, 2, kAny, 32},   {9800, 1000, 1, kAny, 32},
    {8000, 1000, 1, kAny, 32},    {2000, 1000, 1, kAny, 27},    {2000, 80, 1, kAny, 27},
    {1000, 1000, 1, kAny, 27}};

FragmentationMeasure MeasureOf(const std::vector<Listed>& list) {
  TypicalPods typical;
  typical.count = 10'000;  // shares are of everything, rare shapes too
  for (const Listed& listed : list) {
    PodShape shape{listed.cpu, 0, listed.gpus, listed.milli, kAnyFlavor};
    if (listed.model != kAny) shape.flavors = FlavorSet{1} << listed.model;
    typical.pods.push_back({shape, listed.share});
  }
  return FragmentationMeasure(typical);
}

// One node with so much left of each GPU.
Cluster NodeWith(Model model, std::int64_t cpu, const std::vector<std::int32_t>& left) {
  Cluster cluster(std::vector<std::string>(kModels, "m"), DomainTree(),
                  {{"n", model, cpu, 1'000, static_cast<std::int32_t>(left.size()), {}}});
  for (std::size_t gpu = 0; gpu < left.size(); ++gpu) {
    if (left[gpu] == kMilliPerGpu) continue;
    cluster.Take(0, {0, 0, 1, kMilliPerGpu - left[gpu], kAnyFlavor}, GpuSet{1} << gpu);
  }
  return cluster;
}

double FragmentedMilli(const FragmentationMeasure& measure, const Cluster& cluster) {
  const Fragmentation all = measure.Of(cluster);
  const NodeIdle node(cluster, 0);
  FragmentationMeasure::Counts counts;
  EXPECT_EQ(measure.Fragmented(node, counts), all.fragmented());
  return static_cast<double>(all.fragmented()) / static_cast<double>(all.pods);
}

TEST(FragmentationTest, GivesThePublishedUnitValues) {
  const FragmentationMeasure shared = MeasureOf(kShared);
  const std::vector<std::int32_t> four(4, 1'000), eight(8, 1'000);
  EXPECT_NEAR(FragmentedMilli(shared, NodeWith(k1080, 1'000, {200, 1'000, 1'000, 500})), 2566.62,
              0.005);
  EXPECT_NEAR(FragmentedMilli(shared, NodeWith(k1080, 1'000, four)), 3802.40, 0.005);
  EXPECT_NEAR(FragmentedMilli(shared, NodeWith(k1080, 1'000, eight)), 7604.80, 0.005);
  const FragmentationMeasure whole = MeasureOf(kWhole);
  const std::vector<std::int32_t> halved{1'000, 1'000, 1'000, 1'000, 0, 0, 0, 0};
  EXPECT_NEAR(FragmentedMilli(whole, NodeWith(kP100, 64'000, eight)), 887.20, 0.005);
  EXPECT_NEAR(FragmentedMilli(whole, NodeWith(kP100, 32'000, halved)), 554.4, 0.005);
  EXPECT_NEAR(FragmentedMilli(whole, NodeWith(kP100, 0, halved)), 4'000, 0.005);
}

FragmentationMeasure Of(const PodShape& shape) {
  TypicalPods typical;
  typical.pods = {{shape, 1}};
  typical.count = 1;
  return FragmentationMeasure(typical);
}

std::int64_t In(const Fragmentation& fragmentation, IdleClass idle) {
  return fragmentation.by_class[static_cast<std::size_t>(idle)];
}

TEST(FragmentationTest, TheClassSaysWhatIsLacking) {
  const Cluster cluster = NodeWith(kT4, 4'000, {1'000, 300});
  const auto of = [&](std::int64_t cpu, std::int32_t gpus, std::int32_t milli, FlavorSet flavors) {
    return Of(PodShape{cpu, 0, gpus, milli, flavors}).Of(cluster);
  };
  EXPECT_EQ(In(of(9'000, 2, 1'000, kAnyFlavor), IdleClass::kLacksBoth), 1'300);
  EXPECT_EQ(In(of(4'000, 2, 1'000, kAnyFlavor), IdleClass::kLacksGpu), 1'300);
  EXPECT_EQ(In(of(9'000, 1, 1'000, kAnyFlavor), IdleClass::kLacksCpu), 1'300);
  EXPECT_EQ(In(of(4'000, 1, 1'000, 1U << kP100), IdleClass::kWrongFlavor), 1'300);
  EXPECT_EQ(In(of(4'000, 0, 0, kAnyFlavor), IdleClass::kCpuPodFits), 1'300);
  EXPECT_EQ(In(of(9'000, 0, 0, kAnyFlavor), IdleClass::kCpuPodLacks), 1'300);
  const Fragmentation fits = of(4'000, 1, 500, kAnyFlavor);  // the sliver of 300 is of no use
  EXPECT_EQ(In(fits, IdleClass::kUsable), 1'000);
  EXPECT_EQ(In(fits, IdleClass::kLacksGpu), 300);
  EXPECT_EQ(fits.ratio_ppb(), 230'769'231);
}

TEST(FragmentationTest, NothingIdleIsNothingFragmented) {
  const Fragmentation none = Of({0, 0, 1}).Of(NodeWith(kT4, 0, {0, 0}));
  EXPECT_EQ(none.ratio_ppb(), 0);
  EXPECT_EQ(none.idle(), 0);
}

TEST(FragmentationTest, NodesThatAreDownAreNotIdle) {
  Cluster cluster = NodeWith(kT4, 0, {1'000});
  cluster.SetUp(0, false);
  EXPECT_EQ(Of({0, 0, 1}).Of(cluster).idle(), 0);
}

TEST(FragmentationTest, ACutCardIsOfUseToTheProfilesThatStillFit) {
  Cluster cluster({"A100"}, DomainTree(), {{"n", 0, 32'000, 65'536, 1, {}}});
  cluster.SetMig(A100s());
  for (const GpuSet slot : {0b1U, 0b10U, 0b10'0000U}) cluster.Take(0, MigPod(kMig1g), slot);
  const std::int64_t idle = 1'000 - 3 * 142;
  EXPECT_EQ(In(Of(MigPod(kMig3g)).Of(cluster), IdleClass::kLacksGpu), idle);
  EXPECT_EQ(In(Of(MigPod(kMig2g)).Of(cluster), IdleClass::kUsable), idle);
  EXPECT_EQ(In(Of({0, 0, 1, 100}).Of(cluster), IdleClass::kLacksGpu), idle);
}

TEST(FragmentationTest, WhatIfIsAsIfItHadBeenTaken) {
  const FragmentationMeasure measure = MeasureOf(kShared);
  FragmentationMeasure::Counts counts;
  Cluster cluster = NodeWith(k1080, 64'000, {200, 1'000, 1'000, 500});
  const PodShape pod{4'000, 0, 1, 400, kAnyFlavor};
  NodeIdle then(cluster, 0);
  then.Take(pod, 0b1000);
  cluster.Take(0, pod, 0b1000);
  EXPECT_EQ(measure.Fragmented(then, counts), measure.Fragmented(NodeIdle(cluster, 0), counts));
}

}  // namespace
}  // namespace plimsoll
