#include "cli/command.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(CommandTest, NamesAreSplitLongestFirst) {
  bool flag = false;
  const CommandOption option = CommandOption::Flag("-f,--force", "Force", &flag);
  EXPECT_EQ(option.Names(), (std::vector<std::string>{"--force", "-f"}));
  EXPECT_TRUE(option.flag());
  EXPECT_FALSE(option.positional());
  EXPECT_FALSE(option.repeats());
}

TEST(CommandTest, LargerSetsHoldTheSmaller) {
  CommonOptions values;
  std::size_t before = 0;
  for (const CommonSet set :
       {CommonSet::kNone, CommonSet::kOutput, CommonSet::kStore, CommonSet::kFacts}) {
    const std::size_t size = OptionsOf(set, values).size();
    EXPECT_TRUE(set == CommonSet::kNone ? size == 0 : size > before);
    before = size;
  }
}

}  // namespace
}  // namespace plimsoll
