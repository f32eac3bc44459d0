#include "cli/man.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "cli/help.h"

namespace plimsoll {
namespace {

std::string Unescaped(std::string page) {
  for (std::size_t at = 0; (at = page.find("\\-", at)) != std::string::npos;) page.erase(at, 1);
  return page;
}

TEST(ManTest, HoldsEveryCommandAndOptionOfTheHelp) {
  const Command root = RootCommand();
  const std::string page = Unescaped(ManPage(root, "1.2.3"));
  VisitCommands(root, [&](const ParsedCommand& called) {
    if (called.path.size() == 1) return;
    const std::size_t section = page.find(".SS \"" + UsageLine(called) + "\"");
    ASSERT_NE(section, std::string::npos) << called.Name();
    const std::string part = page.substr(section, page.find(".SS", section + 1) - section);
    for (const CommandOption& option : AllOptionsOf(called.command())) {
      EXPECT_NE(part.find(OptionHead(option)), std::string::npos)
          << called.Name() << " " << option.names;
    }
  });
  EXPECT_NE(page.find("--version"), std::string::npos);
}

TEST(ManTest, IsTheSameEachTime) {
  EXPECT_EQ(ManPage(RootCommand(), "1.2.3"), ManPage(RootCommand(), "1.2.3"));
}

TEST(ManTest, FormatsWithoutAWarning) {
  if (std::system("command -v groff >/dev/null 2>&1") != 0) GTEST_SKIP() << "no groff here";
  const auto folder = std::filesystem::temp_directory_path() / "plimsoll-man-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "page.1") << ManPage(RootCommand(), "1.2.3");
  const std::string command = "groff -man -Tutf8 -ww " + (folder / "page.1").string() + " >" +
                              (folder / "out").string() + " 2>" + (folder / "err").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::stringstream err;
  err << std::ifstream(folder / "err").rdbuf();
  EXPECT_EQ(err.str(), "");
  EXPECT_GT(std::filesystem::file_size(folder / "out"), 1'000u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace plimsoll
