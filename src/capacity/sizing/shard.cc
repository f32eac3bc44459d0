#include "capacity/sizing/shard.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "base/check.h"
#include "sim/replications.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kShardsMax = 1'000'000;

std::string NameOf(ShardIndex shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

Error Bad(const NamedShard& shard, const std::string& what) {
  return {ErrorCode::kBadData, shard.name + ": " + what};
}

Status CheckAlike(const RunPlan& plan, const NamedShard& first, const NamedShard& one) {
  if (one.shard.plan.question != plan.question) {
    return Bad(one,
               "answers another question: other files, options, seed or version; run all shards "
               "and the merge alike");
  }
  if (one.shard.plan.points != plan.points || one.shard.plan.replications != plan.replications ||
      one.shard.index.count != first.shard.index.count) {
    return Bad(one, "is of another number of shards, fleets or replications than the others");
  }
  return Ok();
}

Status CheckWhole(const RunPlan& plan, const NamedShard& one) {
  bool whole = one.shard.outcomes.size() == ItemsOf(plan, one.shard.index).size();
  for (const ReplicationOutcome& outcome : one.shard.outcomes) {
    whole = whole && outcome.classes.size() == plan.classes && outcome.gangs.size() == plan.gangs;
  }
  if (whole) return Ok();
  return Bad(one, "lacks some of its runs; run shard " + NameOf(one.shard.index) + " again");
}

Error Missing(const std::map<std::int64_t, const NamedShard*>& by_index, std::int64_t count) {
  constexpr int kShown = 10;
  std::string missing;
  std::int64_t found = 0;
  for (std::int64_t i = 1; i <= count; ++i) {
    if (by_index.contains(i)) continue;
    if (++found > kShown) continue;
    missing += (missing.empty() ? "" : ", ") + NameOf({i, count});
  }
  if (found > kShown) missing += " and " + std::to_string(found - kShown) + " more";
  return {ErrorCode::kBadData, "shards are missing: " + missing + "; run them and merge again"};
}

}  // namespace

Result<ShardIndex> ParseShard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto count = ParseWhole(text.substr(slash + 1), 1, kShardsMax);
    const auto index = ParseWhole(text.substr(0, slash), 1, count.value_or(0));
    if (index && count) return ShardIndex{*index, *count};
  }
  return Error{ErrorCode::kInvalidArgument,
               "'" + std::string(text) + "' is not a shard such as 3/8: i of n, from 1 to n"};
}

std::vector<std::int64_t> ItemsOf(const RunPlan& plan, ShardIndex shard) {
  std::vector<std::int64_t> items;
  for (std::int64_t i = shard.index - 1; i < plan.items(); i += shard.count) items.push_back(i);
  return items;
}

Shard RunShard(const RunPlan& plan, ShardIndex shard, const Evaluator& evaluator,
               const RunningOptions& options) {
  PLIMSOLL_CHECK(plan.points >= 1 && plan.replications >= 1);
  const std::vector<std::int64_t> items = ItemsOf(plan, shard);
  const auto count = static_cast<std::int64_t>(items.size());
  Shard made{plan, shard, {}};
  made.outcomes.resize(items.size());
  std::atomic<std::int64_t> done{0};
  std::atomic_flag reporting;  // whoever finds it set has its item told by the next
  const auto report = [&] {
    if (!options.progress || reporting.test_and_set()) return;
    options.progress("simulated", done, count);
    reporting.clear();
  };
  report();
  ForEachBlock(count, options.threads, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    made.outcomes[at] = evaluator(static_cast<std::size_t>(items[at] / plan.replications),
                                  items[at] % plan.replications);
    ++done;
    report();
  });
  return made;
}

Result<std::vector<ReplicationOutcome>> MergeShards(const RunPlan& plan,
                                                    std::span<const NamedShard> shards) {
  if (shards.empty()) return Error{ErrorCode::kInvalidArgument, "no shards are given"};
  const std::int64_t count = shards.front().shard.index.count;
  std::map<std::int64_t, const NamedShard*> by_index;
  for (const NamedShard& one : shards) {
    PLIMSOLL_RETURN_IF_ERROR(CheckAlike(plan, shards.front(), one));
    PLIMSOLL_RETURN_IF_ERROR(CheckWhole(plan, one));
    const auto [before, is_new] = by_index.emplace(one.shard.index.index, &one);
    if (is_new) continue;
    return Bad(one, "is shard " + NameOf(one.shard.index) + ", as is " + before->second->name +
                        "; give each shard once");
  }
  if (static_cast<std::int64_t>(by_index.size()) != count) return Missing(by_index, count);
  std::vector<ReplicationOutcome> all(static_cast<std::size_t>(plan.items()));
  for (const auto& [index, named] : by_index) {
    const std::vector<std::int64_t> items = ItemsOf(plan, named->shard.index);
    for (std::size_t i = 0; i < items.size(); ++i) {
      all[static_cast<std::size_t>(items[i])] = named->shard.outcomes[i];
    }
  }
  return all;
}

}  // namespace plimsoll
