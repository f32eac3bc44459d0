#include "ingest/prometheus/prometheus_import.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ingest/http/fake_http_server.h"

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

}  // namespace
}  // namespace plimsoll
