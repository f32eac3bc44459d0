#include "economics/training_target.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>

#include "economics/training_steps.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kWindowMax = 1'000'000'000;
constexpr std::string_view kWindowKey = ",window=";
constexpr std::string_view kSteps = "steps";

Error BadTarget(std::string_view text, const std::string& why) {
  return {ErrorCode::kInvalidArgument,
          "target '" + std::string(text) + "': " + why +
              "; write it as loss<=2.5, accuracy>=0.9,window=3 or loss<=2.5,window=500steps"};
}

Status ReadWindow(std::string_view text, QualityTarget& target) {
  target.window_in_steps = text.ends_with(kSteps);
  if (target.window_in_steps) text.remove_suffix(kSteps.size());
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), target.window);
  const bool is_whole = failure == std::errc() && end == text.data() + text.size();
  if (is_whole && target.window >= 1 && target.window <= kWindowMax) return Ok();
  return Error{ErrorCode::kInvalidArgument, "the window is no number of evaluations or steps"};
}

// The evaluations that are left as the walk goes on, by step.
class Standing {
 public:
  Standing(const RunEventBatch& events, std::string_view name) : events_(events), name_(name) {}

  void BeginAttempt() {
    last_step_ = 0;
    told_since_ = next_;
    is_leg_begin_ = true;
  }

  void Take(const TrainingEvent& event) {
    if (event.kind == RunEventKind::kMetric) return TakeMetric(event);
    if (IsBreak(event.kind)) {
      is_leg_begin_ = true;
      if (event.kind == RunEventKind::kResume && event.step) {
        KeepUpTo(*event.step);
        while (!steps_.empty() && steps_.back() > *event.step) steps_.pop_back();
      }
    } else if (event.is_step) {
      TakeStep(*event.step);
    } else {
      return;
    }
    told_since_ = next_;
  }

  void KeepUpTo(std::int64_t step) { by_step_.erase(by_step_.upper_bound(step), by_step_.end()); }
  void Clear() { by_step_.clear(); }

  std::vector<Evaluation> Rest() const {
    std::vector<Evaluation> rest;
    for (const auto& [step, told] : by_step_) rest.push_back(told.evaluation);
    return rest;
  }

 private:
  struct Told {
    std::int64_t order;
    Evaluation evaluation;
  };

  void TakeMetric(const TrainingEvent& event) {
    if (events_.name[event.row] != name_) return;
    Evaluation evaluation{event.step.value_or(last_step_), event.at, std::nullopt};
    if (auto value = ExactDecimal::Parse(events_.value[event.row])) evaluation.value = *value;
    by_step_.emplace(evaluation.step, Told{next_++, evaluation});
  }

  void TakeStep(std::int64_t step) {
    const bool goes_back = !steps_.empty() && steps_.back() >= step;
    if (goes_back || is_leg_begin_) {
      KeepUpTo(step);
      for (auto at = by_step_.lower_bound(step); at != by_step_.end();) {
        at = at->second.order < told_since_ ? by_step_.erase(at) : std::next(at);
      }
    }
    while (!steps_.empty() && steps_.back() >= step) steps_.pop_back();
    steps_.push_back(step);
    last_step_ = step;
    is_leg_begin_ = false;
  }

  const RunEventBatch& events_;
  std::string_view name_;
  std::multimap<std::int64_t, Told> by_step_;
  std::vector<std::int64_t> steps_;  // kept so far
  std::int64_t last_step_ = 0;       // of this attempt
  std::int64_t next_ = 0;            // order of the next evaluation
  std::int64_t told_since_ = 0;      // the first since the last decisive event
  bool is_leg_begin_ = true;
};

// The worst value of a window that moves on, or none while one in it has no value.
class WorstOf {
 public:
  WorstOf(const std::vector<Evaluation>& evaluations, bool at_most)
      : evaluations_(evaluations), at_most_(at_most) {}

  std::optional<ExactDecimal> In(std::size_t begin, std::size_t end) {
    for (; end_ < end; ++end_) {
      if (!evaluations_[end_].value) {
        ++missing_;
        continue;
      }
      while (!worst_.empty() && !IsWorse(worst_.back(), end_)) worst_.pop_back();
      worst_.push_back(end_);
    }
    for (; begin_ < begin; ++begin_) {
      if (!evaluations_[begin_].value) --missing_;
      if (!worst_.empty() && worst_.front() == begin_) worst_.pop_front();
    }
    if (missing_ > 0 || worst_.empty()) return std::nullopt;
    return evaluations_[worst_.front()].value;
  }

 private:
  bool IsWorse(std::size_t a, std::size_t b) const {
    const auto &x = *evaluations_[a].value, &y = *evaluations_[b].value;
    return at_most_ ? x > y : x < y;
  }

  const std::vector<Evaluation>& evaluations_;
  bool at_most_;
  std::deque<std::size_t> worst_;  // indexes; each is worse than all after it
  std::size_t begin_ = 0, end_ = 0;
  std::int64_t missing_ = 0;
};

}  // namespace

Result<QualityTarget> ParseTarget(std::string_view text) {
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos || sign == 0 || sign + 1 >= text.size() ||
      text[sign + 1] != '=') {
    return BadTarget(text, "there is no <= or >= after a metric's name");
  }
  QualityTarget target;
  target.metric = text.substr(0, sign);
  target.at_most = text[sign] == '<';
  std::string_view value = text.substr(sign + 2);
  const std::size_t window = value.find(kWindowKey);
  if (window != std::string_view::npos) {
    const Status read = ReadWindow(value.substr(window + kWindowKey.size()), target);
    if (!read) return BadTarget(text, read.error().message);
    value = value.substr(0, window);
  }
  const Result<ExactDecimal> parsed = ExactDecimal::Parse(value);
  if (!parsed) return BadTarget(text, "its value is " + parsed.error().message);
  target.value = *parsed;
  return target;
}

std::string ToString(const QualityTarget& target) {
  std::string text = target.metric + (target.at_most ? "<=" : ">=") + target.value.ToString();
  if (target.window == 1 && !target.window_in_steps) return text;
  text += std::string(kWindowKey) + std::to_string(target.window);
  return target.window_in_steps ? text + std::string(kSteps) : text;
}

std::vector<Evaluation> EvaluationsOf(const RunEventBatch& events, const TrainingLog& log,
                                      std::string_view name) {
  Standing standing(events, name);
  for (const TrainingAttempt& attempt : log.attempts) {
    standing.BeginAttempt();
    for (const TrainingEvent& event : attempt.events) standing.Take(event);
  }
  const Lineage lineage(log);
  if (lineage.ends_in_failure()) {
    if (lineage.end_step()) standing.KeepUpTo(*lineage.end_step());
    if (!lineage.end_step()) standing.Clear();
  }
  return standing.Rest();
}

QualityReached Reach(const std::vector<Evaluation>& evaluations, const QualityTarget& target) {
  const auto is_better = [&](const ExactDecimal& a, const ExactDecimal& b) {
    return target.at_most ? a < b : a > b;
  };
  QualityReached reached;
  WorstOf worst(evaluations, target.at_most);
  const std::size_t count = evaluations.size();
  for (std::size_t begin = 0, end = 0; begin < count; ++begin) {
    if (target.window_in_steps) {
      const int128 until = int128{evaluations[begin].step} + target.window;
      if (evaluations.back().step < until) break;
      while (end < count && evaluations[end].step <= until) ++end;
    } else {
      if (static_cast<std::size_t>(target.window) > count - begin) break;
      end = begin + static_cast<std::size_t>(target.window);
    }
    const std::optional<ExactDecimal> held = worst.In(begin, end);
    if (!held) continue;
    if (!reached.quality || is_better(*held, *reached.quality)) reached.quality = held;
    if (!reached.at && !is_better(target.value, *held)) {
      reached.at = evaluations[begin].at;
      reached.step = evaluations[begin].step;
    }
  }
  return reached;
}

}  // namespace plimsoll
