#include "ingest/kubernetes/kubernetes_load.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

using nlohmann::json;

json Node(const char* ready, const char* since, bool cordoned = false) {
  json node = json::parse(R"({"kind":"Node","metadata":{"name":"n1","uid":"n-1",
    "creationTimestamp":"2026-01-01T00:00:00Z","labels":{"nvidia.com/gpu.count":"8"}},
    "status":{"capacity":{"nvidia.com/gpu":"8"},"allocatable":{"nvidia.com/gpu":"8"}}})");
  node["status"]["conditions"] = {
      {{"type", "Ready"}, {"status", ready}, {"lastTransitionTime", since}}};
  node["spec"]["unschedulable"] = cordoned;
  return node;
}
json Buffer(int replicas) {
  return {{"kind", "CapacityBuffer"},
          {"metadata", {{"name", "warm"}, {"namespace", "ml"}}},
          {"spec", {{"podTemplateRef", {{"name", "t"}}}}},
          {"status", {{"replicas", replicas}}}};
}
const json kTemplate = json::parse(R"({"kind":"PodTemplate","metadata":{"name":"t",
  "namespace":"ml"},"template":{"spec":{"containers":[{"resources":{"limits":
  {"nvidia.com/gpu":"2"}}}]}}})");

class KubernetesLoadTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenDuckDb({.path = "", .threads = 1});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  ImportReport Load(const std::vector<json>& objects, const char* at,
                    const std::set<std::string>& complete = {}) {
    KubernetesLoad load("c1", nullptr, {});
    for (const json& object : objects) load.Take(object, {}, "file", "items[0]");
    auto report = load.StoreIn(*store_, *ParseInstant(at), complete);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : ImportReport{};
  }
  // "health ok@2026-01-01T00:05:00Z" a row.
  std::vector<std::string> States(const std::string& aspect) {
    const auto rows = Query<NodeStateBatch>(
        *store_, "SELECT * FROM active_node_state WHERE aspect = ? ORDER BY since_at", {aspect});
    EXPECT_TRUE(rows);
    std::vector<std::string> states;
    for (std::size_t i = 0; i < RowsOf(*rows); ++i) {
      states.push_back(rows->value[i].text() + "@" + ToString(rows->since[i]));
    }
    return states;
  }
  std::vector<std::int64_t> Buffers() {
    const auto rows =
        Query<SetAsideBatch>(*store_, "SELECT * FROM active_set_aside ORDER BY since_at");
    EXPECT_TRUE(rows);
    return rows ? rows->gpus : std::vector<std::int64_t>{};
  }

  std::unique_ptr<Store> store_;
};

TEST_F(KubernetesLoadTest, StatesGrowWithChangesAndNotWithLoads) {
  for (const char* at : {"2026-01-05T00:00:00Z", "2026-01-05T01:00:00Z", "2026-01-05T02:00:00Z"}) {
    Load({Node("True", "2026-01-01T00:05:00Z")}, at);
  }
  EXPECT_EQ(States("health"), (std::vector<std::string>{"ok@2026-01-01T00:05:00Z"}));
  EXPECT_EQ(States("schedulable"), (std::vector<std::string>{"yes@2026-01-05T00:00:00Z"}));
  Load({Node("Unknown", "2026-01-05T02:30:00Z", true)}, "2026-01-05T03:00:00Z");
  Load({Node("True", "2026-01-05T03:30:00Z")}, "2026-01-05T04:00:00Z");
  EXPECT_EQ(States("health"),
            (std::vector<std::string>{"ok@2026-01-01T00:05:00Z", "failed@2026-01-05T02:30:00Z",
                                      "ok@2026-01-05T03:30:00Z"}));
  EXPECT_EQ(States("schedulable"),
            (std::vector<std::string>{"yes@2026-01-05T00:00:00Z", "no@2026-01-05T03:00:00Z",
                                      "yes@2026-01-05T04:00:00Z"}));
  EXPECT_EQ(Load({Node("True", "2026-01-05T03:30:00Z")}, "2026-01-05T04:00:00Z").loads[0].outcome,
            "unchanged");
}

TEST_F(KubernetesLoadTest, BufferEndsWhenACompleteReadingLacksIt) {
  Load({Buffer(3), kTemplate}, "2026-01-05T00:00:00Z");
  EXPECT_EQ(Buffers(), (std::vector<std::int64_t>{6}));
  Load({kTemplate}, "2026-01-05T01:00:00Z");
  EXPECT_EQ(Buffers(), (std::vector<std::int64_t>{6}));
  Load({kTemplate}, "2026-01-05T02:00:00Z", {"CapacityBuffer"});
  EXPECT_EQ(Buffers(), (std::vector<std::int64_t>{6, 0}));
  Load({kTemplate}, "2026-01-05T03:00:00Z", {"CapacityBuffer"});
  EXPECT_EQ(Buffers(), (std::vector<std::int64_t>{6, 0})) << "it ended once";
}

TEST_F(KubernetesLoadTest, WhatIsNotKnownIsWarnedOf) {
  const ImportReport report = Load({Buffer(3)}, "2026-01-05T00:00:00Z");
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("podtemplates"), std::string::npos);
}

TEST_F(KubernetesLoadTest, BrokenObjectIsRejectedWithItsPath) {
  json broken = Buffer(3);
  broken["status"]["replicas"] = "three";
  const ImportReport report = Load({broken}, "2026-01-05T00:00:00Z");
  ASSERT_EQ(report.first_rejections.size(), 1U);
  EXPECT_EQ(report.first_rejections[0].field, "items[0].status.replicas");
}

}  // namespace
}  // namespace plimsoll
