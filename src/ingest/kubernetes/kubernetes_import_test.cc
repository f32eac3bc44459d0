#include "ingest/kubernetes/kubernetes_import.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "model/fleet.h"
#include "model/holding.h"
#include "store/duckdb/duckdb_store.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

constexpr const char* kNode = R"({"kind":"Node","metadata":{"name":"n1","uid":"n-1",
  "labels":{"nvidia.com/gpu.count":"8","nvidia.com/gpu.replicas":"4"}},
  "status":{"capacity":{"cpu":"8","memory":"16Gi"},"conditions":[{"type":"Ready","status":"True",
  "lastHeartbeatTime":"2026-01-05T12:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";
constexpr const char* kPod = R"({"kind":"Pod","metadata":{"name":"p","namespace":"ml","uid":"u1",
  "creationTimestamp":"2026-01-05T08:00:00Z"},"spec":{"nodeName":"n1","containers":[
  {"resources":{"limits":{"nvidia.com/gpu":"1"}}}]},"status":{"phase":"Running",
  "conditions":[{"type":"PodScheduled","status":"True",
  "lastTransitionTime":"2026-01-05T08:00:30Z"}]}})";
constexpr const char* kWaiting = R"({"kind":"Pod","metadata":{"name":"w","namespace":"ml",
  "uid":"u2","creationTimestamp":"2026-01-05T08:00:00Z"},"spec":{"containers":[]},
  "status":{"phase":"Pending"}})";

class KubernetesImportTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::path(testing::TempDir()) / ("kubernetes_import_" + name);
    std::filesystem::create_directories(folder_);
    auto opened = OpenDuckDb({.path = "", .threads = 1});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<ImportReport> Import(const std::string& text) {
    const auto path = folder_ / "objects.json";
    std::ofstream(path, std::ios::binary) << text;
    KubernetesOptions options;
    options.files = {path.string()};
    options.cluster = "c1";
    return ImportKubernetes(*store_, options);
  }
  HoldingBatch Holdings() {
    auto rows = Query<HoldingBatch>(*store_, "SELECT * FROM active_holding ORDER BY uid");
    EXPECT_TRUE(rows) << rows.error().message;
    return rows ? *std::move(rows) : HoldingBatch{};
  }

  std::filesystem::path folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(KubernetesImportTest, ListOfMixedKindsIsLoadedAndAgainChangesNothing) {
  const std::string list =
      std::string(R"({"kind":"List","items":[)") + kPod + "," + kWaiting + "," + kNode + "]}";
  const auto first = Import(list);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->accepted, 3);
  EXPECT_EQ(first->loads[0].outcome, "loaded");
  const HoldingBatch held = Holdings();
  ASSERT_EQ(RowsOf(held), 1U);
  EXPECT_EQ(held.device_kind[0], "gpu.shared");
  EXPECT_EQ(held.share_den[0], 4);
  const auto waiting = Query<PendingBatch>(*store_, "SELECT * FROM active_pending");
  EXPECT_EQ(RowsOf(*waiting), 1U);
  EXPECT_EQ(Import(list)->loads[0].outcome, "unchanged");
}

TEST_F(KubernetesImportTest, NodesAndPodsInSeparateLoadsGiveTheSameRows) {
  ASSERT_TRUE(Import(kPod));
  EXPECT_EQ(Holdings().device_kind[0], "gpu");
  ASSERT_TRUE(Import(kNode));
  ASSERT_TRUE(Import(kPod));
  const HoldingBatch held = Holdings();
  ASSERT_EQ(RowsOf(held), 1U);
  EXPECT_EQ(held.device_kind[0], "gpu.shared");
}

TEST_F(KubernetesImportTest, MalformedObjectIsQuarantinedWithItsPath) {
  std::string bad = kWaiting;
  bad.replace(bad.find("2026-01-05"), 10, "2026-13-05");
  const auto report =
      Import(std::string(R"({"kind":"List","items":[)") + bad + "," + kPod + ",7]}");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->accepted, 1);
  ASSERT_EQ(report->first_rejections.size(), 2U);
  EXPECT_EQ(report->first_rejections[0].field, "items[0].metadata.creationTimestamp");
  EXPECT_EQ(report->first_rejections[1].field, "items[2]");
  const auto rows = Query<RejectionBatch>(*store_, "SELECT * FROM rejection");
  EXPECT_EQ(RowsOf(*rows), 2U);
}

TEST_F(KubernetesImportTest, CutFileLoadsWhatWasWholeAndRejectsTheRest) {
  const auto report = Import(std::string(R"({"kind":"List","items":[)") + kPod + ",{\"kind\":");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->accepted, 1);
  ASSERT_EQ(report->rejected, 1);
  EXPECT_EQ(report->first_rejections[0].field, "items[1]");
}

TEST_F(KubernetesImportTest, FileThatIsNotJsonFailsAndChangesNothing) {
  const auto report = Import("kind: Pod\n");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kBadData);
  EXPECT_NE(report.error().message.find("-o json"), std::string::npos);
  KubernetesOptions options;
  EXPECT_EQ(ImportKubernetes(*store_, options).error().code, ErrorCode::kInvalidArgument);
  options.cluster = "c1";
  options.files = {(folder_ / "none.json").string()};
  EXPECT_EQ(ImportKubernetes(*store_, options).error().code, ErrorCode::kNotFound);
}

TEST_F(KubernetesImportTest, DataIsAsOfTheLastHeartbeat) {
  ASSERT_TRUE(Import(std::string(kPod) + kNode));
  const auto rows = Query<SnapshotBatch>(*store_, "SELECT * FROM snapshot WHERE active = 1");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->data_until[0], *ParseInstant("2026-01-05T12:00:00Z"));
}

TEST_F(KubernetesImportTest, AnErrorOfTheServerOrNothingIsNoInventory) {
  const auto refused = Import(R"({"kind":"Status","message":"Unauthorized","code":401})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadData);
  EXPECT_NE(refused.error().message.find("Unauthorized"), std::string::npos);
  const auto empty = Import("");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::kBadData);
  EXPECT_TRUE(Import(R"({"kind":"List","items":[]})"));  // a namespace without pods
}

}  // namespace
}  // namespace plimsoll
