#include "cli/help.h"

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/text.h"

namespace plimsoll {
namespace {

TEST(HelpTest, LooksLikeThis) {
  std::string by = "team";
  std::vector<std::string> files;
  Command cost;
  cost.name = "cost";
  cost.summary = "Print costs";
  cost.about = "One line a group.";
  cost.example = "tool cost --by model a.csv";
  cost.options = {
      CommandOption::Text("--by,-b", "KEY", "What to group by", &by).OneOf({"team", "model"}),
      CommandOption::Arguments("FILE", "Files", &files).Required()};
  cost.run = [](Context&) -> Result<ExitCode> { return ExitCode::kDone; };
  Command root;
  root.name = "tool";
  root.summary = "A tool";
  root.commands = {cost};
  EXPECT_EQ(HelpText({{&root, &root.commands[0]}, true, false}, 80),
            "Print costs.\n"
            "\n"
            "Usage: tool cost [OPTIONS] FILE...\n"
            "\n"
            "One line a group.\n"
            "\n"
            "Arguments:\n"
            "  FILE...                 Files\n"
            "\n"
            "Options:\n"
            "  --by, -b KEY            What to group by: team, model (default team)\n"
            "  --help, -h              Print this help\n"
            "\n"
            "Examples:\n"
            "  tool cost --by model a.csv\n");
  EXPECT_EQ(HelpText({{&root}, true, false}, 80),
            "A tool.\n"
            "\n"
            "Usage: tool COMMAND [OPTIONS]\n"
            "\n"
            "Commands:\n"
            "  cost                    Print costs\n"
            "\n"
            "Options:\n"
            "  --help, -h              Print this help\n"
            "  --version               Print the version\n");
}

TEST(HelpTest, EveryHelpFitsEightyColumnsButForExamples) {
  const Command root = RootCommand();
  VisitCommands(root, [](const ParsedCommand& called) {
    std::string text = HelpText(called, 80);
    text.erase(std::min(text.find("\nExamples:"), text.size()));
    while (!text.empty()) {
      const std::string line = text.substr(0, text.find('\n'));
      EXPECT_LE(WidthOf(line), 80u) << called.Name() << ": " << line;
      text.erase(0, line.size() + 1);
    }
  });
}

}  // namespace
}  // namespace plimsoll
