#include "report/facts_sql.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

// A table of workloads or models: what they held, used and cost.
ReportTable WorkTable(const Ask& ask, std::string key, std::string caption,
                      const std::vector<LedgerRow>& rows, const std::vector<ReportColumn>& keys,
                      const std::string& filter) {
  ReportTable table{std::move(key), std::move(caption), keys, {}, {}};
  table.columns.push_back({"gpu_hours", "GPU-hours", ValueKind::kHours});
  table.columns.push_back({"gpu_hours_used", "Used", ValueKind::kHours});
  table.columns.push_back({"used_share", "Used share", ValueKind::kPercent});
  table.columns.push_back({"cost", "Cost", ValueKind::kMoney});
  constexpr std::size_t kRowsMax = 12;
  for (const LedgerRow& row : rows) {
    if (table.rows.size() == kRowsMax) break;
    std::vector<Value> cells(row.keys.begin(), row.keys.end());
    cells.push_back(HoursCell(row.gpu_time));
    cells.push_back(row.gpu_used ? HoursCell(*row.gpu_used) : std::nullopt);
    cells.push_back(UsedShare(row.gpu_used, row.gpu_time));
    cells.push_back(MoneyCell(row.cost));
    table.rows.push_back(std::move(cells));
    std::string figure = filter;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      figure = And(figure, Is(keys[i].key, row.keys[i]));
    }
    table.figures.push_back(ask.FigureOf(figure));
  }
  return table;
}

ReportFact HoursFact(const Ask& ask, std::string key, std::string label, Value hours,
                     const std::string& filter, std::string note) {
  return {std::move(key), std::move(label),     ValueKind::kHours, std::move(hours),
          "GPU-hours",    ask.FigureOf(filter), std::move(note)};
}

// Why what was used is not known, if it is not; else `note`.
std::string UsedNote(const Sum& sum, const char* note) {
  return sum.gpu_used ? note : "no usage signal for any of them: connect DCGM metrics";
}

struct Outcomes {
  std::int64_t ended = 0, completed = 0, failed = 0;
};

Result<Outcomes> TrainingOutcomes(const Ask& ask) {
  PLIMSOLL_TRY(const Ends ends, ReadEnds(ask.store(), ask.window()));
  Outcomes out;
  for (std::size_t i = 0; i < ends.count.size(); ++i) {
    // Slurm jobs carry no workload type: batch work counts as training.
    if (ends.workload_type[i] != "training" && ends.source[i] != "slurm") continue;
    out.ended += ends.count[i];
    if (ends.reason[i] == "Completed") out.completed += ends.count[i];
    if (ends.reason[i] == "Failed" || ends.reason[i] == "OutOfMemory" ||
        ends.reason[i] == "NodeLost") {
      out.failed += ends.count[i];
    }
  }
  return out;
}

}  // namespace

Result<ReportSection> TrainingSection(const Ask& ask) {
  ReportSection section;
  section.key = "training";
  section.title = "Training";
  const std::string filter = "(workload_type:\"training\"|source:\"slurm\")";
  PLIMSOLL_TRY(const Sum sum, ask.Total(filter));
  PLIMSOLL_TRY(const Outcomes outcomes, TrainingOutcomes(ask));
  const bool any = sum.gpu_time != GpuHours() || outcomes.ended > 0;
  const std::string connect = "label training with workload-type, or load Slurm jobs";
  section.facts = {
      {"success_rate", "Runs that completed", ValueKind::kPercent,
       PercentOf(outcomes.completed, outcomes.ended), "", "",
       outcomes.ended > 0
           ? std::to_string(outcomes.completed) + " of " + std::to_string(outcomes.ended) +
                 " pods and jobs that ended; " + std::to_string(outcomes.failed) + " failed"
           : connect},
      HoursFact(ask, "gpu_hours", "GPU-hours held", any ? HoursCell(sum.gpu_time) : std::nullopt,
                filter, any ? "" : connect),
      HoursFact(ask, "gpu_hours_used", "of them used",
                sum.gpu_used && any ? HoursCell(*sum.gpu_used) : std::nullopt, filter,
                !any ? connect : UsedNote(sum, "")),
      {"gpu_hours_effective", "Effective GPU-hours", ValueKind::kHours, std::nullopt, "GPU-hours",
       "", "connect a run log: steps kept tell them from steps lost"},
      {"recomputation_cost", "Recomputation after failures", ValueKind::kMoney, std::nullopt,
       ask.currency(), "", "connect a run log with checkpoints"},
  };
  if (any) {
    PLIMSOLL_TRY(const auto rows, ask.Rows({"attribution", "workload"}, filter));
    section.tables = {WorkTable(ask, "runs", "Training by owner and workload", rows,
                                {{"attribution", "Owner"}, {"workload", "Workload"}}, filter)};
  }
  section.connect = {
      "Effective GPU-hours and recomputation need a run log (steps, checkpoints, failures)."};
  return section;
}

Result<ReportSection> InferenceSection(const Ask& ask) {
  ReportSection section;
  section.key = "inference";
  section.title = "Inference";
  const std::string filter = "workload_type:\"inference\"";
  PLIMSOLL_TRY(const Sum sum, ask.Total(filter));
  const bool any = sum.gpu_time != GpuHours();
  const std::string connect = "label services with workload-type: inference";
  ReportFact cost = FactOf(ask, {"cost", "Cost of services", sum.cost, filter}, Money());
  if (!any) cost.value = std::nullopt;
  cost.note = any ? "" : connect;
  section.facts = {
      cost,
      HoursFact(ask, "gpu_hours", "GPU-hours held", any ? HoursCell(sum.gpu_time) : std::nullopt,
                filter, any ? "" : connect),
      {"used_share", "of them used", ValueKind::kPercent, UsedShare(sum.gpu_used, sum.gpu_time), "",
       ask.FigureOf(filter),
       !any ? connect : UsedNote(sum, "headroom for peaks is part of the rest")},
      {"cost_per_million_tokens", "Cost per 1M good tokens", ValueKind::kMoney, std::nullopt,
       ask.currency(), "", "connect request logs or serving metrics"},
      {"throughput_in_slo", "Throughput that meets its SLO", ValueKind::kDecimal, std::nullopt,
       "requests/s", "", "connect request logs and declare SLOs"},
  };
  if (any) {
    PLIMSOLL_TRY(const auto rows, ask.Rows({"workload", "model"}, filter));
    section.tables = {WorkTable(ask, "services", "Inference by service and model", rows,
                                {{"workload", "Service"}, {"model", "Model"}}, filter)};
  }
  section.connect = {
      "Tokens and SLOs need request logs or the metrics of the serving engine: until then a "
      "service's cost cannot be compared with what it produced."};
  return section;
}

}  // namespace plimsoll
