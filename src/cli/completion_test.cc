#include "cli/completion.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "cli/help.h"

namespace plimsoll {
namespace {

bool Has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// What bash offers for the last of `words`.
std::string BashOffers(const std::string& words, int count) {
  const auto folder = std::filesystem::temp_directory_path() / "plimsoll-completion-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "script")
      << BashCompletion(RootCommand()) << "COMP_WORDS=(" << words << ")\nCOMP_CWORD=" << count - 1
      << "\n_plimsoll\necho \"${COMPREPLY[*]}\"\n";
  const std::string command =
      "bash " + (folder / "script").string() + " >" + (folder / "out").string() + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::string line;
  std::ifstream out(folder / "out");
  std::getline(out, line);
  std::filesystem::remove_all(folder);
  return line;
}

TEST(CompletionTest, BashOffersCommandsOptionsAndValues) {
  if (!Has("bash")) GTEST_SKIP() << "no bash here";
  EXPECT_EQ(BashOffers("plimsoll sy", 2), "sync");
  EXPECT_EQ(BashOffers("plimsoll ingest pro", 3), "prometheus");
  EXPECT_EQ(BashOffers("plimsoll sync --for", 3), "--format");
  EXPECT_EQ(BashOffers("plimsoll sync --format ''", 4), "table json csv");
  EXPECT_EQ(BashOffers("plimsoll --db x.db ing", 4), "ingest");
  EXPECT_EQ(BashOffers("plimsoll ingest focus ''", 4), "");  // then bash offers files
}

TEST(CompletionTest, EveryScriptHoldsEveryCommandAndOption) {
  const Command root = RootCommand();
  const std::string bash = BashCompletion(root);
  const std::string zsh = ZshCompletion(root);
  const std::string fish = FishCompletion(root);
  VisitCommands(root, [&](const ParsedCommand& called) {
    for (const std::string* script : {&bash, &zsh, &fish}) {
      EXPECT_NE(script->find(called.command().name), std::string::npos) << called.Name();
      for (const CommandOption& option : AllOptionsOf(called.command())) {
        const std::string name = option.Names().front();
        if (option.positional()) continue;
        EXPECT_NE(script->find(script == &fish ? " -l " + name.substr(2) : name), std::string::npos)
            << called.Name() << " " << name;
      }
    }
  });
}

TEST(CompletionTest, ShellsThatAreHereParseTheirScript) {
  const auto folder = std::filesystem::temp_directory_path() / "plimsoll-completion-parse";
  std::filesystem::create_directories(folder);
  const Command root = RootCommand();
  for (const auto& [shell, script] :
       {std::pair{"bash", BashCompletion(root)}, std::pair{"zsh", ZshCompletion(root)},
        std::pair{"fish", FishCompletion(root)}}) {
    if (!Has(shell)) continue;
    std::ofstream(folder / shell) << script;
    EXPECT_EQ(std::system((std::string(shell) + " -n " + (folder / shell).string()).c_str()), 0);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace plimsoll
