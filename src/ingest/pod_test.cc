#include "ingest/pod.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

PodRecord BoundPod() {
  PodRecord pod;
  pod.cluster = "c1";
  pod.ns = "ml";
  pod.name = "train-0";
  pod.uid = "u1";
  pod.node = "n1";
  pod.workload_kind = "Job";
  pod.workload = "train";
  pod.created = AtSeconds(100);
  pod.scheduled = AtSeconds(110);
  return pod;
}

TEST(DeviceUnitTest, BothSpellingsOfAResourceNameTheSameUnit) {
  for (const char* resource :
       {"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb",
        "nvidia.com/mig-1g.5gb.me", "amd.com/gpu", "habana.ai/gaudi", "aws.amazon.com/neuron",
        "aws.amazon.com/neuroncore", "google.com/tpu", "gpu.intel.com/i915"}) {
    EXPECT_TRUE(DeviceUnitOf(resource)) << resource;
    EXPECT_EQ(DeviceUnitOf(resource), DeviceUnitOf(SanitizedName(resource))) << resource;
  }
}

TEST(DeviceUnitTest, MigSliceIsItsComputeShareOfTheCard) {
  EXPECT_EQ(DeviceUnitOf("nvidia.com/mig-1g.10gb"), (DeviceUnit{"mig-1g.10gb", 1, 7}));
  EXPECT_EQ(DeviceUnitOf("nvidia_com_mig_3g_40gb"), (DeviceUnit{"mig-3g.40gb", 3, 7}));
  EXPECT_EQ(DeviceUnitOf("nvidia.com/mig-7g.80gb"), (DeviceUnit{"mig-7g.80gb", 7, 7}));
  EXPECT_EQ(DeviceUnitOf("nvidia.com/mig-1g.5gb.me"), (DeviceUnit{"mig-1g.5gb+me", 1, 7}));
  EXPECT_EQ(DeviceUnitOf("nvidia.com/mig-1c.3g.20gb"), (DeviceUnit{"mig-1c.3g.20gb", 1, 7}));
}

TEST(DeviceUnitTest, A30SlicesAreQuarters) {
  EXPECT_EQ(DeviceUnitOf("nvidia.com/mig-1g.6gb"), (DeviceUnit{"mig-1g.6gb", 1, 4}));
  EXPECT_EQ(DeviceUnitOf("nvidia.com/mig-2g.12gb"), (DeviceUnit{"mig-2g.12gb", 2, 4}));
  EXPECT_EQ(DeviceUnitOf("nvidia.com/mig-4g.24gb"), (DeviceUnit{"mig-4g.24gb", 4, 4}));
}

TEST(DeviceUnitTest, OtherResourcesAreNoDevices) {
  for (const char* resource :
       {"cpu", "memory", "nvidia.com/gpucores", "nvidia.com/gpumem", "nvidia.com/mig-",
        "nvidia.com/mig-0g.5gb", "nvidia.com/mig-9g.5gb", "nvidia.com/mig-1g.10gbx",
        "nvidia.com/mig-3c.1g.5gb", "gpu.intel.com/i915_monitoring", "gpu.intel.com/millicores",
        "rdma/ib", "", "nvidia.com/mig-99999999999999999999g.1gb"}) {
    EXPECT_FALSE(DeviceUnitOf(resource)) << resource;
  }
}

TEST(DeviceUnitTest, TimeSlicedNodeTurnsAGpuIntoAShare) {
  const std::map<std::string, std::string> labels = {{"nvidia.com/gpu.replicas", "4"}};
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, labels), (DeviceUnit{"gpu.shared", 1, 4}));
  EXPECT_EQ(UnitOnNode({"gpu.shared", 1, 1}, labels), (DeviceUnit{"gpu.shared", 1, 4}));
  EXPECT_EQ(UnitOnNode({"mig-1g.10gb", 1, 7}, labels), (DeviceUnit{"mig-1g.10gb", 1, 7}));
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, {{"label_nvidia_com_gpu_replicas", "4"}}),
            (DeviceUnit{"gpu", 1, 1}));
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, {{"nvidia_com_gpu_replicas", "4"}}),
            (DeviceUnit{"gpu.shared", 1, 4}));
}

TEST(DeviceUnitTest, SingleStrategyNodeTurnsAGpuIntoItsSlice) {
  const std::map<std::string, std::string> labels = {
      {"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"}};
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, labels), (DeviceUnit{"mig-1g.5gb", 1, 7}));
  std::map<std::string, std::string> shared = {
      {"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB-MIG-2g.10gb-SHARED"},
      {"nvidia.com/gpu.replicas", "2"}};
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, shared), (DeviceUnit{"mig-2g.10gb", 2, 14}));
}

TEST(DeviceUnitTest, NodeWithoutSharingLeavesTheUnit) {
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, {}), (DeviceUnit{"gpu", 1, 1}));
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, {{"nvidia.com/gpu.replicas", "0"}}),
            (DeviceUnit{"gpu", 1, 1}));
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, {{"nvidia.com/gpu.replicas", "many"}}),
            (DeviceUnit{"gpu", 1, 1}));
}

TEST(AppendPodTest, BoundPodIsHeldFromBindToEnd) {
  PodRecord pod = BoundPod();
  pod.requests = {{"nvidia.com/gpu", 8}, {"cpu", 64'000}, {"memory", 1 << 30}};
  pod.labels = {{"team", "nlp"}, {"app", "x"}};
  pod.ready = AtSeconds(150);
  pod.ended = AtSeconds(900);
  pod.end_reason = "Completed";
  HoldingBatch holdings;
  PendingBatch pending;
  AppendPod(pod, holdings, pending);
  ASSERT_EQ(RowsOf(holdings), 1U);
  EXPECT_EQ(RowsOf(pending), 0U);
  EXPECT_EQ(holdings.devices[0], 8);
  EXPECT_EQ(holdings.device_kind[0], "gpu");
  EXPECT_EQ(holdings.cpu_milli[0], 64'000);
  EXPECT_EQ(holdings.queued[0], AtSeconds(100));
  EXPECT_EQ(holdings.begin[0], AtSeconds(110));
  EXPECT_EQ(holdings.ready[0], AtSeconds(150));
  EXPECT_EQ(holdings.until[0], AtSeconds(900));
  EXPECT_EQ(holdings.labels[0], R"({"app":"x","team":"nlp"})");
  EXPECT_EQ(holdings.source[0], "kubernetes");
}

TEST(AppendPodTest, DeviceKindsAreRowsAndCpuIsCountedOnce) {
  PodRecord pod = BoundPod();
  pod.requests = {{"nvidia.com/mig-1g.10gb", 2}, {"nvidia.com/gpu", 1}, {"cpu", 500}};
  HoldingBatch holdings;
  PendingBatch pending;
  AppendPod(pod, holdings, pending);
  ASSERT_EQ(RowsOf(holdings), 2U);
  EXPECT_EQ(holdings.device_kind, (std::vector<Symbol>{"gpu", "mig-1g.10gb"}));
  EXPECT_EQ(holdings.cpu_milli, (std::vector<std::int64_t>{500, 0}));
}

TEST(AppendPodTest, TwoSpellingsOfOneRequestCountOnceAndTwoVendorsAdd) {
  PodRecord pod = BoundPod();
  pod.requests = {{"nvidia.com/gpu", 2}, {"nvidia_com_gpu", 2}, {"amd.com/gpu", 1}};
  HoldingBatch holdings;
  PendingBatch pending;
  AppendPod(pod, holdings, pending);
  ASSERT_EQ(RowsOf(holdings), 1U);
  EXPECT_EQ(holdings.devices[0], 3);
}

TEST(AppendPodTest, PodWithoutAcceleratorIsHeldWithZeroDevices) {
  PodRecord pod = BoundPod();
  pod.requests = {{"cpu", 500}};
  HoldingBatch holdings;
  PendingBatch pending;
  AppendPod(pod, holdings, pending);
  ASSERT_EQ(RowsOf(holdings), 1U);
  EXPECT_EQ(holdings.devices[0], 0);
  EXPECT_EQ(holdings.device_kind[0], "gpu");
}

TEST(AppendPodTest, WaitingPodIsPendingAndHoldsNothing) {
  PodRecord pod = BoundPod();
  pod.node.clear();
  pod.scheduled.reset();
  pod.requests = {{"nvidia.com/gpu", 4}};
  pod.pending_reason = "Unschedulable";
  HoldingBatch holdings;
  PendingBatch pending;
  AppendPod(pod, holdings, pending);
  EXPECT_EQ(RowsOf(holdings), 0U);
  ASSERT_EQ(RowsOf(pending), 1U);
  EXPECT_EQ(pending.devices[0], 4);
  EXPECT_EQ(pending.reason[0], "Unschedulable");
  pod.ended = AtSeconds(200);
  PendingBatch none;
  AppendPod(pod, holdings, none);
  EXPECT_EQ(RowsOf(none), 0U);
}

TEST(AppendPodTest, SkewedClockNeverEndsAHoldingBeforeItBegins) {
  PodRecord pod = BoundPod();
  pod.ready = AtSeconds(90);
  pod.ended = AtSeconds(105);
  HoldingBatch holdings;
  PendingBatch pending;
  AppendPod(pod, holdings, pending);
  EXPECT_EQ(holdings.ready[0], AtSeconds(110));
  EXPECT_EQ(holdings.until[0], AtSeconds(110));
}

TEST(AppendPodTest, KnownUnitOverridesTheNamesUnit) {
  PodRecord pod = BoundPod();
  pod.requests = {{"gpu-fraction", 1}};
  pod.units = {{"gpu-fraction", {"gpu.fraction", 1, 2}}};
  HoldingBatch holdings;
  PendingBatch pending;
  AppendPod(pod, holdings, pending);
  ASSERT_EQ(RowsOf(holdings), 1U);
  EXPECT_EQ(holdings.device_kind[0], "gpu.fraction");
  EXPECT_EQ(holdings.share_den[0], 2);
}

TEST(LabelsJsonTest, TextThatIsNotUtf8IsReplacedNotThrown) {
  EXPECT_EQ(LabelsJson({{"k", "\xff"}}), "{\"k\":\"\xef\xbf\xbd\"}");
  EXPECT_EQ(LabelsJson({}), "{}");
}

TEST(DeviceUnitTest, SliceIsOfAsManyAsTheNodesCardsHave) {
  const auto on = [](const char* product) {
    return UnitOnNode({"mig-1g.24gb", 1, 7}, {{"nvidia.com/gpu.product", product}});
  };
  EXPECT_EQ(on("NVIDIA-H100-NVL").share_den, 7);
  EXPECT_EQ(on("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition").share_den, 4);
  EXPECT_EQ(on("NVIDIA-RTX-PRO-5000-Blackwell").share_den, 2);
  const std::map<std::string, std::string> single = {
      {"nvidia.com/gpu.product", "NVIDIA-RTX-PRO-6000-Blackwell-MIG-2g.48gb"}};
  EXPECT_EQ(UnitOnNode({"gpu", 1, 1}, single), (DeviceUnit{"mig-2g.48gb", 2, 4}));
}

TEST(HeldDevicesTest, UnitsOfOneKindKeepTheirSum) {
  PodRecord pod = BoundPod();
  pod.requests = {{"a", 2}, {"b", 1}};
  pod.units = {{"a", {"gpu.claim", 1, 1}}, {"b", {"gpu.claim", 1, 2}}};
  const auto held = HeldDevicesOf(pod);
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].devices, 3);
  EXPECT_EQ(held[0].unit, (DeviceUnit{"gpu.claim", 5, 6}));
}

TEST(RoleTest, OnlyNegativePriorityMakesAPlaceholder) {
  EXPECT_EQ(RoleOf({"ops", "overprovisioning", -10, false, false}), "placeholder");
  EXPECT_EQ(RoleOf({"ops", "", -1, true, false}), "placeholder");
  EXPECT_EQ(RoleOf({"ops", "", -1, false, false}), "") << "merely unimportant work";
  EXPECT_EQ(RoleOf({"ops", "overprovisioning", 0, true, true}), "");
  EXPECT_EQ(RoleOf({"kai-resource-reservation", "", 0, false, false}), "reservation");
  EXPECT_EQ(RoleOf({"runai-reservation", "", -1, true, false}), "reservation");
}

}  // namespace
}  // namespace plimsoll
