#include "cli/training_fill_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/render.h"

namespace plimsoll {
namespace {

TrainingFillView ViewOf(const std::vector<PlacementPolicy>& policies, bool for_people) {
  std::vector<NodeSpec> nodes;
  for (int i = 0; i < 12; ++i) nodes.push_back({std::to_string(i), 0, 64'000, 262'144, 8, {}});
  const Cluster cluster({"A"}, DomainTree(), nodes);
  const std::vector<PodShape> pods{{4'000, 8'192, 1, 500, kAnyFlavor},
                                   {16'000, 16'384, 1, 1'000, kAnyFlavor},
                                   {8'000, 16'384, 0, 1'000, kAnyFlavor}};
  TrainingFillView view;
  view.nodes = 12;
  view.pods = 3;
  view.options.runs = 2;
  view.for_people = for_people;
  for (const PlacementPolicy policy : policies) {
    view.options.policy = policy;
    view.outcomes.push_back({policy, *RunFill(cluster, pods, view.options)});
  }
  return view;
}

const Table& TableOf(const Answer& answer, const std::string& name) {
  const auto found = std::ranges::find(answer.tables, name, &Table::name);
  EXPECT_NE(found, answer.tables.end()) << name;
  return *found;
}

TEST(TrainingFillViewTest, EveryRowIsAsWideAsItsTable) {
  for (const bool for_people : {false, true}) {
    for (const auto& policies : {std::vector{PlacementPolicy::kFgd},
                                 std::vector{PlacementPolicy::kFgd, PlacementPolicy::kRandom}}) {
      for (const Table& table : TrainingFillAnswer(ViewOf(policies, for_people)).tables) {
        EXPECT_FALSE(table.rows.empty()) << table.name;
        for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
      }
    }
  }
}

TEST(TrainingFillViewTest, ThePolicyThatAllocatesMostIsToldFirst) {
  const Answer answer =
      TrainingFillAnswer(ViewOf({PlacementPolicy::kRandom, PlacementPolicy::kPacking}, true));
  const Table& policies = TableOf(answer, "policies");
  EXPECT_EQ(answer.lines[0].substr(0, policies.rows[0][0]->size()), *policies.rows[0][0]);
  EXPECT_EQ(answer.facts[0].value, policies.rows[0][0]);
}

TEST(TrainingFillViewTest, PeopleSeeWordsAndProgramsNames) {
  const Answer people = TrainingFillAnswer(ViewOf({PlacementPolicy::kFgd}, true));
  EXPECT_EQ(people.tables.back().rows[2][0], "stranded: no CPU beside it");
  const Answer programs = TrainingFillAnswer(ViewOf({PlacementPolicy::kFgd}, false));
  EXPECT_EQ(TableOf(programs, "idle").rows[2][1], "lacks_cpu");
  EXPECT_EQ(TableOf(programs, "runs").rows.size(), 2U);
}

TEST(TrainingFillViewTest, TablesForPeopleFitEightyColumns) {
  const std::vector<PlacementPolicy> all{PlacementPolicy::kRandom,     PlacementPolicy::kDotProduct,
                                         PlacementPolicy::kClustering, PlacementPolicy::kPacking,
                                         PlacementPolicy::kBestFit,    PlacementPolicy::kFgd};
  for (const auto& policies : {all, std::vector{PlacementPolicy::kFgd}}) {
    for (const Table& table : TrainingFillAnswer(ViewOf(policies, true)).tables) {
      std::istringstream lines(RenderText(table, {}));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

}  // namespace
}  // namespace plimsoll
