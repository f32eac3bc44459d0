// Kueue's own table test of topology assignments, case by case.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "conformance/kueue_tas_cases.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

TEST(KueueTasConformance, EveryCaseOfTheTableOfTopologyAssignments) {
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  const char* const shared = std::getenv("PLIMSOLL_SHARED");
  const fs::path base = shared == nullptr ? fs::path(root == nullptr ? "." : root) / ".." / "shared"
                                          : fs::path(shared);
  const fs::path path = base / "data" / "traces" / "kueue_conformance" / "tas_cases.json";
  if (!fs::exists(path)) GTEST_SKIP() << "no shared examples in " << path;
  std::ifstream in(path);
  std::ostringstream out;
  const auto tally = RunTopologyCases(nlohmann::json::parse(in), out);
  ASSERT_TRUE(tally) << tally.error().message;
  EXPECT_EQ(tally->failed, 0) << out.str();
  EXPECT_GE(tally->passed, 110);
}

}  // namespace
}  // namespace plimsoll
