#include "cli/parse.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

// A small program: `tool cost [--by KEY] [--limit N] [--all] FILE...`, `tool plan now`.
class ParseTest : public ::testing::Test {
 protected:
  ParseTest() {
    const auto run = [](Context&) -> Result<ExitCode> { return ExitCode::kDone; };
    Command cost;
    cost.name = "cost";
    cost.summary = "Print costs";
    cost.common = CommonSet::kFacts;
    cost.options = {
        CommandOption::Text("--by,-b", "KEY", "What to group by", &by_).OneOf({"team", "model"}),
        CommandOption::Number("--limit", "N", "Rows", &limit_),
        CommandOption::Number("--seed", "N", "A seed", &seed_).From(0),
        CommandOption::Number("--days", "N", "Days", &days_).Range(1, 92),
        CommandOption::Flag("--all", "Everything", &all_),
        CommandOption::List("--tag", "TAG", "A tag", &tags_),
        CommandOption::Arguments("FILE", "Files", &files_)};
    cost.run = run;
    Command now;
    now.name = "now";
    now.summary = "Plan now";
    now.run = run;
    now.options = {CommandOption::Text("--why", "TEXT", "The reason", &why_).Required()};
    Command plan;
    plan.name = "plan";
    plan.summary = "Plans";
    plan.commands = {now};
    root_.name = "tool";
    root_.summary = "A tool";
    root_.commands = {cost, plan};
  }

  std::string Parse(const std::vector<std::string>& args) {
    const Result<ParsedCommand> parsed = ParseCommandLine(root_, common_, args);
    if (!parsed) {
      EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
      return parsed.error().message;
    }
    return parsed->Name() + (parsed->help ? " help" : "") + (parsed->version ? " version" : "");
  }

  std::string by_, why_;
  std::int64_t limit_ = 10, seed_ = 0, days_ = 7;
  bool all_ = false;
  std::vector<std::string> tags_, files_;
  Command root_;
  CommonOptions common_;
};

TEST_F(ParseTest, NumbersKeepToTheirRange) {
  EXPECT_EQ(Parse({"cost", "a.csv", "--seed", "0", "--days", "92"}), "tool cost");
  EXPECT_EQ(days_, 92);
  EXPECT_EQ(Parse({"cost", "a.csv", "--seed", "-1"}), "--seed '-1' is not a whole number from 0");
  EXPECT_EQ(Parse({"cost", "a.csv", "--days", "93"}),
            "--days '93' is not a whole number from 1 to 92");
  EXPECT_EQ(Parse({"cost", "a.csv", "--limit", "1.5"}),
            "--limit '1.5' is not a whole number, such as 10");
}

TEST_F(ParseTest, SetsWhatWasGivenAndLeavesTheRest) {
  EXPECT_EQ(Parse({"cost", "a.csv", "--by", "team", "--tag", "x", "b.csv", "--tag=y"}),
            "tool cost");
  EXPECT_EQ(by_, "team");
  EXPECT_EQ(limit_, 10);
  EXPECT_FALSE(all_);
  EXPECT_EQ(tags_, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(files_, (std::vector<std::string>{"a.csv", "b.csv"}));
}

TEST_F(ParseTest, AnOptionOfOneValueIsNotGivenTwoDifferentOnes) {
  EXPECT_EQ(Parse({"cost", "a", "--by", "team", "-b", "model"}),
            "--by is given as 'team' and as 'model'; it takes one value: keep one");
  EXPECT_EQ(Parse({"cost", "a", "--limit", "1", "--limit=2"}),
            "--limit is given as '1' and as '2'; it takes one value: keep one");
  EXPECT_EQ(Parse({"cost", "a", "--by", "model", "--by", "model", "--all", "--all"}), "tool cost");
  EXPECT_EQ(by_, "model");
}

TEST_F(ParseTest, SharedOptionsMayStandBeforeOrAfterTheCommand) {
  EXPECT_EQ(Parse({"--format", "json", "--from", "a=b", "cost", "--from", "c=d", "-v"}),
            "tool cost");
  EXPECT_EQ(common_.format, "json");
  EXPECT_EQ(common_.from, (std::vector<std::string>{"a=b", "c=d"}));
  EXPECT_TRUE(common_.verbose);
}

TEST_F(ParseTest, AFromTakesOneValueSoThatFilesMayFollow) {
  EXPECT_EQ(Parse({"cost", "--from", "a=b", "file"}), "tool cost");
  EXPECT_EQ(common_.from, std::vector<std::string>{"a=b"});
  EXPECT_EQ(files_, std::vector<std::string>{"file"});
}

TEST_F(ParseTest, AFileMayHaveTheNameOfACommand) {
  EXPECT_EQ(Parse({"cost", "a", "plan", "now"}), "tool cost");
  EXPECT_EQ(files_, (std::vector<std::string>{"a", "plan", "now"}));
}

TEST_F(ParseTest, HelpAndVersionNeedNothingElse) {
  EXPECT_EQ(Parse({"--help"}), "tool help");
  EXPECT_EQ(Parse({"plan", "now", "--help"}), "tool plan now help");
  EXPECT_EQ(Parse({"plan", "-h"}), "tool plan help");
  EXPECT_EQ(Parse({"--version"}), "tool version");
}

TEST_F(ParseTest, UnknownWordsSuggestTheNearest) {
  EXPECT_EQ(Parse({"csot"}), "unknown command 'csot' of tool; did you mean 'cost'?");
  EXPECT_EQ(Parse({"csot", "--by", "team"}),
            "unknown command 'csot' of tool; did you mean 'cost'?");
  EXPECT_EQ(Parse({"zzzzzzz"}), "unknown command 'zzzzzzz' of tool; see tool --help");
  EXPECT_EQ(Parse({"plan", "nwo"}), "unknown command 'nwo' of tool plan; did you mean 'now'?");
  EXPECT_EQ(Parse({"cost", "--limti=3"}),
            "unknown option '--limti' of tool cost; did you mean '--limit'?");
  EXPECT_EQ(Parse({"cost", "--fromat", "json"}),
            "unknown option '--fromat' of tool cost; did you mean '--format'?");
  EXPECT_EQ(Parse({"plan", "now", "--why", "x", "extra"}),
            "unexpected argument 'extra' of tool plan now; see tool plan now --help");
}

TEST_F(ParseTest, BadValuesAreErrors) {
  EXPECT_EQ(Parse({"cost", "--by", "taem"}),
            "--by 'taem' is not one of team, model; did you mean 'team'?");
  EXPECT_EQ(Parse({"cost", "--limit", "ten"}), "--limit 'ten' is not a whole number, such as 10");
  EXPECT_EQ(Parse({"cost", "--limit", "99999999999999999999"}),
            "--limit '99999999999999999999' is not a whole number, such as 10");
  EXPECT_EQ(Parse({"cost", "--format", "xml"}), "--format 'xml' is not one of table, json, csv");
  EXPECT_NE(Parse({"cost", "--by"}).find("--by"), std::string::npos);
}

TEST_F(ParseTest, WhatIsMissingIsNamed) {
  EXPECT_EQ(Parse({}), "tool needs a command: cost, plan");
  EXPECT_EQ(Parse({"plan"}), "tool plan needs a command: now");
  EXPECT_EQ(Parse({"plan", "now"}),
            "tool plan now needs --why: The reason; see tool plan now --help");
}

TEST_F(ParseTest, ASharedOptionThatTheCommandDoesNotTakeIsAnError) {
  EXPECT_EQ(Parse({"--db", "x", "plan", "now", "--why", "y"}), "tool plan now does not take --db");
}

}  // namespace
}  // namespace plimsoll
