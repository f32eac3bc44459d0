// RunSteps: the steps of runs whose source tells metrics only.
//
// MLflow, TensorBoard, trainer_state.json and Lightning log metrics as of a step. The metric
// with the most different steps sets the pace: each of its points says that its step is done.
// Tokens and samples come from counters among the metrics that count up through the run
// (num_input_tokens_seen, consumed_samples...), else from the labels
// plimsoll.tokens_per_step and plimsoll.samples_per_step; unknown otherwise, never guessed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/run.h"

namespace plimsoll {

inline constexpr const char* kTokensPerStepLabel = "plimsoll.tokens_per_step";
inline constexpr const char* kSamplesPerStepLabel = "plimsoll.samples_per_step";

// True for the sources whose steps are derived here.
bool HasDerivedSteps(Symbol source);

// What a metric counts through the whole run, by the last part of its name.
enum class RunCounter : unsigned char { kNone, kTokens, kSamples };
RunCounter CounterOf(std::string_view metric);

// The step rows of one run: `rows` are its rows in `events`, in order of time. `labels` are the
// run's. A step that is done again counts what it adds to the greatest step below it that
// stands, so that the counts of the steps that stand add up to the counter.
RunEventBatch DeriveSteps(const RunEventBatch& events, const std::vector<std::size_t>& rows,
                          const std::map<std::string, std::string>& labels);

// Numbers the attempts of one TensorBoard run: each start begins one.
void NumberAttempts(RunEventBatch& events, const std::vector<std::size_t>& rows);

}  // namespace plimsoll
