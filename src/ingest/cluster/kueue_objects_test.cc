#include "ingest/cluster/kueue_objects.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const char* const kManifests = R"(apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: h100}
spec:
  nodeLabels: {gpu: h100}
  nodeTaints: [{key: gpu, value: "true", effect: NoSchedule}]
  topologyName: racks
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Cohort
metadata: {name: research}
spec: {parent: company, fairSharing: {weight: "0.5"}}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: team-a}
spec:
  cohort: research
  queueingStrategy: StrictFIFO
  fairSharing: {weight: 2}
  preemption:
    withinClusterQueue: LowerPriority
    reclaimWithinCohort: Any
    borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 0}
  flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: Preempt}
  resourceGroups:
  - coveredResources: [cpu, nvidia.com/gpu]
    flavors:
    - name: h100
      resources:
      - {name: cpu, nominalQuota: 9.5, borrowingLimit: "1"}
      - {name: nvidia.com/gpu, nominalQuota: 16, lendingLimit: 4}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team-b}
spec:
  cohortName: research
  stopPolicy: Hold
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: main, namespace: a}
spec: {clusterQueue: team-a}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: WorkloadPriorityClass
metadata: {name: prod}
value: 1000
---
apiVersion: v1
kind: ConfigMap
metadata: {name: passed-over}
)";

std::string ErrorOf(const std::string& text) {
  const KueueFile files[] = {{"k.yaml", text}};
  const Result<KueueObjects> objects = ReadKueueObjects(files);
  return objects ? "none" : objects.error().message;
}

TEST(KueueObjectsTest, ManifestsAreQuotas) {
  const KueueFile files[] = {{"k.yaml", kManifests}};
  const Result<KueueObjects> objects = ReadKueueObjects(files);
  ASSERT_TRUE(objects) << objects.error().message;
  ASSERT_EQ(objects->quotas.queues.size(), 2u);
  const QueueSpec& a = objects->quotas.queues[0];
  EXPECT_EQ(a.cohort, "research");
  EXPECT_EQ(a.strategy, QueueingStrategy::kStrictFifo);
  EXPECT_EQ(a.weight_nano, 2 * kWeightOne);
  EXPECT_EQ(a.preemption.within_queue, PreemptionPolicy::kLowerPriority);
  EXPECT_EQ(a.preemption.reclaim_within_cohort, PreemptionPolicy::kAny);
  EXPECT_TRUE(a.preemption.borrow_within_cohort);
  EXPECT_EQ(a.preemption.max_priority_threshold, 0);
  EXPECT_EQ(a.fungibility.when_can_borrow, FlavorSearch::kTryNextFlavor);
  EXPECT_EQ(a.fungibility.when_can_preempt, FlavorSearch::kMayStopSearch);
  ASSERT_EQ(a.groups.size(), 1u);
  const FlavorQuotas& h100 = a.groups[0][0];
  EXPECT_EQ(h100.resources[0].nominal, 9'500);
  EXPECT_EQ(h100.resources[0].borrowing_limit, 1'000);
  EXPECT_EQ(h100.resources[1].nominal, 16);
  EXPECT_EQ(h100.resources[1].lending_limit, 4);
  EXPECT_FALSE(h100.resources[1].borrowing_limit.has_value());
  EXPECT_EQ(objects->quotas.queues[1].cohort, "research");
  EXPECT_EQ(objects->quotas.queues[1].fungibility.when_can_preempt, FlavorSearch::kTryNextFlavor);
  EXPECT_EQ(objects->stopped, std::vector<std::string>{"team-b"});
  EXPECT_EQ(objects->quotas.cohorts[0].parent, "company");
  EXPECT_EQ(objects->quotas.cohorts[0].weight_nano, kWeightOne / 2);
  EXPECT_EQ(objects->local_queues, (std::vector<KueueLocalQueue>{{"a", "main", "team-a"}}));
  EXPECT_EQ(objects->priorities.at("prod"), 1'000);
  ASSERT_EQ(objects->flavors.size(), 1u);
  EXPECT_EQ(objects->flavors[0].node_labels.at("gpu"), "h100");
  EXPECT_EQ(objects->flavors[0].node_taints[0], (KueueFlavor::Taint{"gpu", "true", "NoSchedule"}));
  EXPECT_EQ(objects->flavors[0].topology, "racks");
}

TEST(KueueObjectsTest, AListInJsonIsTheSame) {
  const KueueFile files[] = {{"k.json", R"({"kind":"List","apiVersion":"v1","items":[{"apiVersion":
        "kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"q"},"spec":
        {"resourceGroups":[{"flavors":[{"name":"f","resources":[{"name":"memory",
        "nominalQuota":"2Gi"}]}]}]}}]})"}};
  const Result<KueueObjects> objects = ReadKueueObjects(files);
  ASSERT_TRUE(objects) << objects.error().message;
  EXPECT_EQ(objects->quotas.queues[0].groups[0][0].resources[0].nominal, std::int64_t{2} << 30);
}

TEST(KueueObjectsTest, WithoutAThresholdThereIsNone) {
  std::string text = kManifests;
  text.replace(text.find(", maxPriorityThreshold: 0"), 25, "");
  const KueueFile files[] = {{"k.yaml", text}};
  const Result<KueueObjects> objects = ReadKueueObjects(files);
  ASSERT_TRUE(objects) << objects.error().message;
  EXPECT_FALSE(objects->quotas.queues[0].preemption.max_priority_threshold.has_value());
}

TEST(KueueObjectsTest, WhatIsWrongIsSaidWithFileObjectAndField) {
  const auto replaced = [](const std::string& what, const std::string& with) {
    std::string text = kManifests;
    text.replace(text.find(what), what.size(), with);
    return ErrorOf(text);
  };
  EXPECT_EQ(replaced("StrictFIFO", "Lifo"),
            "k.yaml: ClusterQueue 'team-a': spec.queueingStrategy: 'Lifo' is none of "
            "BestEffortFIFO, StrictFIFO");
  EXPECT_NE(replaced("9.5", "many")
                .find("'team-a': spec.resourceGroups[0].flavors[0]."
                      "resources[0].nominalQuota: "),
            std::string::npos);
  EXPECT_NE(replaced("nominalQuota: 16, ", "").find("is missing; write 0 for none"),
            std::string::npos);
  EXPECT_EQ(replaced("name: team-b", "name: team-a"),
            "k.yaml: ClusterQueue 'team-a': metadata.name: the object is there twice; leave one "
            "of them out");
  EXPECT_EQ(replaced("clusterQueue: team-a", "clusterQueue: team-z"),
            "LocalQueue 'a/main' leads to ClusterQueue 'team-z', which is not in the files");
  EXPECT_EQ(replaced("metadata: {name: h100}", "metadata: {name: b200}"),
            "ClusterQueue 'team-a' has quota of flavor 'h100', of which there is no "
            "ResourceFlavor");
  EXPECT_NE(replaced("Threshold: 0", "Threshold: low").find("maxPriorityThreshold: is not a whole"),
            std::string::npos);
  EXPECT_EQ(replaced("parent: company", "parent: research").substr(0, 40),
            "cohort 'research' lies within itself, or");
  EXPECT_NE(ErrorOf("a: [").find("k.yaml, line "), std::string::npos);
  EXPECT_EQ(ErrorOf("kind: Pod\n").substr(0, 29), "no ClusterQueue in the files;");
  EXPECT_NE(ErrorOf("{\"kind\":").find("k.yaml, line 1: "), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
