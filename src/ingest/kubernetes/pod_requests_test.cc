#include "ingest/kubernetes/pod_requests.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Amounts = std::map<std::string, std::int64_t>;

struct Outcome {
  PodRequests requests;
  FieldError error;
};

Outcome Read(const char* text) {
  Outcome outcome;
  const auto pod = nlohmann::json::parse(text);
  outcome.requests = EffectiveRequests(FieldReader(pod, "", outcome.error));
  return outcome;
}

TEST(PodRequestsTest, ContainersAddUpAndLimitsStandInForRequests) {
  const Outcome outcome = Read(R"({"spec":{"containers":[
    {"resources":{"requests":{"cpu":"500m","memory":"1Gi"},"limits":{"nvidia.com/gpu":"2"}}},
    {"resources":{"limits":{"cpu":1,"nvidia.com/gpu":1,"ephemeral-storage":"1Gi"}}}]}})");
  EXPECT_EQ(outcome.requests.amounts,
            (Amounts{{"cpu", 1'500}, {"memory", 1 << 30}, {"nvidia.com/gpu", 3}}));
}

TEST(PodRequestsTest, LargestInitContainerIsTheFloor) {
  const Outcome outcome = Read(R"({"spec":{
    "initContainers":[{"resources":{"requests":{"cpu":"4","nvidia.com/gpu":"8"}}}],
    "containers":[{"resources":{"requests":{"cpu":"1","nvidia.com/gpu":"4"}}}]}})");
  EXPECT_EQ(outcome.requests.amounts, (Amounts{{"cpu", 4'000}, {"nvidia.com/gpu", 8}}));
}

TEST(PodRequestsTest, SidecarsAddToContainersAndToLaterInitContainers) {
  const Outcome outcome = Read(R"({"spec":{
    "initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}},
                      {"resources":{"requests":{"cpu":"2"}}}],
    "containers":[{"resources":{"requests":{"cpu":"1500m"}}}],
    "overhead":{"cpu":"250m"}}})");
  EXPECT_EQ(outcome.requests.amounts, (Amounts{{"cpu", 3'250}}));
}

TEST(PodRequestsTest, FractionByAnnotationIsAShareOfACard) {
  const Outcome outcome = Read(R"({"metadata":{"annotations":{"gpu-fraction":"0.25"}},
    "spec":{"containers":[{}]}})");
  EXPECT_EQ(outcome.requests.amounts, (Amounts{{"kai.scheduler/gpu-fraction", 1}}));
  EXPECT_EQ(outcome.requests.units.at("kai.scheduler/gpu-fraction"),
            (DeviceUnit{"gpu.fraction", 1, 4}));
}

TEST(PodRequestsTest, ShareInMemoryIsOfTheCardsMemory) {
  Outcome outcome = Read(R"({"metadata":{"annotations":{"gpu-memory":"20480",
    "gpu-fraction-num-devices":"2"}},"spec":{"containers":[{}]}})");
  EXPECT_EQ(outcome.requests.amounts, (Amounts{{"kai.scheduler/gpu-fraction", 2}}));
  EXPECT_FALSE(ApplyMemoryShares(outcome.requests.memory_mib, 0, outcome.requests.units));
  EXPECT_TRUE(ApplyMemoryShares(outcome.requests.memory_mib, 81'920, outcome.requests.units));
  EXPECT_EQ(outcome.requests.units.at("kai.scheduler/gpu-fraction"),
            (DeviceUnit{"gpu.fraction", 1, 4}));
  EXPECT_EQ(Read(R"({"metadata":{"annotations":{"gpu-memory":"much"}}})").error.path,
            "metadata.annotations.gpu-memory");
}

TEST(PodRequestsTest, MemoryAloneIsAShareWhereNoCoresAreGiven) {
  const Outcome percent = Read(R"({"spec":{"containers":[{"resources":{"limits":
    {"nvidia.com/gpu":"1","nvidia.com/gpumem-percentage":"50"}}}]}})");
  EXPECT_EQ(percent.requests.units.at("nvidia.com/gpu"), (DeviceUnit{"gpu.memory", 50, 100}));
  Outcome mib = Read(R"({"spec":{"containers":[{"resources":{"limits":
    {"nvidia.com/gpu":"1","nvidia.com/gpumem":"8192"}}}]}})");
  EXPECT_TRUE(mib.requests.units.empty());
  EXPECT_TRUE(ApplyMemoryShares(mib.requests.memory_mib, 32'768, mib.requests.units));
  EXPECT_EQ(mib.requests.units.at("nvidia.com/gpu"), (DeviceUnit{"gpu.memory", 1, 4}));
}

TEST(PodRequestsTest, ResizeDownCountsOnceItHasComeThrough) {
  const Outcome outcome = Read(R"({"spec":{"containers":[{"name":"a","resources":
    {"requests":{"cpu":"1","memory":"8Gi"}}}]},"status":{"containerStatuses":[{"name":"a",
    "allocatedResources":{"cpu":"4","memory":"4Gi"}}]}})");
  EXPECT_EQ(outcome.requests.amounts, (Amounts{{"cpu", 4'000}, {"memory", 8LL << 30}}));
}

TEST(PodRequestsTest, CorePercentageIsAShareOfEachCard) {
  const Outcome outcome = Read(R"({"spec":{"containers":[{"resources":{"limits":
    {"nvidia.com/gpu":"2","nvidia.com/gpucores":"30","nvidia.com/gpumem":"3000"}}}]}})");
  EXPECT_EQ(outcome.requests.amounts, (Amounts{{"nvidia.com/gpu", 2}}));
  EXPECT_EQ(outcome.requests.units.at("nvidia.com/gpu"), (DeviceUnit{"gpu.cores", 30, 100}));
}

TEST(PodRequestsTest, BrokenQuantityIsNamed) {
  const Outcome outcome = Read(R"({"spec":{"containers":[
    {"resources":{"requests":{"cpu":"lots"}}}]}})");
  EXPECT_EQ(outcome.error.path, "spec.containers[0].resources.requests.cpu");
}

}  // namespace
}  // namespace plimsoll
