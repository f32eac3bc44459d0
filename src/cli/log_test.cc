#include "cli/log.h"

#include <gtest/gtest.h>

#include <sstream>

namespace plimsoll {
namespace {

std::string Said(Loudness loudness) {
  std::ostringstream err;
  Log log(err, loudness);
  log.Error("{} failed");
  log.Warn("careful");
  log.Say("hello");
  log.Detail("small");
  return err.str();
}

TEST(LogTest, SaysWhatTheLoudnessAllows) {
  EXPECT_EQ(Said(Loudness::kQuiet), "plimsoll: error: {} failed\n");
  EXPECT_EQ(Said(Loudness::kNormal),
            "plimsoll: error: {} failed\nplimsoll: warning: careful\nhello\n");
  EXPECT_EQ(Said(Loudness::kVerbose),
            "plimsoll: error: {} failed\nplimsoll: warning: careful\nhello\n"
            "plimsoll: debug: small\n");
}

TEST(LogTest, WhatAFileHoldsCannotSteerTheTerminal) {
  std::ostringstream err;
  Log log(err, Loudness::kNormal);
  log.Error("x.csv:1: 'a\x1b[2J\xFF'\nsecond line");
  log.Say("\x07");
  EXPECT_EQ(err.str(), "plimsoll: error: x.csv:1: 'a?[2J?'\nsecond line\n?\n");
}

}  // namespace
}  // namespace plimsoll
