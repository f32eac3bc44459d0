#include "ingest/kube_api/kube_resources.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace plimsoll {
namespace {

TEST(KubeResourcesTest, PathsAreThoseOfTheApi) {
  const KubeResource pods{"", {"v1"}, "pods", "Pod"};
  EXPECT_EQ(pods.PathOf("v1"), "/api/v1/pods");
  const KubeResource jobs{"batch", {"v1"}, "jobs", "Job"};
  EXPECT_EQ(jobs.PathOf("v1"), "/apis/batch/v1/jobs");
  EXPECT_EQ(jobs.ApiVersionOf("v1"), "batch/v1");
}

TEST(KubeResourcesTest, NodesAndPodsAreRequiredAndKindsAreUnique) {
  std::set<std::string> kinds, required;
  for (const KubeResource& resource : KubeResources()) {
    EXPECT_TRUE(kinds.insert(resource.kind).second) << resource.kind;
    if (resource.required) required.insert(resource.kind);
  }
  EXPECT_EQ(required, (std::set<std::string>{"Node", "Pod"}));
}

// The manifest of the guide must allow what is read and nothing but reading.
TEST(KubeResourcesTest, ManifestAllowsEveryCollectionToBeReadOnly) {
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  ASSERT_NE(root, nullptr);
  std::ifstream file(std::string(root) + "/docs/guides/kubernetes-reader.yaml");
  ASSERT_TRUE(file);
  std::stringstream manifest;
  manifest << file.rdbuf();
  for (const KubeResource& resource : KubeResources()) {
    EXPECT_NE(manifest.str().find(std::string("\"") + resource.group + "\""), std::string::npos)
        << resource.group;
    EXPECT_NE(manifest.str().find(resource.plural), std::string::npos) << resource.plural;
  }
  std::string line;
  while (std::getline(manifest, line)) {
    if (line.find("verbs:") == std::string::npos) continue;
    EXPECT_NE(line.find(R"(["get", "list", "watch"])"), std::string::npos) << line;
  }
  for (const char* word : {"secrets", "\"*\"", "create", "update", "patch", "delete"}) {
    EXPECT_EQ(manifest.str().find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace plimsoll
