#include <algorithm>
#include <memory>

#include "cli/context.h"
#include "cli/files.h"
#include "cli/open_ledger.h"
#include "cli/spot_measure.h"
#include "cli/spot_saving_view.h"
#include "cli/unit_commands.h"
#include "config/window.h"

namespace plimsoll {
namespace {

struct Args {
  std::string window;
  std::string lifetimes;
};

Status WriteLifetimes(Context& context, Ledger& ledger, const SpotSaving& saving,
                      const std::string& path) {
  PLIMSOLL_TRY(const Instant as_of, ledger.DataAsOf());
  std::int64_t left_out = 0;
  const std::string csv = LifetimesCsv(saving, as_of, left_out);
  PLIMSOLL_RETURN_IF_ERROR(WriteWholeFile(path, csv));
  const auto lives = static_cast<std::int64_t>(saving.nodes.size()) - left_out;
  context.Say("Lifetimes of " + std::to_string(lives) + " nodes, " +
              std::to_string(saving.all.evictions) + " of them evicted: " + path);
  if (left_out > 0) {
    context.Warn(std::to_string(left_out) +
                 " nodes are left out of it: nothing tells when they began");
  }
  return Ok();
}

Result<ExitCode> RunSpot(Context& context, const Args& args) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  PLIMSOLL_TRY(const Window window, LedgerWindow(context, ledger, args.window));
  PLIMSOLL_TRY(const std::optional<SpotSaving> saving, MeasureSpot(context, ledger, window));
  if (!saving) {
    return Error{ErrorCode::kNotFound,
                 "nothing ran on spot in " + ToString(window) +
                     ": no charge has pricing category Dynamic and no node capacity type spot"};
  }
  if (!args.lifetimes.empty()) {
    PLIMSOLL_RETURN_IF_ERROR(WriteLifetimes(context, ledger, *saving, args.lifetimes));
  }
  context.Print(SpotSavingAnswer(*saving));
  return ExitCode::kDone;
}

}  // namespace

Command UnitSpotCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "spot";
  command.summary = "Show what spot saved, net of what evictions cost";
  command.about =
      "The gross saving is what spot nodes would have cost on demand less what they did cost. "
      "From it go the time that evictions lost, by run logs: steps done again and restarts, at "
      "the list price, for on demand they would not have been needed; and the storage, traffic "
      "and operations that plimsoll.yaml declares (spot_costs). What is left is the net saving.\n\n"
      "The list cost is the bill's; where it is null or no other than the spot cost, the "
      "on-demand price of the instance type; else it is not known and the node is left out. "
      "Work that an eviction cut off and that has no run log may have lost nothing or all that "
      "it had done: then the net saving is a range.\n\n"
      "--lifetimes writes how long the nodes lasted, those still running too, for plan spot "
      "--model lifetimes:FILE and plan zones FILE.";
  command.example =
      "plimsoll unit spot --window lastweek\n"
      "plimsoll unit spot --window lastweek --lifetimes own.csv --format json";
  command.common = CommonSet::kFacts;
  command.options = {CommandOption::Text(
                         "--window,-w", "WINDOW",
                         std::string("What time; all that is loaded if not given: ") + kWindowForms,
                         &args->window),
                     CommandOption::Text("--lifetimes", "FILE",
                                         "Also write the nodes' lives as CSV", &args->lifetimes)
                         .File()};
  command.run = [args](Context& context) { return RunSpot(context, *args); };
  return command;
}

}  // namespace plimsoll
