#include "ingest/runs/run_merge.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "ingest/pod.h"
#include "ingest/runs/run_facts.h"
#include "ingest/runs/run_files.h"
#include "ingest/runs/run_steps.h"

namespace plimsoll {
namespace {

using Labels = std::map<std::string, std::string>;
using RunKey = std::pair<std::string, std::string>;  // (source, run)

// Times before this are lengths from the epoch, not times (run_files.h).
constexpr Instant kFirstTime = AtSeconds(631'152'000);  // 1990

// The order of events of one time and seq: what begins before what goes on and what ends.
constexpr std::array<std::string_view, 10> kKindOrder{
    "start",  "resume",           "stall_begin",    "stall_end", "step",
    "metric", "checkpoint_begin", "checkpoint_end", "failure",   "stop"};

std::ptrdiff_t KindOrder(const std::string& kind) {
  return std::find(kKindOrder.begin(), kKindOrder.end(), kind) - kKindOrder.begin();
}

template <class T>
void KeepGreater(T& mine, const T& theirs) {
  if (mine < theirs) mine = theirs;
}

void JoinRun(RunBatch& to, std::size_t at, const RunBatch& from, std::size_t row) {
  for (const auto column : {&RunBatch::experiment, &RunBatch::name, &RunBatch::model, &RunBatch::ns,
                            &RunBatch::workload, &RunBatch::pod, &RunBatch::job}) {
    KeepGreater((to.*column)[at], (from.*column)[row]);
  }
  KeepGreater(to.cluster[at], from.cluster[row]);
  if (to.labels[at] == from.labels[row]) return;
  Labels labels = RunLabelsOf(to.labels[at]);
  for (const auto& [key, value] : RunLabelsOf(from.labels[row])) KeepGreater(labels[key], value);
  to.labels[at] = LabelsJson(labels);
}

// The rows of both batches of each run.
struct RunRows {
  std::size_t run = 0;  // in the merged runs
  std::vector<std::size_t> events;
};

std::map<RunKey, RunRows> JoinRuns(RunBatch& runs) {
  std::map<RunKey, std::vector<std::size_t>> by_key;
  for (std::size_t row = 0; row < RowsOf(runs); ++row) {
    by_key[{runs.source[row].text(), runs.run[row]}].push_back(row);
  }
  RunBatch merged;
  std::map<RunKey, RunRows> found;
  for (const auto& [key, rows] : by_key) {
    AppendRow(merged, runs, rows.front());
    const std::size_t at = RowsOf(merged) - 1;
    for (const std::size_t row : rows) JoinRun(merged, at, runs, row);
    found[key].run = at;
  }
  runs = std::move(merged);
  return found;
}

// All that tells two events of one run apart, in the order in which they stand.
auto KeyOf(const RunEventBatch& events, std::size_t row) {
  return std::tuple(events.attempt[row], events.at[row], events.seq[row],
                    KindOrder(events.kind[row].text()), std::string_view(events.kind[row]),
                    events.step[row], std::string_view(events.name[row]),
                    std::string_view(events.value[row]));
}

void SortByKey(const RunEventBatch& events, std::vector<std::size_t>& rows) {
  std::sort(rows.begin(), rows.end(),
            [&](std::size_t a, std::size_t b) { return KeyOf(events, a) < KeyOf(events, b); });
}

// Appends the rows in order, each event once. Returns how many were there again.
std::int64_t AppendJoined(const RunEventBatch& from, const std::vector<std::size_t>& rows,
                          RunEventBatch& to) {
  std::int64_t again = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && KeyOf(from, rows[i]) == KeyOf(from, last)) {
      KeepGreater(to.gpus.back(), from.gpus[rows[i]]);  // null is the least
      KeepGreater(to.tokens.back(), from.tokens[rows[i]]);
      KeepGreater(to.samples.back(), from.samples[rows[i]]);
      ++again;
      continue;
    }
    AppendRow(to, from, rows[i]);
    last = rows[i];
  }
  return again;
}

std::vector<std::size_t> AllRows(const RunEventBatch& events) {
  std::vector<std::size_t> rows(RowsOf(events));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// Once a run's times are known, what was told without them is told again with them.
void DropTimeless(const RunEventBatch& events, std::vector<std::size_t>& rows, Labels& labels) {
  if (!labels.contains(kRunTimesLabel)) return;
  const bool has_times = std::any_of(rows.begin(), rows.end(),
                                     [&](std::size_t row) { return events.at[row] >= kFirstTime; });
  if (!has_times) return;
  std::erase_if(rows, [&](std::size_t row) { return events.at[row] < kFirstTime; });
  labels.erase(kRunTimesLabel);
}

// One run of a source whose steps are derived.
std::int64_t AppendDerived(RunEventBatch& all, std::vector<std::size_t> rows, const Labels& labels,
                           RunEventBatch& to) {
  std::erase_if(rows, [&](std::size_t row) { return all.kind[row] == "step"; });
  for (const std::size_t row : rows) all.attempt[row] = 0;
  SortByKey(all, rows);
  RunEventBatch mine;
  const std::int64_t again = AppendJoined(all, rows, mine);
  rows = AllRows(mine);
  if (!rows.empty() && mine.source.front() == "tensorboard") NumberAttempts(mine, rows);
  const RunEventBatch steps = DeriveSteps(mine, rows, labels);
  for (std::size_t row = 0; row < RowsOf(steps); ++row) AppendRow(mine, steps, row);
  rows = AllRows(mine);
  SortByKey(mine, rows);
  AppendJoined(mine, rows, to);
  return again;
}

}  // namespace

std::int64_t MergeRuns(RunBatch& runs, RunEventBatch& events) {
  std::map<RunKey, RunRows> found = JoinRuns(runs);
  for (std::size_t row = 0; row < RowsOf(events); ++row) {
    const auto at = found.find({events.source[row].text(), events.run[row]});
    PLIMSOLL_CHECK(at != found.end());
    at->second.events.push_back(row);
  }
  RunEventBatch merged;
  std::int64_t again = 0;
  for (auto& [key, rows] : found) {
    if (HasDerivedSteps(key.first)) {
      Labels labels = RunLabelsOf(runs.labels[rows.run]);
      DropTimeless(events, rows.events, labels);
      runs.labels[rows.run] = LabelsJson(labels);
      again += AppendDerived(events, std::move(rows.events), labels, merged);
    } else {
      SortByKey(events, rows.events);
      again += AppendJoined(events, rows.events, merged);
    }
  }
  events = std::move(merged);
  return again;
}

}  // namespace plimsoll
