// Sharing: who pays for what nobody holds, for what everybody uses, and for fees.
//
// Share takes the rows of one step and one currency and gives them back with idle, shared and
// overhead cost where the policy puts them. Exact and pure: whatever comes in goes out, to the
// nano and the GPU-millisecond. Order, repetition of a question and splitting of rows change
// nothing, and a filter never changes what a row that it keeps is given.
//
//   8 GPUs of a node cost 80, two teams hold 2 and 4 of them:  a 20, b 40, idle 20
//   idle shared: a 26.67, b 53.33; with a filter on a: 26.67, and nothing else is shown
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "units/money.h"
#include "units/quantity.h"

namespace plimsoll {

// The kinds of cost; a row's cost is their sum.
enum class SharingKind : std::size_t {
  kGpu,
  kCpu,
  kMemory,
  kStorage,
  kNetwork,
  kShared,    // what Share puts on a row of shared rows' cost
  kOverhead,  // and of the overhead
};
inline constexpr std::size_t kSharingKindCount = 7;

struct SharingAmounts {
  std::array<Money, kSharingKindCount> cost;
  // Held or provisioned, of it busy, and of it without a signal that could tell.
  GpuHours gpu_time, gpu_used, gpu_unknown;

  Money Total() const;
  Money of(SharingKind kind) const { return cost[static_cast<std::size_t>(kind)]; }
  Money& of(SharingKind kind) { return cost[static_cast<std::size_t>(kind)]; }
  SharingAmounts& operator+=(const SharingAmounts& other);
  friend bool operator==(const SharingAmounts&, const SharingAmounts&) = default;
};

enum class SharingRole : unsigned char {
  kWorkload,  // pays for itself and takes from the others
  kShared,    // its cost is everybody's
  kIdle,      // held by nobody
};

using SharingKey = std::vector<std::string>;  // what the answer is grouped by

struct SharingRow {
  SharingKey key;
  std::string cluster, node;
  SharingRole role = SharingRole::kWorkload;
  bool kept = true;  // by the filter
  SharingAmounts amounts;
};

enum class IdleSharing : unsigned char {
  kSeparate,  // rows of its own; with a filter, what the kept rows would be given of it
  kShare,     // on the rows of its cluster or node
  kHide,      // left out, and said so
};
enum class SharingSplit : unsigned char {
  kEven,      // every key the same
  kWeighted,  // by cost: idle by the cost of its own kind, the others by all of it but shared
              // and overhead cost
  kMetric,    // by SharingPolicy::metric
};

struct SharingPolicy {
  IdleSharing idle = IdleSharing::kSeparate;
  SharingSplit idle_split = SharingSplit::kWeighted;  // not kMetric
  bool idle_by_node = false;                          // else by cluster
  SharingSplit shared_split = SharingSplit::kWeighted;
  std::map<SharingKey, std::int64_t> metric = {};  // of any unit; a key that is not here weighs 0
  Money overhead = {};                             // split like the shared rows
};

// A row that stays idle.
struct IdleRow {
  SharingKey key;
  std::string cluster, node;
  SharingAmounts amounts;
};

struct KeyRow {
  SharingKey key;
  SharingAmounts amounts;
};

struct SharingResult {
  std::vector<KeyRow> rows;   // kept workloads with what they were given, by key
  std::vector<IdleRow> idle;  // kSeparate: all; kShare: what nobody could take; by key and node
  SharingAmounts unshared;    // shared rows and overhead, if no workload could take them
  SharingAmounts hidden;      // kHide: idle
  SharingAmounts filtered;    // what belongs to rows that the filter dropped
};

// Idle of a kind is divided among those workloads and shared rows of its cluster (or node) that
// have cost of that kind; idle GPU time goes with GPU cost. What no one can take stays idle.
// A shared row passes on what it was given: its idle goes where its cost goes, whether idle is
// shared (as shared cost) or separate (then a filter shows no more of it than its rows' part).
// Negative weights count as 0.
// Fails with kOutOfRange past 38 digits, kInvalidArgument if a metric is negative.
Result<SharingResult> Share(std::span<const SharingRow> rows, const SharingPolicy& policy);

}  // namespace plimsoll
