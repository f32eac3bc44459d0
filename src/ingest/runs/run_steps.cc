#include "ingest/runs/run_steps.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "ingest/runs/number_text.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 4> kDerived{"mlflow", "tensorboard", "trainer-state",
                                                   "lightning"};
constexpr std::array<std::string_view, 4> kTokenCounters{"num_input_tokens_seen", "num_tokens",
                                                         "tokens_seen", "consumed_tokens"};
constexpr std::array<std::string_view, 3> kSampleCounters{"consumed_samples",
                                                          "consumed_train_samples", "samples_seen"};
constexpr std::int64_t kCountMax = 1'000'000'000'000'000;

template <std::size_t size>
bool IsIn(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The metric with the most different steps; of several, the first by name. "" if there is none
// that goes beyond step 0.
std::string PaceOf(const RunEventBatch& events, const std::vector<std::size_t>& rows) {
  std::map<std::string_view, std::set<std::int64_t>> steps;
  for (const std::size_t row : rows) {
    if (events.kind[row] == "metric" && events.step[row].value_or(0) > 0) {
      steps[events.name[row]].insert(*events.step[row]);
    }
  }
  std::string pace;
  std::size_t most = 0;
  for (const auto& [name, seen] : steps) {
    if (seen.size() <= most) continue;
    most = seen.size();
    pace = name;
  }
  return pace;
}

std::optional<std::int64_t> PerStep(const std::map<std::string, std::string>& labels,
                                    const char* name) {
  const auto found = labels.find(name);
  if (found == labels.end()) return std::nullopt;
  const std::optional<std::int64_t> count = WholeNumber(found->second);
  return count && *count > 0 && *count <= kCountMax ? count : std::nullopt;
}

// What the first step of a log stands for.
enum class FirstStep : unsigned char {
  kFromOne,   // steps are counted from 1: step n is the nth
  kFromZero,  // from 0: step n is the (n+1)th
  kUnknown,   // the log is the rest of another one
};

// `points` are the pace's, at least one. A log that begins far from step 0 is the rest of
// another one.
FirstStep FirstOf(const RunEventBatch& events, const std::vector<std::size_t>& points) {
  const std::int64_t first = *events.step[points.front()];
  std::int64_t interval = first;
  for (const std::size_t row : points) {
    if (*events.step[row] > first) {
      interval = *events.step[row] - first;
      break;
    }
  }
  if (first > 2 * interval) return FirstStep::kUnknown;
  const bool from_zero = first == 0 || events.source[points.front()] == "lightning";
  return from_zero ? FirstStep::kFromZero : FirstStep::kFromOne;
}

// One of tokens and samples over the steps of a run.
class Counter {
 public:
  Counter(const RunEventBatch& events, const std::vector<std::size_t>& rows, RunCounter what,
          std::optional<std::int64_t> per_step)
      : per_step_(per_step) {
    for (const std::size_t row : rows) {
      if (events.kind[row] != "metric" || !events.step[row]) continue;
      if (CounterOf(events.name[row]) != what) continue;
      const std::optional<std::int64_t> count = WholeNumber(events.value[row]);
      if (!count || *count < 0 || *count > kCountMax) continue;
      is_counted_ = true;
      // Of two at one step of an attempt, the later one: rows come in order of time.
      counts_[{events.attempt[row], *events.step[row]}] = *count;
    }
  }

  // What `step` adds to the greatest step below it that stands; steps from it on stand no more.
  std::optional<std::int64_t> Take(std::int64_t attempt, std::int64_t step, FirstStep first) {
    standing_.erase(standing_.lower_bound(step), standing_.end());
    const auto count = CountAt(attempt, step, first);
    std::optional<std::int64_t> added;
    if (count && standing_.empty()) {
      if (first != FirstStep::kUnknown) added = count;
    } else if (count) {
      added = *count - standing_.rbegin()->second;
    }
    if (count) standing_[step] = *count;
    return added && *added >= 0 && *added <= kCountMax ? added : std::nullopt;
  }

 private:
  std::optional<std::int64_t> CountAt(std::int64_t attempt, std::int64_t step,
                                      FirstStep first) const {
    if (is_counted_) {
      const auto found = counts_.find({attempt, step});
      return found == counts_.end() ? std::nullopt : std::optional(found->second);
    }
    if (!per_step_ || step > kCountMax / *per_step_) return std::nullopt;
    return *per_step_ * (step + (first == FirstStep::kFromZero ? 1 : 0));
  }

  std::optional<std::int64_t> per_step_;
  bool is_counted_ = false;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts_;
  std::map<std::int64_t, std::int64_t> standing_;  // step -> count
};

}  // namespace

bool HasDerivedSteps(Symbol source) { return IsIn(kDerived, source.text()); }

RunCounter CounterOf(std::string_view metric) {
  const std::string_view last = metric.substr(metric.rfind('/') + 1);
  if (IsIn(kTokenCounters, last)) return RunCounter::kTokens;
  return IsIn(kSampleCounters, last) ? RunCounter::kSamples : RunCounter::kNone;
}

RunEventBatch DeriveSteps(const RunEventBatch& events, const std::vector<std::size_t>& rows,
                          const std::map<std::string, std::string>& labels) {
  RunEventBatch steps;
  const std::string pace = PaceOf(events, rows);
  if (pace.empty()) return steps;
  std::vector<std::size_t> points;
  for (const std::size_t row : rows) {
    const bool is_point = events.kind[row] == "metric" && events.name[row] == pace &&
                          events.step[row].value_or(-1) >= 0;
    const bool is_again = !points.empty() && events.at[points.back()] == events.at[row] &&
                          events.step[points.back()] == events.step[row];
    if (is_point && !is_again) points.push_back(row);
  }
  const FirstStep first = FirstOf(events, points);
  Counter tokens(events, rows, RunCounter::kTokens, PerStep(labels, kTokensPerStepLabel));
  Counter samples(events, rows, RunCounter::kSamples, PerStep(labels, kSamplesPerStepLabel));
  for (const std::size_t row : points) {
    AppendRow(steps, events, row);
    steps.kind.back() = "step";
    steps.name.back().clear();
    steps.value.back().clear();
    steps.tokens.back() = tokens.Take(events.attempt[row], *events.step[row], first);
    steps.samples.back() = samples.Take(events.attempt[row], *events.step[row], first);
  }
  return steps;
}

void NumberAttempts(RunEventBatch& events, const std::vector<std::size_t>& rows) {
  std::int64_t starts = 0;
  std::optional<Instant> last;
  for (const std::size_t row : rows) {
    // Two files begun at one time are two writers of one attempt.
    if (events.kind[row] == "start" && last != events.at[row]) {
      ++starts;
      last = events.at[row];
    }
    events.attempt[row] = std::max<std::int64_t>(starts - 1, 0);
  }
}

}  // namespace plimsoll
