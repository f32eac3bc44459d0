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

// Serving metrics come with the kind prometheus; a catalog file of one's own names new ones.
TEST(LoadSourcesTest, MetricsOfEnginesAreReadWithTelemetry) {
  TestIo io("load");
  io.Write("page.txt",
           "nim_output_tokens_total{model=\"m\"} 5 1764288000000\n"
           "nim_output_tokens_total{model=\"m\"} 9 1764288060000\n"
           "vllm:tokens_made_total{model_name=\"m\"} 1 1764288000000\n"
           "vllm:tokens_made_total{model_name=\"m\"} 2 1764288060000\n");
  const auto store = *OpenDuckDb({});
  SourceConfig source;
  source.kind = "prometheus";
  source.files = {"page.txt"};
  LoadOptions options;
  options.now = io.now;
  const auto unknown = LoadSource(*store, source, options);
  ASSERT_TRUE(unknown.has_value()) << unknown.error().message;
  EXPECT_EQ(unknown->accepted, 0);
  EXPECT_EQ(unknown->rejected, 1);
  EXPECT_EQ(unknown->ignored, std::vector<std::string>{"nim_output_tokens_total"});

  options.dynamo_prefix = "nim";
  options.own_catalog = {{"own.yaml",
                          "serving_engines:\n  - engine: vllm\n    prefixes: [\"vllm:\"]\n    "
                          "metrics:\n      - {quantity: tokens_output, name: "
                          "\"vllm:tokens_made_total\", type: counter}\n"}};
  const auto known = LoadSource(*store, source, options);
  ASSERT_TRUE(known.has_value()) << known.error().message;
  EXPECT_EQ(known->accepted, 4);
  EXPECT_EQ(known->rejected, 0);
  ASSERT_EQ(known->loads.size(), 1U);
  EXPECT_NE(known->loads[0].scope.find("serving of default"), std::string::npos)
      << known->loads[0].scope;
  EXPECT_EQ(known->loads[0].rows, 2);
  options.own_catalog[0].text = "serving_engines: [{engine: vllm}]\n";
  EXPECT_EQ(LoadSource(*store, source, options).error().code, ErrorCode::kBadData);
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
