#include <gtest/gtest.h>

#include "ingest/kube_api/kube_access.h"

namespace plimsoll {
namespace {

constexpr const char* kConfig = R"(apiVersion: v1
kind: Config
current-context: prod
contexts:
- name: prod
  context: {cluster: east, user: reader}
- name: proxy
  context: {cluster: local}
- name: cloud
  context: {cluster: east, user: sso}
- name: loose
  context: {cluster: insecure, user: reader}
clusters:
- name: east
  cluster:
    server: https://east.example:6443
    certificate-authority-data: Q0E=
- name: local
  cluster: {server: "http://127.0.0.1:8001"}
- name: insecure
  cluster: {server: "https://x", insecure-skip-tls-verify: true}
users:
- name: reader
  user: {tokenFile: token, client-certificate: certs/me.crt, client-key: /abs/me.key}
- name: sso
  user:
    exec: {command: aws, args: [eks, get-token]}
)";

Result<KubeContext> Parse(const std::string& text, const std::string& context = "") {
  return ParseKubeconfig({{"/home/me/.kube/config", text}}, context);
}

void ExpectRefused(const Result<KubeContext>& context, const std::string& word) {
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().code, ErrorCode::kBadData);
  EXPECT_NE(context.error().message.find(word), std::string::npos) << context.error().message;
}

TEST(KubeconfigTest, CurrentContextNamesClusterAndUser) {
  const auto context = Parse(kConfig);
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(context->context, "prod");
  EXPECT_EQ(context->server, "https://east.example:6443");
  EXPECT_EQ(context->ca_data, "Q0E=");
  EXPECT_EQ(context->token_file, "/home/me/.kube/token") << "from the file's folder";
  EXPECT_EQ(context->cert_file, "/home/me/.kube/certs/me.crt");
  EXPECT_EQ(context->key_file, "/abs/me.key");
}

TEST(KubeconfigTest, NamedContextIsTakenAndNeedsNoUser) {
  const auto context = Parse(kConfig, "proxy");
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(context->server, "http://127.0.0.1:8001");
  EXPECT_EQ(context->token_file, "");
}

TEST(KubeconfigTest, WhatIsNotSupportedSaysWhatIs) {
  ExpectRefused(Parse(kConfig, "cloud"), "kubectl proxy");
  ExpectRefused(Parse(kConfig, "loose"), "certificate-authority");
  ExpectRefused(Parse(kConfig, "staging"), "prod, proxy, cloud, loose");
  ExpectRefused(Parse("current-context: a\n"), "there are none");
  ExpectRefused(Parse("contexts: []\n"), "--context");
  ExpectRefused(Parse("- a\n"), "no mapping");
  ExpectRefused(Parse("a: [\n"), "config:");
  ExpectRefused(Parse(std::string(100'000, '[')), "nests too deep");
  ExpectRefused(Parse("users:\n" + std::string(300, '-')), "config");
}

TEST(KubeconfigTest, OfSeveralFilesTheFirstThatSaysAThingCounts) {
  const std::string first =
      "current-context: mine\ncontexts:\n- {name: mine, context: {cluster: east}}\n";
  const auto context = ParseKubeconfig({{"a", first}, {"b", kConfig}}, "");
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(context->context, "mine");
  EXPECT_EQ(context->server, "https://east.example:6443");
}

TEST(KubeconfigTest, JsonIsYaml) {
  const auto context = Parse(R"({"current-context":"c","contexts":[{"name":"c","context":
    {"cluster":"k"}}],"clusters":[{"name":"k","cluster":{"server":"https://k"}}]})");
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(context->server, "https://k");
}

}  // namespace
}  // namespace plimsoll
