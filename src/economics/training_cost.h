// TrainingCost: a run's money: what its GPU time cost, part by part, and what a unit of its output
// did.
//
// Rule T12 of docs/decisions/0003-training-accounting.md. Every figure is exact until it is rounded
// once, half to even, to a nano.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "economics/training_account.h"
#include "units/money.h"
#include "units/quantity.h"

namespace plimsoll {

// What all GPU time of a run costs at `price` an hour of one GPU. Fails with kOutOfRange.
Result<Money> CostAt(const TrainingRun& run, Money price);

struct TrainingUnitCosts {
  Money cost;
  Money failure_loss;  // of all its failures
  // Null if no kept step says how many, or they are none.
  std::optional<Money> per_million_samples, per_billion_tokens;
};
// Of a run that cost `cost`. Fails with kOutOfRange past 38 digits.
Result<TrainingUnitCosts> UnitCostsOf(const TrainingRun& run, Money cost);

// The part of `cost` that falls on `part` of the run's allocated GPU time; 0 if it has none.
Result<Money> CostOfPart(const TrainingRun& run, Money cost, GpuHours part);

// `cost` for each `block` of `count` things; null if there are none. Fails with kOutOfRange.
Result<std::optional<Money>> CostPerBlock(Money cost, std::optional<std::int64_t> count,
                                          std::int64_t block);

// part / whole in parts per billion, rounded half to even; null if whole is 0.
std::optional<std::int64_t> ShareOf(GpuHours part, GpuHours whole);

// The ratio of effective to allocated time that the run's own failures, saves and restarts let one
// expect (T15), in parts per billion; null without a failure or a durable checkpoint.
std::optional<std::int64_t> ExpectedEttr(const TrainingRun& run);

}  // namespace plimsoll
