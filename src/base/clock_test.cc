#include "base/clock.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(ClockTest, NowIsAfterThisWasWritten) { EXPECT_GT(NowMillis(), 1'760'000'000'000); }

TEST(ClockTest, SteadyTimeNeverStepsBack) {
  std::int64_t last = SteadyMillis();
  for (int i = 0; i < 1'000; ++i) {
    const std::int64_t now = SteadyMillis();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace plimsoll
