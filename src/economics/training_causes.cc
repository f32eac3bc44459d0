#include "economics/training_causes.h"

#include <algorithm>
#include <optional>

namespace plimsoll {
namespace {

enum class Cut : unsigned char { kFree, kStall, kSave };

// Of each gap of an attempt, gap i being between events i and i + 1 (T7).
std::vector<Cut> CutsOf(const TrainingAttempt& attempt) {
  const std::vector<TrainingEvent>& events = attempt.events;
  std::vector<Cut> cuts(events.size() - 1, Cut::kFree);
  bool stalled = false;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const RunEventKind kind = events[i].kind;
    const bool is_neutral = kind == RunEventKind::kStart || kind == RunEventKind::kMetric ||
                            kind == RunEventKind::kCheckpointEnd;
    if (!is_neutral) stalled = kind == RunEventKind::kStallBegin;
    if (stalled) cuts[i] = Cut::kStall;
  }
  for (std::size_t begin = 0; begin < cuts.size(); ++begin) {
    if (events[begin].kind != RunEventKind::kCheckpointBegin) continue;
    std::size_t end = begin + 1;
    bool went_on = false;
    for (; end < events.size(); ++end) {
      const RunEventKind kind = events[end].kind;
      went_on = went_on || events[end].is_step;
      if (IsBreak(kind) || kind == RunEventKind::kCheckpointBegin ||
          kind == RunEventKind::kCheckpointEnd) {
        break;
      }
    }
    for (std::size_t i = begin; !went_on && i < end && i < cuts.size(); ++i) cuts[i] = Cut::kSave;
  }
  return cuts;
}

// The gaps [first, last) of an attempt between two decisive events, or its ends.
struct Stretch {
  std::size_t first = 0, last = 0;
  const TrainingEvent* back = nullptr;   // null: the attempt's begin
  const TrainingEvent* ahead = nullptr;  // null: the attempt's end
  std::int64_t free_ms = 0;

  bool IsBack(RunEventKind kind) const { return back != nullptr && back->kind == kind; }
  bool IsAhead(RunEventKind kind) const { return ahead != nullptr && ahead->kind == kind; }
};

Duration GapOf(const TrainingAttempt& attempt, std::size_t i) {
  return Between(attempt.events[i].at, attempt.events[i + 1].at);
}

std::vector<Stretch> StretchesOf(const TrainingAttempt& attempt, const std::vector<Cut>& cuts) {
  std::vector<Stretch> stretches;
  Stretch stretch;
  for (std::size_t e = 0; e < attempt.events.size(); ++e) {
    if (IsDecisive(attempt.events[e])) {
      stretch.last = e;
      stretch.ahead = &attempt.events[e];
      stretches.push_back(stretch);
      stretch = {e, e, &attempt.events[e], nullptr, 0};
    }
    if (e < cuts.size() && cuts[e] == Cut::kFree) stretch.free_ms += GapOf(attempt, e).base();
  }
  stretch.last = cuts.size();
  stretches.push_back(stretch);
  return stretches;
}

bool HasStepBack(const Stretch& stretch) { return stretch.IsBack(RunEventKind::kStep); }

// One attempt, cut and stretched.
struct Shape {
  std::vector<Cut> cuts;
  std::vector<Stretch> stretches;
};

// T8, in milliseconds.
std::int64_t UsualStep(const std::vector<Shape>& shapes) {
  std::vector<std::int64_t> times;
  for (const Shape& shape : shapes) {
    for (const Stretch& stretch : shape.stretches) {
      if (HasStepBack(stretch) && stretch.IsAhead(RunEventKind::kStep)) {
        times.push_back(stretch.free_ms);
      }
    }
  }
  if (times.empty()) return 0;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// What the free time of a stretch is: the first `early_ms` of it `early`, the rest `late`.
struct Causes {
  TimeCause early = TimeCause::kUnknown, late = TimeCause::kUnknown;
  std::int64_t early_ms = 0;
};

class Classifier {
 public:
  Classifier(const TrainingLog& log, const Lineage& lineage,
             const std::vector<FailurePoint>& failures, const CauseOptions& options)
      : log_(log),
        lineage_(lineage),
        failures_(failures),
        options_(options),
        failed_untold_(log.attempts.size(), false) {
    for (const FailurePoint& failure : failures) {
      if (!failure.is_told) failed_untold_[failure.at.attempt] = true;
    }
  }

  std::vector<TimePiece> Run() {
    std::vector<Shape> shapes;
    for (const TrainingAttempt& attempt : log_.attempts) {
      std::vector<Cut> cuts = CutsOf(attempt);
      std::vector<Stretch> stretches = StretchesOf(attempt, cuts);
      shapes.push_back({std::move(cuts), std::move(stretches)});
    }
    usual_ms_ = UsualStep(shapes);
    for (attempt_ = 0; attempt_ < shapes.size(); ++attempt_) {
      fresh_ = attempt_ == 0;
      for (const Stretch& stretch : shapes[attempt_].stretches) {
        Add(stretch, shapes[attempt_].cuts);
      }
      AddHeldOn(shapes[attempt_].stretches.back().back);
    }
    return std::move(pieces_);
  }

 private:
  const TrainingAttempt& attempt() const { return log_.attempts[attempt_]; }

  void Add(const Stretch& stretch, const std::vector<Cut>& cuts) {
    if (stretch.back != nullptr && stretch.back->kind != RunEventKind::kResume) fresh_ = false;
    CountFailures(stretch.first);
    const Causes causes = CausesOf(stretch);
    std::int64_t early = causes.early_ms;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      const Instant begin = attempt().events[i].at, until = attempt().events[i + 1].at;
      const std::int64_t gpus = attempt().events[i].gpus;
      if (cuts[i] != Cut::kFree) {
        Put({begin, until}, gpus,
            cuts[i] == Cut::kStall ? TimeCause::kDataStall : TimeCause::kCheckpoint);
        continue;
      }
      const Instant border = begin + Millis(std::min(early, Between(begin, until).base()));
      early -= Between(begin, border).base();
      Put({begin, border}, gpus, causes.early);
      Put({border, until}, gpus, causes.late);
    }
  }

  // T9.
  Causes CausesOf(const Stretch& stretch) const {
    const TimeCause start = fresh_ ? TimeCause::kStartup : TimeCause::kRestart;
    const bool step_back = HasStepBack(stretch);
    if (stretch.IsAhead(RunEventKind::kStep)) {
      const bool kept = lineage_.Keeps(attempt_, stretch.last);
      const TimeCause cause = kept ? TimeCause::kEffective : TimeCause::kRecomputation;
      if (step_back) return {cause, cause, 0};
      return {start, cause, stretch.free_ms - std::min(stretch.free_ms, usual_ms_)};
    }
    if (stretch.IsAhead(RunEventKind::kResume)) return Whole(start);
    const bool at_end = stretch.ahead == nullptr;
    const bool failed =
        stretch.IsAhead(RunEventKind::kFailure) || (at_end && failed_untold_[attempt_]);
    if (failed && step_back) return Whole(TailOf(stretch.free_ms));
    const bool stopped = stretch.IsAhead(RunEventKind::kStop);
    if (stopped && step_back && stretch.ahead->is_preempted) {
      return Whole(TimeCause::kRecomputation);
    }
    const bool is_after = step_back && (stopped || at_end);
    if (is_after || stretch.IsBack(RunEventKind::kStop)) return Whole(TimeCause::kUnknown);
    return Whole(start);
  }

  static Causes Whole(TimeCause cause) { return {cause, cause, 0}; }

  TimeCause TailOf(std::int64_t tail_ms) const {
    const int128 patience = int128{options_.hang_factor} * usual_ms_;
    return usual_ms_ > 0 && tail_ms > patience ? TimeCause::kHang : TimeCause::kRecomputation;
  }

  // Passes by the failures at or before event `event` of this attempt.
  void CountFailures(std::size_t event) {
    while (next_failure_ < failures_.size()) {
      const EventAt& at = failures_[next_failure_].at;
      const bool is_past = at.attempt < attempt_ || (failures_[next_failure_].is_told &&
                                                     at.attempt == attempt_ && at.event <= event);
      if (!is_past) return;
      ++next_failure_;
    }
  }

  // The gap after the last event (T9, end).
  void AddHeldOn(const TrainingEvent* last) {
    const auto found = options_.held_until.find(attempt().number);
    const TrainingEvent& end = attempt().events.back();
    if (found == options_.held_until.end() || found->second <= end.at) return;
    if (last != nullptr && last->kind == RunEventKind::kStop) return;
    const bool failed = last != nullptr && last->kind == RunEventKind::kFailure;
    Put({end.at, found->second}, end.gpus, failed ? TimeCause::kRestart : TimeCause::kUnknown);
  }

  void Put(Window held, std::int64_t gpus, TimeCause cause) {
    if (held.empty()) return;
    const std::int64_t failure = static_cast<std::int64_t>(next_failure_) - 1;
    if (!pieces_.empty()) {
      TimePiece& last = pieces_.back();
      if (last.attempt == attempt_ && last.held.until == held.begin && last.gpus == gpus &&
          last.cause == cause && last.failure == failure) {
        last.held.until = held.until;
        return;
      }
    }
    pieces_.push_back({attempt_, held, gpus, cause, failure});
  }

  const TrainingLog& log_;
  const Lineage& lineage_;
  const std::vector<FailurePoint>& failures_;
  const CauseOptions& options_;
  std::vector<bool> failed_untold_;  // T10, of each attempt
  std::int64_t usual_ms_ = 0;
  std::size_t attempt_ = 0;
  bool fresh_ = true;             // T9: start-up time is `startup`
  std::size_t next_failure_ = 0;  // those before it are past
  std::vector<TimePiece> pieces_;
};

}  // namespace

std::vector<FailurePoint> FailuresOf(const TrainingLog& log) {
  std::vector<FailurePoint> failures;
  for (std::size_t a = 0; a < log.attempts.size(); ++a) {
    const std::vector<TrainingEvent>& events = log.attempts[a].events;
    bool repeats = false;  // another rank tells of the same failure
    bool ended = false;    // by a failure or a stop
    for (std::size_t e = 0; e < events.size(); ++e) {
      const RunEventKind kind = events[e].kind;
      if (IsDecisive(events[e])) {
        ended = kind == RunEventKind::kFailure || kind == RunEventKind::kStop;
      }
      if (kind == RunEventKind::kFailure) {
        if (!repeats) failures.push_back({{a, e}, true});
        repeats = true;
      } else if (events[e].is_step || kind == RunEventKind::kResume ||
                 kind == RunEventKind::kStart) {
        repeats = false;
      }
    }
    if (!ended && a + 1 < log.attempts.size()) failures.push_back({{a, events.size() - 1}, false});
  }
  return failures;
}

std::vector<TimePiece> PiecesOf(const TrainingLog& log, const Lineage& lineage,
                                const std::vector<FailurePoint>& failures,
                                const CauseOptions& options) {
  return Classifier(log, lineage, failures, options).Run();
}

}  // namespace plimsoll
