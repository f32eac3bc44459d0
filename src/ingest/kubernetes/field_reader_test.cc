#include "ingest/kubernetes/field_reader.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

struct Fixture {
  nlohmann::json object = nlohmann::json::parse(R"({
    "metadata": {"name": "p", "labels": {"a": "b", "n": 3}, "at": "2026-01-05T08:00:00Z"},
    "spec": {"containers": [{"name": "c0"}, 7], "replicas": 4, "on": true, "none": null}})");
  FieldError error;
  FieldReader reader{object, "", error};
};

TEST(FieldReaderTest, ReadsFieldsByPath) {
  Fixture f;
  EXPECT_EQ(f.reader.Text("metadata.name"), "p");
  EXPECT_EQ(f.reader.Integer("spec.replicas"), 4);
  EXPECT_TRUE(f.reader.Boolean("spec.on"));
  EXPECT_EQ(f.reader.Time("metadata.at"), *ParseInstant("2026-01-05T08:00:00Z"));
  EXPECT_EQ(f.reader.Texts("metadata.labels"),
            (std::map<std::string, std::string>{{"a", "b"}, {"n", "3"}}));
  EXPECT_EQ(f.error.reason, "");
}

TEST(FieldReaderTest, AbsentAndNullAreNoErrors) {
  Fixture f;
  EXPECT_EQ(f.reader.Text("metadata.nothing"), "");
  EXPECT_EQ(f.reader.Text("nothing.at.all"), "");
  EXPECT_EQ(f.reader.Text("spec.none"), "");
  EXPECT_FALSE(f.reader.Time("metadata.deleted"));
  EXPECT_TRUE(f.reader.Elements("spec.volumes").empty());
  EXPECT_EQ(f.error.reason, "");
}

TEST(FieldReaderTest, FirstWrongFieldIsKeptWithItsPath) {
  Fixture f;
  EXPECT_EQ(f.reader.Elements("spec.containers").size(), 1U);
  EXPECT_EQ(f.error.path, "spec.containers[1]");
  f.reader.Text("spec.replicas");
  EXPECT_EQ(f.error.path, "spec.containers[1]");
}

TEST(FieldReaderTest, NestedReadersKnowTheirPlace) {
  Fixture f;
  f.reader.Elements("spec.containers")[0].Fail("name", "is odd");
  Fixture g;
  const auto spec = g.reader.Object("spec");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->Text("replicas"), "");
  EXPECT_EQ(g.error.path, "spec.replicas");
  EXPECT_EQ(g.error.reason, "is not a text");
  Fixture h;
  EXPECT_EQ(h.reader.Text("metadata.name.deep"), "");
  EXPECT_EQ(h.error.path, "metadata.name");
}

}  // namespace
}  // namespace plimsoll
