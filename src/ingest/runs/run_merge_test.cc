#include "ingest/runs/run_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ingest/runs/run_facts.h"
#include "ingest/runs/run_files.h"
#include "ingest/runs/test_runs.h"
#include "model/row_hash.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

RunRow Row(const std::string& run, const std::string& source = "log") {
  RunRow row;
  row.run = run;
  row.source = source;
  return row;
}

RunEvent Event(const std::string& kind, std::int64_t second, const std::string& source = "log") {
  RunEvent event;
  event.run = "r";
  event.source = source;
  event.kind = kind;
  event.at = AtSeconds(1'796'068'800 + second);
  return event;
}

TEST(RunMergeTest, WhatIsKnownBeatsWhatIsNot) {
  RunBatch runs;
  RunRow row = Row("r");
  row.experiment = "e";
  row.labels = {{"a", "1"}, {"b", "1"}};
  Append(runs, row);
  row = Row("r");
  row.job = "12";
  row.labels = {{"b", "2"}, {"c", "3"}};
  Append(runs, row);
  RunEventBatch events;
  RunEvent start = Event("start", 0);
  Append(events, start);
  start.gpus = 8;
  Append(events, start);
  EXPECT_EQ(MergeRuns(runs, events), 1);
  ASSERT_EQ(RowsOf(runs), 1U);
  EXPECT_EQ(runs.experiment[0] + runs.job[0], "e12");
  EXPECT_EQ(runs.labels[0], R"({"a":"1","b":"2","c":"3"})");
  EXPECT_EQ(EventTexts(events), Texts{"r#0 2026-11-30T20:00:00Z start 8g"});
}

TEST(RunMergeTest, EventsThatDifferInMoreThanCountsAreTwo) {
  RunBatch runs;
  Append(runs, Row("r"));
  RunEventBatch events;
  RunEvent step = Event("step", 0);
  step.step = 1;
  Append(events, step);
  for (const auto change : {0, 1, 2, 3}) {
    RunEvent other = step;
    if (change == 0) other.step = 2;
    if (change == 1) other.seq = 1;
    if (change == 2) other.attempt = 1;
    if (change == 3) other.at = other.at + Millis(1);
    Append(events, other);
  }
  EXPECT_EQ(MergeRuns(runs, events), 0);
  EXPECT_EQ(RowsOf(events), 5U);
}

TEST(RunMergeTest, ARunToldByTwoSourcesIsTwoRows) {
  RunBatch runs;
  Append(runs, Row("r", "mlflow"));
  Append(runs, Row("r", "log"));
  RunEventBatch events;
  Append(events, Event("start", 0, "mlflow"));
  Append(events, Event("start", 0, "log"));
  MergeRuns(runs, events);
  EXPECT_EQ(runs.source, (std::vector<Symbol>{"log", "mlflow"}));
  EXPECT_EQ(RowsOf(events), 2U);
}

TEST(RunMergeTest, OnceTimesAreKnownWhatHadNoneIsDropped) {
  RunBatch runs;
  RunRow row = Row("r", "lightning");
  row.labels = {{kRunTimesLabel, kRunTimesNone}};
  Append(runs, row);
  RunEventBatch events;
  RunEvent timeless = Event("start", 0, "lightning");
  timeless.at = AtMillis(0);
  Append(events, timeless);
  MergeRuns(runs, events);
  EXPECT_EQ(RowsOf(events), 1U);
  EXPECT_TRUE(RunLabelsOf(runs.labels[0]).contains(kRunTimesLabel));
  Append(runs, Row("r", "lightning"));
  Append(events, Event("start", 0, "lightning"));
  MergeRuns(runs, events);
  EXPECT_EQ(EventTexts(events), Texts{"r#0 2026-11-30T20:00:00Z start"});
  EXPECT_FALSE(RunLabelsOf(runs.labels[0]).contains(kRunTimesLabel));
}

// Random facts of four runs: each source, with metrics that go back and starts in between.
RunFacts RandomFacts(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  RunFacts facts;
  for (const char* source : {"log", "mlflow", "tensorboard", "trainer-state"}) {
    RunRow row = Row("r", source);
    if (below(2) == 0) row.experiment = "e" + std::to_string(below(2));
    if (below(2) == 0) row.labels["plimsoll.samples_per_step"] = std::to_string(1 + below(3));
    Append(facts.runs, row);
    for (std::int64_t i = 0; i < 12; ++i) {
      RunEvent event = Event(below(4) == 0 ? "start" : "metric", below(8), source);
      if (event.kind == "start") {
        if (below(2) == 0) event.gpus = 1 + below(2);
      } else {
        event.step = below(5);
        event.name = below(2) == 0 ? "loss" : "num_tokens";
        event.value = std::to_string(below(50));
      }
      Append(facts.events, event);
    }
  }
  return facts;
}

std::string HashOf(const RunFacts& facts) {
  return HashOfRows(facts.runs).ToHex() + HashOfRows(facts.events).ToHex();
}

// A part of the rows, in any order, some of them twice.
void Deal(const RunFacts& from, std::mt19937_64& random, RunFacts& a, RunFacts& b) {
  for (std::size_t row = 0; row < RowsOf(from.runs); ++row) {
    AppendRow(a.runs, from.runs, row);
    AppendRow(b.runs, from.runs, row);
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < RowsOf(from.events); ++row) rows.push_back(row);
  std::shuffle(rows.begin(), rows.end(), random);
  for (const std::size_t row : rows) {
    const auto where = random() % 3;
    if (where != 1) AppendRow(a.events, from.events, row);
    if (where != 0) AppendRow(b.events, from.events, row);
  }
}

TEST(RunMergePropertyTest, OrderRepetitionAndPartsChangeNothing) {
  const std::uint64_t seed = 20261130;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 2'000; ++round) {
    const RunFacts facts = RandomFacts(random);
    RunFacts whole = facts;
    MergeRuns(whole.runs, whole.events);
    RunFacts a, b;
    Deal(facts, random, a, b);
    MergeRuns(a.runs, a.events);  // stored, and then the rest comes
    AppendFacts(b, a);
    MergeRuns(b.runs, b.events);
    ASSERT_EQ(HashOf(b), HashOf(whole)) << round;
    const std::string before = HashOf(b);
    MergeRuns(b.runs, b.events);
    ASSERT_EQ(HashOf(b), before) << round;
  }
}

}  // namespace
}  // namespace plimsoll
