#include "ledger/fields.h"

#include <algorithm>
#include <vector>

#include "model/cost_line.h"

namespace plimsoll {
namespace {

constexpr LedgerField kFields[] = {
    {"team", "coalesce(w.team, '')", "who pays, by label or fallback"},
    {"environment", "coalesce(w.environment, '')", "production, staging, development..."},
    {"workload_type", "coalesce(w.workload_type, '')", "training, inference, notebook..."},
    {"model", "coalesce(w.model, '')", "the model that was trained or served"},
    {"cost_center", "coalesce(w.cost_center, '')", "from the label standard"},
    {"reason", "coalesce(w.reason, '')", "why a cost has no team: no-label, unknown-value..."},
    {"attribution",
     "CASE WHEN l.workload_id < 0 OR (w.source = 'fleet' AND w.team = '') "
     "THEN 'idle: ' || {class} WHEN w.team <> '' THEN w.team "
     "ELSE 'unattributed: ' || w.reason END",
     "the team, or why there is none"},
    {"namespace", "coalesce(w.namespace, '')", "Kubernetes namespace"},
    {"workload", "coalesce(w.workload, '')", "top owner: Deployment, Job, Slurm job..."},
    {"workload_kind", "coalesce(w.workload_kind, '')", "kind of the top owner"},
    {"account", "coalesce(w.account, '')", "Slurm account"},
    {"user", "coalesce(w.user_name, '')", "Slurm user"},
    {"queue", "coalesce(w.queue, '')", "Kueue LocalQueue or Slurm partition"},
    {"source", "coalesce(w.source, '')",
     "kubernetes, slurm, bill, or fleet for what explains idle time"},
    {"class", "{class}", "class of GPU time: used, unused, waste..."},
    {"cluster", "coalesce(n.cluster, w.cluster, '')", "cluster of the node"},
    {"node", "coalesce(n.node, '')", "node name"},
    {"instance_type", "coalesce(n.instance_type, '')", "instance type of the node"},
    {"gpu_model", "coalesce(n.gpu_model, '')", "GPU model of the node"},
    {"capacity_type", "coalesce(n.capacity_type, '')", "on-demand, spot, reserved, unknown"},
    {"sunk", "coalesce(n.sunk, '')",
     "why giving the node up saves nothing: commitment, reserved, owned"},
    {"region", "coalesce(n.region, '')", "region of the node"},
    {"zone", "coalesce(n.zone, '')", "zone of the node"},
    {"provider", "s.provider", "FOCUS ProviderName"},
    {"issuer", "s.issuer", "FOCUS InvoiceIssuerName; empty if priced without a bill"},
    {"billing_account", "s.account", "FOCUS BillingAccountId"},
    {"currency", "s.currency", "billing currency; never added across"},
    {"hour", "strftime(make_timestamp(l.hour * 1000), '%Y-%m-%dT%H:00:00Z')", "UTC hour"},
    {"day", "strftime(make_timestamp(l.hour * 1000), '%Y-%m-%d')", "UTC day"},
};

// Edits (insert, delete, replace) between two short words.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string ClassSql() {
  std::string list;
  for (const char* name : kCostClassNames)
    list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
  return "list_extract([" + list + "], l.cost_class + 1)";
}

}  // namespace

const char kLedgerFrom[] =
    " FROM ledger_line l"
    " JOIN ledger_scope s ON s.day_id = l.day_id AND s.id = l.scope_id"
    " LEFT JOIN ledger_node n ON n.day_id = l.day_id AND n.id = l.node_id"
    " LEFT JOIN ledger_workload w ON w.day_id = l.day_id AND w.id = l.workload_id ";

bool AsksForDays(Window window, std::string_view sql) {
  if (FloorTo(window.begin, Days(1)) != window.begin) return false;
  if (FloorTo(window.until, Days(1)) != window.until) return false;
  for (std::size_t at = sql.find("n."); at != std::string_view::npos; at = sql.find("n.", at + 1)) {
    // The alias n, not the end of a longer word. Texts of filters are parameters.
    const char before = at == 0 ? ' ' : sql[at - 1];
    const bool is_word = (before >= 'a' && before <= 'z') || before == '_' || before == '.';
    if (!is_word) return false;
  }
  return sql.find("%H") == std::string_view::npos;
}

std::string LedgerFrom(bool of_days) {
  if (!of_days) return kLedgerFrom;
  return " FROM ledger_day_line l"
         " JOIN ledger_scope s ON s.day_id = l.day_id AND s.id = l.scope_id"
         " LEFT JOIN ledger_workload w ON w.day_id = l.day_id AND w.id = l.workload_id ";
}

std::string SqlOf(const LedgerField& field) {
  std::string sql = field.sql;
  const std::size_t at = sql.find("{class}");
  if (at != std::string::npos) sql.replace(at, 7, ClassSql());
  return sql;
}

std::span<const LedgerField> LedgerFields() { return kFields; }

Result<const LedgerField*> FindLedgerField(std::string_view name) {
  const LedgerField* nearest = &kFields[0];
  for (const LedgerField& field : kFields) {
    if (name == field.name) return &field;
    if (EditDistance(name, field.name) < EditDistance(name, nearest->name)) nearest = &field;
  }
  return Error{ErrorCode::kInvalidArgument, "no field '" + std::string(name) + "'; did you mean '" +
                                                nearest->name +
                                                "'? (plimsoll allocate --help lists them)"};
}

}  // namespace plimsoll
