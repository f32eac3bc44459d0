#include "ingest/kube_api/kube_api_import.h"

#include <gtest/gtest.h>

#include <memory>

#include "ingest/http/fake_http_server.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

using Reply = FakeHttpServer::Reply;

constexpr const char* kNodes = R"({"metadata":{"resourceVersion":"9"},"items":[{"metadata":
  {"name":"n1","uid":"n-1","resourceVersion":"1","creationTimestamp":"2026-01-01T00:00:00Z",
   "labels":{"nvidia.com/gpu.count":"8"}},
  "status":{"capacity":{"nvidia.com/gpu":"8"},"allocatable":{"nvidia.com/gpu":"7"},
   "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:05:00Z",
    "lastHeartbeatTime":"2026-01-05T11:59:00Z"}]}}]})";
constexpr const char* kPods = R"({"metadata":{"resourceVersion":"9"},"items":[{"metadata":
  {"name":"p","namespace":"ml","uid":"u1","resourceVersion":"2",
   "creationTimestamp":"2026-01-05T08:00:00Z"},"spec":{"nodeName":"n1","containers":[
  {"resources":{"limits":{"nvidia.com/gpu":"2"}}}]},"status":{"phase":"Running"}}]})";
constexpr const char* kEmpty = R"({"metadata":{"resourceVersion":"9"},"items":[]})";

class KubeApiImportTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenDuckDb({.path = "", .threads = 1});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  // Answers by path; what is not in `answers` the server does not have.
  Result<ImportReport> Load(std::map<std::string, Reply> answers, const char* now) {
    FakeHttpServer server([&](const std::string& head, int) {
      const std::string path = head.substr(4, head.find('?') - 4);
      const auto answer = answers.find(path);
      return answer == answers.end() ? Reply{404, "{}", ""} : answer->second;
    });
    KubeApiOptions options;
    options.cluster = "c1";
    options.now = [now] { return *ParseInstant(now); };
    KubeAccess access;
    access.endpoint.url = server.url();
    auto gathering = GatherKubeApi(options, access);
    if (!gathering) return gathering.error();
    return gathering->StoreIn(*store_);
  }
  std::map<std::string, Reply> Cluster(const char* pods = kPods) {
    return {{"/api/v1/nodes", {200, kNodes, ""}}, {"/api/v1/pods", {200, pods, ""}}};
  }
  HoldingBatch Holdings() {
    auto rows = Query<HoldingBatch>(*store_, "SELECT * FROM active_holding ORDER BY uid");
    EXPECT_TRUE(rows) << rows.error().message;
    return rows ? *std::move(rows) : HoldingBatch{};
  }

  std::unique_ptr<Store> store_;
};

TEST_F(KubeApiImportTest, ListIsLoadedAndKindsThatAreNotThereAreNoted) {
  const auto report = Load(Cluster(), "2026-01-05T12:00:00Z");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->accepted, 2);
  ASSERT_EQ(report->ignored.size(), 1U);
  EXPECT_NE(report->ignored[0].find("jobsets"), std::string::npos);
  EXPECT_EQ(Holdings().devices, std::vector<std::int64_t>{2});
  const auto states =
      Query<NodeStateBatch>(*store_, "SELECT * FROM active_node_state WHERE aspect = 'gpus'");
  ASSERT_EQ(RowsOf(*states), 1U);
  EXPECT_EQ(states->gpus[0], 7);
  EXPECT_EQ(states->since[0], *ParseInstant("2026-01-05T12:00:00Z"));
}

TEST_F(KubeApiImportTest, PodThatIsNotThereAnyMoreEndedWhenLastSeen) {
  ASSERT_TRUE(Load(Cluster(), "2026-01-05T12:00:00Z"));
  const auto report = Load(Cluster(kEmpty), "2026-01-05T13:00:00Z");
  ASSERT_TRUE(report) << report.error().message;
  const HoldingBatch held = Holdings();
  ASSERT_EQ(RowsOf(held), 1U);
  EXPECT_EQ(held.until[0], *ParseInstant("2026-01-05T12:00:00Z"));
  EXPECT_EQ(held.end_reason[0], "Cancelled");
  EXPECT_EQ(Load(Cluster(kEmpty), "2026-01-05T13:00:00Z")->loads[0].outcome, "unchanged");
}

TEST_F(KubeApiImportTest, FailedListEndsNothing) {
  ASSERT_TRUE(Load(Cluster(), "2026-01-05T12:00:00Z"));
  auto answers = Cluster();
  answers["/api/v1/pods"] = {403, R"({"message":"no"})", ""};
  const auto report = Load(answers, "2026-01-05T13:00:00Z");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(report.error().message.find("ClusterRole"), std::string::npos);
  EXPECT_FALSE(Holdings().until[0]);
}

TEST_F(KubeApiImportTest, ForbiddenKindIsAWarningWithItsRule) {
  auto answers = Cluster();
  answers["/apis/batch/v1/jobs"] = {403, R"({"message":"no"})", ""};
  const auto report = Load(answers, "2026-01-05T12:00:00Z");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_NE(report->warnings[0].find(R"(apiGroups: ["batch"], resources: ["jobs"])"),
            std::string::npos)
      << report->warnings[0];
}

TEST_F(KubeApiImportTest, ClusterMustBeNamed) {
  KubeApiOptions options;
  options.now = [] { return AtSeconds(0); };
  EXPECT_EQ(GatherKubeApi(options, KubeAccess{}).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
