#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

RunWeek MadeRun(const std::string& name, std::int64_t effective, std::int64_t restart,
                std::optional<Money> cost) {
  RunWeek run;
  run.run = name;
  run.experiment = "lm";
  run.time[static_cast<std::size_t>(TimeCause::kEffective)] = WholeGpuHours(effective);
  run.time[static_cast<std::size_t>(TimeCause::kRestart)] = WholeGpuHours(restart);
  run.failures = 1;
  run.cost = cost;
  if (cost) run.failure_loss = Money::Units(3);
  if (cost) run.recomputation = Money::Units(2);
  return run;
}

UnitPoint Week(int number, std::int64_t output, std::int64_t hours, std::int64_t cost) {
  const Instant begin = AtMillis(0) + Days(7 * number);
  return {{begin, begin + Days(7)}, {{"chat", {output, WholeGpuHours(hours), Money::Units(cost)}}}};
}

class WeeklyUnitTest : public WeekFixture {
 protected:
  static ReportSection Section() {
    ReportSection section;
    section.connect = {"connect a log"};
    return section;
  }
};

TEST_F(WeeklyUnitTest, WithoutRunsAndRequestsTheSectionsStayAsTheyWere) {
  ReportSection section = Section();
  ASSERT_TRUE(AddRunEconomics(AskDay(), {}, section));
  ASSERT_TRUE(AddServiceEconomics(AskDay(), {}, section));
  EXPECT_TRUE(section.facts.empty());
  EXPECT_TRUE(section.tables.empty());
  EXPECT_EQ(section.connect.size(), 1U);
}

TEST_F(WeeklyUnitTest, RunsAddUpByCauseAndWhatJoinsNoCostIsSaid) {
  UnitWeek week;
  week.runs = {MadeRun("cheap", 3, 1, Money::Units(8)), MadeRun("dear", 4, 0, Money::Units(9)),
               MadeRun("unpriced", 2, 2, std::nullopt)};
  ReportSection section = Section();
  ASSERT_TRUE(AddRunEconomics(AskDay(), week, section));
  EXPECT_EQ(Find(section, "gpu_hours_effective")->value, "9.000000000");
  EXPECT_EQ(Find(section, "gpu_hours_effective")->note,
            "75.0 % of the 12.0 that 3 run logs tell of");
  EXPECT_EQ(Find(section, "recomputation_cost")->value, "4.000000000");
  EXPECT_EQ(Find(section, "recomputation_cost")->note, "1 runs join no cost line");
  EXPECT_EQ(Find(section, "failure_loss")->value, "6.000000000");
  const ReportTable* runs = FindTable(section, "run_economics");
  ASSERT_EQ(runs->rows.size(), 3U);
  EXPECT_EQ(runs->rows[0][0], "dear");
  EXPECT_EQ(runs->rows[1][4], "75.0");
  EXPECT_EQ(runs->rows[2][8], std::nullopt);  // no cost is not 0
  const ReportTable* time = FindTable(section, "run_time");
  ASSERT_EQ(time->rows.size(), 3U);
  // Of 8 for three of four hours and 9 for all of four: 6 + 9 and 2.
  EXPECT_EQ(time->rows[0][4], "15.000000000");
  EXPECT_EQ(time->rows[1], (std::vector<Value>{"restart", "from a failure to the next step",
                                               "3.000000000", "25.0", "2.000000000"}));
  EXPECT_EQ(time->rows[2][2], "12.000000000");
  EXPECT_EQ(time->rows[2][4], "17.000000000");
  EXPECT_EQ(FindTable(section, "experiments"), nullptr);
  EXPECT_TRUE(section.connect.empty());
}

TEST_F(WeeklyUnitTest, TheSummarySaysWhatTheTimeWasMadeInto) {
  UnitWeek week;
  EXPECT_TRUE(UnitSentences(AskDay(), week)->empty());
  week.runs = {MadeRun("a", 3, 1, Money::Units(8))};
  week.services = {{"chat", 2'000, 1'800, 1'000, 900, {}, {}, {}, {}, {}, {}}};
  EXPECT_EQ(*UnitSentences(AskDay(), week),
            (std::vector<std::string>{"1 training run spent 75.0 % of 4.0 GPU-hours on steps that "
                                      "were kept; failures lost 3.00 USD.",
                                      "90.0 % of 2,000 requests were good."}));
  week.runs = {MadeRun("b", 1, 1, std::nullopt), MadeRun("c", 1, 1, std::nullopt)};
  week.inference = {
      {"good_tokens", "1M good output tokens", "service", 1'000'000, {Week(1, 1'000'000, 15, 45)}}};
  EXPECT_EQ(*UnitSentences(AskDay(), week),
            (std::vector<std::string>{
                "2 training runs spent 50.0 % of 4.0 GPU-hours on steps that were kept.",
                "90.0 % of 2,000 requests were good; 1M good output tokens cost 45.00 USD."}));
}

TEST_F(WeeklyUnitTest, UnpricedRunsHaveNoCostByCause) {
  UnitWeek week;
  week.runs = {MadeRun("unpriced", 2, 2, std::nullopt)};
  ReportSection section = Section();
  ASSERT_TRUE(AddRunEconomics(AskDay(), week, section));
  for (const auto& row : FindTable(section, "run_time")->rows) EXPECT_EQ(row[4], std::nullopt);
}

TEST_F(WeeklyUnitTest, OfManyRunsTheDearestAreShownAndTheirNumberIsSaid) {
  UnitWeek week;
  for (int i = 0; i < 14; ++i) {
    week.runs.push_back(MadeRun("run" + std::to_string(i), 1, 0, Money::Units(i)));
  }
  ReportSection section = Section();
  ASSERT_TRUE(AddRunEconomics(AskDay(), week, section));
  const ReportTable* runs = FindTable(section, "run_economics");
  EXPECT_EQ(runs->rows.size(), 12U);
  EXPECT_EQ(runs->rows.front().front(), "run13");
  EXPECT_EQ(runs->caption, "Runs by cost: what lies in the week; the 12 that cost most of 14");
}

TEST_F(WeeklyUnitTest, ExperimentsSayWhatTheirTargetCost) {
  UnitWeek week;
  week.runs = {MadeRun("a", 3, 1, Money::Units(8))};
  week.experiments = {{"lm", "loss<=2.25,window=3", 4, 1, "a", Money::Units(6), "2.17"},
                      {"fp8", "loss<=2.25,window=3", 2, 0, "", std::nullopt, "2.45"}};
  ReportSection section = Section();
  ASSERT_TRUE(AddRunEconomics(AskDay(), week, section));
  const ReportTable* table = FindTable(section, "experiments");
  ASSERT_EQ(table->rows.size(), 2U);
  EXPECT_EQ(table->rows[0], (std::vector<Value>{"lm", "loss<=2.25,window=3", "4", "1", "2.17", "a",
                                                "6.000000000"}));
  EXPECT_EQ(table->rows[1][6], std::nullopt);
}

TEST_F(WeeklyUnitTest, AServicesFactorsAreShownWhereTheyAreKnown) {
  UnitWeek week;
  week.services = {{"chat",
                    100,
                    90,
                    1'000,
                    900,
                    Money::Units(45),
                    {},
                    Money::Units(50),
                    {},
                    "0.0124999",
                    ServiceFactors{"40.000000000", "1.1250", "1.1111", "1.0000", "1.0000", false}},
                   {"new", 1, 1, 1, 1, {}, {}, {}, {}, {}, {}}};
  ReportSection section = Section();
  ASSERT_TRUE(AddServiceEconomics(AskDay(), week, section));
  const ReportTable* table = FindTable(section, "service_factors");
  ASSERT_EQ(table->rows.size(), 1U);
  EXPECT_EQ(table->rows[0],
            (std::vector<Value>{"chat", "40.000000000", "while any request ran", "1.1250", "1.1111",
                                "1.0000", "1.0000", "50.000000000"}));
  EXPECT_EQ(FindTable(section, "service_economics")->rows[0][8], "0.012");
}

TEST_F(WeeklyUnitTest, AUnitCostHasItsTrendAndTheReasonsOfItsMove) {
  UnitWeek week;
  week.services = {
      {"chat", 100, 90, 1'000, 900, Money::Units(45), {}, {}, Money::Units(4), "0.5", {}}};
  week.inference = {{"good_tokens",
                     "1M good output tokens",
                     "service",
                     1'000'000,
                     {Week(0, 1'000'000, 10, 20), Week(1, 1'000'000, 15, 45)}}};
  ReportSection section = Section();
  ASSERT_TRUE(AddServiceEconomics(AskDay(), week, section));
  EXPECT_EQ(Find(section, "cost_per_million_tokens")->value, "45.000000000");
  EXPECT_EQ(Find(section, "cost_per_million_tokens")->note, "90.0 % of 100 requests were good");
  EXPECT_EQ(Find(section, "throughput_in_slo")->value, "0.001");  // 90 in a day
  const ReportTable* change = FindTable(section, "change_good_tokens");
  ASSERT_EQ(change->rows.size(), 6U);
  EXPECT_EQ(change->rows[3][1], "10.000000000");  // efficiency: 5 more hours at 2
  EXPECT_EQ(change->rows[4][1], "15.000000000");  // price: 15 hours, each 1 dearer
  EXPECT_EQ(FindTable(section, "trend_good_tokens")->rows[0][4], "20.000000000");
  EXPECT_EQ(section.charts.size(), 1U);
  const auto alerts = UnitAlerts(AskDay(), week);
  ASSERT_TRUE(alerts);
  ASSERT_EQ(alerts->size(), 1U);
  EXPECT_EQ(alerts->front(),
            "The cost of 1M good output tokens moved by +125.0 % against the weeks before: 45.00 "
            "USD after 20.00; its band is 20 %.");
  week.band.percent = 200;
  EXPECT_TRUE(UnitAlerts(AskDay(), week)->empty());
}

}  // namespace
}  // namespace plimsoll
