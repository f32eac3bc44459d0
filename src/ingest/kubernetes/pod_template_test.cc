#include "ingest/kubernetes/pod_template.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

std::int64_t MicrosOf(const char* text) {
  const auto object = nlohmann::json::parse(text);
  FieldError error;
  const auto pod_template = TemplateOf(FieldReader(object, "", error));
  EXPECT_EQ(error.reason, "");
  return pod_template ? CardMicrosOf(*pod_template) : -1;
}

constexpr const char* kSpec =
    R"({"spec":{"containers":[{"resources":{"limits":{"nvidia.com/gpu":"4"}}}]}})";

TEST(PodTemplateTest, EveryKindsTemplateIsFound) {
  const std::string spec = kSpec;
  for (const std::string& object :
       {R"({"template":)" + spec + "}", R"({"spec":{"template":)" + spec + "}}",
        R"({"spec":{"jobTemplate":{"spec":{"template":)" + spec + "}}}}",
        R"({"spec":{"leaderWorkerTemplate":{"workerTemplate":)" + spec + "}}}"}) {
    EXPECT_EQ(MicrosOf(object.c_str()), 4 * kMicrosPerCard) << object;
  }
  EXPECT_EQ(MicrosOf(R"({"spec":{"selector":{}}})"), -1);
}

TEST(PodTemplateTest, SlicesAddUpToCards) {
  PodRecord pod;
  pod.requests = {{"nvidia.com/mig-1g.10gb", 7}};
  EXPECT_EQ(WholeCards(CardMicrosOf(pod)), 1);
  pod.requests = {{"nvidia.com/mig-1g.10gb", 8}};
  EXPECT_EQ(WholeCards(CardMicrosOf(pod)), 2);
  pod.requests = {{"cpu", 8'000}};
  EXPECT_EQ(WholeCards(CardMicrosOf(pod)), 0);
  pod.requests = {{"nvidia.com/gpu", std::int64_t{1} << 56}};
  EXPECT_GT(CardMicrosOf(pod), 0) << "no overflow";
}

}  // namespace
}  // namespace plimsoll
