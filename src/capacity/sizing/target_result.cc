#include "capacity/sizing/target_result.h"

#include "capacity/sizing/lower_bounds.h"
#include "capacity/sizing/start_curve.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr double kShownPercentile = 0.95;

double ShareOf(std::int64_t billionths) {
  return static_cast<double>(billionths) / static_cast<double>(kPerBillion);
}

TargetResult Judge(const SizingTargets& targets, TargetId id, std::int64_t target,
                   std::span<const ReplicationOutcome> replications) {
  const double confidence = ConfidenceOf(targets);
  TargetResult result{id, target, {}, {}};
  std::vector<HitCount> hits;
  std::vector<WaitTally> waits;
  for (const ReplicationOutcome& outcome : replications) {
    hits.push_back(HitsOf(outcome, id));
    if (const WaitTally* const one = WaitsOf(outcome, id)) waits.push_back(*one);
  }
  result.share = id.kind == TargetKind::kGang
                     ? StartCurve(targets, replications, id.index).back().share
                     : EstimateShare(hits, confidence);
  // Of all jobs the latest has no interval: its percentile is shown.
  const bool has_percentile = target > 0 && target < kPerBillion;
  result.wait =
      EstimateWaitQuantile(waits, has_percentile ? ShareOf(target) : kShownPercentile, confidence);
  return result;
}

}  // namespace

bool TargetResult::met() const {
  return int128{share.hits} * kPerBillion >= int128{share.count} * target;
}

bool TargetResult::is_sure() const {
  if (share.count == 0) return false;
  // All of them cannot be shown by a sample: to have seen no other is as sure as it gets.
  if (target == kPerBillion) return true;
  return met() ? share.interval.low >= ShareOf(target) : share.interval.high < ShareOf(target);
}

std::vector<TargetResult> JudgeTargets(const SizingTargets& targets,
                                       std::span<const ReplicationOutcome> replications) {
  std::vector<TargetResult> results;
  for (std::size_t i = 0; i < targets.classes.size(); ++i) {
    results.push_back(
        Judge(targets, {TargetKind::kClass, i}, targets.classes[i].share, replications));
  }
  for (std::size_t i = 0; i < targets.gangs.size(); ++i) {
    results.push_back(Judge(targets, {TargetKind::kGang, i}, targets.gangs[i].share, replications));
  }
  TargetResult deadlines =
      Judge(targets, {TargetKind::kDeadlines, 0}, targets.deadline_share, replications);
  if (deadlines.share.count > 0 || deadlines.asked()) results.push_back(std::move(deadlines));
  return results;
}

double ConfidenceOf(const SizingTargets& targets) { return ShareOf(targets.confidence); }

HitCount HitsOf(const ReplicationOutcome& outcome, TargetId id) {
  switch (id.kind) {
    case TargetKind::kClass:
      return outcome.classes.at(id.index).hits();
    case TargetKind::kGang:
      return outcome.gangs.at(id.index).hits();
    case TargetKind::kDeadlines:
      break;
  }
  return outcome.deadlines;
}

const WaitTally* WaitsOf(const ReplicationOutcome& outcome, TargetId id) {
  switch (id.kind) {
    case TargetKind::kClass:
      return &outcome.classes.at(id.index).waits;
    case TargetKind::kGang:
      return &outcome.gangs.at(id.index).waits;
    case TargetKind::kDeadlines:
      break;
  }
  return nullptr;
}

}  // namespace plimsoll
