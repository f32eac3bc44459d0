#include "ingest/kubernetes/node_states.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

nlohmann::json Node() {
  return nlohmann::json::parse(R"({"kind":"Node","metadata":{"name":"n1",
    "creationTimestamp":"2026-01-01T00:00:00Z","labels":{"nvidia.com/gpu.present":"true"}},
    "spec":{},"status":{"capacity":{"nvidia.com/gpu":"8"},"allocatable":{"nvidia.com/gpu":"8"},
    "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady",
                   "lastTransitionTime":"2026-01-01T00:05:00Z"}]}})");
}

NodeStateSighting Read(const nlohmann::json& object, const std::string& aspect,
                       std::int64_t gpus = 8) {
  FieldError error;
  for (NodeStateSighting& state : ReadNodeStates(FieldReader(object, "", error), gpus)) {
    if (state.aspect == aspect) return state;
  }
  EXPECT_EQ(error.reason, "");
  return {};
}

TEST(NodeStatesTest, HealthyNodeSaysSoSinceItsTransition) {
  const NodeStateSighting health = Read(Node(), "health");
  EXPECT_EQ(health.value, "ok");
  EXPECT_EQ(health.changed, *ParseInstant("2026-01-01T00:05:00Z"));
  EXPECT_EQ(Read(Node(), "schedulable").value, "yes");
  EXPECT_EQ(Read(Node(), "gpus").gpus, 8);
}

TEST(NodeStatesTest, NodeWithoutGpusSaysNothing) {
  nlohmann::json node = Node();
  node["metadata"].erase("labels");
  FieldError error;
  EXPECT_TRUE(ReadNodeStates(FieldReader(node, "", error), 0).empty());
}

TEST(NodeStatesTest, NotReadyIsFailedAndUnknownToo) {
  for (const char* status : {"False", "Unknown"}) {
    nlohmann::json node = Node();
    node["status"]["conditions"][0]["status"] = status;
    node["status"]["conditions"][0]["reason"] = "NodeStatusUnknown";
    const NodeStateSighting health = Read(node, "health");
    EXPECT_EQ(health.value, "failed") << status;
    EXPECT_EQ(health.reason, "NodeStatusUnknown");
    EXPECT_EQ(health.changed, *ParseInstant("2026-01-01T00:05:00Z"));
  }
}

TEST(NodeStatesTest, NodeThatNeverShowedAGpuIsInitializingSinceItWasMade) {
  nlohmann::json node = Node();
  node["status"]["capacity"] = {{"cpu", "8"}};
  node["status"]["allocatable"] = {{"cpu", "8"}};
  const NodeStateSighting health = Read(node, "health");
  EXPECT_EQ(health.value, "initializing");
  EXPECT_EQ(health.changed, *ParseInstant("2026-01-01T00:00:00Z"));
  EXPECT_TRUE(health.may_be_dra);
  EXPECT_EQ(Read(node, "gpus").aspect, "");
  node["status"]["capacity"]["nvidia.com/gpu"] = "8";  // the plugin was there before
  EXPECT_FALSE(Read(node, "health").changed);
}

TEST(NodeStatesTest, StatusWithoutAllocatableIsNoStatusOfZero) {
  nlohmann::json node = Node();
  node["status"].erase("allocatable");
  EXPECT_EQ(Read(node, "health").value, "ok");
  EXPECT_EQ(Read(node, "gpus").aspect, "");
}

TEST(NodeStatesTest, StartupTaintsAreInitializingAndDrainTaintsUnschedulable) {
  const auto with = [](const char* key, const char* value) {
    nlohmann::json node = Node();
    node["spec"]["taints"] = {{{"key", key}, {"value", value}, {"effect", "NoSchedule"}}};
    return node;
  };
  for (const char* key :
       {"karpenter.sh/unregistered", "startup-taint.cluster-autoscaler.kubernetes.io/gpu",
        "status-taint.cluster-autoscaler.kubernetes.io/x"}) {
    EXPECT_EQ(Read(with(key, ""), "health").value, "initializing") << key;
    EXPECT_EQ(Read(with(key, ""), "health").reason, key);
    EXPECT_EQ(Read(with(key, ""), "schedulable").value, "yes") << key;
  }
  EXPECT_EQ(Read(with("karpenter.sh/disrupted", ""), "schedulable").value, "no");
  const auto doomed = Read(with("ToBeDeletedByClusterAutoscaler", "1767600000"), "schedulable");
  EXPECT_EQ(doomed.value, "no");
  EXPECT_EQ(doomed.changed, *ParseInstant("2026-01-05T08:00:00Z"));
  for (const char* key : {"nvidia.com/gpu", "DeletionCandidateOfClusterAutoscaler"}) {
    EXPECT_EQ(Read(with(key, ""), "schedulable").value, "yes") << key;
    EXPECT_EQ(Read(with(key, ""), "health").value, "ok") << key;
  }
}

TEST(NodeStatesTest, CordonIsSinceItsTaintIfThatSays) {
  nlohmann::json node = Node();
  node["spec"]["unschedulable"] = true;
  EXPECT_EQ(Read(node, "schedulable").value, "no");
  EXPECT_FALSE(Read(node, "schedulable").changed);
  node["spec"]["taints"] = {
      {{"key", "node.kubernetes.io/unschedulable"}, {"timeAdded", "2026-01-03T00:00:00Z"}}};
  EXPECT_EQ(Read(node, "schedulable").changed, *ParseInstant("2026-01-03T00:00:00Z"));
}

TEST(NodeStatesTest, CardsThatCannotBeAllocatedFailedInWholeCards) {
  nlohmann::json node = Node();
  node["status"]["allocatable"]["nvidia.com/gpu"] = "7";
  EXPECT_EQ(Read(node, "gpus").gpus, 7);
  EXPECT_EQ(Read(node, "gpus").reason, "1 of 8 GPUs are not allocatable");
  node["status"]["capacity"]["nvidia.com/gpu"] = "7";  // it fell off the bus
  EXPECT_EQ(Read(node, "gpus").gpus, 7);
  node["metadata"]["labels"]["nvidia.com/gpu.replicas"] = "4";
  node["status"]["capacity"]["nvidia.com/gpu"] = "32";
  node["status"]["allocatable"]["nvidia.com/gpu"] = "28";
  EXPECT_EQ(Read(node, "gpus").gpus, 7) << "four replicas are a card";
  node["metadata"]["labels"].erase("nvidia.com/gpu.replicas");
  node["status"]["capacity"]["nvidia.com/gpu"] = "80";  // HAMi, no label
  node["status"]["allocatable"]["nvidia.com/gpu"] = "70";
  EXPECT_EQ(Read(node, "gpus").gpus, 7);
  node["status"]["capacity"] = {{"nvidia.com/mig-3g.40gb", "8"}, {"nvidia.com/mig-2g.20gb", "8"}};
  node["status"]["allocatable"] = node["status"]["capacity"];
  EXPECT_EQ(Read(node, "gpus").gpus, 8) << "slices left unused are no failed cards";
}

}  // namespace
}  // namespace plimsoll
