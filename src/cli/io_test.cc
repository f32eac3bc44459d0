#include "cli/io.h"

#include <gtest/gtest.h>

#include <map>

namespace plimsoll {
namespace {

TEST(IoTest, ColourOnlyOnATerminalAndNotUnderNoColor) {
  std::map<std::string, std::string> environment;
  Io io;
  io.env = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  EXPECT_FALSE(io.Colour());
  io.out_is_terminal = true;
  EXPECT_TRUE(io.Colour());
  environment["NO_COLOR"] = "";
  EXPECT_TRUE(io.Colour());
  environment["NO_COLOR"] = "1";
  EXPECT_FALSE(io.Colour());
  environment = {{"TERM", "dumb"}};
  EXPECT_FALSE(io.Colour());
}

TEST(IoTest, TheSystemsOwnIsComplete) {
  const Io io = SystemIo();
  EXPECT_TRUE(io.in != nullptr && io.out != nullptr && io.err != nullptr);
  EXPECT_GT(io.now(), *ParseInstant("2026-01-01"));
  EXPECT_GE(io.steady_millis(), 0);
  EXPECT_EQ(io.env("PLIMSOLL_SURELY_NOT_SET"), std::nullopt);
}

}  // namespace
}  // namespace plimsoll
