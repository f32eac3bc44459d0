#include "ingest/kubernetes/kueue_workloads.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using nlohmann::json;

Instant At(const char* time) { return *ParseInstant(std::string("2026-01-05T") + time + "Z"); }

json Workload() {
  return json::parse(R"({"kind":"Workload","apiVersion":"kueue.x-k8s.io/v1beta1","metadata":{
    "name":"job-train","namespace":"ml","resourceVersion":"5",
    "ownerReferences":[{"kind":"Job","name":"train","uid":"j1","controller":true}]},
    "spec":{"queueName":"lq","podSets":[{"name":"main","count":2,"template":{"spec":{"containers":[
      {"resources":{"requests":{"nvidia.com/gpu":"8"}}}]}}}]},
    "status":{"admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main","count":2,
      "resourceUsage":{"nvidia.com/gpu":"16","cpu":"64"}}]},
      "conditions":[{"type":"QuotaReserved","status":"True",
                     "lastTransitionTime":"2026-01-05T08:00:00Z"},
                    {"type":"Admitted","status":"True",
                     "lastTransitionTime":"2026-01-05T08:01:00Z"}]}})");
}

PodObject Pod(const std::string& uid, Instant begin, std::optional<Instant> end = {},
              const std::string& reason = "") {
  PodObject object;
  object.pod.ns = "ml";
  object.pod.uid = uid;
  object.pod.node = "n1";
  object.pod.scheduled = begin;
  object.pod.ended = end;
  object.pod.end_reason = reason;
  object.pod.requests = {{"nvidia.com/gpu", 8}};
  object.owner = {"Job", "train", "j1"};
  return object;
}

// "16@08:00:00 8@08:10:00": the GPUs from each time on.
std::string Steps(const json& workload, const std::vector<PodObject>& pods,
                  Instant as_of = At("12:00:00")) {
  KueueWorkloads workloads;
  FieldError error;
  workloads.Add(FieldReader(workload, "", error), {});
  EXPECT_EQ(error.reason, "") << error.path;
  OwnerIndex owners;
  for (const PodObject& pod : pods) workloads.TakePod(pod, owners);
  std::string text;
  for (const SetAsideHistory& history : workloads.Histories(as_of)) {
    EXPECT_EQ(history.owner, "lq");
    for (const StateRun& run : SettleRuns({}, history.sightings, "0")) {
      text += (text.empty() ? "" : " ") + run.value + "@" + ToString(run.since).substr(11, 8);
    }
  }
  return text;
}

TEST(KueueWorkloadsTest, QuotaIsHeldFromReservationUntilThePodsAreThere) {
  EXPECT_EQ(Steps(Workload(), {}), "16@08:00:00");
  EXPECT_EQ(Steps(Workload(), {Pod("a", At("08:10:00"))}), "16@08:00:00 8@08:10:00");
  EXPECT_EQ(Steps(Workload(), {Pod("a", At("08:10:00")), Pod("b", At("08:20:00"))}),
            "16@08:00:00 8@08:10:00 0@08:20:00");
}

TEST(KueueWorkloadsTest, PodsThatAreGoneLeaveTheQuotaHeld) {
  json evicted = Workload();
  evicted["status"]["conditions"].push_back({{"type", "Evicted"}, {"status", "True"}});
  EXPECT_EQ(Steps(evicted, {Pod("a", At("08:10:00"), At("09:00:00"), "Preempted"),
                            Pod("b", At("08:10:00"), At("09:00:00"), "Preempted")}),
            "16@08:00:00 0@08:10:00 16@09:00:00");
}

TEST(KueueWorkloadsTest, CompletedPodsGiveBackWhatIsReclaimable) {
  const std::vector<PodObject> pods = {Pod("a", At("08:10:00"), At("09:00:00"), "Completed"),
                                       Pod("b", At("08:10:00"))};
  EXPECT_EQ(Steps(Workload(), pods), "16@08:00:00 0@08:10:00 8@09:00:00");
  json reclaimed = Workload();
  reclaimed["status"]["reclaimablePods"] = {{{"name", "main"}, {"count", 1}}};
  EXPECT_EQ(Steps(reclaimed, pods), "16@08:00:00 0@08:10:00");
}

TEST(KueueWorkloadsTest, NothingIsHeldWithoutQuotaOrGpus) {
  json waiting = Workload();
  waiting["status"] = json::object();
  EXPECT_EQ(Steps(waiting, {}), "");
  json cpu = Workload();
  cpu["status"]["admission"]["podSetAssignments"][0]["resourceUsage"] = {{"cpu", "4"}};
  EXPECT_EQ(Steps(cpu, {}), "");
}

TEST(KueueWorkloadsTest, FinishedGivesTheQuotaBackWhenItFinished) {
  json finished = Workload();
  finished["status"]["conditions"].push_back(
      {{"type", "Finished"}, {"status", "True"}, {"lastTransitionTime", "2026-01-05T10:00:00Z"}});
  KueueWorkloads workloads;
  FieldError error;
  workloads.Add(FieldReader(finished, "", error), {});
  const auto history = workloads.Histories(At("12:00:00")).at(0);
  EXPECT_EQ(SettleRuns({{"16", At("08:00:00"), At("09:00:00"), ""}}, history.sightings, "0"),
            (std::vector<StateRun>{{"0", At("10:00:00"), At("12:00:00"), ""}}));
}

TEST(KueueWorkloadsTest, PodIsGivenByOwnerByItselfOrByAnnotation) {
  PodObject named = Pod("x", At("08:10:00"));
  named.owner = {};
  EXPECT_EQ(Steps(Workload(), {named}), "16@08:00:00");
  named.kueue_workload = "job-train";
  EXPECT_EQ(Steps(Workload(), {named}), "16@08:00:00 8@08:10:00");
  json group = Workload();
  group["metadata"]["ownerReferences"] = {{{"kind", "Pod"}, {"name", "x"}, {"uid", "x"}}};
  named.kueue_workload.clear();
  EXPECT_EQ(Steps(group, {named}), "16@08:00:00 8@08:10:00");
}

TEST(KueueWorkloadsTest, LaterVersionCountsInAnyOrder) {
  json later = Workload();
  later["metadata"]["resourceVersion"] = "10";
  later["spec"]["queueName"] = "other";
  const json first = Workload();
  for (const bool swapped : {false, true}) {
    KueueWorkloads workloads;
    FieldError error;
    workloads.Add(FieldReader(swapped ? later : first, "", error), {});
    workloads.Add(FieldReader(swapped ? first : later, "", error), {});
    EXPECT_EQ(workloads.Histories(At("12:00:00")).at(0).owner, "other");
  }
}

}  // namespace
}  // namespace plimsoll
