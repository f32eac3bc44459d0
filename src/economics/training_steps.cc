#include "economics/training_steps.h"

namespace plimsoll {
namespace {

// What the walk has seen of checkpoints, in run order.
struct Checkpoints {
  bool any = false;
  std::optional<std::int64_t> durable;           // T6: the step that the last durable one holds
  std::optional<std::int64_t> begun, last_step;  // of this attempt

  void Take(const TrainingEvent& event) {
    switch (event.kind) {
      case RunEventKind::kCheckpointBegin:
        any = true;
        if (event.step) begun = event.step;
        break;
      case RunEventKind::kCheckpointEnd: {
        any = true;
        const std::optional<std::int64_t> step = event.step ? event.step
                                                 : begun    ? begun
                                                            : last_step;
        if (step) durable = step;
        break;
      }
      case RunEventKind::kResume:
        if (event.step) durable = event.step;
        break;
      default:
        if (event.is_step) last_step = event.step;
    }
  }
};

}  // namespace

Lineage::Lineage(const TrainingLog& log) {
  Walk(log);
  for (const TrainingAttempt& attempt : log.attempts) {
    kept_.emplace_back(attempt.events.size(), false);
  }
  for (const EventAt& step : steps_) kept_[step.attempt][step.event] = true;
}

void Lineage::Walk(const TrainingLog& log) {
  const auto number = [&](const EventAt& at) {
    return *log.attempts[at.attempt].events[at.event].step;
  };
  // Numbers ascend, so that what goes is always at the end.
  const auto keep_up_to = [&](std::int64_t step) {
    while (!steps_.empty() && number(steps_.back()) > step) steps_.pop_back();
  };
  Checkpoints checkpoints;
  for (std::size_t a = 0; a < log.attempts.size(); ++a) {
    checkpoints.begun.reset();
    checkpoints.last_step.reset();
    for (std::size_t e = 0; e < log.attempts[a].events.size(); ++e) {
      const TrainingEvent& event = log.attempts[a].events[e];
      checkpoints.Take(event);
      if (IsDecisive(event) && event.kind != RunEventKind::kStop) {
        ends_in_failure_ = event.kind == RunEventKind::kFailure;
      }
      if (event.kind == RunEventKind::kResume && event.step) keep_up_to(*event.step);
      if (!event.is_step) continue;
      keep_up_to(*event.step);
      if (!steps_.empty() && number(steps_.back()) == *event.step) steps_.pop_back();
      steps_.push_back({a, e});
    }
  }
  ends_in_failure_ = ends_in_failure_ && checkpoints.any;
  if (!ends_in_failure_) return;
  end_step_ = checkpoints.durable;
  if (end_step_) keep_up_to(*end_step_);
  if (!end_step_) steps_.clear();
}

}  // namespace plimsoll
