#include "capacity/sizing/outcome_difference.h"

#include <algorithm>
#include <utility>

namespace plimsoll {
namespace {

using Outcomes = std::span<const ReplicationOutcome>;

std::optional<double> Ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> ValueOf(const ReplicationOutcome& outcome, Measure measure, TargetId id) {
  const WaitTally* const waits = WaitsOf(outcome, id);
  const HitCount hits = HitsOf(outcome, id);
  if (measure == Measure::kShareWithin) return Ratio(hits.hits, hits.count);
  if (waits == nullptr || waits->count() == 0) return std::nullopt;
  if (measure == Measure::kMeanWait) {
    return waits->unstarted() > 0 ? std::nullopt : waits->MeanMillis();
  }
  const std::optional<Duration> wait = waits->Quantile(0.95);
  return wait ? std::optional(static_cast<double>(wait->base())) : std::nullopt;
}

std::optional<double> ValueOf(const ReplicationOutcome& outcome, Measure measure) {
  if (measure == Measure::kUtilization) return Ratio(outcome.used, outcome.capacity);
  if (measure == Measure::kLost) return Ratio(outcome.lost, outcome.used);
  return static_cast<double>(outcome.interruptions);
}

// Whether a wait of it is not known to its end, so that the measure says nothing of that run.
bool IsCensored(const ReplicationOutcome& outcome, Measure measure, std::optional<TargetId> id) {
  if (!id || (measure != Measure::kMeanWait && measure != Measure::kWaitP95)) return false;
  const WaitTally* const waits = WaitsOf(outcome, *id);
  return waits != nullptr && waits->count() > 0 && !ValueOf(outcome, measure, *id);
}

OutcomeDifference Compare(Measure measure, std::optional<TargetId> target, double confidence,
                          std::pair<Outcomes, Outcomes> outcomes) {
  const auto values = [&](Outcomes of) {
    std::vector<std::optional<double>> all;
    for (const ReplicationOutcome& outcome : of) {
      all.push_back(target ? ValueOf(outcome, measure, *target) : ValueOf(outcome, measure));
    }
    return all;
  };
  OutcomeDifference one{measure, target, {}, false};
  // To keep the runs in which all started would compare the lucky ones.
  const auto is_censored = [&](const ReplicationOutcome& outcome) {
    return IsCensored(outcome, measure, target);
  };
  one.censored = std::ranges::any_of(outcomes.first, is_censored) ||
                 std::ranges::any_of(outcomes.second, is_censored);
  if (one.censored) {
    one.paired.left_out = static_cast<std::int64_t>(outcomes.first.size());
  } else {
    one.paired = EstimateDifference(values(outcomes.first), values(outcomes.second), confidence);
  }
  return one;
}

}  // namespace

std::vector<OutcomeDifference> CompareOutcomes(const SizingTargets& targets, Outcomes before,
                                               Outcomes after) {
  const double confidence = ConfidenceOf(targets);
  std::vector<OutcomeDifference> differences;
  for (const TargetResult& result : JudgeTargets(targets, before)) {
    for (const Measure measure : {Measure::kMeanWait, Measure::kWaitP95, Measure::kShareWithin}) {
      const bool has_waits = result.id.kind != TargetKind::kDeadlines;
      if (!has_waits && measure != Measure::kShareWithin) continue;
      // A class without a target has waits, but none that is in time.
      const bool has_time = result.id.kind != TargetKind::kClass ||
                            targets.classes[result.id.index].within.has_value();
      if (!has_time && measure == Measure::kShareWithin) continue;
      differences.push_back(Compare(measure, result.id, confidence, {before, after}));
    }
  }
  for (const Measure measure : {Measure::kUtilization, Measure::kLost, Measure::kInterruptions}) {
    differences.push_back(Compare(measure, std::nullopt, confidence, {before, after}));
  }
  return differences;
}

}  // namespace plimsoll
