// ShareEstimate: a probability from trials that come in groups, with an honest interval.
//
// Probes (or jobs) of one replication see the same backlog, so n of them are worth fewer than n.
// By replication: the variance of the share k/n is the cluster-robust one of a ratio,
// v = R/(R-1) sum (k_r - p n_r)^2 / n^2; n_eff = p (1-p) / v, less what the few degrees of freedom
// cost, (t_{n-1} / t_{R-1})^2, and at most n; the interval is Clopper and Pearson's of n_eff trials
// (Korn and Graubard 1998). Where all or none hit, v says nothing: n_eff is then the number of
// replications, as if each were one trial. So it is with a single replication.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sim/statistics.h"

namespace plimsoll {

// Of one replication.
struct HitCount {
  std::int64_t hits = 0;
  std::int64_t count = 0;

  friend bool operator==(const HitCount&, const HitCount&) = default;
};

struct ShareEstimate {
  double estimate = 0;
  Interval interval;
  std::int64_t hits = 0, count = 0;
  std::int64_t replications = 0;  // with at least one trial
  double effective = 0;           // independent trials that it is worth
};

// Two-sided at `confidence`. Without any trial: count = 0 and the interval is [0, 1].
ShareEstimate EstimateShare(std::span<const HitCount> replications, double confidence);

}  // namespace plimsoll
