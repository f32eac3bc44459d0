// Shard: a share of the runs behind one answer, made anywhere and put together exactly.
//
// Runs are numbered item = point x replications + replication; shard i of n has the items with
// item mod n = i - 1. An answer is a function of all outcomes in this order, so one from merged
// shards has the same bytes as one made in one place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "capacity/sizing/replication_outcome.h"

namespace plimsoll {

struct ShardIndex {
  std::int64_t index = 1;  // 1 ... count
  std::int64_t count = 1;

  friend bool operator==(const ShardIndex&, const ShardIndex&) = default;
};

// "3/8". Fails with kInvalidArgument.
Result<ShardIndex> ParseShard(std::string_view text);

// How many runs there are, and what they are runs of.
struct RunPlan {
  std::string question;  // hash of all that decides an outcome: inputs, options, seed, version
  std::int64_t points = 1;
  std::int64_t replications = 1;
  std::size_t classes = 0, gangs = 0;  // that each outcome tells

  std::int64_t items() const { return points * replications; }
  friend bool operator==(const RunPlan&, const RunPlan&) = default;
};

struct Shard {
  RunPlan plan;
  ShardIndex index;
  std::vector<ReplicationOutcome> outcomes;  // of its items, ascending

  friend bool operator==(const Shard&, const Shard&) = default;
};

// The items of a shard, ascending.
std::vector<std::int64_t> ItemsOf(const RunPlan& plan, ShardIndex shard);

struct RunningOptions {
  unsigned threads = 0;  // 0: one a core; outcomes do not depend on it
  Progress progress;     // may be empty; from any of the threads, one at a time
};
Shard RunShard(const RunPlan& plan, ShardIndex shard, const Evaluator& evaluator,
               const RunningOptions& options);

// A shard and where it was read from, for errors.
struct NamedShard {
  std::string name;
  Shard shard;
};

// All outcomes of the plan by item. Fails with kBadData, naming the file and the remedy: a shard of
// another question, of other numbers, twice, or missing; one that lacks runs.
Result<std::vector<ReplicationOutcome>> MergeShards(const RunPlan& plan,
                                                    std::span<const NamedShard> shards);

}  // namespace plimsoll
