#include "ingest/kubernetes/owners.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(OwnersTest, ChainIsClimbedToItsTop) {
  OwnerIndex index;
  index.Add("rs", {"ReplicaSet", "web-1", {"Deployment", "web", "dep"}, ""});
  index.Add("dep", {"Deployment", "web", {"InferenceService", "llm", "isvc"}, "serving"});
  const auto top = index.Climb({"ReplicaSet", "web-1", "rs"}, {});
  EXPECT_EQ(top.kind, "InferenceService");
  EXPECT_EQ(top.name, "llm");
  EXPECT_EQ(top.queue, "serving");
  EXPECT_EQ(index.used_kinds(), (std::set<std::string>{"Deployment", "ReplicaSet"}));
}

TEST(OwnersTest, UnknownReplicaSetIsNamedByItsTemplateHash) {
  OwnerIndex index;
  const auto top = index.Climb({"ReplicaSet", "web-5d4f", "x"}, {{"pod-template-hash", "5d4f"}});
  EXPECT_EQ(top.kind, "Deployment");
  EXPECT_EQ(top.name, "web");
  EXPECT_EQ(index.Climb({"ReplicaSet", "web-5d4f", "x"}, {}).kind, "ReplicaSet");
}

TEST(OwnersTest, UnknownMiddleIsNamedByThePodsLabels) {
  OwnerIndex index;
  const auto top = [&](const char* kind, const char* name,
                       const std::map<std::string, std::string>& labels) {
    const auto climbed = index.Climb({kind, name, "unknown"}, labels);
    return climbed.kind + "/" + climbed.name;
  };
  EXPECT_EQ(top("Job", "big-workers-0", {{"jobset.sigs.k8s.io/jobset-name", "big"}}), "JobSet/big");
  EXPECT_EQ(top("StatefulSet", "llm-1", {{"leaderworkerset.sigs.k8s.io/name", "llm"}}),
            "LeaderWorkerSet/llm");
  EXPECT_EQ(top("StatefulSet", "nb", {{"notebook-name", "nb"}}), "Notebook/nb");
  EXPECT_EQ(top("ReplicaSet", "llm-predictor-5d4f",
                {{"pod-template-hash", "5d4f"}, {"serving.kserve.io/inferenceservice", "llm"}}),
            "InferenceService/llm");
  EXPECT_EQ(
      top("RayCluster", "sum-raycluster-x",
          {{"ray.io/originated-from-crd", "RayJob"}, {"ray.io/originated-from-cr-name", "sum"}}),
      "RayJob/sum");
  EXPECT_EQ(top("PyTorchJob", "ddp", {{"notebook-name", "nb"}}), "PyTorchJob/ddp");
}

TEST(OwnersTest, KnownTopIsNotRenamedByLabels) {
  OwnerIndex index;
  index.Add("j", {"Job", "big-0", {}, ""});
  EXPECT_EQ(index.Climb({"Job", "big-0", "j"}, {{"jobset.sigs.k8s.io/jobset-name", "big"}}).kind,
            "Job");
}

TEST(OwnersTest, JobOfAMinuteIsItsCronJobs) {
  OwnerIndex index;
  const Instant created = *ParseInstant("2026-01-05T08:00:05Z");  // minute 29460000
  EXPECT_EQ(index.Climb({"Job", "nightly-29460000", "x"}, {}, created).kind, "CronJob");
  EXPECT_EQ(index.Climb({"Job", "nightly-29460000", "x"}, {}, created).name, "nightly");
  EXPECT_EQ(index.Climb({"Job", "train-20260105", "x"}, {}, created).kind, "Job") << "a date";
  EXPECT_EQ(index.Climb({"Job", "train-7", "x"}, {}, created).kind, "Job");
}

TEST(OwnersTest, ChainNamesEveryUidUpToTheLastKnownReference) {
  OwnerIndex index;
  index.Add("w", {"StatefulSet", "llm-0", {"Pod", "llm-0", "leader"}, ""});
  index.Add("leader", {"Pod", "llm-0", {"StatefulSet", "llm", "s"}, ""});
  EXPECT_EQ(index.Chain({"StatefulSet", "llm-0", "w"}),
            (std::vector<std::string>{"w", "leader", "s"}));
}

TEST(OwnersTest, CycleEnds) {
  OwnerIndex index;
  index.Add("a", {"A", "a", {"B", "b", "b"}, ""});
  index.Add("b", {"B", "b", {"A", "a", "a"}, ""});
  EXPECT_FALSE(index.Climb({"A", "a", "a"}, {}).kind.empty());
  EXPECT_EQ(index.Climb({}, {}).kind, "");
}

TEST(OwnersTest, ControllerIsPreferredToOtherOwners) {
  const auto object = nlohmann::json::parse(R"({"metadata":{"ownerReferences":[
    {"kind":"X","name":"x","uid":"1"},{"kind":"Job","name":"j","uid":"2","controller":true}]}})");
  FieldError error;
  EXPECT_EQ(ControllerOf(FieldReader(object, "", error)).kind, "Job");
}

}  // namespace
}  // namespace plimsoll
