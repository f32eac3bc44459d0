#include "ingest/kube_api/kube_reader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "ingest/http/fake_http_server.h"

namespace plimsoll {
namespace {

using Reply = FakeHttpServer::Reply;

const KubeResource kPods{"", {"v1"}, "pods", "Pod", true};
const KubeResource kBuffers{
    "autoscaling.x-k8s.io", {"v1", "v1beta1"}, "capacitybuffers", "CapacityBuffer"};

std::string Pod(const std::string& name, int version) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"ml","uid":"u-)" + name +
         R"(","resourceVersion":")" + std::to_string(version) + R"(","managedFields":[{}]}})";
}
std::string List(int version, const std::string& items, const std::string& next = "") {
  return R"({"kind":"PodList","metadata":{"resourceVersion":")" + std::to_string(version) +
         R"(","continue":")" + next + R"("},"items":[)" + items + "]}";
}
std::string Event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}
std::string Bookmark(int version) {
  return Event("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":")" +
                               std::to_string(version) + R"("}})");
}
const std::string kGone = Event("ERROR", R"({"kind":"Status","code":410,"message":"too old"})");

// A server that answers in the order of a script, and a reader whose clock ticks a minute at
// each look, so that every watch ends.
struct Fixture {
  explicit Fixture(std::vector<Reply> replies, const KubeResource& resource = kPods)
      : script(std::move(replies)),
        server([this](const std::string&, int n) {
          const auto at = static_cast<std::size_t>(n);
          return at < script.size() ? script[at] : Reply{500, "the script is over", ""};
        }),
        reader(Make(resource)) {}

  KubeReader Make(const KubeResource& resource) {
    KubeAccess access;
    access.endpoint.url = server.url();
    access.endpoint.token = "s3cret";
    KubeReaderOptions options;
    options.page_size = 2;
    options.attempts = 3;
    options.now = [this] { return AtSeconds(seconds += 60); };
    options.sleep = [this](Duration wait) { waits.push_back(wait.base() / 1'000); };
    options.on_object = [this](const nlohmann::json& object, const KubeSighting& sighting) {
      if (!object.is_object() || !object.contains("metadata")) {
        seen.emplace_back("odd");
        return;
      }
      seen.push_back((sighting.gone ? "-" : "+") + object["metadata"].value("name", "") + "@" +
                     object["metadata"].value("resourceVersion", ""));
      kind = object.value("kind", "");
    };
    auto opened = KubeReader::Open(access, resource, std::move(options));
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }
  std::string Request(std::size_t n) {
    const std::string head = server.heads().at(n);
    return head.substr(0, head.find(" HTTP"));
  }
  void WatchFor(int minutes) {
    EXPECT_EQ(reader.Watch(AtSeconds(seconds + 60 * minutes)).outcome, KubeOutcome::kDone);
  }

  std::vector<Reply> script;
  std::int64_t seconds = 0;
  std::vector<std::int64_t> waits;
  std::vector<std::string> seen;
  std::string kind;
  FakeHttpServer server;
  KubeReader reader;
};

using Versions = std::map<std::string, std::string>;

TEST(KubeReaderTest, ListReadsEveryPageOfOneMoment) {
  Fixture f({{200, List(9, Pod("a", 1) + "," + Pod("b", 2), "more"), ""},
             {200, List(9, Pod("c", 3)), ""}});
  EXPECT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  EXPECT_EQ(f.Request(0), "GET /api/v1/pods?limit=2");
  EXPECT_EQ(f.Request(1), "GET /api/v1/pods?limit=2&continue=more");
  EXPECT_EQ(f.reader.Versions(), (Versions{{"ml/a", "1"}, {"ml/b", "2"}, {"ml/c", "3"}}));
  EXPECT_EQ(f.kind, "Pod") << "items of a list do not say what they are";
}

TEST(KubeReaderTest, ListWhosePagesExpireBeginsAnew) {
  Fixture f({{200, List(9, Pod("a", 1), "more"), ""},
             {410, R"({"message":"expired"})", ""},
             {200, List(12, Pod("b", 2)), ""}});
  EXPECT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  EXPECT_EQ(f.reader.Versions(), (Versions{{"ml/b", "2"}}));
}

TEST(KubeReaderTest, WatchGoesOnFromTheLastEventOrBookmark) {
  Fixture f({{200, List(9, Pod("a", 1)), ""},
             {200, Event("ADDED", Pod("b", 10)) + Event("MODIFIED", Pod("a", 11)), ""},
             {200, Bookmark(40), ""},
             {200, Event("DELETED", Pod("a", 41)), ""}});
  ASSERT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  f.WatchFor(30);
  EXPECT_NE(f.Request(1).find("resourceVersion=9&"), std::string::npos) << f.Request(1);
  EXPECT_NE(f.Request(1).find("allowWatchBookmarks=true"), std::string::npos);
  EXPECT_NE(f.Request(2).find("resourceVersion=11&"), std::string::npos);
  EXPECT_NE(f.Request(3).find("resourceVersion=40&"), std::string::npos);
  EXPECT_EQ(f.seen, (std::vector<std::string>{"+a@1", "+b@10", "+a@11", "-a@41"}));
  EXPECT_EQ(f.reader.Versions(), (Versions{{"ml/b", "10"}}));
}

TEST(KubeReaderTest, BreakInAnEventIsResumedFromTheEventBefore) {
  const std::string events = Event("ADDED", Pod("b", 10)) + Event("ADDED", Pod("c", 11));
  for (std::size_t cut = 0; cut < events.size(); cut += 5) {
    // The server promises more than it sends before it hangs up.
    const std::string raw =
        "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(events.size() + 50) + "\r\n\r\n" +
        events.substr(0, cut);
    const bool first = cut >= events.find('\n');
    Fixture f({{200, List(9, Pod("a", 1)), ""},
               {200, "", "", raw},
               {200, first ? events.substr(events.find('\n') + 1) : events, ""}});
    ASSERT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
    f.WatchFor(12);
    EXPECT_EQ(f.reader.Versions(), (Versions{{"ml/a", "1"}, {"ml/b", "10"}, {"ml/c", "11"}}))
        << cut;
    EXPECT_NE(f.Request(2).find(first ? "resourceVersion=10&" : "resourceVersion=9&"),
              std::string::npos)
        << cut << f.Request(2);
  }
}

TEST(KubeReaderTest, GoneListsAgainAndWhatIsMissingWent) {
  Fixture f({{200, List(9, Pod("a", 1) + "," + Pod("b", 2)), ""},
             {200, kGone, ""},
             {200, List(90, Pod("b", 80)), ""}});
  ASSERT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  f.WatchFor(12);
  EXPECT_EQ(f.seen, (std::vector<std::string>{"+a@1", "+b@2", "+b@80", "-a@1"}));
  EXPECT_NE(f.Request(3).find("resourceVersion=90&"), std::string::npos);
}

TEST(KubeReaderTest, GoneByStatusListsAgainToo) {
  Fixture f({{200, List(9, Pod("a", 1)), ""},
             {410, R"({"kind":"Status","code":410})", ""},
             {200, List(90, ""), ""}});
  ASSERT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  f.WatchFor(12);
  EXPECT_EQ(f.seen, (std::vector<std::string>{"+a@1", "-a@1"}));
}

TEST(KubeReaderTest, FailedListAfterGoneDoesNotMoveTheWatchOn) {
  Fixture f({{200, List(9, Pod("a", 1)), ""},
             {200, kGone, ""},
             {200, List(90, Pod("b", 2), "more"), ""},
             {400, "", ""},
             {200, kGone, ""},
             {200, List(95, Pod("b", 2)), ""}});
  ASSERT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  f.WatchFor(20);
  EXPECT_NE(f.Request(4).find("resourceVersion=9&"), std::string::npos) << f.Request(4);
  EXPECT_EQ(f.reader.Versions(), (Versions{{"ml/b", "2"}}));
}

TEST(KubeReaderTest, BusyServerIsAskedAgainLaterAndLater) {
  Fixture f({{503, "busy", ""}, {429, "", "Retry-After: 7\r\n"}, {200, List(9, ""), ""}});
  EXPECT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  EXPECT_EQ(f.waits, (std::vector<std::int64_t>{1, 7}));
}

TEST(KubeReaderTest, RefusalNamesTheRuleThatIsMissingButNoToken) {
  Fixture f({{403, R"({"message":"pods is forbidden"})", ""}});
  const KubeEnd end = f.reader.List();
  EXPECT_EQ(end.outcome, KubeOutcome::kForbidden);
  EXPECT_NE(end.reason.find("pods is forbidden"), std::string::npos) << end.reason;
  EXPECT_NE(end.reason.find(R"(resources: ["pods"], verbs: ["get", "list", "watch"])"),
            std::string::npos);
  EXPECT_EQ(end.reason.find("s3cret"), std::string::npos);
  EXPECT_TRUE(f.waits.empty()) << "a refusal does not pass";
}

TEST(KubeReaderTest, KindIsReadInTheFirstVersionThatTheServerHas) {
  Fixture f({{404, "", ""}, {200, List(9, ""), ""}}, kBuffers);
  EXPECT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  EXPECT_EQ(f.Request(1), "GET /apis/autoscaling.x-k8s.io/v1beta1/capacitybuffers?limit=2");
  Fixture none({{404, "", ""}, {404, "", ""}}, kBuffers);
  EXPECT_EQ(none.reader.List().outcome, KubeOutcome::kAbsent);
}

TEST(KubeReaderTest, NonsenseIsAFailureAndNoCrash) {
  for (const char* body : {"", "<html>", "[]", R"({"items":7})"}) {
    Fixture f({{200, body, ""}});
    EXPECT_EQ(f.reader.List().outcome, KubeOutcome::kFailed) << body;
  }
  Fixture odd({{200, R"({"items":[7,{}]})", ""}});
  EXPECT_EQ(odd.reader.List().outcome, KubeOutcome::kDone);
  EXPECT_EQ(odd.seen, (std::vector<std::string>{"odd", "odd"})) << "for the reader to refuse";
  Fixture f({{200, List(9, Pod("a", 1)), ""},
             {200, "<html>", ""},
             {200, R"({"type":"ODD","object":{}})", ""},
             {200, R"({"type":7,"object":[]})", ""},
             {200, Event("ADDED", Pod("b", 10)), ""}});
  ASSERT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  f.WatchFor(30);
  EXPECT_EQ(f.reader.Versions().size(), 2U);
}

TEST(KubeReaderTest, OnlyGetIsSent) {
  Fixture f({{200, List(9, Pod("a", 1)), ""}, {200, kGone, ""}, {200, List(90, ""), ""}});
  ASSERT_EQ(f.reader.List().outcome, KubeOutcome::kDone);
  f.WatchFor(20);
  for (const std::string& head : f.server.heads()) EXPECT_TRUE(head.starts_with("GET ")) << head;
}

}  // namespace
}  // namespace plimsoll
