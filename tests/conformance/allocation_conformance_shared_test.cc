// OpenCost's table of aggregations, case by case; of 6e the right value, not the accepted one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/case_fields.h"
#include "conformance/run_cases.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

fs::path DataFile(const char* name) {
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  const char* const shared = std::getenv("PLIMSOLL_SHARED");
  const fs::path base = shared == nullptr ? fs::path(root == nullptr ? "." : root) / ".." / "shared"
                                          : fs::path(shared);
  return base / "data" / "opencost" / name;
}

TEST(AllocationConformance, EveryCaseOfTheAggregationTable) {
  const fs::path path = DataFile("aggregateby_golden.json");
  if (!fs::exists(path)) GTEST_SKIP() << "no shared examples in " << path;
  std::ostringstream out, errors;
  EXPECT_EQ(RunCases({path.string()}, out, errors), 0) << out.str() << errors.str();
  EXPECT_NE(out.str().find("PASS 6e\n"), std::string::npos);
  EXPECT_NE(out.str().find("24 passed, 0 failed"), std::string::npos) << out.str();
}

TEST(AllocationConformance, FiltersAreReadOrRefusedAsOpenCostDoes) {
  const fs::path path = DataFile("filter_cases.json");
  if (!fs::exists(path)) GTEST_SKIP() << "no shared examples in " << path;
  std::ifstream stream(path);
  const auto cases = nlohmann::json::parse(stream);
  ASSERT_EQ(cases["valid"].size() + cases["invalid"].size(), 20u);
  for (const auto& valid : cases["valid"]) {
    const auto tree = ParseCaseFilter(valid.get<std::string>());
    EXPECT_TRUE(tree) << tree.error().message;
  }
  for (const auto& invalid : cases["invalid"]) {
    EXPECT_FALSE(ParseCaseFilter(invalid["filter"].get<std::string>())) << invalid["filter"];
  }
}

}  // namespace
}  // namespace plimsoll
