#include "ingest/prometheus/prometheus_import.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/http/fake_http_server.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

// What these tests ask is decided before anything is stored.
class NoStore : public Store {
 public:
  Status Execute(const std::string&, const SqlParams&) override { return Refused(); }
  Status Append(const std::string&, const BatchRef&) override { return Refused(); }
  Status Stream(const std::string&, const SqlParams&, const BatchRef&,
                const std::function<Status()>&) override {
    return Refused();
  }
  Status Begin() override { return Refused(); }
  Status Commit() override { return Refused(); }
  Status Rollback() override { return Refused(); }

 private:
  static Status Refused() { return Error{ErrorCode::kInternal, "no store"}; }
};

PrometheusOptions ServerOptions(const std::string& url) {
  PrometheusOptions options;
  options.url = url;
  options.cluster = "c";
  options.window = {AtSeconds(0), AtSeconds(3'600)};
  options.attempts = 2;
  options.sleep = [](Duration) {};
  return options;
}

ErrorCode CodeOf(const Result<ImportReport>& result) {
  EXPECT_FALSE(result.has_value());
  return result.has_value() ? ErrorCode::kInternal : result.error().code;
}

TEST(PrometheusImportTest, OptionsAreCheckedFirst) {
  NoStore store;
  PrometheusOptions options = ServerOptions("http://127.0.0.1:1");
  options.cluster = "";
  EXPECT_EQ(CodeOf(ImportPrometheus(store, options)), ErrorCode::kInvalidArgument);
  options = ServerOptions("http://127.0.0.1:1");
  options.window.until = options.window.begin;
  EXPECT_EQ(CodeOf(ImportPrometheus(store, options)), ErrorCode::kInvalidArgument);
  options = ServerOptions("http://127.0.0.1:1");
  options.hold = Millis(0);
  EXPECT_EQ(CodeOf(ImportPrometheus(store, options)), ErrorCode::kInvalidArgument);
  options = ServerOptions("http://127.0.0.1:1");
  options.token_file = "/nonexistent/token";
  EXPECT_EQ(CodeOf(ImportPrometheus(store, options)), ErrorCode::kInvalidArgument);
  options = ServerOptions("gopher://127.0.0.1");
  EXPECT_EQ(CodeOf(ImportPrometheus(store, options)), ErrorCode::kInvalidArgument);
}

TEST(PrometheusImportTest, AServerThatIsNotThereIsUnavailable) {
  NoStore store;
  EXPECT_EQ(CodeOf(ImportPrometheus(store, ServerOptions("http://127.0.0.1:1"))),
            ErrorCode::kUnavailable);
}

TEST(PrometheusImportTest, WhatIsNoPrometheusIsRefusedBeforeAnyDayIsRead) {
  FakeHttpServer server([](const std::string&, int) {
    return FakeHttpServer::Reply{200, "<html>hello", ""};
  });
  NoStore store;
  const auto result = ImportPrometheus(store, ServerOptions(server.url()));
  EXPECT_EQ(CodeOf(result), ErrorCode::kBadData);
  EXPECT_EQ(server.heads().size(), 1u);
}

TEST(PrometheusImportTest, FilesThatCannotBeReadAreRefusedWithAReason) {
  NoStore store;
  const std::string path = std::filesystem::temp_directory_path() /
                           ("plimsoll-not-samples-" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path) << "xid,text\n13,Graphics exception\nDCGM_FI_DEV_SM_CLOCK, gauge, clock\n";
  ExpositionOptions options;
  options.cluster = "c";
  EXPECT_EQ(CodeOf(ImportExposition(store, options)), ErrorCode::kInvalidArgument);
  options.files = {path};
  const auto result = ImportExposition(store, options);
  EXPECT_EQ(CodeOf(result), ErrorCode::kBadData);
  EXPECT_NE(result.error().message.find(path), std::string::npos);
  EXPECT_NE(result.error().message.find("line 1"), std::string::npos) << result.error().message;
  std::filesystem::remove(path);
  EXPECT_EQ(CodeOf(ImportExposition(store, options)), ErrorCode::kNotFound);
}

// ---- what is asked of a server -----------------------------------------------------------

struct Stored {
  std::string name, labels;  // labels as JSON members
  std::int64_t at;           // seconds
  std::string value;
};

std::string Decoded(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

std::string QueryOf(const std::string& head) {
  const std::size_t from = head.find("query=") + 6;
  return Decoded(head.substr(from, head.find_first_of("& ", from) - from));
}

// A server with these samples: answers name{...}[Ns] and {__name__=~"a|b",...}[Ns] at `time`.
FakeHttpServer::Handler ServerWith(std::vector<Stored> samples, bool refuses_nameless = false) {
  return [=](const std::string& head, int) -> FakeHttpServer::Reply {
    const std::string query = QueryOf(head);
    if (refuses_nameless && query.starts_with("{")) {
      return {400, R"({"status":"error","errorType":"bad_data","error":"no name"})", ""};
    }
    const std::size_t open = query.find('[');
    if (open == std::string::npos) {
      return {200, R"({"status":"success","data":{"resultType":"scalar","result":[0,"1"]}})", ""};
    }
    std::string names = query.substr(0, query.find('{'));
    if (names.empty()) {
      const std::size_t first = query.find('"') + 1;
      names = query.substr(first, query.find('"', first) - first);
    }
    const std::int64_t time = std::stoll(head.substr(head.find("time=") + 5));
    const std::int64_t range = std::stoll(query.substr(open + 1));
    std::string result;
    for (const Stored& sample : samples) {
      const bool is_asked = ("|" + names + "|").find("|" + sample.name + "|") != std::string::npos;
      if (!is_asked || sample.at > time || sample.at <= time - range) continue;
      result += std::string(result.empty() ? "" : ",") + R"({"metric":{"__name__":")" +
                sample.name + "\"," + sample.labels + R"(},"values":[[)" +
                std::to_string(sample.at) + ",\"" + sample.value + "\"]]}";
    }
    return {200, R"({"status":"success","data":{"resultType":"matrix","result":[)" + result + "]}}",
            ""};
  };
}

const std::string kAmd = R"("gpu_id":"0","gpu_partition_id":"0","hostname":"mi-1")";
const std::int64_t kMorning = 1'764'288'000;  // 2025-11-28

std::vector<Stored> AmdSamples() {
  std::vector<Stored> samples;
  for (std::int64_t at = 0; at < 90'000; at += 240) {
    samples.push_back({"gpu_gfx_activity", kAmd, kMorning + at, "87"});
    samples.push_back(
        {"gpu_energy_consumed", kAmd, kMorning + at, std::to_string(at * 600'000'000)});
  }
  return samples;
}

struct Sums {
  std::vector<std::int64_t> energy, covered, busy;
  static constexpr std::tuple kColumns{MakeColumn("energy", &Sums::energy),
                                       MakeColumn("covered", &Sums::covered),
                                       MakeColumn("busy", &Sums::busy)};
};

Sums SumsOf(Store& store) {
  auto sums = Query<Sums>(store,
                          "SELECT sum(energy_mj)::BIGINT AS energy, sum(power_ms)::BIGINT AS "
                          "covered, sum(list_sum(covered))::BIGINT AS busy FROM active_usage "
                          "GROUP BY cluster");
  EXPECT_TRUE(sums.has_value()) << sums.error().message;
  return sums.has_value() ? *std::move(sums) : Sums{};
}

std::unique_ptr<Store> NewStore() {
  auto store = OpenDuckDb({.path = "", .threads = 1, .memory_limit = "512MB"});
  EXPECT_TRUE(store.has_value());
  return *std::move(store);
}

TEST(PrometheusImportTest, OtherExportersAreAskedAllAtOnceAndCountersGoOnIntoTheNextDay) {
  FakeHttpServer server(ServerWith(AmdSamples()));
  PrometheusOptions options = ServerOptions(server.url());
  options.window = {AtSeconds(kMorning), AtSeconds(kMorning) + Hours(48)};
  const auto store = NewStore();
  const auto report = ImportPrometheus(*store, options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->duplicates, 0);
  const Sums sums = SumsOf(*store);
  EXPECT_EQ(sums.energy, std::vector<std::int64_t>{std::int64_t{89'760} * 600'000})
      << "600 W, of both days";
  EXPECT_EQ(sums.covered, std::vector<std::int64_t>{89'760'000});
  // Of each of 24 blocks 15 of accelerators and 26 of Kubernetes, as many of the hold
  // before the first, the counters' tail of each day, and one to see who is there.
  EXPECT_EQ(server.heads().size(), (24u + 1) * (15 + 26) + 2 + 1);
}

TEST(PrometheusImportTest, AServerThatWantsANameInEveryQueryIsAskedByName) {
  FakeHttpServer plain(ServerWith(AmdSamples()));
  FakeHttpServer strict(ServerWith(AmdSamples(), true));
  std::vector<Sums> sums;
  for (const FakeHttpServer* server : {&plain, &strict}) {
    PrometheusOptions options = ServerOptions(server->url());
    options.window = {AtSeconds(kMorning), AtSeconds(kMorning) + Hours(2)};
    const auto store = NewStore();
    const auto report = ImportPrometheus(*store, options);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    sums.push_back(SumsOf(*store));
  }
  EXPECT_EQ(sums[1].energy, (std::vector<std::int64_t>{std::int64_t{7'200} * 600'000}))
      << "to the end of the window, by the sample after it";
  EXPECT_EQ(sums[0].energy, sums[1].energy);
  EXPECT_EQ(sums[0].busy, sums[1].busy);
}

// Reads metrics that begin with "engine_", and writes down what it hears.
class FakeCompanion : public Companion {
 public:
  void Open(CompanionScope scope) override { scope_ = std::move(scope); }
  std::string kind() const override { return "serving"; }
  std::int32_t OpenSeries(const SeriesLabels& series) override {
    return series.name.starts_with("engine_") ? 0 : -1;
  }
  SampleOutcome OnSample(std::int32_t, std::int64_t at_ms, std::string_view value) override {
    samples.push_back(std::to_string(at_ms / 1'000 - 1'764'288'000) + "=" + std::string(value));
    if (value != "bad") return SampleOutcome::kTaken;
    return SampleOutcome::kRefused;
  }
  std::string NamePattern() const override { return "engine_.+"; }
  std::vector<std::vector<std::string>> NamesToRead(
      const std::vector<std::string>& there) override {
    std::vector<std::vector<std::string>> groups;
    for (const std::string& name : there) {
      if (name != "engine_new") groups.push_back({name});
    }
    if (groups.size() != there.size()) scope_.refuse("engine_new", "unknown", "engine_new");
    return groups;
  }
  std::vector<std::string> AllNames() const override { return {"engine_a", "engine_b"}; }
  void Settle(Instant until) override { settled = until; }
  std::vector<Window> Days() const override { return {}; }
  Result<bool> StoreDay(Store&, SnapshotLoad&, Window day) override {
    days.push_back(ToDateString(day.begin));
    return false;
  }
  void Report(ImportReport& report) const override { report.warnings.emplace_back("heard"); }

  std::vector<std::string> samples, days;
  Instant settled;

 private:
  CompanionScope scope_;
};

TEST(PrometheusImportTest, ACompanionIsAskedForTheNamesThatAreThere) {
  const std::vector<Stored> stored{{"engine_a", "\"pod\":\"p\"", kMorning + 60, "1"},
                                   {"engine_a", "\"pod\":\"p\"", kMorning + 7'260, "2"}};
  const FakeHttpServer::Handler plain = ServerWith(stored);
  FakeHttpServer server([&](const std::string& head, int n) -> FakeHttpServer::Reply {
    if (head.find("/label/__name__/values") == std::string::npos) return plain(head, n);
    return {200, R"({"status":"success","data":["engine_a","engine_new"]})", ""};
  });
  PrometheusOptions options = ServerOptions(server.url());
  options.window = {AtSeconds(kMorning), AtSeconds(kMorning) + Hours(2)};
  options.match = "job=\"x\"";
  FakeCompanion companion;
  options.companion = &companion;
  const auto store = NewStore();
  const auto report = ImportPrometheus(*store, options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  // The second sample is after the window: it may end what the window has begun.
  EXPECT_EQ(companion.samples, (std::vector<std::string>{"60=1", "7260=2"}));
  EXPECT_EQ(report->accepted, 1);
  EXPECT_EQ(report->rejected, 1);
  EXPECT_EQ(report->first_rejections.at(0).field, "engine_new");
  EXPECT_EQ(report->warnings, std::vector<std::string>{"heard"});
  EXPECT_EQ(companion.days, std::vector<std::string>{"2025-11-28"});
  EXPECT_EQ(companion.settled, options.window.until);
  int asked = 0;
  for (const std::string& head : server.heads()) {
    const std::string plain_head = Decoded(head);
    if (plain_head.find("/label/__name__/values") != std::string::npos) {
      EXPECT_NE(plain_head.find("match[]={__name__=~\"engine_.+\",job=\"x\"}"), std::string::npos)
          << plain_head;
    }
    asked += plain_head.find("query=engine_a{job=\"x\"}[") != std::string::npos ? 1 : 0;
    EXPECT_EQ(plain_head.find("query=engine_new"), std::string::npos);
  }
  EXPECT_EQ(asked, 2 + 1);  // the hold before, the block, and its tail
}

TEST(PrometheusImportTest, AServerThatListsNoNamesIsAskedForAll) {
  const FakeHttpServer::Handler plain =
      ServerWith({{"engine_b", "\"pod\":\"p\"", kMorning + 60, "1"}});
  for (const int status : {404, 200}) {
    FakeHttpServer server([&](const std::string& head, int n) -> FakeHttpServer::Reply {
      if (head.find("/label/__name__/values") == std::string::npos) return plain(head, n);
      return {status, "<html>no such page</html>", ""};
    });
    PrometheusOptions options = ServerOptions(server.url());
    options.window = {AtSeconds(kMorning), AtSeconds(kMorning) + Hours(2)};
    FakeCompanion companion;
    options.companion = &companion;
    const auto store = NewStore();
    const auto report = ImportPrometheus(*store, options);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(companion.samples, std::vector<std::string>{"60=1"}) << status;
  }
}

TEST(PrometheusImportTest, SamplesWithoutATimeNeedOneAndTheMessageSaysWhich) {
  NoStore store;
  const std::string path = std::filesystem::temp_directory_path() /
                           ("plimsoll-untimed-" + std::to_string(::getpid()) + ".prom");
  std::ofstream(path) << "gpu_gfx_activity{gpu_id=\"0\",hostname=\"mi-1\"} 87\n";
  ExpositionOptions options;
  options.cluster = "c";
  options.files = {path};
  const auto result = ImportExposition(store, options);
  EXPECT_EQ(CodeOf(result), ErrorCode::kInvalidArgument);
  EXPECT_NE(result.error().message.find("--at TIME"), std::string::npos) << result.error().message;
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace plimsoll
