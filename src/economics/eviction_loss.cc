#include "economics/eviction_loss.h"

#include <algorithm>
#include <map>
#include <optional>

namespace plimsoll {
namespace {

bool IsTaken(Instant at, std::span<const Instant> taken) {
  return std::any_of(taken.begin(), taken.end(), [&](Instant node) {
    return at - kEvictionTolerance <= node && node <= at + kEvictionTolerance;
  });
}

// Break -> was it an eviction. The run's own end is one too, if work was lost at it.
std::map<Instant, bool> BreaksOf(const TrainingRun& run, std::span<const Instant> taken) {
  std::map<std::size_t, Instant> ends;  // by attempt
  for (const TimePiece& piece : run.pieces) {
    Instant& end = ends.try_emplace(piece.attempt, piece.held.until).first->second;
    end = std::max(end, piece.held.until);
  }
  std::map<Instant, bool> breaks;
  for (const auto& [attempt, end] : ends) breaks[end] = IsTaken(end, taken);
  for (const TrainingFailure& failure : run.failures) {
    breaks[failure.at] = IsTaken(failure.at, taken);
  }
  return breaks;
}

}  // namespace

EvictionLoss LostToEvictions(const TrainingRun& run, std::span<const Instant> taken) {
  EvictionLoss loss;
  if (taken.empty()) return loss;
  const std::map<Instant, bool> breaks = BreaksOf(run, taken);
  std::optional<Instant> counted;  // a failure and the end of its attempt are one
  for (const auto& [at, is_eviction] : breaks) {
    if (!is_eviction) continue;
    if (!counted || *counted + kEvictionTolerance < at) ++loss.evictions;
    counted = at;
  }
  for (const TimePiece& piece : run.pieces) {
    if (piece.cause == TimeCause::kRecomputation) {
      const auto next = breaks.lower_bound(piece.held.until);
      if (next != breaks.end() && next->second) loss.recomputation.push_back(piece.held);
    } else if (piece.cause == TimeCause::kRestart) {
      auto before = breaks.upper_bound(piece.held.begin);
      if (before != breaks.begin() && (--before)->second) loss.restart.push_back(piece.held);
    }
  }
  const auto by_time = [](const Window& a, const Window& b) { return a < b; };
  std::sort(loss.recomputation.begin(), loss.recomputation.end(), by_time);
  std::sort(loss.restart.begin(), loss.restart.end(), by_time);
  return loss;
}

}  // namespace plimsoll
