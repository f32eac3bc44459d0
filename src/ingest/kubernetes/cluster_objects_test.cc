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

TEST(ClusterObjectsTest, PodsThatOwnPodsLeadToTheTop) {
  // The workers of a group are owned by its leader, which is owned by the set.
  const ClusterFacts out = Gather({Pod("llm-0-1", "StatefulSet", "llm-0"),
                                   Object("StatefulSet", "llm-0", "Pod", "llm-0"),
                                   Pod("llm-0", "LeaderWorkerSet", "llm")});
  EXPECT_EQ(out.facts.holdings.workload_kind,
            (std::vector<std::string>{"LeaderWorkerSet", "LeaderWorkerSet"}));
}

TEST(ClusterObjectsTest, PlaceholderAndReservationPodsHaveTheirRole) {
  json placeholder = Pod("spare");
  placeholder["spec"]["priority"] = -10;
  placeholder["spec"]["containers"][0]["image"] = "registry.example:5000/pause:3.9";
  json reservation = Pod("gpu-reservation-n1-x");
  reservation["metadata"]["namespace"] = "kai-resource-reservation";
  json cheap = Pod("batch");
  cheap["spec"]["priority"] = -10;
  cheap["spec"]["containers"][0]["image"] = "registry.example:5000/train:1";
  const ClusterFacts out = Gather({placeholder, reservation, cheap});
  std::map<std::string, std::string> roles;
  for (std::size_t i = 0; i < RowsOf(out.facts.holdings); ++i) {
    roles[out.facts.holdings.name[i]] = out.facts.holdings.role[i].text();
  }
  EXPECT_EQ(roles,
            (std::map<std::string, std::string>{
                {"batch", ""}, {"gpu-reservation-n1-x", "reservation"}, {"spare", "placeholder"}}));
}

json GpuNode(const std::string& version = "1") {
  json node = Object("Node", "n1");
  node["metadata"]["resourceVersion"] = version;
  node["metadata"]["labels"] = {{"nvidia.com/gpu.present", "true"},
                                {"nvidia.com/gpu.memory", "81920"}};
  node["status"]["allocatable"] = {{"cpu", "8"}};
  node["status"]["conditions"] = {{{"type", "Ready"},
                                   {"status", "True"},
                                   {"lastTransitionTime", "2026-01-05T08:05:00Z"},
                                   {"lastHeartbeatTime", "2026-01-05T12:00:00Z"}}};
  return node;
}

TEST(ClusterObjectsTest, NodeWhoseGpusComeByClaimsIsNotInitializing) {
  const json slice = json::parse(R"({"kind":"ResourceSlice","metadata":{"name":"s","uid":"s"},
    "spec":{"driver":"gpu.nvidia.com","nodeName":"n1","pool":{"name":"n1"},"devices":[
    {"name":"gpu-0"},{"name":"gpu-1"}]}})");
  const ClusterFacts plain = Gather({GpuNode()});
  ASSERT_GE(RowsOf(plain.facts.states), 1U);
  EXPECT_EQ(plain.facts.states.value[0], "initializing");
  const ClusterFacts claimed = Gather({GpuNode(), slice});
  for (const Symbol value : claimed.facts.states.value) EXPECT_NE(value, "initializing");
  EXPECT_EQ(claimed.facts.nodes.gpu_count[0], 2);
}

TEST(ClusterObjectsTest, ShareInMemoryIsOfTheNodesCard) {
  json pod = Pod("p0");
  pod["spec"]["containers"][0]["resources"] = json::object();
  pod["metadata"]["annotations"] = {{"gpu-memory", "20480"}};
  const ClusterFacts known = Gather({pod, GpuNode()});
  EXPECT_EQ(known.facts.holdings.share_den[0], 4);
  EXPECT_EQ(known.unknown_share, 0);
  EXPECT_EQ(Gather({pod}).unknown_share, 1);
}

TEST(ClusterObjectsTest, SightingsOfAWatchKeepHistoryInAnyOrder) {
  struct Seen {
    json object;
    Sighting sighting;
  };
  const auto at = [](const char* time) {
    return std::optional(*ParseInstant(std::string("2026-01-05T") + time + "Z"));
  };
  json failed = GpuNode("20");
  failed["status"]["capacity"] = failed["status"]["allocatable"] = {{"nvidia.com/gpu", "8"}};
  json fine = failed;
  fine["metadata"]["resourceVersion"] = "30";
  failed["status"]["conditions"][0]["status"] = "False";
  failed["status"]["conditions"][0]["lastTransitionTime"] = "2026-01-05T09:00:00Z";
  fine["status"]["conditions"][0]["lastTransitionTime"] = "2026-01-05T09:30:00Z";
  json pod = Pod("p0");
  pod["metadata"]["resourceVersion"] = "10";
  std::vector<Seen> seen = {{failed, {"", at("09:01:00"), false}},
                            {fine, {"", at("09:31:00"), false}},
                            {pod, {"", at("08:30:00"), false}},
                            {pod, {"", at("10:00:00"), true}}};
  std::vector<int> order = {0, 1, 2, 3};
  do {
    ClusterObjects objects("c1", nullptr);
    FieldError error;
    for (const int i : order) {
      objects.Add(seen[static_cast<std::size_t>(i)].object,
                  seen[static_cast<std::size_t>(i)].sighting, error);
    }
    const ClusterFacts out = objects.Finish();
    ASSERT_EQ(error.reason, "");
    EXPECT_EQ(out.facts.holdings.until[0], at("10:00:00")) << "when it was seen to go";
    std::vector<std::string> health;
    for (std::size_t i = 0; i < RowsOf(out.facts.states); ++i) {
      if (out.facts.states.aspect[i] != "health") continue;
      health.push_back(out.facts.states.value[i] + "@" + ToString(out.facts.states.since[i]));
    }
    EXPECT_EQ(health,
              (std::vector<std::string>{"failed@2026-01-05T09:00:00Z", "ok@2026-01-05T09:30:00Z"}));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(ClusterObjectsTest, ResizedPodCountsItsLargestRequest) {
  json small = Pod("p0");
  small["metadata"]["resourceVersion"] = "20";
  small["spec"]["containers"][0]["resources"]["requests"] = {{"cpu", "1"}};
  json large = small;
  large["metadata"]["resourceVersion"] = "10";
  large["spec"]["containers"][0]["resources"]["requests"] = {{"cpu", "4"}};
  for (const auto& objects : {std::vector<json>{small, large}, std::vector<json>{large, small}}) {
    const ClusterFacts out = Gather(objects);
    EXPECT_EQ(out.facts.holdings.cpu_milli[0], 4'000);
    EXPECT_EQ(out.resized, 1);
  }
}

}  // namespace
}  // namespace plimsoll
