#include "ledger/explain.h"

#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/open_ledger.h"
#include "config/window.h"

namespace plimsoll {
namespace {

struct Args {
  std::string figure;
  std::string window;
  std::int64_t limit = 20;
};

std::string NameOf(const ExplainedBasis& basis) {
  return basis.node.empty() ? basis.service : basis.node;
}

Table BasesTable(const Explanation& explanation, std::size_t limit) {
  Table table;
  table.name = "bases";
  table.title = "Where it comes from: what each node or charge cost, and this figure's part";
  table.columns = {{"basis"},
                   {"instance_type"},
                   {"capacity_type"},
                   {"source_rung"},
                   {"price_source"},
                   {"hours", CellKind::kNumber},
                   {"gpu_hours", CellKind::kDecimal, 2},
                   {"gpu_cost", CellKind::kMoney, 2},
                   {"cpu_cost", CellKind::kMoney, 2},
                   {"memory_cost", CellKind::kMoney, 2},
                   {"cost", CellKind::kMoney, 2},
                   {"figure_gpu_hours", CellKind::kDecimal, 2},
                   {"figure_cost", CellKind::kMoney, 2},
                   {"currency"}};
  for (const ExplainedBasis& basis : explanation.bases) {
    if (table.rows.size() == limit) break;
    const bool is_node = !basis.node.empty();
    table.rows.push_back(
        {NameOf(basis), basis.instance_type, basis.capacity_type,
         is_node ? basis.rung : std::string(kRungBilled), basis.price_source,
         std::to_string(basis.hours), ToDecimalHours(basis.gpu_time), basis.gpu_cost.ToString(),
         basis.cpu_cost.ToString(), basis.memory_cost.ToString(), basis.cost.ToString(),
         ToDecimalHours(basis.figure_gpu_time), basis.figure_cost.ToString(), basis.currency});
  }
  return table;
}

Table ChargesTable(const Explanation& explanation, std::size_t limit) {
  Table table;
  table.name = "charges";
  table.title = "Charges behind them (effective cost in the window)";
  table.columns = {{"basis"},
                   {"service"},
                   {"description"},
                   {"category"},
                   {"pricing_category"},
                   {"charges", CellKind::kNumber},
                   {"snapshot", CellKind::kNumber},
                   {"first_line", CellKind::kNumber},
                   {"last_line", CellKind::kNumber},
                   {"cost", CellKind::kMoney, 2}};
  std::size_t shown = 0;
  for (const ExplainedBasis& basis : explanation.bases) {
    if (shown++ == limit) break;
    for (const ExplainedCharges& one : basis.charges) {
      table.rows.push_back({NameOf(basis), one.service, one.description, one.category,
                            one.pricing_category, std::to_string(one.charges),
                            std::to_string(one.snapshot_id), std::to_string(one.first_line),
                            std::to_string(one.last_line), one.cost.ToString()});
    }
  }
  return table;
}

Table TotalsTable(const Explanation& explanation) {
  Table table;
  table.name = "figure";
  table.title = "The figure";
  table.columns = {
      {"class"}, {"gpu_hours", CellKind::kDecimal, 2}, {"cost", CellKind::kMoney, 2}, {"currency"}};
  for (const LedgerRow& row : explanation.by_class) {
    table.rows.push_back(
        {row.keys[0], ToDecimalHours(row.gpu_time), row.cost.ToString(), row.keys[1]});
  }
  for (const LedgerRow& row : explanation.totals) {
    table.rows.push_back({"total", ToDecimalHours(row.gpu_time), row.cost.ToString(), row.keys[0]});
  }
  return table;
}

Table ChecksTable(const Explanation& explanation, std::size_t limit) {
  Table table;
  table.name = "checks";
  table.title = "Do the parts add up?";
  table.columns = {{"sum"}, {"holds"}, {"detail"}};
  for (const Check& check : explanation.checks) {
    if (check.holds && table.rows.size() >= limit) continue;
    table.rows.push_back({check.what, check.holds ? "yes" : "NO", check.detail});
  }
  return table;
}

Table ListTable(const std::string& name, const std::vector<std::string>& sentences) {
  Table table;
  table.name = name;
  table.title = name == "rules" ? "By these rules" : "From these loads";
  table.columns = {{name == "rules" ? "rule" : "snapshot"}};
  for (const std::string& sentence : sentences) table.rows.push_back({sentence});
  return table;
}

Result<Figure> FigureOf(Context& context, Ledger& ledger, const Args& args) {
  if (args.window.empty() && args.figure.find('@') != std::string::npos) {
    return ParseFigureId(args.figure);
  }
  PLIMSOLL_TRY(const Window window, LedgerWindow(context, ledger, args.window));
  return Figure{window, args.figure};
}

Result<ExitCode> RunExplain(Context& context, const Args& args) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  PLIMSOLL_TRY(const Figure figure, FigureOf(context, ledger, args));
  PLIMSOLL_TRY(const Explanation explanation, Explain(ledger, figure));
  const bool text = context.options().format == "table";
  const std::size_t limit =
      text && args.limit > 0 ? static_cast<std::size_t>(args.limit) : explanation.bases.size() + 1;

  Answer answer;
  answer.lines = {"Figure " + ToId(figure)};
  answer.facts = {{"id", CellKind::kText, ToId(figure)}};
  answer.tables = {TotalsTable(explanation),
                   BasesTable(explanation, limit),
                   ChargesTable(explanation, limit),
                   ListTable("rules", explanation.rules),
                   ListTable("snapshots", explanation.snapshots),
                   ChecksTable(explanation, text ? limit : explanation.checks.size())};
  if (explanation.bases.size() > limit) {
    answer.notes.push_back(std::to_string(explanation.bases.size() - limit) +
                           " more bases; --limit 0 shows all of them");
  }
  context.Print(answer);
  for (const Check& check : explanation.checks) {
    if (!check.holds) return ExitCode::kCheckFailed;
  }
  return ExitCode::kDone;
}

}  // namespace

Command ExplainCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "explain";
  command.summary = "Trace one figure back to charges, hours, prices and rules";
  command.about =
      "A figure is a filter and a window: what allocate or the report printed for them. Its "
      "explanation names every node and charge behind it, what each cost, from which rows of "
      "which bill or which price (source rung: billed, contracted, spot-history, list, none), "
      "by which rules it was divided, and checks that the parts add up (else exit code 1).";
  command.example =
      "plimsoll explain 'team:\"nlp\"+class:\"unused\"' --window lastweek\n"
      "plimsoll explain 'team:\"nlp\"@2026-11-16T00:00:00Z/2026-11-23T00:00:00Z'";
  command.common = CommonSet::kFacts;
  command.options = {
      CommandOption::Argument("FIGURE", "A filter, or an id FILTER@BEGIN/UNTIL", &args->figure),
      CommandOption::Text("--window,-w", "WINDOW",
                          std::string("What time, if the id does not say: ") + kWindowForms,
                          &args->window),
      CommandOption::Number("--limit", "N", "Nodes and charges to show in text; 0 shows all",
                            &args->limit)
          .From(0)};
  command.run = [args](Context& context) { return RunExplain(context, *args); };
  return command;
}

}  // namespace plimsoll
