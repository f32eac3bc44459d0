#include "cli/training_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/render.h"

namespace plimsoll {
namespace {

// One GPU for an hour: steps of 10 minutes, of which the last two and 10 more were lost.
PricedRun ARun(const std::string& name) {
  RunEventBatch events;
  const auto add = [&](std::int64_t minute, const char* kind) {
    std::apply([&](auto... column) { ((events.*(column.values)).emplace_back(), ...); },
               RunEventBatch::kColumns);
    events.kind.back() = kind;
    events.at.back() = *ParseInstant("2026-11-30T00:00:00Z") + Minutes(minute);
  };
  add(0, "start");
  events.gpus.back() = 1;
  for (std::int64_t step = 1; step <= 5; ++step) {
    add(10 * step, "step");
    events.step.back() = step;
    events.samples.back() = 1'000;
    if (step == 3) add(30, "checkpoint_end");
  }
  add(60, "failure");
  events.name.back() = "ECC";
  PricedRun run;
  run.run = name;
  run.source = "log";
  run.account = *Account(events, {});
  return run;
}

const Cell& At(const Table& table, std::size_t row, const std::string& column) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [&](const TableColumn& candidate) { return candidate.name == column; });
  EXPECT_NE(found, table.columns.end()) << column;
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin()));
}

TEST(TrainingViewTest, ProgramsGetEveryFigureAndNullForWhatIsUnknown) {
  const Answer answer = TrainingAnswer({ARun("a")}, false);
  ASSERT_EQ(answer.tables.size(), 2U);
  const Table& runs = answer.tables[0];
  EXPECT_EQ(At(runs, 0, "gpu_hours_allocated"), "1.000000000");
  EXPECT_EQ(At(runs, 0, "gpu_hours_effective"), "0.500000000");
  EXPECT_EQ(At(runs, 0, "losses.recomputation"), "0.500000000");
  EXPECT_EQ(At(runs, 0, "ettr"), "0.500000000");
  EXPECT_EQ(At(runs, 0, "failures"), "1");
  EXPECT_EQ(At(runs, 0, "samples"), "3000");
  EXPECT_EQ(At(runs, 0, "samples_repeated"), "2000");
  EXPECT_EQ(At(runs, 0, "held_until"), "2026-11-30T01:00:00Z");
  for (const char* unknown : {"cost", "failure_loss", "cost_per_million_samples", "tokens",
                              "tokens_repeated", "cost_to_target", "rank", "pareto", "target"}) {
    EXPECT_EQ(At(runs, 0, unknown), std::nullopt) << unknown;
  }
  const Table& failures = answer.tables[1];
  EXPECT_EQ(At(failures, 0, "reason"), "ECC");
  EXPECT_EQ(At(failures, 0, "gpu_hours_lost"), "0.500000000");
  EXPECT_EQ(At(failures, 0, "loss"), std::nullopt);
}

TEST(TrainingViewTest, PrintedHoursAddUpToo) {
  PricedRun run = ARun("a");
  run.account.time = {GpuMillis(1), GpuMillis(1), GpuMillis(1), GpuMillis(1), {}, {}, {}, {}};
  run.account.allocated = GpuMillis(4);  // 0.000001111, and each of the four 0.000000278
  const Table runs = TrainingAnswer({run}, false).tables[0];
  Money sum = *Money::Parse(*At(runs, 0, "gpu_hours_effective"));
  for (std::size_t i = 1; i < kTimeCauseCount; ++i) {
    sum += *Money::Parse(*At(runs, 0, std::string("losses.") + kTimeCauseNames[i]));
  }
  EXPECT_EQ(sum.ToString(), At(runs, 0, "gpu_hours_allocated"));
}

TEST(TrainingViewTest, CostsAreOfTheWholeRunAndLossesTheirPart) {
  PricedRun run = ARun("a");
  run.costs = *UnitCostsOf(run.account, Money::Units(6));
  run.currency = "USD";
  run.rank.pareto = false;
  const Answer answer = TrainingAnswer({run}, false);
  EXPECT_EQ(At(answer.tables[0], 0, "cost"), "6.000000000");
  EXPECT_EQ(At(answer.tables[0], 0, "failure_loss"), "3.000000000");
  EXPECT_EQ(At(answer.tables[0], 0, "cost_per_million_samples"), "2000.000000000");
  EXPECT_EQ(At(answer.tables[0], 0, "pareto"), "dominated");
  EXPECT_EQ(At(answer.tables[1], 0, "loss"), "3.000000000");
}

TEST(TrainingViewTest, WithoutTimesOrGpusNothingIsMadeUp) {
  PricedRun run = ARun("a");
  run.has_gpu_time = false;
  const Answer answer = TrainingAnswer({run}, false);
  for (const char* unknown : {"gpu_hours_allocated", "losses.hang", "ettr", "failure_gpu_hours"}) {
    EXPECT_EQ(At(answer.tables[0], 0, unknown), std::nullopt) << unknown;
  }
}

TEST(TrainingViewTest, PeopleSeeWhatIsThereAndWhatWasPutRight) {
  PricedRun first = ARun("a"), second = ARun("b");
  first.marks = second.marks = {"clock"};
  const std::string text = RenderText(TrainingAnswer({first, second}, true), {});
  for (const char* part : {"GPU-hours by what they went into", "recomputation", "Failures: work",
                           "Note: run a and 1 more: their clock went back"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  for (const char* part : {"data stall", "hang", "currency", "losses."}) {
    EXPECT_EQ(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace plimsoll
