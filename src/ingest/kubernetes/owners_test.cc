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
