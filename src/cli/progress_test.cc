#include "cli/progress.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace plimsoll {
namespace {

class ProgressTest : public ::testing::Test {
 protected:
  ProgressTest() {
    io_.err = &err_;
    io_.err_is_terminal = true;
    io_.columns = 40;
    io_.steady_millis = [this] { return millis_; };
  }
  std::ostringstream err_;
  std::int64_t millis_ = 0;
  Io io_;
};

TEST_F(ProgressTest, DrawsOneLineAndWipesIt) {
  {
    ProgressLine line(io_, true);
    line.AsCallback()("focus", 1'500, 6'000);
    EXPECT_EQ(err_.str(), "\r\033[Kfocus: 1,500 of 6,000 (25 %)");
  }
  EXPECT_EQ(err_.str(), "\r\033[Kfocus: 1,500 of 6,000 (25 %)\r\033[K");
}

TEST_F(ProgressTest, DrawsAtMostTenTimesASecond) {
  ProgressLine line(io_, true);
  for (millis_ = 0; millis_ < 1'000; ++millis_) line.Draw("x", millis_, 0);
  std::size_t drawn = 0;
  for (std::size_t at = 0; (at = err_.str().find('\r', at)) != std::string::npos; ++at) ++drawn;
  EXPECT_EQ(drawn, 10u);
}

TEST_F(ProgressTest, DrawsNothingOffATerminalOrWhenQuiet) {
  ProgressLine(io_, false).Draw("x", 1, 2);
  io_.err_is_terminal = false;
  ProgressLine(io_, true).Draw("x", 1, 2);
  EXPECT_EQ(err_.str(), "");
}

TEST_F(ProgressTest, FitsTheTerminalAndTheLargestCounts) {
  ProgressLine line(io_, true);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  line.Draw("a very long description of what is done\x1b[2J", most, most);
  EXPECT_EQ(err_.str(), "\r\033[Ka very long description of what is don…");
}

}  // namespace
}  // namespace plimsoll
