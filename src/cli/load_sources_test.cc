#include "cli/load_sources.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

TEST(LoadSourcesTest, FromNamesAKindAClusterAndAFile) {
  const auto plain = ParseFrom("slurm=jobs=1.psv");
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->kind, "slurm");
  EXPECT_EQ(plain->cluster, "");
  EXPECT_EQ(plain->files, std::vector<std::string>{"jobs=1.psv"});
  const auto cluster = ParseFrom("kubernetes:prod=kube.json");
  ASSERT_TRUE(cluster.has_value());
  EXPECT_EQ(cluster->kind, "kubernetes");
  EXPECT_EQ(cluster->cluster, "prod");
  const auto url = ParseFrom("prometheus=http://p:9090/?a=b");
  ASSERT_TRUE(url.has_value());
  EXPECT_EQ(url->url, "http://p:9090/?a=b");
  EXPECT_TRUE(url->files.empty());
}

TEST(LoadSourcesTest, FromOfAnotherShapeIsAnErrorWithAnExample) {
  for (const char* text : {"", "slurm", "slurm=", "=file", "slrum=file", "aws=file"}) {
    const auto from = ParseFrom(text);
    ASSERT_FALSE(from.has_value()) << text;
    EXPECT_EQ(from.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(from.error().message.find("slurm=jobs.psv"), std::string::npos);
  }
  EXPECT_NE(ParseFrom("slrum=file").error().message.find("did you mean 'slurm'?"),
            std::string::npos);
}

TEST(LoadSourcesTest, EveryKindReachesItsImporter) {
  TestIo io("load");
  const auto store = *OpenDuckDb({});
  LoadOptions options;
  options.now = io.now;
  for (const char* kind : {"focus", "kubernetes", "slurm", "prices", "prometheus", "runs"}) {
    SourceConfig source;
    source.kind = kind;
    source.files = {"missing." + std::string(kind)};
    const auto report = LoadSource(*store, source, options);
    ASSERT_FALSE(report.has_value()) << kind;
    EXPECT_NE(report.error().message.find(source.files[0]), std::string::npos)
        << report.error().message;
    source.files = {"*." + std::string(kind)};
    EXPECT_EQ(LoadSource(*store, source, options).error().code, ErrorCode::kNotFound) << kind;
  }
}

TEST(LoadSourcesTest, AUrlThatIsNoneIsRefused) {
  TestIo io("load");
  const auto store = *OpenDuckDb({});
  SourceConfig source;
  source.kind = "prometheus";
  source.url = "ftp://localhost";
  LoadOptions options;
  options.now = io.now;
  EXPECT_EQ(LoadSource(*store, source, options).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
