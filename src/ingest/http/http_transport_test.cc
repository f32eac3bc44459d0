#include "ingest/http/http_transport.h"

#include <gtest/gtest.h>

#include "ingest/http/fake_http_server.h"

namespace plimsoll {
namespace {

HttpTransport Open(const std::string& url, const std::string& token = "") {
  HttpEndpoint endpoint;
  endpoint.url = url;
  endpoint.token = token;
  auto transport = HttpTransport::Open(std::move(endpoint));
  EXPECT_TRUE(transport) << transport.error().message;
  return *std::move(transport);
}

TEST(HttpTransportTest, BytesOfAnAnswerGoWhereTheyAreWantedAndErrorsStay) {
  FakeHttpServer server([](const std::string&, int n) {
    return FakeHttpServer::Reply{n == 0 ? 200 : 403, n == 0 ? "fine" : "no", ""};
  });
  HttpTransport transport = Open(server.url());
  std::string streamed;
  HttpRequest request;
  request.path = "/x";
  request.params = {{"a b", "c&d"}};
  request.on_bytes = [&](std::string_view bytes) {
    streamed += bytes;
    return true;
  };
  EXPECT_TRUE(transport.Get(request).ok());
  EXPECT_EQ(streamed, "fine");
  const HttpReply refused = transport.Get(request);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.body, "no");
  EXPECT_EQ(streamed, "fine");
  EXPECT_NE(server.heads()[0].find("GET /x?a+b=c%26d "), std::string::npos) << server.heads()[0];
}

TEST(HttpTransportTest, ReaderMayEndTheTransfer) {
  FakeHttpServer server([](const std::string&, int) {
    return FakeHttpServer::Reply{200, "body", ""};
  });
  HttpRequest request;
  request.path = "/";
  request.on_bytes = [](std::string_view) { return false; };
  EXPECT_EQ(Open(server.url()).Get(request).failure, "") << "it is no failure of the server";
}

TEST(HttpTransportTest, TokenIsSentAndMayChange) {
  FakeHttpServer server([](const std::string&, int) { return FakeHttpServer::Reply{}; });
  HttpTransport transport = Open(server.url(), "one");
  transport.Get({.path = "/"});
  transport.SetToken("two");
  transport.Get({.path = "/"});
  EXPECT_NE(server.heads()[0].find("Authorization: Bearer one\r\n"), std::string::npos);
  EXPECT_NE(server.heads()[1].find("Authorization: Bearer two\r\n"), std::string::npos);
  EXPECT_EQ(server.heads()[1].find("one"), std::string::npos);
}

TEST(HttpTransportTest, AuthorityThatIsNoneIsALastingFailure) {
  HttpEndpoint endpoint;
  endpoint.url = "https://127.0.0.1:1";
  endpoint.ca_pem = "not a certificate";
  auto transport = HttpTransport::Open(std::move(endpoint));
  ASSERT_TRUE(transport);
  EXPECT_NE(transport->Get({.path = "/"}).failure, "");
}

TEST(HttpTransportTest, UrlInMessagesHasNoCredentials) {
  EXPECT_EQ(WithoutCredentials("http://u:p@h:1/x?t=1#f"), "http://h:1/x");
  EXPECT_EQ(Open("http://u:secret@h/x").shown(), "http://h/x");
}

}  // namespace
}  // namespace plimsoll
