#include <gtest/gtest.h>

#include "report/test_capacity_week.h"
#include "report/test_week.h"

namespace plimsoll {
namespace {

class WeeklyIdleTest : public WeekFixture {};

TEST_F(WeeklyIdleTest, PoolsHaveTheQuestionThatShowsTheirIdleTime) {
  ReportSection section;
  AddIdleUse(AskDay(), TestCapacityWeek(), section);
  const ReportTable* pools = FindTable(section, "idle_pools");
  ASSERT_NE(pools, nullptr);
  EXPECT_EQ(pools->rows.at(0),
            (std::vector<Value>{"c", "H100-SXM-80GB", "16", "128", "64.0", "32.5", "100.0", "12.3",
                                "0.0", "4", "rack: 16"}));
  EXPECT_NE(pools->figures.at(0).find("gpu_model:\"H100-SXM-80GB\""), std::string::npos);
  EXPECT_NE(pools->figures.at(0).find("stranded"), std::string::npos);
  const ReportTable* gangs = FindTable(section, "gangs");
  ASSERT_NE(gangs, nullptr);
  EXPECT_EQ(gangs->rows.at(0),
            (std::vector<Value>{"c", "H100-SXM-80GB", "32", "4", "2", "0", "rack", "0"}));
  const ReportTable* split = FindTable(section, "idle_split");
  ASSERT_NE(split, nullptr);
  EXPECT_EQ(split->rows.at(0)[2], "8 GPUs, 176 CPUs");
  const ReportTable* unfit = FindTable(section, "unfit_jobs");
  ASSERT_NE(unfit, nullptr);
  EXPECT_FALSE(unfit->figures.at(0).empty());
  EXPECT_EQ(Find(section, "unusable_share")->value, "12.3");
  EXPECT_EQ(Find(section, "gpus_idle")->value, "64.0");
}

TEST_F(WeeklyIdleTest, WithoutLabelsGangsAreByNodeAndTheSectionSaysSo) {
  CapacityWeek week = TestCapacityWeek();
  week.pools[0].largest.resize(1);
  week.pools[0].gangs[0].level = "";
  ReportSection section;
  AddIdleUse(AskDay(), week, section);
  EXPECT_EQ(FindTable(section, "gangs")->rows.at(0)[6], "no labels");
  EXPECT_EQ(FindTable(section, "gangs")->rows.at(0)[7], std::nullopt);
  ASSERT_EQ(section.connect.size(), 1u);
  EXPECT_NE(section.connect[0].find("topology labels"), std::string::npos);
}

TEST_F(WeeklyIdleTest, WhatIsNotKnownOfAPoolIsNullAndNotZero) {
  CapacityWeek week = TestCapacityWeek();
  PoolWeek& pool = week.pools[0];
  pool.is_mig = true;
  pool.unusable_ppb = pool.unusable_mean_ppb = std::nullopt;
  pool.largest.clear();
  pool.pod_gpus = 0;
  ReportSection section;
  AddIdleUse(AskDay(), week, section);
  const ReportTable* pools = FindTable(section, "idle_pools");
  EXPECT_EQ(pools->rows.at(0)[1], "H100-SXM-80GB (MIG)");
  EXPECT_EQ(pools->rows.at(0)[6], std::nullopt);
  EXPECT_EQ(pools->rows.at(0)[9], std::nullopt);
  EXPECT_EQ(FindTable(section, "idle_split"), nullptr);
  EXPECT_EQ(Find(section, "unusable_share")->value, std::nullopt);
}

TEST_F(WeeklyIdleTest, WithoutNodesItSaysWhatToConnect) {
  ReportSection section;
  AddIdleUse(AskDay(), {}, section);
  EXPECT_TRUE(section.tables.empty());
  EXPECT_TRUE(section.facts.empty());
  EXPECT_EQ(section.connect.size(), 1u);
}

}  // namespace
}  // namespace plimsoll
