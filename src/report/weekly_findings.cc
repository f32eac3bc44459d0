#include <algorithm>

#include "report/render.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

std::string Hours(GpuHours time) {
  return Display(ValueKind::kHours, ToDecimalHours(time)) + " GPU-hours";
}
std::string Cost(const Ask& ask, Money cost) {
  return Display(ValueKind::kMoney, cost.ToString()) + " " + ask.currency();
}

// "p5.48xlarge, spot"; of a node whose type nothing tells, only what is known.
std::string KindText(const std::string& type, const std::string& capacity) {
  return (type.empty() ? "type unknown" : type) + ", " +
         (capacity.empty() || capacity == "unknown" ? "capacity type unknown" : capacity);
}

// Held and hardly used: less than a fifth busy.
Status AddUnused(const Ask& ask, std::vector<Opportunity>& out) {
  const std::vector<std::string> keys{"attribution", "workload_kind", "workload", "namespace",
                                      "environment"};
  PLIMSOLL_TRY(const auto rows, ask.Rows(keys, "class:\"used\",\"unused\""));
  for (const LedgerRow& row : rows) {
    if (!row.gpu_used || row.gpu_time < WholeGpuHours(1)) continue;
    if (row.gpu_used->base() * 5 >= row.gpu_time.base()) continue;
    const std::string what = row.keys[1] + " " + row.keys[2];
    const Value busy = PercentOf(row.gpu_used->base(), row.gpu_time.base());
    const std::string environment =
        row.keys[4].empty() ? "an unknown environment, so treated as production" : row.keys[4];
    out.push_back(
        {"held-unused", what, row.gpu_time, row.cost,
         what + " (" + row.keys[0] + ") held " + Hours(row.gpu_time) + " and was busy for " +
             busy.value_or("0.0") + " % of them: " + Cost(ask, row.cost) + "; it is in " +
             environment + ".",
         ask.FigureOf(And(Is("workload_kind", row.keys[1]),
                          And(Is("workload", row.keys[2]),
                              And(Is("namespace", row.keys[3]), "class:\"used\",\"unused\""))))});
  }
  return Ok();
}

// What some of a node's time asks the reader to find out.
struct NodeQuestion {
  const char* filter;
  const char* kind;
  const char* sentence;  // after "Node X "
};
constexpr NodeQuestion kNodeQuestions[] = {
    {"class:\"waste\"", "idle", "was paid, and idle without anything that explains it, for "},
    {kNotWell, "failed",
     "had GPUs that failed, were missing, started or cordoned, still paid, for "},
    {kInMaintenance, "maintenance", "was in maintenance, still paid, for "},
    {"class:\"busy_unattributed\"", "bypass",
     "had GPUs busy with work that no workload answers for, for "},
    {"class:\"usage_unknown\"", "no-signal", "was held without any usage signal for "},
};

Status AddNodes(const Ask& ask, std::vector<Opportunity>& out) {
  for (const NodeQuestion& question : kNodeQuestions) {
    const std::string filter = question.filter;
    PLIMSOLL_TRY(const auto rows, ask.Rows({"node", "instance_type", "capacity_type"}, filter));
    for (const LedgerRow& row : rows) {
      if (row.gpu_time < WholeGpuHours(1)) continue;
      out.push_back({question.kind, row.keys[0], row.gpu_time, row.cost,
                     "Node " + row.keys[0] + " (" + KindText(row.keys[1], row.keys[2]) + ") " +
                         question.sentence + Hours(row.gpu_time) + ": " + Cost(ask, row.cost) + ".",
                     ask.FigureOf(And(Is("node", row.keys[0]), filter))});
    }
  }
  return Ok();
}

}  // namespace

Result<std::vector<Opportunity>> FindOpportunities(const Ask& ask) {
  std::vector<Opportunity> out;
  PLIMSOLL_RETURN_IF_ERROR(AddUnused(ask, out));
  PLIMSOLL_RETURN_IF_ERROR(AddNodes(ask, out));
  std::stable_sort(out.begin(), out.end(),
                   [](const Opportunity& a, const Opportunity& b) { return a.cost > b.cost; });
  return out;
}

ReportSection OptimizationSection(const Ask& ask, const std::vector<Opportunity>& opportunities) {
  ReportSection section;
  section.key = "optimization";
  section.title = "Optimization";
  const std::string connect = "connect the guardrails' audit log";
  section.facts = {
      {"reclaimed", "Reclaimed this week", ValueKind::kHours, std::nullopt, "GPU-hours", "",
       connect},
      {"saved", "Saved this week", ValueKind::kMoney, std::nullopt, ask.currency(), "", connect},
      {"slo_impact", "Effect on SLOs", ValueKind::kText, std::nullopt, "", "",
       "connect request logs and declare SLOs"},
  };
  ReportTable table{"opportunities",
                    "Where to look first, by money. Costs, not savings",
                    {{"kind", "Kind"},
                     {"subject", "What"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"cost", "Cost", ValueKind::kMoney},
                     {"evidence", "Evidence"}},
                    {},
                    {}};
  constexpr std::size_t kRowsMax = 15;
  for (const Opportunity& one : opportunities) {
    if (table.rows.size() == kRowsMax) break;
    table.rows.push_back(
        {one.kind, one.subject, HoursCell(one.gpu_time), MoneyCell(one.cost), one.sentence});
    table.figures.push_back(one.figure);
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  section.connect = {
      "What was reclaimed and saved, and what it did to SLOs, is known once actions go through "
      "the guardrails."};
  return section;
}

}  // namespace plimsoll
