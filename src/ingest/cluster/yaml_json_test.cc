#include "ingest/cluster/yaml_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace plimsoll {
namespace {

using nlohmann::json;

std::vector<json> Documents(const std::string& text) {
  std::vector<json> documents;
  const Status status = ReadYamlDocuments(
      "f.yaml", text, [&](const json& document) { documents.push_back(document); });
  EXPECT_TRUE(status.has_value()) << status.error().message;
  return documents;
}

TEST(YamlJsonTest, ScalarsAreWhatTheyAreInJson) {
  const auto documents = Documents("a: 7\nb: '7'\nc: true\nd: ~\ne: 1.5\nf: [x, {y: z}]\n");
  ASSERT_EQ(documents.size(), 1U);
  EXPECT_EQ(documents[0],
            json::parse(
                R"({"a": 7, "b": "7", "c": true, "d": null, "e": "1.5", "f": ["x", {"y": "z"}]})"));
}

TEST(YamlJsonTest, QuantitiesStayTexts) {
  EXPECT_EQ(Documents("requests: {cpu: 4, nvidia.com/gpu: 8}\n")[0]["requests"]["nvidia.com/gpu"],
            "8");
}

TEST(YamlJsonTest, DocumentsAreReadOneAfterAnother) {
  EXPECT_EQ(Documents("---\na: 1\n---\n\n---\nb: 2\n").size(), 2U);
  EXPECT_TRUE(Documents("").empty());
}

TEST(YamlJsonTest, WhatIsNoYamlIsNamedWithItsLine) {
  const Status status =
      ReadYamlDocuments("f.yaml", "a: 1\n---\nb: [1, 2\nc: d: e\n", [](const json&) {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kBadData);
  EXPECT_NE(status.error().message.find("f.yaml, line "), std::string::npos);
}

TEST(YamlJsonTest, DepthEnds) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_FALSE(ReadYamlDocuments("f", deep, [](const json&) {}));
}

}  // namespace
}  // namespace plimsoll
