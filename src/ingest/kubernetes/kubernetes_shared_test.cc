// Sharing cases and MIG profiles (../shared, not part of the repository): what pods hold of a
// card and what is left add up to the cards.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "ingest/fleet_merge.h"
#include "ingest/kubernetes/cluster_objects.h"

namespace plimsoll {
namespace {

using nlohmann::json;

std::filesystem::path SharedData() {
  if (const char* shared = std::getenv("PLIMSOLL_SHARED")) {
    return std::filesystem::path(shared) / "data";
  }
  const char* root = std::getenv("PLIMSOLL_ROOT");
  return std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared" / "data";
}

class KubernetesSharedTest : public testing::Test {
 protected:
  json Read(const std::string& name) {
    std::ifstream in(SharedData() / name, std::ios::binary);
    return in ? json::parse(in) : json();
  }
};

TEST_F(KubernetesSharedTest, EveryMigProfileIsItsSlicesOfTheCard) {
  const json profiles = Read("sku/mig_profiles.json");
  if (profiles.is_null()) GTEST_SKIP() << "no shared data in " << SharedData();
  int checked = 0;
  for (const auto& [gpu, facts] : profiles["gpus"].items()) {
    if (!facts.contains("names")) continue;
    for (const auto& [profile, name] : facts["names"].items()) {
      const std::string slices = profile.substr(0, profile.find_first_of("g"));
      const auto unit = DeviceUnitOf("nvidia.com/mig-" + name.get<std::string>());
      ASSERT_TRUE(unit) << gpu << name;
      EXPECT_EQ(unit->share_num, std::stoll(slices)) << gpu << name;
      EXPECT_EQ(unit->share_den, 7) << gpu << name;
      ++checked;
    }
  }
  EXPECT_GE(checked, 48) << "eight GPUs of six profiles";
}

// The node of a case as an object: 1 card with the labels that its sharing has.
json NodeOf(const json& input) {
  json node = {{"kind", "Node"},
               {"metadata", {{"name", "n1"}, {"uid", "n1"}, {"labels", json::object()}}},
               {"status", {{"capacity", json::object()}}}};
  json& labels = node["metadata"]["labels"];
  if (input.contains("labels")) labels = input["labels"];
  labels["nvidia.com/gpu.count"] = "1";
  if (input.contains("replicas")) {
    labels["nvidia.com/gpu.replicas"] = std::to_string(input["replicas"].get<int>());
  }
  if (input.value("mig_strategy", "") == "single") {
    labels["nvidia.com/gpu.product"] =
        "NVIDIA-A100-SXM4-40GB-MIG-" + input["slices"][0].get<std::string>();
    labels["nvidia.com/gpu.count"] = std::to_string(input["slices"].size());
  }
  return node;
}

json PodOf(const json& input, std::size_t index) {
  json requests = json::object();
  if (input["requests"].is_number()) {
    requests["nvidia.com/gpu"] = std::to_string(input["requests"].get<int>());
  } else {
    for (const auto& [resource, count] : input["requests"].items()) {
      requests[resource] = std::to_string(count.get<int>());
    }
  }
  return {{"kind", "Pod"},
          {"metadata",
           {{"name", input["name"]},
            {"namespace", "ml"},
            {"uid", "u" + std::to_string(index)},
            {"creationTimestamp", "2026-01-05T08:00:00Z"}}},
          {"spec",
           {{"nodeName", "n1"},
            {"containers", {{{"name", "c"}, {"resources", {{"limits", requests}}}}}}}},
          {"status", {{"phase", "Running"}}}};
}

TEST_F(KubernetesSharedTest, SharingCasesGiveEachPodItsPartOfTheCard) {
  const json cases = Read("opencost/gpu_cases.json");
  if (cases.is_null()) GTEST_SKIP() << "no shared data in " << SharedData();
  int checked = 0;
  for (const json& each : cases["cases"]) {
    const json& input = each["input"];
    const bool shares =
        input.contains("node") && input["node"].contains("physical_gpus") && input.contains("pods");
    if (!shares) continue;
    ClusterObjects objects("c1", nullptr);
    FieldError error;
    objects.Add(NodeOf(input["node"]), "", error);
    for (std::size_t i = 0; i < input["pods"].size(); ++i) {
      objects.Add(PodOf(input["pods"][i], i), "", error);
    }
    ASSERT_EQ(error.reason, "") << each["id"] << error.path;
    const FleetFacts facts = MergeFacts(objects.Finish().facts);
    ASSERT_EQ(RowsOf(facts.holdings), input["pods"].size()) << each["id"];
    EXPECT_EQ(facts.nodes.gpu_count[0], 1) << each["id"];
    // In parts of a card of 8,400, which sevenths, quarters and hundredths divide.
    std::map<std::string, std::int64_t> parts;
    std::int64_t left = 8'400;
    for (std::size_t i = 0; i < RowsOf(facts.holdings); ++i) {
      parts[facts.holdings.name[i]] = facts.holdings.devices[i] * facts.holdings.share_num[i] *
                                      8'400 / facts.holdings.share_den[i];
      left -= parts[facts.holdings.name[i]];
    }
    const auto of_card = [&](const json& amount, const char* per_hour) {
      const std::int64_t micros = std::llround(amount.get<double>() * 1'000'000);
      const std::int64_t price = std::llround(input["node"].value(per_hour, 1.0) * 1'000'000);
      return (micros * 8'400 + price / 2) / price;
    };
    const json& expected = each["expected"];
    for (const auto& [name, part] : parts) {
      if (expected.contains("per_pod")) {
        EXPECT_EQ(part, of_card(expected["per_pod"], "usd_per_gpu_hour")) << each["id"] << name;
      } else if (expected.contains("per_pod_gpu_hours")) {
        EXPECT_EQ(part, of_card(expected["per_pod_gpu_hours"], "none")) << each["id"] << name;
      } else {
        EXPECT_EQ(part, of_card(expected[name], "usd_per_gpu_hour")) << each["id"] << name;
      }
    }
    const std::int64_t idle =
        expected.contains("idle") ? of_card(expected["idle"], "usd_per_gpu_hour") : 0;
    EXPECT_EQ(left, idle) << each["id"] << ": the parts and the idle are the card";
    ++checked;
  }
  EXPECT_EQ(checked, 6);
}

}  // namespace
}  // namespace plimsoll
