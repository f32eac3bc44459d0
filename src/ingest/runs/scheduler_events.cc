#include "ingest/runs/scheduler_events.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "ingest/pod.h"
#include "ingest/runs/run_facts.h"

namespace plimsoll {
namespace {

constexpr const char* kRunLabel = "plimsoll.io/run";

// The stop that an end is, or "" if it is a failure.
std::string_view StopName(std::string_view end_reason) {
  if (end_reason == "Completed" || end_reason.empty()) return "completed";
  if (end_reason == "Cancelled") return "cancelled";
  return end_reason == "Timeout" ? "timeout" : "";
}

// "900010" of "900010+1", a component of a heterogeneous job.
std::string_view JobOf(std::string_view name) { return name.substr(0, name.find('+')); }

// The run that a label names; "" if none does.
std::string LabelledRun(const std::string& labels) {
  if (labels.find("plimsoll") == std::string::npos) return "";
  for (const auto& [key, value] : RunLabelsOf(labels)) {
    if (SanitizedName(key) == SanitizedName(kRunLabel)) return value;
  }
  return "";
}

// The rows of holdings by what a run may state of them.
class HoldingIndex {
 public:
  explicit HoldingIndex(const HoldingBatch& holdings) : holdings_(holdings) {
    for (std::size_t row = 0; row < RowsOf(holdings); ++row) {
      if (const std::string run = LabelledRun(holdings.labels[row]); !run.empty()) {
        by_run_[run].push_back(row);
      }
      if (holdings.source[row] == "slurm") {
        by_job_[std::string(JobOf(holdings.name[row]))].push_back(row);
      } else {
        by_pod_[holdings.name[row]].push_back(row);
        by_workload_[holdings.workload[row]].push_back(row);
      }
    }
  }

  std::vector<std::size_t> RowsOfRun(const RunBatch& runs, std::size_t run) const {
    if (const auto found = by_run_.find(runs.run[run]); found != by_run_.end()) {
      return found->second;
    }
    const std::string& job = runs.job[run];
    if (!job.empty()) return Fitting(by_job_, std::string(JobOf(job)), runs, run);
    if (!runs.workload[run].empty()) return Fitting(by_workload_, runs.workload[run], runs, run);
    if (!runs.pod[run].empty()) return Fitting(by_pod_, runs.pod[run], runs, run);
    return {};
  }

 private:
  using Index = std::map<std::string, std::vector<std::size_t>>;

  std::vector<std::size_t> Fitting(const Index& index, const std::string& name,
                                   const RunBatch& runs, std::size_t run) const {
    std::vector<std::size_t> fitting;
    const auto found = index.find(name);
    if (found == index.end()) return fitting;
    const auto agree = [](std::string_view a, std::string_view b) {
      return a.empty() || b.empty() || a == b;
    };
    for (const std::size_t row : found->second) {
      if (agree(runs.cluster[run], holdings_.cluster[row]) &&
          agree(runs.ns[run], holdings_.ns[row])) {
        fitting.push_back(row);
      }
    }
    return fitting;
  }

  const HoldingBatch& holdings_;
  Index by_run_, by_job_, by_workload_, by_pod_;
};

struct Attempt {
  std::vector<std::size_t> rows;
  std::optional<Instant> failed;  // the first failure, and its reason
  std::string reason;
  bool open = false;            // something of it goes on
  std::optional<Instant> last;  // the last end
  std::string last_reason;
};

void Add(Attempt& attempt, const HoldingBatch& holdings, std::size_t row) {
  attempt.rows.push_back(row);
  const std::optional<Instant> until = holdings.until[row];
  if (!until) {
    attempt.open = true;
    return;
  }
  const std::string& reason = holdings.end_reason[row];
  if (StopName(reason).empty() &&
      (!attempt.failed || std::pair(*until, reason) < std::pair(*attempt.failed, attempt.reason))) {
    attempt.failed = until;
    attempt.reason = reason;
  }
  if (!attempt.last || std::pair(*attempt.last, attempt.last_reason) < std::pair(*until, reason)) {
    attempt.last = until;
    attempt.last_reason = reason;
  }
}

std::vector<Attempt> AttemptsOf(const HoldingBatch& holdings, std::vector<std::size_t> rows) {
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(holdings.begin[a], a) < std::pair(holdings.begin[b], b);
  });
  std::vector<Attempt> attempts;
  for (const std::size_t row : rows) {
    const Instant begin = holdings.begin[row];
    const bool is_next =
        attempts.empty() || (attempts.back().failed && begin >= *attempts.back().failed) ||
        (!attempts.back().open && attempts.back().last && begin > *attempts.back().last);
    if (is_next) attempts.emplace_back();
    Add(attempts.back(), holdings, row);
  }
  return attempts;
}

// Whole GPUs of all the rows; null if their slices add up to none.
std::optional<std::int64_t> GpusOf(const HoldingBatch& holdings,
                                   const std::vector<std::size_t>& rows) {
  std::int64_t whole = 0;
  std::map<std::int64_t, std::int64_t> parts;  // denominator -> sum of numerators
  for (const std::size_t row : rows) {
    parts[holdings.share_den[row]] += holdings.devices[row] * holdings.share_num[row];
  }
  for (const auto& [den, num] : parts) {
    if (den <= 0 || num % den != 0) return std::nullopt;
    whole += num / den;
  }
  return whole;
}

void AppendAttempt(const RunEvent& run, const HoldingBatch& holdings, const Attempt& attempt,
                   RunEventBatch& events) {
  RunEvent event = run;
  event.kind = "start";
  event.at = holdings.begin[attempt.rows.front()];
  event.gpus = GpusOf(holdings, attempt.rows);
  Append(events, event);
  event.gpus.reset();
  if (attempt.failed) {
    event.kind = "failure";
    event.at = *attempt.failed;
    event.name = attempt.reason;
  } else if (!attempt.open && attempt.last) {
    event.kind = "stop";
    event.at = *attempt.last;
    event.name = StopName(attempt.last_reason);
  } else {
    return;
  }
  Append(events, event);
}

}  // namespace

RunEventBatch SchedulerEvents(const RunBatch& runs, const HoldingBatch& holdings) {
  const HoldingIndex index(holdings);
  std::vector<std::size_t> order(RowsOf(runs));
  std::iota(order.begin(), order.end(), std::size_t{0});
  // One run may be told by two sources; its scheduler tells of it once.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(std::string_view(runs.run[a]), std::string_view(runs.source[a]), a) <
           std::tuple(std::string_view(runs.run[b]), std::string_view(runs.source[b]), b);
  });
  std::map<Symbol, RunEventBatch> by_source;
  std::set<std::string_view> done;
  for (const std::size_t run : order) {
    const std::vector<std::size_t> rows = index.RowsOfRun(runs, run);
    if (rows.empty() || !done.insert(runs.run[run]).second) continue;
    RunEvent event;
    event.run = runs.run[run];
    event.source = holdings.source[rows.front()];
    for (const Attempt& attempt : AttemptsOf(holdings, rows)) {
      AppendAttempt(event, holdings, attempt, by_source[event.source]);
      ++event.attempt;
    }
  }
  RunEventBatch events;
  for (const auto& [source, batch] : by_source) {
    for (std::size_t row = 0; row < RowsOf(batch); ++row) AppendRow(events, batch, row);
  }
  return events;
}

}  // namespace plimsoll
