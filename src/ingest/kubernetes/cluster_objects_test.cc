#include "ingest/kubernetes/cluster_objects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace plimsoll {
namespace {

using nlohmann::json;

json Object(const std::string& kind, const std::string& name, const std::string& owner_kind = "",
            const std::string& owner = "") {
  json object = {{"kind", kind},
                 {"metadata",
                  {{"name", name},
                   {"namespace", "ml"},
                   {"uid", kind + name},
                   {"creationTimestamp", "2026-01-05T08:00:00Z"}}}};
  if (!owner.empty()) {
    object["metadata"]["ownerReferences"] = {
        {{"kind", owner_kind}, {"name", owner}, {"uid", owner_kind + owner}, {"controller", true}}};
  }
  return object;
}

json Pod(const std::string& name, const std::string& owner_kind = "",
         const std::string& owner = "") {
  json pod = Object("Pod", name, owner_kind, owner);
  pod["metadata"]["labels"] = {{"team", "nlp"}};
  pod["spec"] = {{"nodeName", "n1"},
                 {"containers", {{{"resources", {{"limits", {{"nvidia.com/gpu", "1"}}}}}}}}};
  return pod;
}

ClusterFacts Gather(const std::vector<json>& objects) {
  ClusterObjects gathered("c1", nullptr);
  for (const json& object : objects) {
    FieldError error;
    gathered.Add(object, "", error);
    EXPECT_EQ(error.reason, "") << error.path;
  }
  return gathered.Finish();
}

TEST(ClusterObjectsTest, WorkloadIsTheTopOwnerInWhateverOrderObjectsCome) {
  std::vector<json> objects = {Pod("p0", "Job", "step-1"), Object("Job", "step-1", "JobSet", "big"),
                               Object("JobSet", "big"), Object("ConfigMap", "x")};
  std::sort(objects.begin(), objects.end());
  do {
    const ClusterFacts out = Gather(objects);
    ASSERT_EQ(RowsOf(out.facts.holdings), 1U);
    EXPECT_EQ(out.facts.holdings.workload_kind[0], "JobSet");
    EXPECT_EQ(out.facts.holdings.workload[0], "big");
    EXPECT_EQ(out.ignored, (std::map<std::string, std::int64_t>{{"ConfigMap", 1}}));
  } while (std::next_permutation(objects.begin(), objects.end()));
}

TEST(ClusterObjectsTest, NamespaceLabelsLieUnderThePods) {
  json ns = Object("Namespace", "ml");
  ns["metadata"]["labels"] = {{"team", "platform"}, {"cost-center", "7"}};
  const ClusterFacts out = Gather({Pod("p0"), ns});
  EXPECT_EQ(out.facts.holdings.labels[0], R"({"cost-center":"7","team":"nlp"})");
  EXPECT_EQ(out.facts.holdings.workload_kind[0], "Pod");
  EXPECT_EQ(out.objects, 2);
}

TEST(ClusterObjectsTest, SameObjectAgainCountsOnce) {
  const ClusterFacts out =
      Gather({Pod("p0"), Pod("p0"), Object("Node", "n1"), Object("Node", "n1")});
  EXPECT_EQ(RowsOf(out.facts.holdings), 1U);
  EXPECT_EQ(out.duplicates, 2);
}

TEST(ClusterObjectsTest, StaticPodIsNamedWithoutItsNode) {
  const ClusterFacts out = Gather({Pod("kube-proxy-n1", "Node", "n1")});
  EXPECT_EQ(out.facts.holdings.workload_kind[0], "StaticPod");
  EXPECT_EQ(out.facts.holdings.workload[0], "kube-proxy");
}

TEST(ClusterObjectsTest, ListKindNamesItemsWithoutOne) {
  json pod = Pod("p0");
  pod.erase("kind");
  ClusterObjects gathered("c1", nullptr);
  FieldError error;
  gathered.Add(pod, "PodList", error);
  EXPECT_EQ(error.reason, "");
  gathered.Add(pod, "List", error);
  EXPECT_EQ(error.path, "kind");
  EXPECT_EQ(RowsOf(gathered.Finish().facts.holdings), 1U);
}

TEST(ClusterObjectsTest, QueueOfAnOwnerIsThePods) {
  json job = Object("Job", "train");
  job["metadata"]["labels"] = {{"kueue.x-k8s.io/queue-name", "gpu-queue"}};
  EXPECT_EQ(Gather({Pod("p0", "Job", "train"), job}).facts.holdings.queue[0], "gpu-queue");
}

}  // namespace
}  // namespace plimsoll
