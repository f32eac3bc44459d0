#include "cli/exit_code.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(ExitCodeTest, EveryErrorHasItsDocumentedCode) {
  EXPECT_EQ(ExitCodeOf(ErrorCode::kInvalidArgument), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kBadData), ExitCode::kBadData);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kNotFound), ExitCode::kBadData);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kFailedPrecondition), ExitCode::kBadData);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kOutOfRange), ExitCode::kBadData);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kUnavailable), ExitCode::kUnavailable);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kInternal), ExitCode::kInternal);
  EXPECT_EQ(static_cast<int>(ExitCode::kInternal), 70);
}

}  // namespace
}  // namespace plimsoll
