#include "demo/write_kubernetes.h"

#include <map>
#include <nlohmann/json.hpp>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(WriteKubernetesTest, IsAListOfEveryObject) {
  const nlohmann::json list = nlohmann::json::parse(KubernetesJson(Week()));
  EXPECT_EQ(list["kind"], "List");
  std::map<std::string, std::size_t> kinds;
  for (const auto& item : list["items"]) ++kinds[item["kind"].get<std::string>()];
  EXPECT_EQ(kinds["Pod"], Week().pods.size());
  std::size_t living = 0;
  for (const DemoNode& node : Week().nodes) living += node.slurm() || node.until ? 0U : 1U;
  EXPECT_EQ(kinds["Node"], living);
  for (const char* kind : {"Namespace", "Deployment", "ReplicaSet", "StatefulSet", "Notebook",
                           "PyTorchJob", "Job", "DaemonSet"}) {
    EXPECT_GE(kinds[kind], 1U) << kind;
  }
}

TEST(WriteKubernetesTest, OwnerReferencesLeadToObjectsOfTheList) {
  const nlohmann::json list = nlohmann::json::parse(KubernetesJson(TwoDays()));
  std::map<std::string, std::string> names;
  for (const auto& item : list["items"]) {
    EXPECT_TRUE(names.emplace(item["metadata"]["uid"], item["metadata"]["name"]).second);
  }
  for (const auto& item : list["items"]) {
    if (!item["metadata"].contains("ownerReferences")) continue;
    for (const auto& owner : item["metadata"]["ownerReferences"]) {
      EXPECT_EQ(names.at(owner["uid"]), owner["name"]);
    }
  }
}

TEST(WriteKubernetesTest, EvictedAndPendingPodsSaySo) {
  std::size_t evicted = 0, pending = 0;
  const nlohmann::json week = nlohmann::json::parse(KubernetesJson(Week()));
  for (const auto& item : week["items"]) {
    if (item["kind"] == "Pod" && item["status"].value("reason", "") == "Evicted") ++evicted;
  }
  const nlohmann::json days = nlohmann::json::parse(KubernetesJson(TwoDays()));
  for (const auto& item : days["items"]) {
    if (item["kind"] != "Pod" || item["status"]["phase"] != "Pending") continue;
    ++pending;
    EXPECT_FALSE(item["spec"].contains("nodeName"));
    EXPECT_EQ(item["status"]["conditions"][0]["reason"], "Unschedulable");
  }
  EXPECT_GE(evicted, 3U);
  EXPECT_EQ(pending, 1U);
}

}  // namespace
}  // namespace plimsoll
