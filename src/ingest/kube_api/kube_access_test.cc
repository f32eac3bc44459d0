#include "ingest/kube_api/kube_access.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace plimsoll {
namespace {

class KubeAccessTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::path(testing::TempDir()) / ("kube_access_" + name);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  std::string Kubeconfig(const std::string& cluster, const std::string& user) {
    return Write("config",
                 "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: "
                 "u}}]\nclusters: [{name: k, cluster: {" +
                     cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]\n");
  }

  std::filesystem::path folder_;
};

TEST_F(KubeAccessTest, FilesAndDataOfAContextAreRead) {
  Write("ca.pem", "authority\n");
  Write("tok", "s3cret\n");
  const auto access =
      ReadKubeconfig(Kubeconfig("server: 'https://k:6443', certificate-authority: ca.pem",
                                "tokenFile: tok, client-certificate-data: Y2VydA==, "
                                "client-key-data: a2V5"),
                     "");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->endpoint.url, "https://k:6443");
  EXPECT_EQ(access->endpoint.ca_pem, "authority");
  EXPECT_EQ(access->endpoint.cert_pem, "cert");
  EXPECT_EQ(access->endpoint.key_pem, "key");
  EXPECT_EQ(access->token_file, (folder_ / "tok").string());
}

TEST_F(KubeAccessTest, TokenDoesNotTravelInTheClear) {
  const auto far = ReadKubeconfig(Kubeconfig("server: 'http://k:80'", "token: s3cret"), "");
  ASSERT_FALSE(far);
  EXPECT_NE(far.error().message.find("clear"), std::string::npos);
  EXPECT_EQ(far.error().message.find("s3cret"), std::string::npos);
  EXPECT_FALSE(ReadKubeconfig(Kubeconfig("server: 'http://127.0.0.1.evil'", "token: t"), ""));
  EXPECT_TRUE(ReadKubeconfig(Kubeconfig("server: 'http://127.0.0.1:8001'", "token: t"), ""));
}

TEST_F(KubeAccessTest, MissingFilesAreNamed) {
  const auto none = ReadKubeconfig((folder_ / "none").string(), "");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_NE(none.error().message.find("--kubeconfig"), std::string::npos);
  const auto broken = ReadKubeconfig(
      Kubeconfig("server: 'https://k', certificate-authority: gone.pem", "token: t"), "");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("gone.pem"), std::string::npos);
  const auto data = ReadKubeconfig(
      Kubeconfig("server: 'https://k', certificate-authority-data: '%%s3cret'", "token: t"), "");
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().message.find("s3cret"), std::string::npos) << data.error().message;
}

TEST_F(KubeAccessTest, PodReadsItsServiceAccount) {
  EXPECT_EQ(InClusterAccess("", "", folder_.string()).error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(InClusterAccess("10.0.0.1", "443", folder_.string()).error().code,
            ErrorCode::kFailedPrecondition);
  Write("ca.crt", "authority");
  Write("token", "t0ken\n");
  const auto access = InClusterAccess("fd00::1", "443", folder_.string());
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->endpoint.url, "https://[fd00::1]:443");
  EXPECT_EQ(access->endpoint.token, "t0ken");
  EXPECT_EQ(access->endpoint.ca_pem, "authority");
}

TEST(ReadSmallFileTest, DevicesAndFoldersAreNoSecrets) {
  EXPECT_FALSE(ReadSmallFile("/dev/zero"));
  EXPECT_FALSE(ReadSmallFile("/"));
}

}  // namespace
}  // namespace plimsoll
