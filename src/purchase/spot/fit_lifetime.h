// FitLifetime: how long spot capacity lasts, from lifetimes of which some were cut off.
//
// Exponential and Weibull by maximum likelihood with profile-likelihood intervals, Kaplan-Meier
// without a form. Probabilities, shapes and log-likelihoods are in billionths; log-likelihoods
// are of times in hours. Intervals are of 95 %.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "units/time.h"

namespace plimsoll {

// Lifetimes above 0: one that ended, or one that was longer than its time (censored).
struct LifetimeSample {
  std::vector<Duration> time;
  std::vector<std::uint8_t> ended;

  // REQUIRES: lifetime > 0
  void Add(Duration lifetime, bool has_ended);
  std::int64_t ends() const;
  Duration total() const;
};

struct ExponentialFit {
  Duration mean, mean_low, mean_high;  // mean time between preemptions: all time / ends
  std::int64_t log_likelihood = 0, aic = 0;
};

// Null if nothing ended. Needs no single lifetimes: all time and how many ended.
std::optional<ExponentialFit> FitExponential(const LifetimeSample& sample);
std::optional<ExponentialFit> FitExponential(Duration total, std::int64_t ends);

// Survival to t is exp(-(t / scale)^shape): a shape below 1 says that the young are taken
// more often than the old, 1 is exponential.
struct WeibullFit {
  std::int64_t shape = 0, shape_low = 0, shape_high = 0;
  Duration scale, mean;
  std::int64_t log_likelihood = 0, aic = 0;
};

// Null with fewer than two different times that ended.
std::optional<WeibullFit> FitWeibull(const LifetimeSample& sample);

// That one of age `age` lives `more` on; a new one has age 0.
std::int64_t WeibullSurvival(const WeibullFit& fit, Duration age, Duration more);
std::int64_t ExponentialSurvival(Duration mean, Duration more);

struct Survival {
  std::int64_t probability = 0, low = 0, high = 0;
  std::int64_t at_risk = 0;  // seen at least as long
};

// Kaplan-Meier with Greenwood's variance on the log-log scale. Where all or none are left at `t`
// that has no width: then the bound of an exact binomial. Null where nobody was seen as long as
// `t` and some were cut off: the data do not tell.
std::optional<Survival> KaplanMeier(const LifetimeSample& sample, Duration t);

}  // namespace plimsoll
