#include "conformance/kueue_cases.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "conformance/kueue_preemption_cases.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// Runs the text as a file: exit code, and what was printed.
std::pair<int, std::string> RunText(const std::string& text) {
  const fs::path path = fs::path(testing::TempDir()) / "kueue_cases_test.json";
  std::ofstream(path) << text;
  std::ostringstream out, errors;
  const int code = RunKueueCases({path.string()}, out, errors);
  std::string printed = out.str() + errors.str();
  const std::size_t at = printed.find(path.string());
  if (at != std::string::npos) printed.replace(at, path.string().size(), "FILE");
  return {code, printed};
}

// One queue "q" of 4 CPUs and a case with these fields.
std::string OneCase(const std::string& fields) {
  return R"({"clusterQueueSets":{"s":[{"name":"q","preemption":{"withinClusterQueue":"Any"},)"
         R"("resourceGroups":[[{"flavor":"default","resources":{"cpu":{"nominal":"4"}}}]]}]},)"
         R"("cases":[{"name":"c","clusterQueueSet":"s","targetClusterQueue":"q",)" +
         fields + "}]}";
}

const char* const kIncoming = R"("incoming":{"name":"in","requests":{"cpu":"3"}})";

TEST(KueueCasesTest, FilesThatAreNoCasesAreNamed) {
  EXPECT_EQ(RunText("{").second, "FILE: is no JSON\n");
  EXPECT_EQ(RunText("{}").first, 3);
  EXPECT_NE(RunText("[]").second.find("needs cases, and clusterQueueSets"), std::string::npos);
  std::ostringstream out, errors;
  EXPECT_EQ(RunKueueCases({"/nowhere"}, out, errors), 3);
  EXPECT_EQ(errors.str(), "/nowhere: cannot be read\n");
}

TEST(KueueCasesTest, AWrongFieldIsSaidWithItsCase) {
  const auto error = [](const std::string& fields) { return RunText(OneCase(fields)).second; };
  EXPECT_EQ(error(R"("x":1)"), "FILE: cases[0] 'c': incoming: is missing\n");
  EXPECT_EQ(error(R"("incoming":{"name":"in","requests":{"cpu":"three"}})").substr(0, 45),
            "FILE: cases[0] 'c': incoming.requests.cpu: 't");
  EXPECT_EQ(error(std::string(kIncoming) + R"(,"admitted":[{"name":"w","clusterQueue":"q"}])"),
            "FILE: cases[0] 'c': admitted 'w': has no flavor\n");
  EXPECT_EQ(error(std::string(kIncoming) + R"(,"strategies":["Best"])"),
            "FILE: cases[0] 'c': strategies: \"Best\" is no strategy of fair sharing\n");
  EXPECT_EQ(error(std::string(kIncoming) +
                  R"(,"nominatedAssignment":{"cpu":{"Name":"default","Mode":"Perhaps"}})"),
            "FILE: cases[0] 'c': nominatedAssignment.cpu.Mode: is 'Perhaps', not Preempt or Fit\n");
  EXPECT_EQ(error(std::string(kIncoming) + R"(,"nominatedAssignment":{})"),
            "FILE: cases[0] 'c': nominatedAssignment: has no flavor for cpu\n");
  EXPECT_EQ(error(std::string(kIncoming) + R"(,"admitted":[{"name":"w","clusterQueue":"p",)"
                                           R"("flavor":"default","requests":{"cpu":"1"}}])"),
            "FILE: case 'c': admitted 'w': no queue 'p'\n");
}

TEST(KueueCasesTest, AnEvictedWorkloadMayBearItsCondition) {
  const auto [code, printed] = RunText(OneCase(
      std::string(kIncoming) +
      R"(,"admitted":[{"name":"a","clusterQueue":"q","flavor":"default","requests":{"cpu":"2"}},)"
      R"({"name":"b","clusterQueue":"q","flavor":"default","requests":{"cpu":"2"},)"
      R"("conditions":[{"type":"Evicted","status":"True"}]}],)"
      R"("nominatedAssignment":{"cpu":{"Name":"default","Mode":"Preempt"}},)"
      R"("wantPreempted":[{"workload":"b","reason":"InClusterQueue"}])"));
  EXPECT_EQ(code, 1);
  EXPECT_EQ(printed,
            "FAIL c: wanted b InClusterQueue; got a InClusterQueue, b InClusterQueue\n"
            "0 passed, 1 failed\n");
}

// Of one case: what its gate changes.
TEST(KueueCasesTest, GatesAreRules) {
  const auto document = nlohmann::json::parse(
      OneCase(std::string(kIncoming) +
              R"(,"featureGates":{"FairSharingReevaluatePreemptionCandidates":)"
              R"(true,"features.FairSharingPreemptWithinNominal":false,"Other":true})"));
  const auto cases = ReadPreemptionCases(document);
  ASSERT_TRUE(cases) << cases.error().message;
  const QuotaRules& rules = cases->at(0).rules;
  EXPECT_TRUE(rules.fair_sharing);
  EXPECT_TRUE(rules.fair_sharing_reevaluate_preemption_candidates);
  EXPECT_FALSE(rules.fair_sharing_preempt_within_nominal);
}

}  // namespace
}  // namespace plimsoll
