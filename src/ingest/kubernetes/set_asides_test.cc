#include "ingest/kubernetes/set_asides.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

constexpr const char* kTemplate = R"({"kind":"PodTemplate","metadata":{"name":"gpu",
  "namespace":"serving"},"template":{"spec":{"containers":[{"resources":{"limits":
  {"nvidia.com/gpu":"2"}}}]}}})";

std::string Buffer(int replicas, const std::string& version, const std::string& reference) {
  return R"({"kind":"CapacityBuffer","metadata":{"name":"warm","namespace":"serving",
    "resourceVersion":")" +
         version + R"("},"spec":{)" + reference + R"(},"status":{"replicas":)" +
         std::to_string(replicas) + R"(,"conditions":[{"type":"ReadyForProvisioning",
    "status":"True","lastTransitionTime":"2026-01-02T00:00:00Z"}]}})";
}
const std::string kByTemplate = R"("podTemplateRef":{"name":"gpu"})";

struct Fixture {
  void Add(const std::string& text, const Sighting& sighting = {}) {
    const auto object = nlohmann::json::parse(text);
    FieldError error;
    const FieldReader reader(object, "", error);
    const std::string kind = reader.Text("kind");
    if (kind == "CapacityBuffer") {
      buffers.AddBuffer(reader, sighting);
    } else {
      buffers.AddTemplate(reader, kind);
    }
    EXPECT_EQ(error.reason, "") << error.path;
  }
  std::vector<SetAsideHistory> Histories() {
    return buffers.Histories(*ParseInstant("2026-01-05T00:00:00Z"), unresolved);
  }
  CapacityBuffers buffers;
  std::int64_t unresolved = 0;
};

TEST(CapacityBuffersTest, BufferIsItsReplicasOfItsTemplate) {
  Fixture f;
  f.Add(Buffer(3, "1", kByTemplate));
  f.Add(kTemplate);
  const auto histories = f.Histories();
  ASSERT_EQ(histories.size(), 1U);
  EXPECT_EQ(histories[0].kind, "capacity-buffer");
  EXPECT_EQ(histories[0].owner, "serving");
  ASSERT_EQ(histories[0].sightings.size(), 1U);
  EXPECT_EQ(histories[0].sightings[0].value, "6");
  EXPECT_EQ(histories[0].sightings[0].changed, *ParseInstant("2026-01-02T00:00:00Z"));
}

TEST(CapacityBuffersTest, ScalableObjectHasTheTemplate) {
  Fixture f;
  f.Add(Buffer(1, "1", R"("scalableRef":{"kind":"Deployment","name":"llm","apiGroup":"apps"})"));
  f.Add(R"({"kind":"Deployment","metadata":{"name":"llm","namespace":"serving"},"spec":{
    "template":{"spec":{"containers":[{"resources":{"limits":{"nvidia.com/gpu":"8"}}}]}}}})");
  EXPECT_EQ(f.Histories().at(0).sightings.at(0).value, "8");
}

TEST(CapacityBuffersTest, UnknownTemplateIsCountedAndSaysNothing) {
  Fixture f;
  f.Add(Buffer(3, "1", kByTemplate));
  EXPECT_TRUE(f.Histories().empty());
  EXPECT_EQ(f.unresolved, 1);
}

TEST(CapacityBuffersTest, LaterVersionCountsAtOneTimeAndDeletionEndsIt) {
  for (const bool swapped : {false, true}) {
    Fixture f;
    f.Add(kTemplate);
    f.Add(Buffer(swapped ? 5 : 3, swapped ? "10" : "9", kByTemplate));
    f.Add(Buffer(swapped ? 3 : 5, swapped ? "9" : "10", kByTemplate));
    EXPECT_EQ(f.Histories().at(0).sightings.at(0).value, "10");
    f.Add(Buffer(5, "10", kByTemplate), {"", *ParseInstant("2026-01-04T00:00:00Z"), true});
    std::vector<std::string> values;
    const SetAsideHistory history = f.Histories().at(0);
    for (const Sighted& sighted : history.sightings) values.push_back(sighted.value);
    EXPECT_EQ(values, (std::vector<std::string>{"10", "0"}));
  }
}

}  // namespace
}  // namespace plimsoll
