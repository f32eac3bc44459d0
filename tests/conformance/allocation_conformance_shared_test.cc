// OpenCost's table of aggregations, case by case; of 6e the right value, not the accepted one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "conformance/run_cases.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

TEST(AllocationConformance, EveryCaseOfTheAggregationTable) {
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  const char* const shared = std::getenv("PLIMSOLL_SHARED");
  const fs::path base = shared == nullptr ? fs::path(root == nullptr ? "." : root) / ".." / "shared"
                                          : fs::path(shared);
  const fs::path path = base / "data" / "opencost" / "aggregateby_golden.json";
  if (!fs::exists(path)) GTEST_SKIP() << "no shared examples in " << path;
  std::ostringstream out, errors;
  EXPECT_EQ(RunCases({path.string()}, out, errors), 0) << out.str() << errors.str();
  EXPECT_NE(out.str().find("PASS 6e\n"), std::string::npos);
  EXPECT_NE(out.str().find("24 passed, 0 failed"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace plimsoll
