#include "cli/mig_view.h"

#include <gtest/gtest.h>

#include "cli/render.h"

namespace plimsoll {
namespace {

class MigViewTest : public ::testing::Test {
 protected:
  MigViewTest()
      : catalog_(*Catalog::Load(BuiltinCatalogFiles())),
        geometry_(*MigGeometry::Of(*catalog_.FindGpu("A100-80GB"))) {
    view_ = {&geometry_, CardPrice{*Money::Parse("2.000000001"), "test"}, "USD", 1};
  }

  Catalog catalog_;
  MigGeometry geometry_;
  MigView view_;
};

TEST_F(MigViewTest, CostsOfAFullCardAddUpToIt) {
  MigCounts counts(geometry_.profiles().size(), 0);
  counts[*geometry_.FindProfile("3g")] = 2;
  const Result<Answer> answer = MigProfilesAnswer(view_, counts);
  ASSERT_TRUE(answer.has_value());
  Money sum;
  for (const Row& row : answer->tables[0].rows) sum += *Money::Parse(*row.back());
  EXPECT_EQ(sum, view_.price->per_hour);
}

TEST_F(MigViewTest, WhatIsLeftOfACardIsPartOfItsPrice) {
  SliceModel model;
  model.name = "m";
  model.memory_mib = 5'000;
  model.replicas = 9;
  const std::vector<SliceModel> models{model};
  const Result<MigPlan> plan = PlanMig(geometry_, models);
  ASSERT_TRUE(plan.has_value());
  const Result<Answer> answer = MigPlanAnswer(view_, *plan, false);
  ASSERT_TRUE(answer.has_value());
  ASSERT_EQ(answer->tables[1].name, "card_costs");
  Money sum;
  for (const Row& row : answer->tables[0].rows) sum += *Money::Parse(*row.back());
  for (const Row& row : answer->tables[1].rows) {
    sum += *Money::Parse(*row[4]) + *Money::Parse(*row[5]);
  }
  EXPECT_EQ(sum, view_.price->per_hour + view_.price->per_hour);
}

TEST_F(MigViewTest, WithoutAPriceCostIsNull) {
  view_.price.reset();
  MigCounts counts(geometry_.profiles().size(), 0);
  counts[0] = 1;
  const Result<Answer> answer = MigProfilesAnswer(view_, counts);
  ASSERT_TRUE(answer.has_value());
  const std::string json = RenderJson(*answer);
  EXPECT_NE(json.find("\"cost_per_hour\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\"card_price_per_hour\": null"), std::string::npos) << json;
}

TEST_F(MigViewTest, ACutSearchSaysItsGap) {
  MigPlan plan;
  plan.packing.cards.assign(5, &geometry_.partitions().front());
  plan.packing.lower_bound = 3;
  const Result<Answer> answer = MigPlanAnswer(view_, plan, true);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->lines[1], "The search was cut: 5 cards found, at least 3 needed (gap 2)");
}

TEST_F(MigViewTest, CardsThatAreAlikeAreOneRow) {
  SliceModel model;
  model.name = "m";
  model.memory_mib = 5'000;
  model.replicas = 21;
  const std::vector<SliceModel> models{model};
  const Result<MigPlan> plan = PlanMig(geometry_, models);
  ASSERT_TRUE(plan.has_value());
  const Result<Answer> answer = MigPlanAnswer(view_, *plan, true);
  ASSERT_TRUE(answer.has_value());
  ASSERT_EQ(answer->tables[0].rows.size(), 1U);
  EXPECT_EQ(answer->tables[0].rows[0], (Row{"3", "7x 1g.10gb m"}));
}

}  // namespace
}  // namespace plimsoll
