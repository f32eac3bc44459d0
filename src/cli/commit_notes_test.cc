#include "cli/commit_notes.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const Instant kStart = *ParseInstant("2026-12-01T00:00:00Z");

CommitView View() {
  CommitView view;
  view.start = kStart;
  view.currency = "USD";
  view.usage.window = {kStart - Days(60), kStart};
  view.usage.missing = {0};
  CommitAdvice& flavor = view.flavors.emplace_back();
  flavor.flavor = "H100";
  flavor.alone.emplace_back().name = "1y";
  flavor.alone.front().break_even = 550'000'000;
  return view;
}

bool Says(const std::vector<std::string>& sentences, const std::string& text) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST(CommitNotesTest, SaysNothingOfCleanHours) {
  Answer answer;
  AddNotes(View(), answer);
  EXPECT_TRUE(answer.notes.empty());
}

TEST(CommitNotesTest, SaysWhatIsWrongWithTheHours) {
  CommitView view = View();
  view.usage.missing = {5};
  view.usage.duplicates = 2;
  view.usage.rounded = 3;
  view.usage.notes.without_offset = 4;
  view.usage.notes.ignored = {"host"};
  view.usage.window.begin = kStart - Days(10);
  Answer answer;
  AddNotes(view, answer);
  for (const char* text : {"5 hours of the window are missing", "2 rows repeat", "3 values are",
                           "4 hours have no offset", "'host' is not used", "spans 10 days"}) {
    EXPECT_TRUE(Says(answer.notes, text)) << text;
  }
}

TEST(CommitNotesTest, FlavorsWithoutAnOfferAreNamed) {
  CommitView view = View();
  view.flavors.front().alone.clear();
  Answer answer;
  AddNotes(view, answer);
  EXPECT_TRUE(Says(answer.notes, "no offer has a rate for H100"));
  view.spends.emplace_back().advice.flavors = {"H100"};
  answer.notes.clear();
  AddNotes(view, answer);
  EXPECT_FALSE(Says(answer.notes, "no offer"));
}

TEST(CommitNotesTest, ManyFlavorsAreOneLine) {
  CommitView view = View();
  view.flavors.front().units = 3;
  view.flavors.resize(9, view.flavors.front());
  view.flavors.back().units = 0;
  Answer answer;
  AddLines(view, {}, answer);
  EXPECT_EQ(answer.lines.front(), "Commit to 24 units of 8 of 9 flavors");
}

TEST(CommitNotesTest, FallingUseAndPriceCutsAreTold) {
  CommitView view = View();
  view.flavors.front().units = view.flavors.front().units_long = 10;
  view.flavors.front().units_recent = 2;
  view.flavors.front().break_even_price_cut = 450'000'000;
  Answer answer;
  AddNotes(view, answer);
  EXPECT_TRUE(Says(answer.notes, "H100: the recent days alone ask for 2, all of them for 10"));
  EXPECT_TRUE(Says(answer.notes, "from here on: H100: 45 %"));
}

TEST(CommitNotesTest, HeadlineSaysWhatToBuyAndWhatItSaves) {
  CommitView view = View();
  view.flavors.front().units = 4;
  view.flavors.front().purchases = {{0, 0, 4}, {0, 12, 9}};
  Answer answer;
  AddLines(view, {Money::Units(60), Money::Units(80), 570'000'000, 1'000'000'000}, answer);
  ASSERT_EQ(answer.lines.size(), 2U);
  EXPECT_TRUE(Says(answer.lines, "Commit to 4 units of H100: 1y"));
  EXPECT_TRUE(Says(answer.lines,
                   "20.00 saved (25 %); 57 % of use is covered, what is bought is "
                   "used 100 %"));
}

TEST(CommitNotesTest, CommitmentsWithoutUseAreIdleUntilTheyExpire) {
  CommitView view = View();
  view.existing = {{"a", "B200", 2, Money::Units(20), kStart + Days(1)},
                   {"b", "B200", 2, Money::Units(20), kStart},
                   {"c", "H100", 2, Money::Units(20), kStart + Days(1)}};
  ASSERT_EQ(UnmatchedExisting(view).size(), 1U);
  EXPECT_EQ(UnmatchedExisting(view).front().name, "a");
}

}  // namespace
}  // namespace plimsoll
