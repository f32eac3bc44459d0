#include "conformance/kueue_tas_cases.h"

#include <gtest/gtest.h>

#include <sstream>

namespace plimsoll {
namespace {

nlohmann::json OneCase(const char* wanted) {
  return nlohmann::json::parse(R"({
    "nodeSets": {"n": [{"name": "a", "ready": true, "allocatable": {"cpu": "2", "pods": "9"},
                        "labels": {"kubernetes.io/hostname": "a"}}]},
    "cases": [{"name": "one", "nodeSet": "n", "levels": ["kubernetes.io/hostname"],
      "podSets": [{"topologyRequest": {"Required": "kubernetes.io/hostname"}, "count": 1,
                   "requests": {"cpu": 1000}, "wantAssignment": {
                     "Levels": ["kubernetes.io/hostname"], "Domains": [)" +
                               std::string(wanted) + "]}}]}]}");
}

TEST(KueueTasCasesTest, AWrongExpectationIsToldFromARightOne) {
  std::ostringstream out;
  const auto right = RunTopologyCases(OneCase(R"({"Values": ["a"], "Count": 1})"), out);
  ASSERT_TRUE(right);
  EXPECT_EQ(right->passed, 1);
  EXPECT_EQ(out.str(), "");
  const auto wrong = RunTopologyCases(OneCase(R"({"Values": ["b"], "Count": 1})"), out);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->failed, 1);
  EXPECT_EQ(out.str(),
            "FAIL one: podset 1 wanted kubernetes.io/hostname [b: 1] got kubernetes.io/hostname "
            "[a: 1]\n");
}

TEST(KueueTasCasesTest, AReasonWhereAPlaceWasWantedIsWrong) {
  std::ostringstream out;
  auto document = OneCase(R"({"Values": ["a"], "Count": 3})");
  document["cases"][0]["podSets"][0]["count"] = 3;
  EXPECT_EQ(RunTopologyCases(document, out)->failed, 1);
  EXPECT_NE(out.str().find("allows to fit only 2 out of 3 pod(s)"), std::string::npos);
}

TEST(KueueTasCasesTest, ACaseThatCannotBeReadFailsAndTheOthersRun) {
  std::ostringstream out;
  auto document = OneCase(R"({"Values": ["a"], "Count": 1})");
  document["cases"].push_back(document["cases"][0]);
  document["cases"][0].erase("levels");
  const auto tally = RunTopologyCases(document, out);
  ASSERT_TRUE(tally);
  EXPECT_EQ(tally->passed, 1);
  EXPECT_EQ(tally->failed, 1);
  EXPECT_EQ(out.str().rfind("FAIL one: not of the form: ", 0), 0U) << out.str();
  document["cases"][0] = 7;
  out.str("");
  EXPECT_EQ(RunTopologyCases(document, out)->failed, 1);
  EXPECT_EQ(out.str().rfind("FAIL case 1: not of the form: ", 0), 0U) << out.str();
  document["cases"] = "none";
  EXPECT_FALSE(RunTopologyCases(document, out));
}

}  // namespace
}  // namespace plimsoll
