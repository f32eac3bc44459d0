#include "ledger/declarations.h"
#include "report/facts_sql.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

ReportSection Named(std::string key, std::string title) {
  ReportSection section;
  section.key = std::move(key);
  section.title = std::move(title);
  return section;
}

// Columns that every table of cost groups ends with.
void AddSums(ReportTable& table, const std::vector<LedgerRow>& rows, const Ask& ask) {
  table.columns.push_back({"gpu_hours", "GPU-hours", ValueKind::kHours});
  table.columns.push_back({"gpu_hours_used", "Used", ValueKind::kHours});
  table.columns.push_back({"cost", "Cost", ValueKind::kMoney});
  for (const LedgerRow& row : rows) {
    std::vector<Value> cells(row.keys.begin(), row.keys.end());
    cells.push_back(HoursCell(row.gpu_time));
    cells.push_back(row.gpu_used ? HoursCell(*row.gpu_used) : std::nullopt);
    cells.push_back(MoneyCell(row.cost));
    table.rows.push_back(std::move(cells));
    std::string filter;
    for (std::size_t i = 0; i < row.keys.size(); ++i) {
      filter = And(filter, Is(table.columns[i].key, row.keys[i]));
    }
    table.figures.push_back(ask.FigureOf(filter));
  }
}

Result<ReportSection> WorkloadsSection(const Ask& ask) {
  ReportSection section = Named("workloads", "Workloads by cost");
  PLIMSOLL_TRY(auto rows, ask.Rows({"attribution", "namespace", "workload_kind", "workload"},
                                   "workload!:\"\""));
  constexpr std::size_t kRowsMax = 30;
  if (rows.size() > kRowsMax) {
    section.sentences.push_back("The " + std::to_string(kRowsMax) + " greatest of " +
                                std::to_string(rows.size()) +
                                "; plimsoll allocate --by workload lists all.");
    rows.resize(kRowsMax);
  }
  ReportTable table{"workloads",
                    "Workloads",
                    {{"attribution", "Owner"},
                     {"namespace", "Namespace"},
                     {"workload_kind", "Kind"},
                     {"workload", "Workload"}},
                    {},
                    {}};
  AddSums(table, rows, ask);
  section.tables.push_back(std::move(table));
  return section;
}

Result<ReportSection> NodesSection(const Ask& ask) {
  ReportSection section = Named("nodes", "Nodes by cost");
  PLIMSOLL_TRY(const auto rows,
               ask.Rows({"cluster", "node", "instance_type", "capacity_type"}, "node!:\"\""));
  ReportTable table{"nodes",
                    "Nodes",
                    {{"cluster", "Cluster"},
                     {"node", "Node"},
                     {"instance_type", "Instance type"},
                     {"capacity_type", "Capacity type"}},
                    {},
                    {}};
  AddSums(table, rows, ask);
  section.tables.push_back(std::move(table));
  return section;
}

ReportSection BillsSection(const std::vector<ReconciledPeriod>& periods) {
  ReportSection section = Named("bills", "Bills: tie-out of the whole billing period");
  ReportTable table{"bills",
                    "Billed, effective and allocated",
                    {{"issuer", "Issuer"},
                     {"account", "Account"},
                     {"period", "Period"},
                     {"billed", "Billed", ValueKind::kMoney},
                     {"effective", "Effective", ValueKind::kMoney},
                     {"allocated", "Allocated", ValueKind::kMoney},
                     {"unexplained", "Unexplained", ValueKind::kDecimal},
                     {"currency", "Currency"}},
                    {},
                    {}};
  for (const ReconciledPeriod& period : periods) {
    table.rows.push_back({period.scope.issuer, period.scope.account,
                          ToDateString(period.scope.period.begin).substr(0, 7),
                          MoneyCell(period.billed), MoneyCell(period.effective),
                          MoneyCell(period.allocated), period.unexplained.ToString(),
                          period.scope.currency});
  }
  if (table.rows.empty()) {
    section.connect = {"No bill is loaded: plimsoll ingest focus reads a FOCUS export."};
  } else {
    section.tables.push_back(std::move(table));
  }
  return section;
}

Result<ReportSection> FindingsSection(const Ask& ask) {
  ReportSection section = Named("findings", "Findings about the data");
  PLIMSOLL_TRY(const Findings findings, ReadFindings(ask.store(), ask.window()));
  ReportTable table{"findings",
                    "What a reader must know about these figures",
                    {{"kind", "Kind"},
                     {"subject", "Subject"},
                     {"detail", "Detail"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"cost", "Cost", ValueKind::kMoney}},
                    {},
                    {}};
  for (std::size_t i = 0; i < findings.kind.size(); ++i) {
    const bool has_time = findings.gpu_time[i] != GpuHours();
    const bool has_cost = findings.cost[i].value != Money();
    table.rows.push_back({findings.kind[i], findings.subject[i], findings.detail[i],
                          has_time ? HoursCell(findings.gpu_time[i]) : std::nullopt,
                          has_cost ? MoneyCell(findings.cost[i].value) : std::nullopt});
  }
  PLIMSOLL_TRY(
      const std::vector<DeclarationNote> notes,
      UnansweredDeclarations(ask.store(), ask.ledger().options().allocation, ask.window()));
  for (const DeclarationNote& note : notes) {
    table.rows.push_back({"declaration", note.subject, note.detail, std::nullopt, std::nullopt});
  }
  if (table.rows.empty()) {
    section.sentences = {"Nothing contradictory was found in the data."};
  } else {
    section.tables.push_back(std::move(table));
  }
  return section;
}

// Who or what explains idle capacity, by cost. What nothing explains is not here.
Result<ReportSection> IdleSection(const Ask& ask) {
  ReportSection section = Named("idle", "Idle capacity and what explains it");
  PLIMSOLL_TRY(const auto rows,
               ask.Rows({"class", "workload_kind", "workload", "team"}, "source:\"fleet\""));
  if (rows.empty()) {
    section.connect = {
        "Nothing explains idle capacity: load node states and queues (plimsoll ingest "
        "kubernetes, slurm), and declare reserves and maintenance in plimsoll.yaml."};
    return section;
  }
  ReportTable table{
      "idle_reasons",
      "Reserved, held, failed and waiting capacity",
      {{"class", "Class"}, {"workload_kind", "By"}, {"workload", "Name"}, {"team", "Owner"}},
      {},
      {}};
  AddSums(table, rows, ask);
  section.tables.push_back(std::move(table));
  return section;
}

// How far the usage signal can be trusted.
Result<ReportSection> TelemetrySection(const Ask& ask) {
  ReportSection section = Named("telemetry", "Telemetry and its marks");
  PLIMSOLL_TRY(const Marks marks, ReadMarks(ask.store(), ask.window()));
  if (marks.mark.empty()) {
    section.connect = {"No usage is loaded: plimsoll ingest prometheus reads GPU telemetry."};
    return section;
  }
  ReportTable table{"telemetry_marks",
                    "Device-hours of usage by mark; one may carry several",
                    {{"mark", "Mark"},
                     {"device_hours", "Device-hours", ValueKind::kCount},
                     {"devices", "Devices", ValueKind::kCount}},
                    {},
                    {}};
  for (std::size_t i = 0; i < marks.mark.size(); ++i) {
    table.rows.push_back({marks.mark[i].empty() ? "none: trusted" : marks.mark[i],
                          std::to_string(marks.device_hours[i]), std::to_string(marks.devices[i])});
  }
  section.tables.push_back(std::move(table));
  return section;
}

Result<ReportSection> RulesSection(const Ask& ask) {
  ReportSection section = Named("rules", "Rules and sources");
  const AllocationOptions& options = ask.ledger().options().allocation;
  section.sentences = {
      "A node's cost is split by the weights GPU " + std::to_string(options.split.gpu) +
          " : vCPU " + std::to_string(options.split.cpu) + " : GiB " +
          std::to_string(options.split.memory) +
          ", in tenths for each unit the node has; the GPU part goes equally to its GPUs.",
      "Held time runs from bind to the terminal phase. Its used part is SM_ACTIVE, else "
      "GR_ENGINE_ACTIVE, else GPU_UTIL (coarse); a gap in telemetry is unknown, never zero.",
      "Every division is by largest remainder: all rows add up to the bill to the nano.",
  };
  PLIMSOLL_TRY(const Rungs rungs, ReadRungs(ask.store(), ask.window(), ask.currency()));
  ReportTable table{
      "price_sources",
      "Where the price of each node-hour came from",
      {{"rung", "Rung"}, {"price_source", "Source"}, {"cost", "Cost of nodes", ValueKind::kMoney}},
      {},
      {}};
  for (std::size_t i = 0; i < rungs.rung.size(); ++i) {
    table.rows.push_back({rungs.rung[i],
                          rungs.price_source[i].empty() ? "the bill" : rungs.price_source[i],
                          MoneyCell(rungs.cost[i].value)});
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

Result<std::vector<ReportSection>> AppendixSections(const Ask& ask,
                                                    const std::vector<ReconciledPeriod>& periods) {
  std::vector<ReportSection> sections;
  PLIMSOLL_TRY(ReportSection workloads, WorkloadsSection(ask));
  sections.push_back(std::move(workloads));
  PLIMSOLL_TRY(ReportSection nodes, NodesSection(ask));
  sections.push_back(std::move(nodes));
  PLIMSOLL_TRY(ReportSection idle, IdleSection(ask));
  sections.push_back(std::move(idle));
  PLIMSOLL_TRY(ReportSection telemetry, TelemetrySection(ask));
  sections.push_back(std::move(telemetry));
  sections.push_back(BillsSection(periods));
  PLIMSOLL_TRY(ReportSection findings, FindingsSection(ask));
  sections.push_back(std::move(findings));
  PLIMSOLL_TRY(ReportSection rules, RulesSection(ask));
  sections.push_back(std::move(rules));
  return sections;
}

}  // namespace plimsoll
