#include "ingest/kubernetes/pod_object.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

nlohmann::json Running() {
  return nlohmann::json::parse(R"({"kind":"Pod",
    "metadata":{"name":"p","namespace":"ml","uid":"u1","resourceVersion":"100",
      "creationTimestamp":"2026-01-05T08:00:00Z","labels":{"kueue.x-k8s.io/queue-name":"q"},
      "ownerReferences":[{"kind":"Job","name":"train","uid":"j1","controller":true}]},
    "spec":{"nodeName":"n1","containers":[{"name":"a","resources":{"limits":
      {"nvidia.com/gpu":"8"}}},{"name":"b"}]},
    "status":{"phase":"Running","startTime":"2026-01-05T08:01:00Z",
      "conditions":[{"type":"PodScheduled","status":"True",
                     "lastTransitionTime":"2026-01-05T08:00:30Z"}],
      "containerStatuses":[
        {"name":"a","restartCount":1,"state":{"running":{"startedAt":"2026-01-05T12:00:00Z"}},
         "lastState":{"terminated":{"startedAt":"2026-01-05T08:05:00Z",
           "finishedAt":"2026-01-05T11:59:00Z","reason":"Error","exitCode":1}}},
        {"name":"b","state":{"running":{"startedAt":"2026-01-05T08:04:00Z"}}}]}})");
}

PodObject Read(const nlohmann::json& object) {
  FieldError error;
  PodObject pod = ReadPod(FieldReader(object, "", error));
  EXPECT_EQ(error.reason, "") << error.path;
  return pod;
}

Instant At(const char* time) { return *ParseInstant(time); }

TEST(PodObjectTest, HeldFromBindAndReadyWhenTheLastContainerFirstStarted) {
  const PodRecord pod = Read(Running()).pod;
  EXPECT_EQ(pod.created, At("2026-01-05T08:00:00Z"));
  EXPECT_EQ(pod.scheduled, At("2026-01-05T08:00:30Z"));
  EXPECT_EQ(pod.ready, At("2026-01-05T08:05:00Z"));
  EXPECT_FALSE(pod.ended) << "a restart ends nothing";
  EXPECT_EQ(pod.requests.at("nvidia.com/gpu"), 8);
  EXPECT_EQ(pod.queue, "q");
}

TEST(PodObjectTest, StartTimeStandsInForTheBind) {
  nlohmann::json object = Running();
  object["status"].erase("conditions");
  EXPECT_EQ(Read(object).pod.scheduled, At("2026-01-05T08:01:00Z"));
  object["status"].erase("startTime");
  EXPECT_EQ(Read(object).pod.scheduled, At("2026-01-05T08:00:00Z"));
}

TEST(PodObjectTest, ContainerThatNeverStartedLeavesThePodNotReady) {
  nlohmann::json object = Running();
  object["status"]["containerStatuses"][1]["state"] = {
      {"waiting", {{"reason", "ImagePullBackOff"}}}};
  EXPECT_FALSE(Read(object).pod.ready);
  object["status"]["containerStatuses"].erase(1);
  EXPECT_FALSE(Read(object).pod.ready);
}

nlohmann::json Terminated(const char* phase, const char* reason) {
  nlohmann::json object = Running();
  object["status"]["phase"] = phase;
  for (std::size_t i = 0; i < 2; ++i) {
    object["status"]["containerStatuses"][i]["state"] = {
        {"terminated",
         {{"startedAt", "2026-01-05T12:00:00Z"},
          {"finishedAt", i == 0 ? "2026-01-05T13:00:00Z" : "2026-01-05T12:30:00Z"},
          {"reason", reason}}}};
  }
  return object;
}

TEST(PodObjectTest, TerminalPhaseEndsWhenTheLastContainerFinished) {
  PodRecord pod = Read(Terminated("Succeeded", "Completed")).pod;
  EXPECT_EQ(pod.ended, At("2026-01-05T13:00:00Z"));
  EXPECT_EQ(pod.end_reason, "Completed");
  EXPECT_EQ(Read(Terminated("Failed", "Error")).pod.end_reason, "Failed");
  EXPECT_EQ(Read(Terminated("Failed", "OOMKilled")).pod.end_reason, "OutOfMemory");
}

TEST(PodObjectTest, ReasonSaysWhoTookThePodAway) {
  nlohmann::json object = Terminated("Failed", "Error");
  object["status"]["reason"] = "Evicted";
  EXPECT_EQ(Read(object).pod.end_reason, "Evicted");
  object["status"]["reason"] = "NodeLost";
  EXPECT_EQ(Read(object).pod.end_reason, "NodeLost");
  object["status"].erase("reason");
  object["status"]["conditions"].push_back(
      {{"type", "DisruptionTarget"}, {"status", "True"}, {"reason", "PreemptionByScheduler"}});
  EXPECT_EQ(Read(object).pod.end_reason, "Preempted");
  object["status"]["conditions"][1]["reason"] = "EvictionByEvictionAPI";
  EXPECT_EQ(Read(object).pod.end_reason, "Evicted");
}

TEST(PodObjectTest, EvictedPodWithoutContainersEndsAtItsLastCondition) {
  nlohmann::json object = Running();
  object["status"] = {{"phase", "Failed"},
                      {"reason", "Evicted"},
                      {"startTime", "2026-01-05T08:01:00Z"},
                      {"conditions",
                       {{{"type", "DisruptionTarget"},
                         {"status", "True"},
                         {"lastTransitionTime", "2026-01-05T09:00:00Z"}}}}};
  const PodRecord pod = Read(object).pod;
  EXPECT_EQ(pod.ended, At("2026-01-05T09:00:00Z"));
  EXPECT_EQ(pod.end_reason, "Evicted");
}

TEST(PodObjectTest, DeletedPodEndsAtItsDeletion) {
  nlohmann::json object = Running();
  object["metadata"]["deletionTimestamp"] = "2026-01-05T10:00:00Z";
  const PodRecord pod = Read(object).pod;
  EXPECT_EQ(pod.ended, At("2026-01-05T10:00:00Z"));
  EXPECT_EQ(pod.end_reason, "Cancelled");
}

TEST(PodObjectTest, WaitingPodTellsWhy) {
  nlohmann::json object = Running();
  object["spec"].erase("nodeName");
  object["status"] = {
      {"phase", "Pending"},
      {"conditions",
       {{{"type", "PodScheduled"}, {"status", "False"}, {"reason", "Unschedulable"}}}}};
  const PodRecord pod = Read(object).pod;
  EXPECT_FALSE(pod.scheduled);
  EXPECT_EQ(pod.pending_reason, "Unschedulable");
}

TEST(PodObjectTest, MissingAndBrokenFieldsAreNamed) {
  nlohmann::json object = Running();
  object["metadata"].erase("uid");
  FieldError error;
  ReadPod(FieldReader(object, "", error));
  EXPECT_EQ(error.path, "metadata.uid");
  object = Running();
  object["status"]["startTime"] = "soon";
  object["status"].erase("conditions");
  FieldError time;
  ReadPod(FieldReader(object, "", time));
  EXPECT_EQ(time.path, "status.startTime");
}

TEST(PodObjectTest, LaterSightingWinsAndKeepsTheEarlierStart) {
  nlohmann::json later = Terminated("Succeeded", "Completed");
  later["metadata"]["resourceVersion"] = "1000";
  later["status"]["containerStatuses"][0].erase("lastState");
  for (const bool swap : {false, true}) {
    PodObject a = Read(Running());
    PodObject b = Read(later);
    if (swap) std::swap(a, b);
    KeepLaterSighting(a, b);
    EXPECT_EQ(a.resource_version, "1000");
    EXPECT_EQ(a.pod.end_reason, "Completed");
    EXPECT_EQ(a.pod.ready, At("2026-01-05T08:05:00Z"));
  }
}

}  // namespace
}  // namespace plimsoll
