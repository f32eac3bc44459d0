#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/open_ledger.h"
#include "config/window.h"
#include "ledger/reconcile.h"

namespace plimsoll {
namespace {

struct Args {
  std::string period;
};

std::string MonthText(const Window& period) {
  if (period == MonthOf(period.begin)) return ToDateString(period.begin).substr(0, 7);
  return ToDateString(period.begin) + "/" + ToDateString(period.until);
}

Table TableOf(const std::vector<ReconciledPeriod>& periods) {
  Table table;
  table.name = "periods";
  table.columns = {{"issuer"},
                   {"account"},
                   {"currency"},
                   {"billing_period"},
                   {"billed", CellKind::kMoney, 2},
                   {"effective", CellKind::kMoney, 2},
                   {"allocated", CellKind::kMoney, 2},
                   {"unexplained", CellKind::kMoney},
                   {"rejected_billed", CellKind::kMoney},
                   {"outcome"}};
  for (const char* category : kChargeCategoryNames) {
    table.columns.push_back({"categories." + std::string(category), CellKind::kMoney, 2});
  }
  for (const ReconciledPeriod& period : periods) {
    Row row{period.scope.issuer,         period.scope.account,
            period.scope.currency,       MonthText(period.scope.period),
            period.billed.ToString(),    period.effective.ToString(),
            period.allocated.ToString(), period.unexplained.ToString(),
            period.rejected_billed,      period.outcome};
    for (const Money& cost : period.billed_by_category) row.push_back(cost.ToString());
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Text: the bill's own categories in a table of their own, so that both fit a terminal.
Answer TextOf(const Table& all) {
  Answer answer;
  Table tie_out{"", "Tie-out: effective cost against cost lines", {}, {}, {}};
  Table bill{"", "Bill: categories add up to billed", {}, {}, {}};
  for (std::size_t column = 0; column < all.columns.size(); ++column) {
    const bool is_category = all.columns[column].name.starts_with("categories.");
    const bool is_key = column < 4;
    const bool is_billed = all.columns[column].name == "billed";
    for (auto* table : {&tie_out, &bill}) {
      const bool wanted = table == &bill ? is_key || is_billed || is_category : !is_category;
      if (!wanted) continue;
      TableColumn named = all.columns[column];
      if (is_category) named.name = named.name.substr(named.name.find('.') + 1);
      table->columns.push_back(named);
      table->rows.resize(all.rows.size());
      for (std::size_t row = 0; row < all.rows.size(); ++row) {
        table->rows[row].push_back(all.rows[row][column]);
      }
    }
  }
  answer.tables = {std::move(tie_out), std::move(bill)};
  return answer;
}

Result<ExitCode> RunReconcile(Context& context, const Args& args) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  Window period{};
  if (!args.period.empty()) {
    PLIMSOLL_TRY(const Zone utc, Zone::Find("UTC"));  // billing periods are UTC months
    PLIMSOLL_TRY(period, ParseWindow(args.period, utc, context.now()));
  }
  PLIMSOLL_TRY(const std::vector<ReconciledPeriod> periods, Reconcile(ledger, period));
  if (periods.empty()) context.Warn("no bill is loaded for this period");
  const Table table = TableOf(periods);
  if (context.options().format == "table") {
    context.Print(TextOf(table));
  } else {
    Answer answer;
    answer.tables = {table};
    context.Print(answer);
  }
  for (const ReconciledPeriod& one : periods) {
    if (one.unexplained != Money()) return ExitCode::kCheckFailed;
  }
  return ExitCode::kDone;
}

}  // namespace

Command ReconcileCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "reconcile";
  command.summary = "Tie the cost lines to the bill, per issuer, account, currency and period";
  command.about =
      "Usage, purchases, tax, credits and adjustments add up to what was billed; the cost lines "
      "add up to the effective cost. Unexplained must be 0.000000000; otherwise the exit code "
      "is 1. Quarantined rows are shown with their written cost.";
  command.example = "plimsoll reconcile\nplimsoll reconcile --period 2026-11 --format json";
  command.common = CommonSet::kFacts;
  command.options = {CommandOption::Text(
      "--period", "MONTH", "Only billing periods that touch it, such as 2026-11", &args->period)};
  command.run = [args](Context& context) { return RunReconcile(context, *args); };
  return command;
}

}  // namespace plimsoll
