#include "report/weekly_parts.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

// A monthly budget's share of the window: by milliseconds of each calendar month it touches.
Result<Money> BudgetFor(const std::string& monthly, Window window) {
  PLIMSOLL_TRY(const Money amount, Money::Parse(monthly));
  Money sum;
  for (Instant at = window.begin; at < window.until;) {
    const Window month = MonthOf(at);
    const Window part = Intersect(window, month);
    sum += Money::FromNanos(
        DivideHalfEven(amount.nanos() * part.length().base(), month.length().base()));
    at = month.until;
  }
  return sum;
}

Result<ReportTable> TeamTable(const Ask& ask, const std::map<std::string, std::string>& budgets) {
  ReportTable table{"teams",
                    "Cost by team",
                    {{"team", "Team"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"used_share", "Used", ValueKind::kPercent},
                     {"cost", "Cost", ValueKind::kMoney},
                     {"budget", "Budget (share of month)", ValueKind::kMoney},
                     {"variance", "Cost - budget", ValueKind::kMoney}},
                    {},
                    {}};
  PLIMSOLL_TRY(const auto rows, ask.Rows({"team"}, "team!:\"\""));
  for (const LedgerRow& row : rows) {
    std::vector<Value> cells{row.keys[0],
                             HoursCell(row.gpu_time),
                             UsedShare(row.gpu_used, row.gpu_time),
                             MoneyCell(row.cost),
                             std::nullopt,
                             std::nullopt};
    const auto budget = budgets.find(row.keys[0]);
    if (budget != budgets.end()) {
      PLIMSOLL_TRY(const Money share, BudgetFor(budget->second, ask.window()));
      cells[4] = MoneyCell(share);
      cells[5] = MoneyCell(row.cost - share);
    }
    table.rows.push_back(std::move(cells));
    table.figures.push_back(ask.FigureOf(Is("team", row.keys[0])));
  }
  return table;
}

Result<ReportTable> UnattributedTable(const Ask& ask) {
  ReportTable table{"unattributed",
                    "Cost without an owner, by reason",
                    {{"reason", "Reason"},
                     {"namespace", "Namespace"},
                     {"workload_kind", "Kind"},
                     {"workload", "Workload or service"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"cost", "Cost", ValueKind::kMoney}},
                    {},
                    {}};
  PLIMSOLL_TRY(const auto rows,
               ask.Rows({"reason", "namespace", "workload_kind", "workload"}, "reason!:\"\""));
  constexpr std::size_t kRowsMax = 15;
  for (const LedgerRow& row : rows) {
    if (table.rows.size() == kRowsMax) break;
    table.rows.push_back({row.keys[0], row.keys[1], row.keys[2], row.keys[3],
                          HoursCell(row.gpu_time), MoneyCell(row.cost)});
    table.figures.push_back(
        ask.FigureOf(And(Is("reason", row.keys[0]),
                         And(Is("workload_kind", row.keys[2]), Is("workload", row.keys[3])))));
  }
  return table;
}

}  // namespace

Result<ReportSection> TenantSection(const Ask& ask,
                                    const std::map<std::string, std::string>& budgets) {
  ReportSection section;
  section.key = "tenant";
  section.title = "Tenants";
  PLIMSOLL_TRY(const Sum all, ask.Total(""));
  PLIMSOLL_TRY(const Sum owned, ask.Total("team!:\"\""));
  PLIMSOLL_TRY(const Sum lost, ask.Total("reason!:\"\""));
  const Money idle = all.cost - owned.cost - lost.cost;
  section.facts = {
      FactOf(ask, {"attributed_cost", "Attributed to teams", owned.cost, "team!:\"\""}, all.cost),
      FactOf(ask, {"unattributed_cost", "Without an owner", lost.cost, "reason!:\"\""}, all.cost),
      FactOf(ask,
             {"idle_cost", "Idle capacity that no team pays for", idle, "team:\"\"+reason:\"\""},
             all.cost),
      {"quota", "Quota", ValueKind::kText, std::nullopt, "", "", "connect Kueue or ResourceQuotas"},
  };
  PLIMSOLL_TRY(ReportTable teams, TeamTable(ask, budgets));
  PLIMSOLL_TRY(ReportTable lost_table, UnattributedTable(ask));
  section.tables.push_back(std::move(teams));
  if (!lost_table.rows.empty()) section.tables.push_back(std::move(lost_table));
  if (budgets.empty()) {
    section.connect = {"No budgets are declared: list them under budgets in plimsoll.yaml."};
  }
  return section;
}

}  // namespace plimsoll
