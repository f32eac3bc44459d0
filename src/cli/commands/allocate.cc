#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/open_ledger.h"
#include "config/window.h"
#include "ledger/caveats.h"
#include "ledger/explain.h"
#include "ledger/query.h"

namespace plimsoll {
namespace {

struct Args {
  std::string window;
  std::string by = "attribution,class";
  std::string filter;
};

std::string FieldHelp() {
  std::string text = "Fields for --by and --filter:\n";
  for (const LedgerField& field : LedgerFields()) {
    std::string name = field.name;
    name.resize(std::max<std::size_t>(name.size() + 1, 17), ' ');
    text += "\n  " + name + field.help;
  }
  return text;
}

Row SumRow(const LedgerTable& ledger, std::size_t keys) {
  LedgerRow sum;
  bool any_used = false;
  for (const LedgerRow& row : ledger.rows) {
    sum.gpu_time += row.gpu_time;
    sum.cost += row.cost;
    any_used = any_used || row.gpu_used.has_value();
    for (std::size_t kind = 0; kind < kCostKindCount; ++kind) {
      sum.cost_by_kind[kind] += row.cost_by_kind[kind];
    }
    sum.gpu_used = sum.gpu_used.value_or(GpuHours()) + row.gpu_used.value_or(GpuHours());
  }
  Row out(keys, std::string());
  if (!out.empty()) out[0] = "total";
  out.push_back(ToDecimalHours(sum.gpu_time));
  out.push_back(any_used ? Cell(ToDecimalHours(*sum.gpu_used)) : std::nullopt);
  for (const Money& cost : sum.cost_by_kind) out.push_back(cost.ToString());
  out.push_back(sum.cost.ToString());
  return out;
}

// JSON and CSV have one column a cost kind, always; text leaves out the kinds that are zero
// everywhere.
Table TableOf(const LedgerTable& ledger) {
  Table table;
  for (const std::string& key : ledger.by) table.columns.push_back({key});
  table.columns.push_back({"gpu_hours", CellKind::kDecimal, 2});
  table.columns.push_back({"gpu_hours_used", CellKind::kDecimal, 2});
  for (const char* kind : kCostKindNames) table.columns.push_back({kind, CellKind::kMoney, 2});
  table.columns.push_back({"cost", CellKind::kMoney, 2});
  for (const LedgerRow& row : ledger.rows) {
    Row cells(row.keys.begin(), row.keys.end());
    cells.push_back(ToDecimalHours(row.gpu_time));
    cells.push_back(row.gpu_used ? Cell(ToDecimalHours(*row.gpu_used)) : std::nullopt);
    for (const Money& cost : row.cost_by_kind) cells.push_back(cost.ToString());
    cells.push_back(row.cost.ToString());
    table.rows.push_back(std::move(cells));
  }
  const bool one_currency = ledger.by.empty() || ledger.by.back() != "currency";
  if (one_currency && !ledger.by.empty()) table.total = SumRow(ledger, ledger.by.size());
  return table;
}

void DropZeroKinds(Table& table) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    const std::string& name = table.columns[column].name;
    if (table.columns[column].kind != CellKind::kMoney || name == "cost") continue;
    const bool all_zero = std::all_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
      return row[column] == Money().ToString();
    });
    if (!all_zero) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + at);
    for (Row& row : table.rows) row.erase(row.begin() + at);
    if (table.total) table.total->erase(table.total->begin() + at);
  }
}

Result<ExitCode> RunAllocate(Context& context, const Args& args) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  PLIMSOLL_TRY(const Window window, LedgerWindow(context, ledger, args.window));
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(window));
  PLIMSOLL_TRY(const LedgerTable answer,
               RunQuery(ledger.store(), {window, SplitKeys(args.by), args.filter}));
  Table table = TableOf(answer);
  if (context.options().format == "table") {
    table.title = "Effective cost " + ToString(window);
    DropZeroKinds(table);
  }
  context.Print(table);
  if (context.options().format == "table") {
    PLIMSOLL_TRY(const std::vector<std::string> caveats,
                 CaveatsOf(ledger.store(), {window, {}, args.filter}));
    for (const std::string& caveat : caveats) context.Say("Note: " + caveat);
    context.Say("Explain these figures: plimsoll explain '" + ToId({window, args.filter}) + "'");
  }
  return ExitCode::kDone;
}

}  // namespace

Command AllocateCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "allocate";
  command.summary = "Show what each team, workload, node or class of GPU time cost";
  command.about =
      "Every hour of every node is divided among the workloads that held it and the classes of "
      "GPU time (used, unused, waste...), exactly: the rows add up to the bill's effective cost "
      "to the nano. GPU-hours used are null where no usage signal exists.\n\n"
      "A filter is FIELD:\"VALUE\", joined by + (and) or | (or); the operators are : (equals), "
      "~: (contains), <~: (begins with), ~>: (ends with), with ! before them for not.\n\n" +
      FieldHelp();
  command.example =
      "plimsoll allocate --window lastweek --by team,class\n"
      "plimsoll allocate --window 2026-11 --by workload --filter 'team:\"nlp\"+class:\"unused\"'\n"
      "plimsoll allocate --from slurm=jobs.psv --from prices=onprem.yaml --by account";
  command.common = CommonSet::kFacts;
  command.options = {
      CommandOption::Text("--window,-w", "WINDOW",
                          std::string("What time; everything loaded if not given: ") + kWindowForms,
                          &args->window),
      CommandOption::Text("--by,-b", "FIELDS", "Fields to group by, joined by commas", &args->by),
      CommandOption::Text("--filter", "FILTER", "Which cost lines", &args->filter)};
  command.run = [args](Context& context) { return RunAllocate(context, *args); };
  return command;
}

}  // namespace plimsoll
