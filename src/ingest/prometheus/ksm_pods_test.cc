#include "ingest/prometheus/ksm_pods.h"

#include <gtest/gtest.h>

#include <sstream>

#include "ingest/prometheus/exposition.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMinute = 60'000;

// Reads `name{labels} value minute` lines into a KsmStore.
KsmStore StoreOf(const std::string& text) {
  KsmStore store;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    SeriesLabels series;
    std::string reason;
    const std::size_t brace = line.find('{');
    if (brace == std::string::npos) continue;
    series.name = line.substr(0, brace);
    const std::size_t used = ParseLabels(std::string_view(line).substr(brace), series, reason);
    std::istringstream rest(line.substr(brace + used));
    std::string value;
    std::int64_t minute = 0;
    rest >> value >> minute;
    store.Add(store.Open(FindKsmMetric(series.name)->metric, series), minute * kMinute, value);
  }
  return store;
}

std::vector<PodRecord> Pods(const std::string& text) {
  return PodsOf(StoreOf(text), {"c", Minutes(5)}).pods;
}

const std::string kPod = R"({namespace="n",pod="p",uid="u")";
const std::string kInfo = "kube_pod_info" + kPod + R"(,node="node-1"} 1 )";

TEST(KsmPodsTest, ACompletedPodEndsAtItsCompletionHoweverLongItIsExported) {
  const auto pods =
      Pods(kInfo + "0\n" + kInfo + "600\n" + "kube_pod_status_scheduled_time" + kPod + "} 60 0\n" +
           "kube_pod_status_phase" + kPod + ",phase=\"Succeeded\"} 1 600\n" +
           "kube_pod_completion_time" + kPod + "} 1200 600\n");
  ASSERT_EQ(pods.size(), 1u);
  EXPECT_EQ(pods[0].scheduled, AtSeconds(60));
  EXPECT_EQ(pods[0].ended, AtSeconds(1'200));
  EXPECT_EQ(pods[0].end_reason, "Completed");
}

TEST(KsmPodsTest, APodThatVanishesEndsAHoldAfterItsLastSample) {
  const std::string other = "kube_pod_info{namespace=\"n\",pod=\"q\",uid=\"v\",node=\"x\"} 1 ";
  const auto pods = Pods(kInfo + "0\n" + kInfo + "10\n" + other + "60\n");
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[0].ended, AtMillis(15 * kMinute));
  EXPECT_EQ(pods[0].end_reason, "Cancelled");
  EXPECT_FALSE(pods[1].ended.has_value()) << "still there at the last sample of all";
}

TEST(KsmPodsTest, TwoShardsCountOnceAndAPodWithoutNodeWaits) {
  const std::string waiting = "kube_pod_info{namespace=\"n\",pod=\"w\",uid=\"w\",node=\"\"";
  const auto pods =
      Pods(kInfo + "0\n" + "kube_pod_info" + kPod + ",node=\"node-1\",instance=\"ksm-2\"} 1 0\n" +
           waiting + "} 1 0\n" +
           "kube_pod_status_unschedulable{namespace=\"n\",pod=\"w\",uid=\"w\"} 1 0\n");
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[0].node, "node-1");
  EXPECT_EQ(pods[1].node, "");
  EXPECT_EQ(pods[1].pending_reason, "Unschedulable");
  HoldingBatch holdings;
  PendingBatch pending;
  for (const PodRecord& pod : pods) AppendPod(pod, holdings, pending);
  EXPECT_EQ(RowsOf(holdings), 1u);
  EXPECT_EQ(RowsOf(pending), 1u);
}

TEST(KsmPodsTest, EffectiveRequestsAreTheGreaterOfInitAndSum) {
  const auto request = [](const char* metric, const char* container, const char* amount) {
    return std::string(metric) + kPod + ",container=\"" + container +
           "\",resource=\"nvidia_com_gpu\"} " + amount + " 0\n";
  };
  const char* own = "kube_pod_container_resource_requests";
  const char* init = "kube_pod_init_container_resource_requests";
  EXPECT_EQ(Pods(kInfo + "0\n" + request(own, "a", "1") + request(own, "b", "2") +
                 request(init, "w", "8"))[0]
                .requests.at("nvidia_com_gpu"),
            8);
  EXPECT_EQ(Pods(kInfo + "0\n" + request(own, "a", "1") + request(own, "a", "1") +
                 request(init, "side", "1") + "kube_pod_init_container_info" + kPod +
                 ",container=\"side\",restart_policy=\"Always\"} 1 0\n")[0]
                .requests.at("nvidia_com_gpu"),
            2);
}

// The pod's memory after the kubelet said `used` (container, value, minute, more labels).
std::int64_t MemoryOf(const std::string& used, const std::string& more = "") {
  const std::string asked = "kube_pod_container_resource_requests" + kPod +
                            ",container=\"a\",resource=\"memory\"} 6000 0\n";
  const auto pods = Pods(kInfo + "0\n" + kInfo + "20\n" + asked + more + used);
  const auto found = pods.at(0).requests.find("memory");
  return found == pods[0].requests.end() ? 0 : found->second;
}
std::string Used(const std::string& container, const std::string& value, const std::string& more) {
  return R"(container_memory_working_set_bytes{namespace="n",pod="p",container=")" + container +
         "\"" + more + "} " + value + " 5\n";
}

TEST(KsmPodsTest, MemoryIsWhatAContainerAskedForOrItsPeakUseIfThatIsMore) {
  EXPECT_EQ(MemoryOf(""), 6'000);
  EXPECT_EQ(MemoryOf(Used("a", "1000", "")), 6'000);
  EXPECT_EQ(MemoryOf(Used("a", "7000", "") + Used("a", "6500", ",name=\"k8s_a_1\"")), 7'000);
  EXPECT_EQ(MemoryOf(Used("a", "1000", "") + Used("b", "5000", "")), 11'000) << "b asked for none";
}

TEST(KsmPodsTest, TheWholePodsSeriesAndThePauseContainerAreNotAdded) {
  EXPECT_EQ(MemoryOf(Used("", "9000", "") + Used("POD", "9000", "")), 6'000);
}

TEST(KsmPodsTest, MemoryIsThePodsOfTheCgroupOrTheOnlyOneOfThatName) {
  const std::string uid = "0a1b2c3d-0000-4000-8000-00000000000";  // and a digit
  const std::string cgroup =
      ",id=\"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
      "0a1b2c3d_0000_4000_8000_00000000000";
  const auto info = [&](const char* digit) {
    const std::string name =
        R"(kube_pod_info{namespace="n",pod="p",node="x",uid=")" + uid + digit + "\"} 1 ";
    return name + "0\n" + name + "9\n";
  };
  const auto pods =
      Pods(info("1") + info("2") + Used("a", "7000", cgroup + "2.slice/cri-1.scope\""));
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_FALSE(pods[0].requests.contains("memory"));
  EXPECT_EQ(pods[1].requests.at("memory"), 7'000);
  const auto unclear = Pods(info("1") + info("2") + Used("a", "7000", ""));
  EXPECT_FALSE(unclear[0].requests.contains("memory"));
  EXPECT_FALSE(unclear[1].requests.contains("memory"));
}

TEST(KsmPodsTest, TheWorkloadIsTheTopOwner) {
  const auto owned = [](const std::string& kind, const std::string& name, const std::string& more) {
    return Pods(kInfo + "0\nkube_pod_owner" + kPod + ",owner_kind=\"" + kind + "\",owner_name=\"" +
                name + "\",owner_is_controller=\"true\"} 1 0\n" + more)[0];
  };
  EXPECT_EQ(owned("ReplicaSet", "web-6d5f8c9b7d", "").workload, "web");
  EXPECT_EQ(owned("ReplicaSet", "web-6d5f8c9b7d", "").workload_kind, "Deployment");
  EXPECT_EQ(owned("ReplicaSet", "overprovisioning-gpu-5d8", "").workload_kind, "ReplicaSet");
  const PodRecord job = owned("Job", "j",
                              "kube_job_owner{namespace=\"n\",job_name=\"j\","
                              "owner_kind=\"CronJob\",owner_name=\"nightly\"} 1 0\n");
  EXPECT_EQ(job.workload_kind, "CronJob");
  EXPECT_EQ(job.workload, "nightly");
  EXPECT_EQ(Pods(kInfo + "0\n")[0].workload_kind, "Pod");
}

TEST(KsmPodsTest, LabelsAreThePodsOverItsNamespaces) {
  const auto pods =
      Pods(kInfo + "0\nkube_pod_labels" + kPod +
           ",label_team=\"nlp\",label_kueue_x_k8s_io_queue_name=\"q1\"} 1 0\n"
           "kube_namespace_labels{namespace=\"n\",label_team=\"x\",label_env=\"prod\"} 1 0\n");
  EXPECT_EQ(pods[0].labels.at("team"), "nlp");
  EXPECT_EQ(pods[0].labels.at("env"), "prod");
  EXPECT_EQ(pods[0].queue, "q1");
}

TEST(KsmPodsTest, ReadyIsWhenTheLastContainerFirstStarted) {
  const std::string started = "kube_pod_container_state_started" + kPod + ",container=\"";
  const auto pods = Pods(kInfo + "0\n" + started + "a\"} 100 0\n" + started + "a\"} 900 20\n" +
                         started + "b\"} 200 0\n");
  EXPECT_EQ(pods[0].ready, AtSeconds(200));
}

TEST(KsmPodsTest, EvictionsAndLostNodesSayWhy) {
  const std::string failed = kInfo + "0\nkube_pod_status_phase" + kPod + ",phase=\"Failed\"} 1 5\n";
  const std::string reason = "kube_pod_status_reason" + kPod + ",reason=\"";
  EXPECT_EQ(Pods(failed)[0].end_reason, "Failed");
  EXPECT_EQ(Pods(failed)[0].ended, AtMillis(5 * kMinute));
  EXPECT_EQ(Pods(failed + reason + "Evicted\"} 1 5\n")[0].end_reason, "Evicted");
  EXPECT_EQ(Pods(failed + reason + "Evicted\"} 0 5\n" + reason + "NodeLost\"} 1 5\n")[0].end_reason,
            "NodeLost");
}

TEST(KsmPodsTest, ARunningPodWithoutAnyNodeIsCountedNotGuessed) {
  const KsmPods found = PodsOf(
      StoreOf("kube_pod_status_phase" + kPod + ",phase=\"Running\"} 1 0\n"), {"c", Minutes(5)});
  EXPECT_EQ(found.pods.size(), 0u);
  EXPECT_EQ(found.without_node, 1);
}

}  // namespace
}  // namespace plimsoll
