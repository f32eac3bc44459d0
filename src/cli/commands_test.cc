#include "cli/commands.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/help.h"

namespace plimsoll {
namespace {

TEST(CommandsTest, EveryCommandIsDescribedWithAnExample) {
  const Command root = RootCommand();
  VisitCommands(root, [](const ParsedCommand& called) {
    const Command& command = called.command();
    EXPECT_FALSE(command.summary.empty()) << called.Name();
    EXPECT_FALSE(command.summary.ends_with('.')) << called.Name();
    EXPECT_FALSE(command.example.empty()) << called.Name();
    EXPECT_EQ(command.commands.empty(), static_cast<bool>(command.run)) << called.Name();
  });
}

TEST(CommandsTest, OptionNamesOfOneCommandAreUnique) {
  const Command root = RootCommand();
  VisitCommands(root, [](const ParsedCommand& called) {
    std::set<std::string> names{"--help", "-h"};
    for (const CommandOption& option : AllOptionsOf(called.command())) {
      EXPECT_FALSE(option.help.empty() || option.help.ends_with('.'))
          << called.Name() << " " << option.names;
      for (const std::string& name : option.Names()) {
        EXPECT_TRUE(names.insert(name).second) << called.Name() << " " << name;
      }
    }
  });
}

TEST(CommandsTest, EveryExampleParses) {
  const Command root = RootCommand();
  VisitCommands(root, [&](const ParsedCommand& called) {
    std::string rest = called.command().example;
    while (!rest.empty()) {
      const std::string line = rest.substr(0, rest.find('\n'));
      rest.erase(0, line.size() + 1);
      if (!line.starts_with("plimsoll ") || line.find_first_of(">&|") != std::string::npos)
        continue;
      std::vector<std::string> args;
      std::string word;
      for (const char c : line.substr(9) + " ") {
        if (c != ' ') {
          word += c;
        } else if (!word.empty()) {
          args.push_back(word);
          word.clear();
        }
      }
      CommonOptions common;
      const Result<ParsedCommand> parsed = ParseCommandLine(root, common, args);
      EXPECT_TRUE(parsed.has_value()) << line << ": " << (parsed ? "" : parsed.error().message);
    }
  });
}

}  // namespace
}  // namespace plimsoll
