#include "cli/training_runs_view.h"

#include <gtest/gtest.h>

#include "capacity/sizing/start_curve.h"
#include "cli/render.h"

namespace plimsoll {
namespace {

SizingTargets Targets() {
  SizingTargets targets;
  targets.classes.resize(2);
  targets.classes[0].name = "small";
  targets.classes[0].within = Minutes(10);
  targets.classes[1].name = "large";
  targets.gangs.resize(1);
  targets.gangs[0].name = "32 GPUs in one rack within 4h";
  targets.gangs[0].within = Hours(4);
  return targets;
}

std::vector<ReplicationOutcome> Outcomes() {
  std::vector<ReplicationOutcome> outcomes(10);
  for (std::size_t r = 0; r < outcomes.size(); ++r) {
    ReplicationOutcome& outcome = outcomes[r];
    outcome.classes.resize(2);
    outcome.gangs.resize(1);
    for (int i = 0; i < 20; ++i) outcome.classes[0].waits.Add(Minutes(i));
    outcome.classes[0].within = 11;
    outcome.classes[0].by_cause_ms[static_cast<std::size_t>(WaitCause::kQuota)] = 3'600'000;
    outcome.classes[0].by_cause_ms[static_cast<std::size_t>(WaitCause::kBusy)] = 1'200'000;
    for (int i = 0; i < 10; ++i) {
      if (i < 6 + static_cast<int>(r % 3)) {
        outcome.gangs[0].waits.Add(Minutes(30));
        ++outcome.gangs[0].within;
      } else {
        outcome.gangs[0].waits.AddUnstarted();
      }
    }
    outcome.capacity = 100;
    outcome.used = 60;
    outcome.lost = 6;
    outcome.interruptions = 2;
  }
  return outcomes;
}

struct Made {
  SizingTargets targets = Targets();
  std::vector<ReplicationOutcome> outcomes = Outcomes();
  TrainingRuns runs(bool for_people) {
    return {{&targets, 10, 1, "ab", "USD", for_people}, 64, Money::Units(93'440), outcomes, {}, {}};
  }
};

std::string JsonOf(const Answer& answer) { return RenderJson(answer); }

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TrainingRunsViewTest, ProgramsGetExactFigures) {
  Made made;
  const std::string json = JsonOf(RunsAnswer(made.runs(false)));
  EXPECT_TRUE(Has(json, "\"utilization\": 0.600000000")) << json;
  EXPECT_TRUE(Has(json, "\"lost_share\": 0.100000000"));
  EXPECT_TRUE(Has(json, "\"interruptions\": 2.000000000"));
  EXPECT_TRUE(Has(json, "\"main_cause\": \"quota used up\""));
  EXPECT_TRUE(Has(json, "\"cause\": \"quota\""));
  EXPECT_TRUE(Has(json, "\"share\": 0.750000000"));
  EXPECT_TRUE(Has(json, "\"mean_wait_hours\": \"0.158333333\""));
}

TEST(TrainingRunsViewTest, AClassWithoutATargetHasNoShareAndOneWithoutJobsNoWait) {
  Made made;
  const Answer answer = RunsAnswer(made.runs(false));
  const Row& large = answer.tables[0].rows[1];
  EXPECT_EQ(large[0], "large");
  EXPECT_EQ(large[1], "0");
  for (std::size_t i = 3; i < large.size(); ++i) EXPECT_FALSE(large[i]) << i;
}

TEST(TrainingRunsViewTest, AMeanOfProbesThatWereNotAllSeenToStartIsOnlyABound) {
  Made made;
  const Table programs = RunsAnswer(made.runs(false)).tables[1];
  ASSERT_EQ(programs.columns[7].name, "mean_wait_hours");
  EXPECT_FALSE(programs.rows[0][7]);
  ASSERT_EQ(programs.columns[8].name, "mean_wait_hours_least");
  // 69 of 100 after half an hour, 31 not within 4 hours: (69 x 0.5 + 31 x 4) / 100.
  EXPECT_EQ(programs.rows[0][8], "1.585000000");
  const Table people = RunsAnswer(made.runs(true)).tables[1];
  EXPECT_EQ(people.rows[0][3], ">= 1h35m");
  EXPECT_EQ(people.rows[0][4], "30m");
  EXPECT_EQ(people.rows[0][5], "> 4h");
}

TEST(TrainingRunsViewTest, PeopleGetATableThatFits) {
  Made made;
  const std::string text = RenderText(RunsAnswer(made.runs(true)), {80, false});
  EXPECT_TRUE(Has(text, "64 GPUs, 60.0 % of their time held by jobs; 93,440.00 USD a month"))
      << text;
  EXPECT_TRUE(Has(text, "quota used up")) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 86U) << line;
}

TEST(TrainingRunsViewTest, AProbeSaysHowManyIndependentTrialsItIsWorth) {
  Made made;
  const Answer answer = ProbeAnswerOf(made.runs(true));
  EXPECT_TRUE(Has(answer.lines[0], "P(32 GPUs in one rack within 4h) = 69.0 % ("))
      << answer.lines[0];
  EXPECT_TRUE(Has(answer.lines[1], "69 of 100 probes in 10 replications; intervals at 95 %"))
      << answer.lines[1];
  EXPECT_EQ(answer.facts[0].name, "p_start.estimate");
  EXPECT_EQ(answer.facts[0].value, "0.690000000");
}

TEST(TrainingRunsViewTest, AGangWithoutRoomOnTheEmptyClusterIsNoChance) {
  Made made;
  for (ReplicationOutcome& outcome : made.outcomes) {
    outcome.gangs[0] = {};
    for (int i = 0; i < 10; ++i) outcome.gangs[0].waits.AddUnstarted();
  }
  TrainingRuns runs = made.runs(true);
  EXPECT_TRUE(Has(ProbeAnswerOf(runs).lines[0], "= 0.0 % (0.0-30.8 %)"));
  runs.never = {true};
  const Answer answer = ProbeAnswerOf(runs);
  EXPECT_TRUE(Has(answer.lines[0], "= 0.0 % (0.0-0.0 %)")) << answer.lines[0];
  EXPECT_EQ(answer.lines[1], "It can never start: the empty cluster has no room for it");
}

TEST(TrainingRunsViewTest, TheCurveNeverFalls) {
  Made made;
  const std::vector<CurvePoint> curve = StartCurve(made.targets, made.outcomes, 0);
  ASSERT_EQ(curve.size(), 13U);
  for (std::size_t i = 1; i < curve.size(); ++i) {
    EXPECT_GE(curve[i].share.estimate, curve[i - 1].share.estimate);
  }
  EXPECT_EQ(curve[0].share.estimate, 0);
  EXPECT_EQ(curve.back().within, Hours(4));
  made.targets.gangs[0].within = Duration();
  EXPECT_EQ(StartCurve(made.targets, made.outcomes, 0).size(), 1U);
}

TEST(TrainingRunsViewTest, ClosedFormsStandBesideWithWhatTheyIgnore) {
  Made made;
  TrainingRuns runs = made.runs(true);
  FormulaRow row;
  row.target = {TargetKind::kClass, 0};
  row.load.run_ms = 3'600'000;
  row.load.load = 3.2;
  row.answer = FormulaOf(row.load, 4, Hours(1));
  runs.formulas = {row};
  Answer answer = RunsAnswer(runs);
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_TRUE(Has(answer.notes[0], "closed forms know nothing"));
  const Table& table = answer.tables.back();
  EXPECT_EQ(table.name, "formulas");
  EXPECT_EQ(table.rows[0][4], "44m44s");  // .745541 of an hour
  row.load.load = 5;
  row.answer = FormulaOf(row.load, 4, Hours(1));
  runs.formulas = {row};
  EXPECT_EQ(RunsAnswer(runs).tables.back().rows[0][4], "never");
}

}  // namespace
}  // namespace plimsoll
