#include "ingest/kubernetes/node_object.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Capacity = std::map<std::string, std::string>;

TEST(CapacityTypeTest, EveryDialectIsRead) {
  EXPECT_EQ(CapacityTypeOf({{"karpenter.sh/capacity-type", "spot"}}), "spot");
  EXPECT_EQ(CapacityTypeOf({{"karpenter.sh/capacity-type", "reserved"}}), "reserved");
  EXPECT_EQ(CapacityTypeOf({{"eks.amazonaws.com/capacityType", "ON_DEMAND"}}), "on-demand");
  EXPECT_EQ(CapacityTypeOf({{"eks.amazonaws.com/capacityType", "SPOT"}}), "spot");
  EXPECT_EQ(CapacityTypeOf({{"eks.amazonaws.com/capacityType", "CAPACITY_BLOCK"}}), "reserved");
  EXPECT_EQ(CapacityTypeOf({{"lifecycle", "Ec2Spot"}}), "spot");
  EXPECT_EQ(CapacityTypeOf({{"cloud.google.com/gke-spot", "True"}}), "spot");
  EXPECT_EQ(CapacityTypeOf({{"cloud.google.com/gke-preemptible", "true"}}), "spot");
  EXPECT_EQ(CapacityTypeOf({{"kubernetes.azure.com/scalesetpriority", "spot"},
                            {"kubernetes.azure.com/agentpool", "gpu"}}),
            "spot");
  EXPECT_EQ(CapacityTypeOf({{"kubernetes.azure.com/agentpool", "gpu"}}), "on-demand");
  EXPECT_EQ(CapacityTypeOf({{"cloud.google.com/gke-nodepool", "gpu"}}), "on-demand");
  EXPECT_EQ(CapacityTypeOf({{"karpenter.sh/capacity-type", "odd"}}), "unknown");
  EXPECT_EQ(CapacityTypeOf({}), "unknown");
}

TEST(PhysicalGpusTest, SingleMigStrategyCountsInstancesAndIsDividedBack) {
  const NodeLabels labels = {{"nvidia.com/gpu.count", "56"},
                             {"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"}};
  EXPECT_EQ(PhysicalGpus(labels, {{"nvidia.com/gpu", "56"}}, nullptr), 8);
  EXPECT_EQ(GpuProductOf(labels), "NVIDIA-A100-SXM4-80GB");
}

TEST(PhysicalGpusTest, TimeSlicingNeverMultipliesCards) {
  const NodeLabels labels = {{"nvidia.com/gpu.count", "1"},
                             {"nvidia.com/gpu.replicas", "4"},
                             {"nvidia.com/gpu.product", "Tesla-T4-SHARED"}};
  EXPECT_EQ(PhysicalGpus(labels, {{"nvidia.com/gpu.shared", "4"}}, nullptr), 1);
  EXPECT_EQ(PhysicalGpus({{"nvidia.com/gpu.replicas", "4"}}, {{"nvidia.com/gpu", "8"}}, nullptr),
            2);
  EXPECT_EQ(GpuProductOf(labels), "Tesla-T4");
}

TEST(PhysicalGpusTest, MixedMigStrategyAddsUpSlices) {
  EXPECT_EQ(PhysicalGpus({},
                         {{"nvidia.com/gpu", "0"},
                          {"nvidia.com/mig-1g.10gb", "7"},
                          {"nvidia.com/mig-3g.40gb", "2"}},
                         nullptr),
            2);
}

TEST(PhysicalGpusTest, CatalogShapeAndCloudLabelsComeFirst) {
  const InstanceShape shape{"aws", "p5.48xlarge", "H100-SXM-80GB", 8, 1, 0, 0};
  EXPECT_EQ(PhysicalGpus({{"nvidia.com/gpu.count", "56"}}, {}, &shape), 8);
  EXPECT_EQ(
      PhysicalGpus({{"karpenter.k8s.aws/instance-gpu-count", "4"}, {"nvidia.com/gpu.count", "28"}},
                   {}, nullptr),
      4);
}

TEST(PhysicalGpusTest, OtherVendorsCountTheirDevices) {
  EXPECT_EQ(PhysicalGpus({}, {{"amd.com/gpu", "8"}}, nullptr), 8);
  EXPECT_EQ(PhysicalGpus({}, {{"habana.ai/gaudi", "8"}}, nullptr), 8);
  EXPECT_EQ(PhysicalGpus({}, {{"aws.amazon.com/neuron", "16"}, {"aws.amazon.com/neuroncore", "32"}},
                         nullptr),
            16);
  EXPECT_EQ(PhysicalGpus({}, {{"cpu", "8"}}, nullptr), 0);
}

nlohmann::json Node() {
  return nlohmann::json::parse(R"({"kind":"Node","metadata":{"name":"n1",
    "creationTimestamp":"2026-01-01T00:00:00Z","labels":{
      "node.kubernetes.io/instance-type":"p5.48xlarge","topology.kubernetes.io/zone":"us-east-1a",
      "topology.kubernetes.io/region":"us-east-1","nvidia.com/gpu.count":"8",
      "nvidia.com/gpu.product":"NVIDIA-H100-80GB-HBM3"}},
    "spec":{"providerID":"aws:///us-east-1a/i-0abc","unschedulable":true},
    "status":{"capacity":{"cpu":"192","memory":"2097152Mi","nvidia.com/gpu":"8"},
      "conditions":[{"type":"Ready","status":"False",
                     "lastTransitionTime":"2026-01-02T00:00:00Z"}]}})");
}

TEST(NodeObjectTest, NodeIsOneRow) {
  NodeBatch nodes;
  FieldError error;
  const nlohmann::json object = Node();
  AppendNode(FieldReader(object, "", error), "c1", nullptr, nodes);
  ASSERT_EQ(RowsOf(nodes), 1U) << error.path << error.reason;
  EXPECT_EQ(nodes.provider_id[0], "aws:///us-east-1a/i-0abc");
  EXPECT_EQ(nodes.instance_type[0], "p5.48xlarge");
  EXPECT_EQ(nodes.zone[0], "us-east-1a");
  EXPECT_EQ(nodes.gpu_count[0], 8);
  EXPECT_EQ(nodes.gpu_model[0], "NVIDIA-H100-80GB-HBM3");
  EXPECT_EQ(nodes.cpu_milli[0], 192'000);
  EXPECT_EQ(nodes.memory_bytes[0], 2'097'152LL << 20);
  EXPECT_EQ(nodes.begin[0], *ParseInstant("2026-01-01T00:00:00Z"));
  EXPECT_NE(nodes.labels[0].find(R"("kubernetes/ready":"False")"), std::string::npos);
  EXPECT_NE(nodes.labels[0].find(R"("kubernetes/unschedulable":"true")"), std::string::npos);
}

TEST(NodeObjectTest, BrokenFieldIsNamedAndNothingIsAdded) {
  NodeBatch nodes;
  FieldError error;
  nlohmann::json object = Node();
  object["status"]["capacity"]["cpu"] = "many";
  AppendNode(FieldReader(object, "", error), "c1", nullptr, nodes);
  EXPECT_EQ(RowsOf(nodes), 0U);
  EXPECT_EQ(error.path, "status.capacity.cpu");
}

TEST(NodeObjectTest, DevicesThatNoNodeCanHaveAreRefusedWithTheirField) {
  for (const char* path : {"capacity", "allocatable"}) {
    for (const char* absurd : {"-8", "1.5", "1500m", "1e20", "10001", "eight"}) {
      NodeBatch nodes;
      FieldError error;
      nlohmann::json object = Node();
      object["status"][path]["nvidia.com/gpu"] = absurd;
      AppendNode(FieldReader(object, "", error), "c1", nullptr, nodes);
      EXPECT_EQ(RowsOf(nodes), 0U) << absurd;
      EXPECT_EQ(error.path, std::string("status.") + path + ".nvidia.com/gpu");
      EXPECT_NE(error.reason.find(std::string("'") + absurd + "' is no number of devices"),
                std::string::npos)
          << error.reason;
    }
  }
}

TEST(NodeObjectTest, ManySharesOfFewCardsAreNoManyCards) {
  NodeBatch nodes;
  FieldError error;
  nlohmann::json object = Node();
  object["status"]["capacity"]["nvidia.com/gpu"] = "1e4";
  AppendNode(FieldReader(object, "", error), "c1", nullptr, nodes);
  ASSERT_EQ(RowsOf(nodes), 1U) << error.reason;
  EXPECT_EQ(nodes.gpu_count[0], 8) << "the label counts cards";
  object["metadata"]["labels"]["nvidia.com/gpu.count"] = "1025";
  AppendNode(FieldReader(object, "", error), "c1", nullptr, nodes);
  EXPECT_EQ(RowsOf(nodes), 1U);
  EXPECT_EQ(error.path, "metadata.labels");
  EXPECT_NE(error.reason.find("1025 physical GPUs"), std::string::npos) << error.reason;
}

}  // namespace
}  // namespace plimsoll
