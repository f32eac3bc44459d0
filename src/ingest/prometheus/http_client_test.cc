#include "ingest/prometheus/http_client.h"

#include <gtest/gtest.h>

#include "ingest/http/fake_http_server.h"

namespace plimsoll {
namespace {

struct Fixture {
  explicit Fixture(const std::string& url) {
    options.url = url;
    options.attempts = 4;
    options.sleep = [this](Duration wait) { waits.push_back(wait.base() / 1'000); };
  }
  Result<HttpAnswer> Get(const HttpClient::Params& params = {}) {
    auto client = HttpClient::Open(options);
    if (!client) return client.error();
    return client->Get("/api/v1/query", params);
  }
  HttpOptions options;
  std::vector<std::int64_t> waits;
};

TEST(HttpClientTest, WaitsLongerEachTimeUntilTheServerAnswers) {
  FakeHttpServer server([](const std::string&, int n) {
    return n < 2 ? FakeHttpServer::Reply{503, "busy", ""} : FakeHttpServer::Reply{200, "fine", ""};
  });
  Fixture f(server.url());
  const auto answer = f.Get();
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->body, "fine");
  EXPECT_EQ(f.waits, (std::vector<std::int64_t>{1, 2}));
}

TEST(HttpClientTest, HonoursRetryAfter) {
  FakeHttpServer server([](const std::string&, int n) {
    return n == 0 ? FakeHttpServer::Reply{429, "", "Retry-After: 7\r\n"}
                  : FakeHttpServer::Reply{200, "fine", ""};
  });
  Fixture f(server.url());
  ASSERT_TRUE(f.Get().has_value());
  EXPECT_EQ(f.waits, std::vector<std::int64_t>{7});
}

TEST(HttpClientTest, GivesUpWithTheUrlAndARemedyButNoCredentials) {
  FakeHttpServer server([](const std::string&, int) { return FakeHttpServer::Reply{0, "", ""}; });
  Fixture f(server.url("alice:secret@") + "/?token=hidden");
  f.options.token = "topsecret";
  const auto answer = f.Get();
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(answer.error().message.find(server.url()), std::string::npos);
  for (const char* hidden : {"alice", "secret", "hidden", "topsecret"}) {
    EXPECT_EQ(answer.error().message.find(hidden), std::string::npos) << answer.error().message;
  }
  EXPECT_EQ(f.waits, (std::vector<std::int64_t>{1, 2, 4}));
}

TEST(HttpClientTest, ARefusalIsNotRetriedAndSaysWhatToDo) {
  FakeHttpServer server([](const std::string&, int) {
    return FakeHttpServer::Reply{400, R"({"status":"error","error":"parse error\n"})", ""};
  });
  Fixture f(server.url());
  const auto answer = f.Get();
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(answer.error().message.find("parse error"), std::string::npos);
  EXPECT_TRUE(f.waits.empty());
}

TEST(HttpClientTest, TooLargeAnswersAndQueryLimitsAskForLess) {
  FakeHttpServer server([](const std::string&, int n) {
    if (n == 0) return FakeHttpServer::Reply{200, std::string(2'000, 'x'), ""};
    if (n == 1) return FakeHttpServer::Reply{422, R"({"error":"too many samples"})", ""};
    return FakeHttpServer::Reply{503, R"({"errorType":"timeout","error":"query timed out"})", ""};
  });
  Fixture f(server.url());
  f.options.body_bytes_max = 1'000;
  for (int i = 0; i < 3; ++i) {
    const auto answer = f.Get();
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_EQ(answer->outcome, HttpOutcome::kTooMuch) << i;
    EXPECT_FALSE(answer->reason.empty());
  }
}

TEST(HttpClientTest, SendsTheTokenTheAgentAndEncodedParameters) {
  FakeHttpServer server([](const std::string&, int) { return FakeHttpServer::Reply{200, "", ""}; });
  Fixture f(server.url() + "/prefix/");
  f.options.token = "abc";
  ASSERT_TRUE(f.Get({{"query", "m{a=\"b c\"}[5m]"}, {"time", "1.000"}}).has_value());
  const std::string head = server.heads().at(0);
  EXPECT_NE(head.find("GET /prefix/api/v1/query?query=m%7ba%3d%22b"), std::string::npos) << head;
  EXPECT_NE(head.find("%5b5m%5d&time=1.000"), std::string::npos) << head;
  EXPECT_NE(head.find("Authorization: Bearer abc"), std::string::npos);
  EXPECT_NE(head.find("User-Agent: plimsoll"), std::string::npos);
}

TEST(HttpClientTest, ARedirectIsNotFollowed) {
  FakeHttpServer server([](const std::string&, int) {
    return FakeHttpServer::Reply{302, "", "Location: http://elsewhere.example/\r\n"};
  });
  Fixture f(server.url());
  EXPECT_FALSE(f.Get().has_value());
}

TEST(HttpClientTest, OnlyHttpUrlsAreTaken) {
  for (const char* url : {"file:///etc/passwd", "not a url", "", "ftp://x/"}) {
    Fixture f(url);
    const auto answer = f.Get();
    ASSERT_FALSE(answer.has_value()) << url;
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(WithoutCredentials("https://u:p@host:9090/a?b=c#d"), "https://host:9090/a");
}

}  // namespace
}  // namespace plimsoll
