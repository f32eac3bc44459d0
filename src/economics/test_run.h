// RunLog: a run's events for tests, in seconds from an epoch of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "economics/training_account.h"
#include "model/run.h"

namespace plimsoll {

inline constexpr Instant kRunEpoch = AtSeconds(1'793'000'000);

class RunLog {
 public:
  RunLog& Attempt(std::int64_t attempt) {
    attempt_ = attempt;
    return *this;
  }
  RunLog& Add(std::int64_t second, const std::string& kind,
              std::optional<std::int64_t> step = std::nullopt, const std::string& name = "",
              const std::string& value = "") {
    std::apply([&](auto... column) { ((events.*(column.values)).emplace_back(), ...); },
               RunEventBatch::kColumns);
    const std::size_t i = RowsOf(events) - 1;
    events.run[i] = "r";
    events.source[i] = "log";
    events.attempt[i] = attempt_;
    events.kind[i] = kind;
    events.at[i] = kRunEpoch + Seconds(second);
    events.step[i] = step;
    events.name[i] = name;
    events.value[i] = value;
    return *this;
  }
  RunLog& Start(std::int64_t second, std::int64_t gpus) {
    Add(second, "start");
    events.gpus.back() = gpus;
    return *this;
  }
  RunLog& Step(std::int64_t second, std::int64_t step, std::int64_t samples = 100,
               std::int64_t tokens = 1'000) {
    Add(second, "step", step);
    events.samples.back() = samples;
    events.tokens.back() = tokens;
    return *this;
  }
  RunLog& Metric(std::int64_t second, std::int64_t step, const std::string& value) {
    return Add(second, "metric", step, "loss", value);
  }

  TrainingRun Run(const TrainingOptions& options = {}) const {
    auto run = Account(events, options);
    EXPECT_TRUE(run) << run.error().message;
    return run ? *std::move(run) : TrainingRun();
  }

  RunEventBatch events;

 private:
  std::int64_t attempt_ = 0;
};

inline std::int64_t SecondsOf(const TrainingRun& run, TimeCause cause) {
  EXPECT_EQ(run.of(cause).base() % 1'000, 0);
  return run.of(cause).base() / 1'000;
}

// "effective 30 startup 50": the GPU-seconds of each cause that has any.
inline std::string CausesOf(const TrainingRun& run) {
  std::string text;
  for (std::size_t i = 0; i < kTimeCauseCount; ++i) {
    const std::int64_t seconds = SecondsOf(run, static_cast<TimeCause>(i));
    if (seconds == 0) continue;
    text +=
        (text.empty() ? "" : " ") + std::string(kTimeCauseNames[i]) + " " + std::to_string(seconds);
  }
  return text;
}

}  // namespace plimsoll
