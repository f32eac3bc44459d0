#include "ingest/prometheus/ksm_nodes.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct NodeFacts {
  Pairs labels;
  std::string gpus = "8";
};

NodeBatch NodesFrom(const NodeFacts& facts) {
  KsmStore store;
  const auto add = [&](KsmMetric metric, Pairs labels, const std::string& value) {
    labels.emplace_back("node", "n1");
    store.Add(store.Open(metric, {"", std::move(labels)}), 60'000, value);
  };
  Pairs labels;
  for (const auto& [key, value] : facts.labels) labels.emplace_back("label_" + key, value);
  add(KsmMetric::kNodeLabels, labels, "1");
  add(KsmMetric::kNodeCapacity, {{"resource", "nvidia_com_gpu"}, {"unit", "integer"}}, facts.gpus);
  add(KsmMetric::kNodeCapacity, {{"resource", "cpu"}}, "4.3");
  add(KsmMetric::kNodeCapacity, {{"resource", "memory"}}, "2e+09");
  add(KsmMetric::kNodeInfo, {{"provider_id", "aws:///us-east-1a/i-0abc"}}, "1");
  add(KsmMetric::kNodeCreated, {}, "1.5e+09");
  return NodesOf(store, {"c", Minutes(5)});
}

TEST(KsmNodesTest, ReadsWhatANodeIs) {
  const NodeBatch rows = NodesFrom({{{"node_kubernetes_io_instance_type", "p5.48xlarge"},
                                     {"topology_kubernetes_io_zone", "us-east-1a"},
                                     {"karpenter_sh_capacity_type", "reserved"},
                                     {"nvidia_com_gpu_product", "NVIDIA-H100-80GB-HBM3"}}});
  ASSERT_EQ(RowsOf(rows), 1u);
  EXPECT_EQ(rows.node[0], "n1");
  EXPECT_EQ(rows.provider_id[0], "aws:///us-east-1a/i-0abc");
  EXPECT_EQ(rows.instance_type[0], "p5.48xlarge");
  EXPECT_EQ(rows.capacity_type[0], "reserved");
  EXPECT_EQ(rows.gpu_model[0], "NVIDIA-H100-80GB-HBM3");
  EXPECT_EQ(rows.gpu_count[0], 8);
  EXPECT_EQ(rows.cpu_milli[0], 4'300);
  EXPECT_EQ(rows.memory_bytes[0], 2'000'000'000);
  EXPECT_EQ(rows.begin[0], AtSeconds(1'500'000'000));
  EXPECT_FALSE(rows.until[0].has_value());
}

TEST(KsmNodesTest, TimeSlicesAndMigDevicesAreNotCards) {
  const NodeBatch sliced = NodesFrom({{{"nvidia_com_gpu_product", "Tesla-T4-SHARED"},
                                       {"nvidia_com_gpu_count", "1"},
                                       {"nvidia_com_gpu_replicas", "4"}},
                                      "4"});
  EXPECT_EQ(sliced.gpu_count[0], 1);
  EXPECT_EQ(sliced.gpu_model[0], "Tesla-T4");
  EXPECT_EQ(NodesFrom({{{"nvidia_com_gpu_replicas", "4"}}, "8"}).gpu_count[0], 2);
  const NodeBatch mig = NodesFrom({{{"nvidia_com_gpu_product", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"},
                                    {"nvidia_com_gpu_count", "56"}},
                                   "56"});
  EXPECT_EQ(mig.gpu_count[0], 8);
  EXPECT_EQ(mig.gpu_model[0], "NVIDIA-A100-SXM4-80GB");
  EXPECT_EQ(NodesFrom({{{"nvidia_com_gpu_product", "NVIDIA-A100-SXM4-40GB-MIG-1g.10gb"}}, "32"})
                .gpu_count[0],
            8);
}

TEST(KsmNodesTest, EveryPlatformsSpotLabelIsKnownAndSilenceIsUnknown) {
  const auto type = [](Pairs labels) { return NodesFrom({std::move(labels)}).capacity_type[0]; };
  EXPECT_EQ(type({{"eks_amazonaws_com_capacityType", "SPOT"}}), "spot");
  EXPECT_EQ(type({{"eks_amazonaws_com_capacityType", "ON_DEMAND"}}), "on-demand");
  EXPECT_EQ(type({{"cloud_google_com_gke_spot", "true"}}), "spot");
  EXPECT_EQ(type({{"kubernetes_azure_com_scalesetpriority", "spot"}}), "spot");
  EXPECT_EQ(type({{"cloud_google_com_gke_nodepool", "p"}}), "on-demand");
  EXPECT_EQ(type({}), "unknown");
}

}  // namespace
}  // namespace plimsoll
