#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/open_ledger.h"
#include "config/window.h"
#include "ledger/caveats.h"
#include "ledger/explain.h"
#include "ledger/shared_query.h"
#include "ledger/steps.h"

namespace plimsoll {
namespace {

struct Args {
  std::string window;
  std::string by = "attribution,class";
  std::string filter;
  std::string idle = "separate";
  std::string idle_by;  // "" is cluster
  std::vector<std::string> share;
  std::string share_split;  // "" is weighted
  std::string step;
  bool accumulate = false;
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

void AddFigures(const LedgerRow& row, Row& cells) {
  cells.push_back(ToDecimalHours(row.gpu_time));
  cells.push_back(row.gpu_used ? Cell(ToDecimalHours(*row.gpu_used)) : std::nullopt);
  for (const Money& cost : row.cost_by_kind) cells.push_back(cost.ToString());
  cells.push_back(row.cost.ToString());
}

Row SumRow(const SharedTable& answer, std::size_t texts) {
  LedgerRow sum;
  GpuHours used;
  bool is_known = false;  // of some row that holds something: idle time is no signal
  bool is_unknown = false;
  for (const auto& [row, step, idle, cost_class] : answer.rows) {
    sum.gpu_time += row.gpu_time;
    sum.cost += row.cost;
    used += row.gpu_used.value_or(GpuHours());
    is_known = is_known || (row.gpu_used && !idle);
    is_unknown = is_unknown || (!row.gpu_used && row.gpu_time != GpuHours());
    for (std::size_t kind = 0; kind < kCostKindCount; ++kind) {
      sum.cost_by_kind[kind] += row.cost_by_kind[kind];
    }
  }
  if (is_known || !is_unknown) sum.gpu_used = used;
  Row out(texts, std::string());
  if (!out.empty()) out[0] = "total";
  AddFigures(sum, out);
  return out;
}

bool Has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// JSON and CSV always have a class and one column a cost kind; text leaves out the kinds that
// are zero everywhere, and a class that was not asked for where there is no idle to tell apart.
Table TableOf(const SharedTable& answer, bool with_steps, bool for_people) {
  const bool any_idle = std::any_of(answer.rows.begin(), answer.rows.end(), [](const auto& row) {
    return row.idle || row.cost_class == "shared";
  });
  const bool with_class = !Has(answer.by, "class") && (any_idle || !for_people);
  Table table;
  if (with_steps) table.columns.push_back({"window_begin"});
  for (const std::string& key : answer.by) table.columns.push_back({key});
  if (with_class) table.columns.push_back({"class"});
  const std::size_t texts = table.columns.size();
  table.columns.push_back({"gpu_hours", CellKind::kDecimal, 2});
  table.columns.push_back({"gpu_hours_used", CellKind::kDecimal, 2});
  for (const char* kind : kCostKindNames) table.columns.push_back({kind, CellKind::kMoney, 2});
  table.columns.push_back({"cost", CellKind::kMoney, 2});
  for (const SharedRow& row : answer.rows) {
    Row cells;
    if (with_steps) cells.push_back(ToString(row.step));
    cells.insert(cells.end(), row.row.keys.begin(), row.row.keys.end());
    if (with_class) cells.push_back(row.cost_class);
    AddFigures(row.row, cells);
    table.rows.push_back(std::move(cells));
  }
  const bool one_currency = answer.by.empty() || answer.by.back() != "currency";
  if (one_currency && texts > 0) table.total = SumRow(answer, texts);
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

Error Needs(const char* option, const char* other) {
  return {ErrorCode::kInvalidArgument, std::string(option) + " needs " + other};
}

Result<SharedQuery> QueryOf(Context& context, const Args& args, Window window) {
  SharedQuery query;
  query.base = {window, SplitKeys(args.by), args.filter};
  query.idle = args.idle == "share"  ? IdleSharing::kShare
               : args.idle == "hide" ? IdleSharing::kHide
                                     : IdleSharing::kSeparate;
  if (!args.idle_by.empty() && query.idle != IdleSharing::kShare) {
    return Needs("--idle-by", "--idle share");
  }
  query.idle_by_node = args.idle_by == "node";
  if (!args.share_split.empty() && args.share.empty()) return Needs("--share-split", "--share");
  query.share = args.share;
  if (args.share_split == "even") query.split = SharedSplit::kEven;
  if (args.share_split == "gpu_hours") query.split = SharedSplit::kGpuHours;
  if (args.share_split == "gpu_hours_used") query.split = SharedSplit::kGpuHoursUsed;
  query.accumulate = args.accumulate;
  if (args.step.empty()) return query;
  PLIMSOLL_TRY(const Zone zone, context.zone());
  PLIMSOLL_TRY(query.steps, CutIntoSteps(window, args.step, zone));
  return query;
}

Status SayNotes(Context& context, Ledger& ledger, const SharedQuery& query,
                const SharedTable& answer) {
  for (const auto& [currency, hidden] : answer.hidden) {
    context.Say("Note: " + hidden.cost.ToString() + " " + currency + " for " +
                ToDecimalHours(hidden.gpu_time) +
                " GPU-hours that no workload holds is left out; --idle separate shows it");
  }
  PLIMSOLL_TRY(const std::vector<std::string> caveats,
               CaveatsOf(ledger, {query.base.window, {}, query.base.filter}));
  for (const std::string& caveat : caveats) context.Say("Note: " + caveat);
  // A figure that took from other lines is more than the lines that explain would add up.
  if (query.idle != IdleSharing::kSeparate || !query.share.empty()) return Ok();
  context.Say("Explain these figures: plimsoll explain '" +
              ToId({query.base.window, query.base.filter}) + "'");
  return Ok();
}

Result<ExitCode> RunAllocate(Context& context, const Args& args) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  PLIMSOLL_TRY(const Window window, LedgerWindow(context, ledger, args.window));
  PLIMSOLL_TRY(const SharedQuery query, QueryOf(context, args, window));
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(window));
  PLIMSOLL_TRY(const SharedTable answer, RunSharedQuery(ledger.store(), query));
  const bool for_people = context.options().format == "table";
  Table table = TableOf(answer, !args.step.empty() && !args.accumulate, for_people);
  if (for_people) {
    table.title = "Effective cost " + ToString(window);
    DropZeroKinds(table);
  }
  context.Print(table);
  PLIMSOLL_TRY(const std::vector<std::string> unknown,
               UnknownFilterValues(ledger.store(), query.base));
  for (const std::string& note : unknown) context.Say("Note: " + note);
  if (for_people) PLIMSOLL_RETURN_IF_ERROR(SayNotes(context, ledger, query, answer));
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
      "~: (contains), <~: (begins with), ~>: (ends with), with ! before them for not.\n\n"
      "Idle is what no workload holds. It has rows of its own (--idle separate), which say what "
      "class it is; or goes to the workloads of its cluster or node by their cost of the same "
      "kind (--idle share; what nobody there has cost of stays idle); or is left out with a note "
      "(--idle hide). --share gives the cost of the workloads that it names to all others. Both "
      "are worked out over all lines, step by step, before the filter: a filter never changes a "
      "figure.\n\n"
      "--step gives rows for each step of the window, their begin first; days and weeks are those "
      "of time_zone in plimsoll.yaml. --accumulate adds the steps up into one, as OpenCost means "
      "it: no running sums.\n\n" +
      FieldHelp();
  command.example =
      "plimsoll allocate --window lastweek --by team,class\n"
      "plimsoll allocate --window 2026-11 --by workload --filter 'team:\"nlp\"+class:\"unused\"'\n"
      "plimsoll allocate --window lastweek --by team --idle share --share 'namespace:\"infra\"'\n"
      "plimsoll allocate --window lastweek --by team --step 1d\n"
      "plimsoll allocate --from slurm=jobs.psv --from prices=onprem.yaml --by account";
  command.common = CommonSet::kFacts;
  command.options = {
      CommandOption::Text("--window,-w", "WINDOW",
                          std::string("What time; everything loaded if not given: ") + kWindowForms,
                          &args->window),
      CommandOption::Text("--by,-b", "FIELDS", "Fields to group by, joined by commas", &args->by),
      CommandOption::Text("--filter", "FILTER", "Which cost lines", &args->filter),
      CommandOption::Text("--idle", "POLICY", "Where cost that no workload holds goes", &args->idle)
          .OneOf({"separate", "share", "hide"}),
      CommandOption::Text("--idle-by", "PLACE",
                          "Share idle within its cluster (if not given) or its node",
                          &args->idle_by)
          .OneOf({"cluster", "node"}),
      CommandOption::List("--share", "FILTER",
                          "Workloads whose cost is everybody's; may be given again", &args->share),
      CommandOption::Text("--share-split", "BY",
                          "What shared cost is divided by: weighted is each one's cost (if not "
                          "given)",
                          &args->share_split)
          .OneOf({"weighted", "even", "gpu_hours", "gpu_hours_used"}),
      CommandOption::Text("--step", "STEP",
                          std::string("Rows for each step of the window: ") + kStepForms,
                          &args->step),
      CommandOption::Flag("--accumulate", "Add all steps up into one", &args->accumulate)};
  command.run = [args](Context& context) { return RunAllocate(context, *args); };
  return command;
}

}  // namespace plimsoll
