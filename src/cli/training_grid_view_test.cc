#include "cli/training_grid_view.h"

#include <gtest/gtest.h>

#include "cli/render.h"

namespace plimsoll {
namespace {

// Fleets of 1 to `fleets` units; from unit `meets` on but for `dips` all jobs are in time.
struct Made {
  Made(std::int64_t fleets, std::int64_t meets, std::int64_t dips, bool has_price = true) {
    FleetAxis axis;
    axis.name = "h100";
    axis.flavor = "H100";
    if (has_price) axis.price = Money::Units(2);
    for (std::int64_t i = 1; i <= fleets; ++i) axis.units.push_back(i);
    grid.emplace(*FleetGrid::Of({axis}));
    targets.classes.resize(1);
    targets.classes[0].name = "large";
    targets.classes[0].within = Hours(1);
    targets.classes[0].share = 900'000'000;
    for (std::int64_t i = 1; i <= fleets; ++i) {
      for (int r = 0; r < 8; ++r) {
        ReplicationOutcome outcome;
        outcome.classes.resize(1);
        const bool good = i >= meets && i != dips;
        for (int job = 0; job < 20; ++job) outcome.classes[0].waits.Add(Hours(good ? 0 : 2));
        outcome.classes[0].within = good ? 20 : r;
        outcome.capacity = 100;
        outcome.used = 50;
        outcomes.push_back(outcome);
      }
    }
    answer = AnswerGrid(*grid, targets, outcomes, {});
  }

  Answer View(bool for_people) const {
    return GridAnswerOf({{&targets, 8, 1, "ab", "USD", for_people},
                         &*grid,
                         &answer,
                         {{"work", "", "", 8, "GPU time"}},
                         {}});
  }

  std::optional<FleetGrid> grid;
  SizingTargets targets;
  std::vector<ReplicationOutcome> outcomes;
  GridAnswer answer;
};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TrainingGridViewTest, TheLeastFleetIsTheHeadline) {
  const std::string text = RenderText(Made(6, 4, 0).View(true), {80, false});
  EXPECT_TRUE(Has(text, "Least that meets all targets: h100 4 (32 GPUs) for 46,720.00 USD a month"))
      << text;
  EXPECT_TRUE(Has(text, "6 fleets, 8 replications")) << text;
  EXPECT_TRUE(Has(text, "Lower bounds")) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 86U) << line;
}

TEST(TrainingGridViewTest, AFleetThatDipsIsShownAndWarnedOf) {
  const Made made(6, 3, 5);
  const Answer answer = made.View(true);
  EXPECT_EQ(answer.tables.back().name, "non_monotone");
  EXPECT_EQ(answer.tables.back().rows[0][0], "h100 4");
  EXPECT_EQ(answer.tables.back().rows[0][1], "h100 5");
  ASSERT_FALSE(answer.notes.empty());
  EXPECT_TRUE(Has(answer.notes[0], "do not take the next larger one unseen"));
  EXPECT_TRUE(Has(RenderJson(made.View(false)), "\"holds_above\": false"));
}

TEST(TrainingGridViewTest, NothingThatMeetsIsSaid) {
  const Answer answer = Made(3, 9, 0).View(true);
  EXPECT_EQ(answer.lines[0], "None of the 3 fleets meets all targets: widen --grid");
  const std::string json = RenderJson(Made(3, 9, 0).View(false));
  EXPECT_TRUE(Has(json, "\"least\": {\"fleet\": null")) << json;
}

TEST(TrainingGridViewTest, ALongGridIsShownAroundItsBest) {
  const Made made(60, 30, 0);
  const Answer people = made.View(true), programs = made.View(false);
  EXPECT_EQ(people.tables[0].rows.size(), 20U);
  bool has_best = false;
  for (const Row& row : people.tables[0].rows) has_best = has_best || row[0] == "h100 30";
  EXPECT_TRUE(has_best);
  EXPECT_TRUE(Has(people.notes.back(), "20 of 60 fleets are shown"));
  for (const Table& table : programs.tables) {
    EXPECT_TRUE(table.name != "fleets" || table.rows.size() == 60);
  }
}

TEST(TrainingGridViewTest, WithoutPricesGpusAreCompared) {
  const Answer answer = Made(4, 2, 0, false).View(true);
  EXPECT_TRUE(Has(answer.lines[0], "h100 2 (16 GPUs)"));
  EXPECT_TRUE(Has(answer.notes[0], "no price"));
}

}  // namespace
}  // namespace plimsoll
