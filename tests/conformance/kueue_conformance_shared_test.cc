// Kueue's own table tests of preemption, case by case.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "conformance/kueue_cases.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

fs::path DataFile(const char* name) {
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  const char* const shared = std::getenv("PLIMSOLL_SHARED");
  const fs::path base = shared == nullptr ? fs::path(root == nullptr ? "." : root) / ".." / "shared"
                                          : fs::path(shared);
  return base / "data" / "traces" / "kueue_conformance" / name;
}

class KueueConformance : public ::testing::TestWithParam<const char*> {};

TEST_P(KueueConformance, EveryCaseOfTheTable) {
  const fs::path path = DataFile(GetParam());
  if (!fs::exists(path)) GTEST_SKIP() << "no shared examples in " << path;
  std::ostringstream out, errors;
  EXPECT_EQ(RunKueueCases({path.string()}, out, errors), 0) << out.str() << errors.str();
  EXPECT_GE(std::atoi(out.str().c_str()), 27) << out.str();  // "28 passed, 0 failed"
}

INSTANTIATE_TEST_SUITE_P(Preemption, KueueConformance,
                         ::testing::Values("preemption_cases.json", "fair_preemption_cases.json"));

}  // namespace
}  // namespace plimsoll
