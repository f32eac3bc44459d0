// Reliability: how much of its time a job that fails now and then is expected to use.
//
// Closed forms for exponential failures, to hold a measured ratio against. ETTR is productive
// time over all time (with queues: over wall time). Ratios are in parts per billion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "units/time.h"

namespace plimsoll {

// Observed time over failures, rounded half to even; null without a failure.
//   54 days, 419 failures: 3.09 h (Llama 3, arXiv 2407.21783, table 5)
std::optional<Duration> MeanTimeToFailure(Duration observed, std::int64_t failures);

// Of a job on `nodes` nodes, where `failures` were seen in `node_days`: 1 / (nodes x rate).
// Null without nodes or failures.
std::optional<Duration> JobMeanTimeToFailure(std::int64_t nodes, std::int64_t failures,
                                             std::int64_t node_days);

// All of one job. Times of 0 are left out of the account; up to a century each.
struct FailureModel {
  Duration mttf;      // above 0
  Duration interval;  // of work between two checkpoints, above 0
  Duration save;      // training stands still for a checkpoint
  Duration restart;   // from the start of an attempt until it works again; may fail too
  Duration queue;     // waited before each attempt; holds nothing and cannot fail
  Duration work;      // productive time of the whole job; 0: endless, without a first start
};

// The lower bound of Kokolis et al. 2024 (arXiv 2410.21680), first order in 1 / MTTF:
//   x = (restart + interval / 2) / mttf
//   (1 - x) / (1 + (restart + queue) / work + queue / mttf)
// Exact rational arithmetic, rounded once. Saves are not in it. Null if x >= 1: the job loses as
// much as it does and never ends. REQUIRES: mttf, interval, work > 0
std::optional<std::int64_t> FirstOrderEttr(const FailureModel& model);

// The renewal equation, exact for exponential failures (as in Daly 2006, Bougeret et al. 2011): an
// interval and its save must go through without a failure; each failure costs a queue and a
// restart.
//   one interval takes (mttf + queue) x e^(restart / mttf) x (e^((interval + save) / mttf) - 1)
// With `work`, queue + (mttf + queue) x (e^(restart / mttf) - 1) for the first start come on top.
// REQUIRES: mttf, interval > 0
std::int64_t RenewalEttr(const FailureModel& model);

}  // namespace plimsoll
