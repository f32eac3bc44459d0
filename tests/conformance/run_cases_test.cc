#include "conformance/run_cases.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace plimsoll {
namespace {

std::string Folder() {
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  return std::string(root == nullptr ? "." : root) + "/tests/conformance/";
}

struct Outcome {
  int code;
  std::string out, errors;
};
Outcome RunPath(const std::string& path) {
  std::ostringstream out, errors;
  const int code = RunCases({path}, out, errors);
  return {code, out.str(), errors.str()};
}

Outcome RunText(const std::string& text) {
  const std::string path = testing::TempDir() + "/cases_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  std::ofstream(path) << text;
  Outcome outcome = RunPath(path);
  std::filesystem::remove(path);
  if (outcome.errors.starts_with(path)) outcome.errors.erase(0, path.size());
  return outcome;
}

// One allocation of 36.5, with the rest of a case.
Outcome RunOne(const std::string& rest) {
  return RunText(R"({"window_hours": 24, "allocations": [{"cluster": "c", "gpuCost": 36.50}],
                     "cases": [{"id": "x", "aggregate": ["cluster"], )" +
                 rest + "}]}");
}

TEST(RunCasesTest, EveryConstructedCasePasses) {
  const Outcome outcome = RunPath(Folder() + "two_clusters.json");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.errors;
  EXPECT_TRUE(outcome.out.ends_with("PASS corrected\n12 passed, 0 failed\n")) << outcome.out;
}

TEST(RunCasesTest, AWrongTotalFailsWithBothFigures) {
  const Outcome outcome = RunPath(Folder() + "one_wrong.json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "PASS namespace\n"
            "FAIL wrong: serve expected 44.3 got 45.000000000; train expected 36.5 got "
            "37.500000000\n1 passed, 1 failed\n");
}

TEST(RunCasesTest, ToleranceIsHalfAUnitOfTheLastDigit) {
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36.55})").code, 1);
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36.504})").code, 1);
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36.6})").code, 1);
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36.50})").code, 0);
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36.53})").code, 1);
  EXPECT_EQ(RunOne(R"("sharedHourlyCost": 0.0002, "expectedTotalCost": {"c": 36.50})").code, 0);
  EXPECT_EQ(RunOne(R"("sharedHourlyCost": 0.0003, "expectedTotalCost": {"c": 36.50})").code, 1);
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36})").code, 1);  // whole numbers are exact
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 37.0})").code, 1);
}

TEST(RunCasesTest, KeysTooManyOrTooFewFail) {
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36.5, "d": 1})").out,
            "FAIL x: d expected 1 got nothing\n0 passed, 1 failed\n");
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {})").out,
            "FAIL x: c expected nothing got 36.500000000\n0 passed, 1 failed\n");
  EXPECT_EQ(RunOne(R"("expectedTotalCost": {"c": 36.5}, "setTotal": 40)").out,
            "FAIL x: setTotal expected 40 got 36.500000000\n0 passed, 1 failed\n");
}

TEST(RunCasesTest, ACaseThatCannotBeAskedFailsAndTheOthersGoOn) {
  EXPECT_EQ(RunOne(R"("filter": "nmspace:\"a\"", "expectedTotalCost": {}}, {"id": "y",
                      "aggregate": ["colour"], "expectedTotalCost": {})")
                .out,
            "FAIL x: no field 'nmspace' to filter by\nFAIL y: no aggregate 'colour'\n"
            "0 passed, 2 failed\n");
}

TEST(RunCasesTest, AFileOfAnotherFormIsRefusedWithWhatIsMissing) {
  const auto refused = [](const std::string& text) {
    const Outcome outcome = RunText(text);
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    return outcome.errors;
  };
  EXPECT_EQ(refused("[]"), ": must be an object\n");
  EXPECT_EQ(refused("12"), ": must be an object\n");
  EXPECT_EQ(refused("{\"allocations\""), ": no JSON at byte 15\n");
  EXPECT_EQ(refused("{}"), ": allocations: is missing\n");
  EXPECT_EQ(refused(R"({"allocations": []})"), ": cases: is missing\n");
  EXPECT_EQ(refused(R"({"allocations": [{"cluster": "c", "cpuCost": "1"}], "cases": []})"),
            ": allocations[0].cpuCost: must be a number\n");
  EXPECT_EQ(refused(R"({"allocations": [{"cpuCost": 1}], "cases": []})"),
            ": allocations[0]: no cluster\n");
  EXPECT_EQ(refused(R"({"allocations": [{"cluster": "c", "diskCost": 1}], "cases": []})"),
            ": allocations[0].diskCost: is no cost of the form\n");
  EXPECT_EQ(refused(R"({"allocations": [], "cases": [{"id": "x", "aggregate": []}]})"),
            ": cases[0] (x): no expectedTotalCost\n");
  EXPECT_EQ(refused(R"({"allocations": [], "cases": [{"id": "x", "aggregate": [],
                        "idleByNode": true, "expectedTotalCost": {}}]})"),
            ": cases[0]: idleByNode needs idle_by_node\n");
  EXPECT_EQ(refused(R"({"allocations": [], "cases": [{"id": "x", "aggregate": [],
                        "split": "odd", "expectedTotalCost": {}}]})"),
            ": cases[0] (x).split: must be \"even\" or \"weighted\", is \"odd\"\n");
  EXPECT_EQ(RunPath("/nowhere/at.all").errors, "/nowhere/at.all: cannot be opened\n");
  EXPECT_EQ(refused(std::string(200, '[')), ": nested deeper than the form\n");
}

}  // namespace
}  // namespace plimsoll
