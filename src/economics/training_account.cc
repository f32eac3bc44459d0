#include "economics/training_account.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr int128 kMax = std::numeric_limits<std::int64_t>::max();

bool IsStartUp(TimeCause cause) {
  return cause == TimeCause::kStartup || cause == TimeCause::kRestart;
}

std::span<const TimePiece> PiecesOfAttempt(const std::vector<TimePiece>& pieces,
                                           std::size_t attempt) {
  const auto [begin, end] = std::equal_range(
      pieces.begin(), pieces.end(), TimePiece{attempt, {}, 0, {}, 0},
      [](const TimePiece& a, const TimePiece& b) { return a.attempt < b.attempt; });
  return {begin, end};
}

// The failures of one attempt in turn; every piece and event is looked at once, so that what one
// failure lost is in no other's loss. No piece reaches over a failure.
class WorkLost {
 public:
  WorkLost(const TrainingAttempt& attempt, std::span<const TimePiece> pieces)
      : attempt_(attempt), pieces_(pieces), since_(attempt.events.front().at) {}

  // What the failure at `event` lost, which is not before that of the call before (T11).
  GpuHours Before(std::size_t event) {
    const Instant at = attempt_.events[event].at;
    LookForDurable(event);
    for (std::size_t i = next_; i < pieces_.size() && pieces_[i].held.begin < at; ++i) {
      if (IsStartUp(pieces_[i].cause)) since_ = std::max(since_, pieces_[i].held.until);
    }
    int128 sum = 0;
    for (; next_ < pieces_.size(); ++next_) {
      const Window part = Intersect(pieces_[next_].held, {since_, at});
      if (!part.empty()) sum += int128{pieces_[next_].gpus} * part.length().base();
      if (pieces_[next_].held.until > at) break;
    }
    return GpuMillis(static_cast<std::int64_t>(sum));
  }

 private:
  // The moment whose state a checkpoint holds that is durable before event `failure`.
  void LookForDurable(std::size_t failure) {
    for (; event_ < failure; ++event_) {
      const TrainingEvent& event = attempt_.events[event_];
      went_on_ = went_on_ || event.is_step;
      if (event.kind == RunEventKind::kCheckpointBegin) {
        begun_ = event.at;
        went_on_ = false;
      } else if (event.kind == RunEventKind::kCheckpointEnd) {
        since_ = std::max(since_, begun_ && went_on_ ? *begun_ : event.at);
      }
    }
  }

  const TrainingAttempt& attempt_;
  std::span<const TimePiece> pieces_;
  Instant since_;          // nothing before it can be lost any more
  std::size_t next_ = 0;   // piece
  std::size_t event_ = 0;  // seen
  std::optional<Instant> begun_;
  bool went_on_ = false;  // a step since then
};

class Accountant {
 public:
  Accountant(const RunEventBatch& events, TrainingRun& run) : events_(events), run_(run) {}

  Status AddUp() {
    std::array<int128, kTimeCauseCount> sums{}, held{};
    int128 total = 0, total_held = 0;
    for (const TimePiece& piece : run_.pieces) {
      const auto cause = static_cast<std::size_t>(piece.cause);
      sums[cause] += piece.gpu_millis();
      total += piece.gpu_millis();
      held[cause] += piece.held.length().base();
      total_held += piece.held.length().base();
    }
    if (total > kMax || total_held > kMax) return TooMuch("GPU-milliseconds");
    for (std::size_t i = 0; i < sums.size(); ++i) {
      run_.time[i] = GpuMillis(static_cast<std::int64_t>(sums[i]));
      run_.held[i] = Millis(static_cast<std::int64_t>(held[i]));
    }
    run_.allocated = GpuMillis(static_cast<std::int64_t>(total));
    return Ok();
  }

  Status CountSteps(const Lineage& lineage) {
    for (std::size_t a = 0; a < run_.log.attempts.size(); ++a) {
      const std::vector<TrainingEvent>& events = run_.log.attempts[a].events;
      for (std::size_t e = 0; e < events.size(); ++e) {
        if (events[e].kind == RunEventKind::kCheckpointEnd) ++run_.durable_checkpoints;
        if (!events[e].is_step) continue;
        TrainingOutput& output = lineage.Keeps(a, e) ? run_.kept : run_.lost;
        ++output.steps;
        if (!Add(events[e].samples, output.samples)) return TooMuch("samples");
        if (!Add(events[e].tokens, output.tokens)) return TooMuch("tokens");
      }
    }
    return Ok();
  }

  void CostFailures(const std::vector<FailurePoint>& points) {
    std::optional<WorkLost> work;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const EventAt& at = points[i].at;
      const TrainingAttempt& attempt = run_.log.attempts[at.attempt];
      const TrainingEvent& event = attempt.events[at.event];
      if (i == 0 || points[i - 1].at.attempt != at.attempt) {
        work.emplace(attempt, PiecesOfAttempt(run_.pieces, at.attempt));
      }
      TrainingFailure failure{attempt.number, event.at, points[i].is_told, "", {}, {}};
      if (points[i].is_told) failure.reason = events_.name[event.row];
      failure.work_lost = work->Before(at.event);
      run_.failures.push_back(std::move(failure));
    }
    for (const TimePiece& piece : run_.pieces) {
      if (piece.cause != TimeCause::kRestart || piece.failure < 0) continue;
      run_.failures[static_cast<std::size_t>(piece.failure)].restart +=
          GpuMillis(static_cast<std::int64_t>(piece.gpu_millis()));
    }
  }

  // T3.
  void MarkOverlap() {
    std::vector<Window> held;
    for (std::size_t a = 0; a < run_.log.attempts.size(); ++a) {
      const auto pieces = PiecesOfAttempt(run_.pieces, a);
      if (!pieces.empty()) held.push_back({pieces.front().held.begin, pieces.back().held.until});
    }
    std::sort(held.begin(), held.end());
    for (std::size_t i = 1; i < held.size(); ++i) {
      run_.log.overlap = run_.log.overlap || held[i].begin < held[i - 1].until;
      held[i].until = std::max(held[i].until, held[i - 1].until);
    }
  }

 private:
  Error TooMuch(const char* what) const {
    const std::size_t row = run_.log.attempts.front().events.front().row;
    return {ErrorCode::kOutOfRange, "run '" + events_.run[row] + "': its " + what +
                                        " are more than 64 bits count; check the log's units"};
  }

  static bool Add(std::optional<std::int64_t> told, std::optional<std::int64_t>& sum) {
    if (!told || *told < 0) return true;
    const std::int64_t before = sum.value_or(0);
    if (int128{before} + *told > kMax) return false;
    sum = before + *told;
    return true;
  }

  const RunEventBatch& events_;
  TrainingRun& run_;
};

}  // namespace

GpuHours TrainingRun::FailureLoss() const {
  GpuHours sum;
  for (const TrainingFailure& failure : failures) sum += failure.Loss();
  return sum;
}

std::vector<std::string> TrainingRun::Marks() const {
  std::vector<std::string> marks;
  if (log.clock) marks.emplace_back("clock");
  if (log.overlap) marks.emplace_back("overlap");
  if (log.no_start) marks.emplace_back("no_start");
  if (log.no_stop) marks.emplace_back("no_stop");
  if (log.no_gpus) marks.emplace_back("no_gpus");
  return marks;
}

Result<TrainingRun> Account(const RunEventBatch& events, std::span<const std::size_t> rows,
                            const TrainingOptions& options) {
  TrainingRun run;
  PLIMSOLL_TRY(run.log, ReadTrainingLog(events, rows, options.gpus));
  const Lineage lineage(run.log);
  const std::vector<FailurePoint> failures = FailuresOf(run.log);
  run.pieces = PiecesOf(run.log, lineage, failures, options.causes);
  Accountant accountant(events, run);
  PLIMSOLL_RETURN_IF_ERROR(accountant.AddUp());
  PLIMSOLL_RETURN_IF_ERROR(accountant.CountSteps(lineage));
  accountant.CostFailures(failures);
  accountant.MarkOverlap();
  const GpuHours sum = std::accumulate(run.time.begin(), run.time.end(), GpuHours());
  PLIMSOLL_CHECK(sum == run.allocated);
  return run;
}

Result<TrainingRun> Account(const RunEventBatch& events, const TrainingOptions& options) {
  std::vector<std::size_t> rows(RowsOf(events));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return Account(events, rows, options);
}

GpuHours HeldBefore(const TrainingRun& run, Instant until) {
  int128 sum = 0;
  for (const TimePiece& piece : run.pieces) {
    const Instant end = std::min(piece.held.until, until);
    if (piece.held.begin < end) sum += int128{piece.gpus} * Between(piece.held.begin, end).base();
  }
  return GpuMillis(static_cast<std::int64_t>(sum));
}

}  // namespace plimsoll
