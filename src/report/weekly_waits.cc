#include <algorithm>
#include <utility>

#include "report/display.h"
#include "report/render.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

constexpr const char* kCauses[kWaitCauses] = {
    "too_few_idle: fewer GPUs were idle than the job needs",
    "scattered: enough GPUs were idle, but not on enough nodes at once",
    "room_enough: its nodes were free; order, quota or the scheduler's pace held it back",
    "unknown: what it needs on one node is not on record",
};

Value Seconds(Duration wait) { return std::to_string(wait.base() / 1'000); }
std::string Text(Duration wait) { return Display(ValueKind::kSeconds, Seconds(wait)); }

std::string Hours(GpuHours time) {
  return Display(ValueKind::kHours, ToDecimalHours(time)) + " GPU-hours";
}

std::string Counted(std::int64_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

Value IntervalText(const std::optional<WaitQuantiles>& waits) {
  if (!waits) return std::nullopt;
  if (!waits->p95_low || !waits->p95_high) return "too few waits";
  return Text(*waits->p95_low) + " to " + Text(*waits->p95_high);
}

ReportTable WaitTable(std::string key, std::string title, std::vector<ReportColumn> first) {
  ReportTable table{std::move(key), std::move(title), std::move(first), {}, {}};
  for (const ReportColumn& column : std::initializer_list<ReportColumn>{
           {"started", "Started", ValueKind::kCount},
           {"wait_p50", "Half waited at most", ValueKind::kSeconds},
           {"wait_p90", "90 % at most", ValueKind::kSeconds},
           {"wait_p95", "95 % at most", ValueKind::kSeconds},
           {"wait_p95_interval", "95 % interval of that"},
           {"wait_max", "Longest", ValueKind::kSeconds},
           {"gpu_hours_waited", "GPU-hours waiting", ValueKind::kHours},
           {"unknown", "Wait not known", ValueKind::kCount},
           {"waiting", "Waiting at the end", ValueKind::kCount}}) {
    table.columns.push_back(column);
  }
  return table;
}

void AddWaits(const WaitsOfJobs& jobs, std::vector<Value> row, ReportTable& table) {
  const auto& waits = jobs.waits;
  row.push_back(std::to_string(jobs.started));
  for (const Duration WaitQuantiles::*part :
       {&WaitQuantiles::p50, &WaitQuantiles::p90, &WaitQuantiles::p95}) {
    row.push_back(waits ? Seconds((*waits).*part) : std::nullopt);
  }
  row.push_back(IntervalText(waits));
  row.push_back(waits ? Seconds(waits->max) : std::nullopt);
  row.push_back(HoursCell(jobs.waited));
  row.push_back(std::to_string(jobs.unknown));
  row.push_back(std::to_string(jobs.waiting));
  table.rows.push_back(std::move(row));
}

GpuHours WaitedOf(const CapacityWeek& week) {
  GpuHours waited;
  for (const WaitsOfJobs& jobs : week.by_size) waited += jobs.waited;
  return waited;
}

GpuHours CauseOf(const CapacityWeek& week, WaitCause cause) {
  GpuHours waited;
  for (const CausesOfCluster& of : week.causes) {
    waited += of.waited[static_cast<std::size_t>(cause)];
  }
  return waited;
}

void AddWaitTables(const CapacityWeek& week, ReportSection& section) {
  ReportTable sizes =
      WaitTable("waits_by_size", "Waits of GPU jobs by size", {{"gpus", "GPUs of the job"}});
  for (const WaitsOfJobs& jobs : week.by_size) AddWaits(jobs, {jobs.size}, sizes);
  ReportTable queues = WaitTable("waits_by_queue", "Waits of GPU jobs by queue",
                                 {{"cluster", "Cluster"}, {"queue", "Queue"}});
  for (const WaitsOfJobs& jobs : week.by_queue) AddWaits(jobs, {jobs.cluster, jobs.queue}, queues);
  if (!sizes.rows.empty()) section.tables.push_back(std::move(sizes));
  if (!queues.rows.empty()) section.tables.push_back(std::move(queues));
}

// A scheduler keeps its reason for a wait only until the job starts.
bool HasReasons(const CapacityWeek& week) {
  return std::any_of(week.reasons.begin(), week.reasons.end(),
                     [](const WaitReason& reason) { return !reason.reason.empty(); });
}

void AddCauses(const CapacityWeek& week, ReportSection& section) {
  ReportTable causes{"wait_causes",
                     "What was idle while jobs waited, each job seen alone",
                     {{"cluster", "Cluster"},
                      {"cause", "Cause"},
                      {"meaning", "Meaning"},
                      {"gpu_hours_waited", "GPU-hours waiting", ValueKind::kHours},
                      {"share", "Share", ValueKind::kPercent}},
                     {},
                     {}};
  for (const CausesOfCluster& of : week.causes) {
    GpuHours all;
    for (const GpuHours part : of.waited) all += part;
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      if (of.waited[i] == GpuHours()) continue;
      const std::string text = kCauses[i];
      const std::size_t colon = text.find(": ");
      causes.rows.push_back({of.cluster, text.substr(0, colon), text.substr(colon + 2),
                             HoursCell(of.waited[i]), PercentOf(of.waited[i].base(), all.base())});
    }
  }
  if (!causes.rows.empty()) section.tables.push_back(std::move(causes));
  ReportTable reasons{"wait_reasons",
                      "What the scheduler says of jobs that wait at the end",
                      {{"cluster", "Cluster"},
                       {"reason", "Reason"},
                       {"jobs", "Jobs", ValueKind::kCount},
                       {"gpus", "GPUs", ValueKind::kDecimal}},
                      {},
                      {}};
  if (!HasReasons(week)) return;
  for (const WaitReason& reason : week.reasons) {
    reasons.rows.push_back({reason.cluster, reason.reason.empty() ? "not on record" : reason.reason,
                            std::to_string(reason.jobs), GpusText(reason.gpu_milli)});
  }
  section.tables.push_back(std::move(reasons));
}

std::string WaitSentence(const CapacityWeek& week) {
  std::int64_t started = 0, unknown = 0, waiting = 0;
  for (const WaitsOfJobs& jobs : week.by_size) {
    started += jobs.started;
    unknown += jobs.unknown;
    waiting += jobs.waiting;
  }
  std::string text = Counted(started, "GPU job") + " started, and jobs waited " +
                     Hours(WaitedOf(week)) + " in all";
  if (waiting > 0) {
    text += "; " + std::to_string(waiting) + (waiting == 1 ? " still waits" : " still wait") +
            " at the end";
  }
  if (unknown > 0) {
    text += "; of " + Counted(unknown, "more job") + " nothing tells since when they waited";
  }
  return text + ".";
}

// "While they waited, 16.0 % of the time had too few idle GPUs, ...", by GPU-hours.
std::string CauseSentence(const CapacityWeek& week) {
  GpuHours all;
  for (std::size_t i = 0; i < kWaitCauses; ++i) all += CauseOf(week, static_cast<WaitCause>(i));
  if (all == GpuHours()) return "";
  const auto share = [&](WaitCause cause) {
    return PercentOf(CauseOf(week, cause).base(), all.base()).value_or("0.0") + " %";
  };
  return "Of these GPU-hours " + share(WaitCause::kTooFewIdle) +
         " had too few idle GPUs beside them, " + share(WaitCause::kScattered) +
         " enough but scattered over nodes, and " + share(WaitCause::kRoomEnough) +
         " free nodes: there look at the queue's order, quotas and the scheduler's pace.";
}

}  // namespace

std::string GpusText(std::int64_t gpu_milli) {
  const std::int64_t tenths = (gpu_milli + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

void AddJobWaits(const CapacityWeek& week, ReportSection& capacity) {
  if (week.by_size.empty()) {
    capacity.connect.emplace_back(
        "How long GPU jobs waited needs jobs: plimsoll ingest slurm or plimsoll ingest "
        "kubernetes.");
    return;
  }
  const GpuHours waited = WaitedOf(week);
  const GpuHours scattered = CauseOf(week, WaitCause::kScattered);
  capacity.facts.push_back({"gpu_hours_waited", "Time that GPU jobs waited", ValueKind::kHours,
                            HoursCell(waited), "GPU-hours", "",
                            "GPUs of a job x its wait within the week"});
  capacity.facts.push_back(
      {"gpu_hours_scattered", "Of it beside enough idle GPUs, but scattered", ValueKind::kHours,
       HoursCell(scattered), "GPU-hours", "",
       PercentOf(scattered.base(), waited.base()).value_or("0.0") + " % of it"});
  capacity.sentences.push_back(WaitSentence(week));
  if (std::string causes = CauseSentence(week); !causes.empty()) {
    capacity.sentences.push_back(std::move(causes));
  }
  AddWaitTables(week, capacity);
  AddCauses(week, capacity);
  capacity.sentences.emplace_back(
      "A wait is from when the job could have started (Slurm: eligible; Kubernetes: pod created) "
      "until the last pod of its gang had a node. Percentiles are waits that some job had. What "
      "runs for good (services, notebooks) is no job and not counted here.");
  if (week.has_kueue) {
    capacity.sentences.emplace_back(
        "Kueue makes the pods of a suspended job only once it has reserved quota: the time before "
        "that is not in these waits.");
  }
  if (!HasReasons(week)) {
    capacity.sentences.emplace_back(
        "No scheduler's reason for a wait is on record: it is dropped when a job starts. The "
        "causes "
        "below follow from which GPUs were idle at the time, not from what a scheduler said.");
  }
}

std::vector<std::string> UnfitSentences(const CapacityWeek& week) {
  std::vector<std::string> sentences;
  for (const UnfitJobs& jobs : week.unfit) {
    const std::int64_t each = (jobs.gpus + jobs.pods - 1) / jobs.pods;
    const std::string idle = GpusText(jobs.idle_milli);
    const std::string whole = idle.ends_with(".0") ? idle.substr(0, idle.size() - 2) : idle;
    const std::string job = std::to_string(jobs.gpus) + "-GPU job";
    const std::string who =
        jobs.jobs == 1 ? "the waiting " + job + " does not fit"
                       : "none of the " + std::to_string(jobs.jobs) + " waiting " + job + "s fits";
    const std::string places =
        jobs.slots == 0 ? "no node has them"
                        : "there is room for " + std::to_string(jobs.slots) + " of them only";
    sentences.push_back(whole + " GPUs (" + jobs.gpu_model + ", cluster " + jobs.cluster +
                        ") were idle at the end, yet " + who + ": it needs " +
                        Counted(jobs.pods, "node") + " with " + std::to_string(each) +
                        " idle each, and " + places + ".");
  }
  return sentences;
}

}  // namespace plimsoll
