#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/open_ledger.h"
#include "cli/weekly_files.h"
#include "config/window.h"
#include "report/render.h"

namespace plimsoll {
namespace {

struct Args {
  std::string window;
  std::string out = ".";
  std::string name = "weekly";
};

// The last full week, Monday to Monday; where the data ends before it, the last seven days
// that have data.
Result<Window> DefaultWeek(Context& context, Ledger& ledger) {
  PLIMSOLL_TRY(const Window week, LedgerWindow(context, ledger, "lastweek"));
  PLIMSOLL_TRY(const Window extent, ledger.Extent());
  if (extent.empty()) {
    return Error{ErrorCode::kFailedPrecondition,
                 "nothing is loaded: run plimsoll sync or plimsoll ingest, or give --from"};
  }
  if (!Intersect(week, extent).empty()) return week;
  PLIMSOLL_TRY(const Instant data_as_of, ledger.DataAsOf());
  const Instant until =
      data_as_of == Instant() ? extent.until : std::min(extent.until, CeilTo(data_as_of, Days(1)));
  return Window{std::max(extent.begin, until - Days(7)), until};
}

Result<ExitCode> RunWeekly(Context& context, const Args& args) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  Window window;
  if (args.window.empty()) {
    PLIMSOLL_TRY(window, DefaultWeek(context, ledger));
  } else {
    PLIMSOLL_TRY(window, LedgerWindow(context, ledger, args.window));
  }
  PLIMSOLL_TRY(const ReportDocument document, WeeklyDocument(context, ledger, window));
  if (context.options().format == "json") {
    context.Write(RenderJson(document));
    return ExitCode::kDone;
  }
  const WeeklyFiles files{args.out, args.name};
  PLIMSOLL_RETURN_IF_ERROR(WriteWeekly(document, files));
  context.Print(WeeklySummary(document, files));
  return ExitCode::kDone;
}

}  // namespace

Command ReportCommand() {
  auto args = std::make_shared<Args>();
  Command weekly;
  weekly.name = "weekly";
  weekly.summary = "Write the weekly report as HTML, Markdown and JSON";
  weekly.about =
      "A week of the fleet in seven dimensions: capacity, utilization, queue, training, "
      "inference, tenants, optimization; a summary first, details and rules behind. What has no "
      "data says what to connect, it never shows 0. The HTML is one file that opens offline "
      "and prints. --format json prints the JSON and writes no files.";
  weekly.example =
      "plimsoll report weekly --window lastweek --out reports\n"
      "plimsoll report weekly --window 2026-11-16..2026-11-23 --format json";
  weekly.common = CommonSet::kFacts;
  weekly.options = {
      CommandOption::Text(
          "--window,-w", "WINDOW",
          std::string("What time; the last full week with data if not given: ") + kWindowForms,
          &args->window),
      CommandOption::Text("--out,-o", "FOLDER", "Where the files go", &args->out).File(),
      CommandOption::Text("--name", "NAME", "Their name without the ending", &args->name)};
  weekly.run = [args](Context& context) { return RunWeekly(context, *args); };

  Command command;
  command.name = "report";
  command.summary = "Reports for people: the weekly report";
  command.example = "plimsoll report weekly --window lastweek --out reports";
  command.commands = {std::move(weekly)};
  return command;
}

}  // namespace plimsoll
