#include "ingest/runs/run_steps.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ingest/runs/run_facts.h"
#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

struct Point {
  std::int64_t second, step;
  std::string name, value;
};

RunEventBatch Metrics(const std::vector<Point>& points, const std::string& source = "mlflow") {
  RunEventBatch events;
  for (const Point& point : points) {
    RunEvent event;
    event.run = "r";
    event.source = source;
    event.kind = "metric";
    event.at = AtSeconds(point.second);
    event.step = point.step;
    event.name = point.name;
    event.value = point.value;
    Append(events, event);
  }
  return events;
}

// "1: 10 512s 1024t": second, step and counts of each step.
Texts Steps(const RunEventBatch& events, const std::map<std::string, std::string>& labels = {}) {
  std::vector<std::size_t> rows(RowsOf(events));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Texts texts;
  const RunEventBatch steps = DeriveSteps(events, rows, labels);
  for (std::size_t row = 0; row < RowsOf(steps); ++row) {
    EXPECT_EQ(steps.kind[row], "step");
    EXPECT_EQ(steps.name[row] + steps.value[row], "");
    texts.push_back(std::to_string(steps.at[row].base() / 1000) + ": " +
                    std::to_string(*steps.step[row]) +
                    (steps.samples[row] ? " " + std::to_string(*steps.samples[row]) + "s" : "") +
                    (steps.tokens[row] ? " " + std::to_string(*steps.tokens[row]) + "t" : ""));
  }
  return texts;
}

TEST(RunStepsTest, TheMetricWithTheMostStepsSetsThePace) {
  EXPECT_EQ(Steps(Metrics({{1, 10, "loss", "3"},
                           {2, 1, "epoch_acc", "0.5"},
                           {3, 20, "loss", "2"},
                           {3, 20, "lr", "2"},
                           {4, 2, "epoch_acc", "0.6"},
                           {5, 30, "loss", "1"}})),
            (Texts{"1: 10", "3: 20", "5: 30"}));
  EXPECT_EQ(Steps(Metrics({{1, 1, "b", "3"}, {2, 2, "a", "2"}})), (Texts{"2: 2"}));
}

TEST(RunStepsTest, WithoutStepsThereAreNone) {
  EXPECT_EQ(Steps(Metrics({{1, 0, "loss", "3"}, {2, 0, "loss", "2"}})), Texts{});
  EXPECT_EQ(Steps(Metrics({})), Texts{});
}

TEST(RunStepsTest, CountersGiveWhatEachStepAdds) {
  EXPECT_EQ(Steps(Metrics({{1, 10, "loss", "3"},
                           {1, 10, "train/num_input_tokens_seen", "8192"},
                           {1, 10, "consumed_samples", "80.0"},
                           {2, 20, "loss", "2"},
                           {2, 20, "train/num_input_tokens_seen", "1.6384e4"},
                           {3, 30, "loss", "2"},
                           {3, 30, "train/num_input_tokens_seen", "24576"},
                           {3, 30, "consumed_samples", "240"}})),
            (Texts{"1: 10 80s 8192t", "2: 20 8192t", "3: 30 160s 8192t"}));
}

TEST(RunStepsTest, StepsThatAreDoneAgainAddUpToTheCounterOnceMore) {
  // Killed behind step 40, resumed from 20.
  const Texts steps = Steps(Metrics({{1, 20, "loss", "3"},
                                     {2, 40, "loss", "2"},
                                     {9, 30, "loss", "2"},
                                     {10, 40, "loss", "2"},
                                     {11, 60, "loss", "1"}}),
                            {{kSamplesPerStepLabel, "2"}});
  EXPECT_EQ(steps, (Texts{"1: 20 40s", "2: 40 40s", "9: 30 20s", "10: 40 20s", "11: 60 40s"}));
}

TEST(RunStepsTest, ALogThatBeginsLateDoesNotCountWhatCameBefore) {
  EXPECT_EQ(Steps(Metrics({{1, 1000, "loss", "3"}, {2, 1010, "loss", "2"}}),
                  {{kTokensPerStepLabel, "4"}}),
            (Texts{"1: 1000", "2: 1010 40t"}));
}

TEST(RunStepsTest, StepsThatCountFromZeroAreOneMore) {
  EXPECT_EQ(Steps(Metrics({{0, 49, "loss", "3"}, {0, 99, "loss", "2"}}, "lightning"),
                  {{kSamplesPerStepLabel, "2"}}),
            (Texts{"0: 49 100s", "0: 99 100s"}));
  EXPECT_EQ(
      Steps(Metrics({{1, 0, "loss", "3"}, {2, 1, "loss", "2"}}), {{kSamplesPerStepLabel, "2"}}),
      (Texts{"1: 0 2s", "2: 1 2s"}));
}

TEST(RunStepsTest, CountersThatCannotBeReadAreUnknownAndNotZero) {
  EXPECT_EQ(Steps(Metrics({{1, 1, "loss", "3"},
                           {1, 1, "num_tokens", "nan"},
                           {2, 2, "loss", "2"},
                           {2, 2, "num_tokens", "-5"},
                           {3, 3, "loss", "2"},
                           {3, 3, "num_tokens", "1e300"}})),
            (Texts{"1: 1", "2: 2", "3: 3"}));
  EXPECT_EQ(Steps(Metrics({{1, 1, "loss", "3"}}), {{kSamplesPerStepLabel, "many"}}), Texts{"1: 1"});
  EXPECT_EQ(CounterOf("train/num_tokens"), RunCounter::kTokens);
  EXPECT_EQ(CounterOf("samples_seen"), RunCounter::kSamples);
  EXPECT_EQ(CounterOf("num_tokens/loss"), RunCounter::kNone);
}

TEST(RunStepsTest, EveryStartBeginsAnAttempt) {
  RunEventBatch events = Metrics(
      {{1, 0, "s", ""}, {1, 0, "s", ""}, {2, 1, "m", "1"}, {3, 0, "s", ""}, {4, 1, "m", "1"}});
  for (std::size_t row = 0; row < RowsOf(events); ++row) {
    if (events.name[row] == "s") events.kind[row] = "start";
  }
  NumberAttempts(events, {0, 1, 2, 3, 4});
  EXPECT_EQ(events.attempt, (std::vector<std::int64_t>{0, 0, 0, 1, 1}));
}

}  // namespace
}  // namespace plimsoll
