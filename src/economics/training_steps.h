// TrainingSteps: which steps of a run are in the model that came out of it, and which were done
// in vain. Rule T6 of docs/decisions/0003-training-accounting.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "economics/training_log.h"

namespace plimsoll {

// An event of a log.
struct EventAt {
  std::size_t attempt = 0;  // index, not number
  std::size_t event = 0;

  friend bool operator==(const EventAt&, const EventAt&) = default;
};

// What of the log is left standing by what follows, in run order.
class Lineage {
 public:
  explicit Lineage(const TrainingLog& log);

  // The kept steps; their numbers ascend.
  const std::vector<EventAt>& steps() const { return steps_; }
  // For each attempt and event: true if it is a kept step.
  bool Keeps(std::size_t attempt, std::size_t event) const { return kept_[attempt][event]; }

  // If the run's end was a failure that nothing resumed, in a log that tells of checkpoints:
  // what of it is left are the steps up to `end_step`, none without one.
  bool ends_in_failure() const { return ends_in_failure_; }
  std::optional<std::int64_t> end_step() const { return end_step_; }

 private:
  void Walk(const TrainingLog& log);

  std::vector<EventAt> steps_;
  std::vector<std::vector<bool>> kept_;
  bool ends_in_failure_ = false;
  std::optional<std::int64_t> end_step_;
};

}  // namespace plimsoll
