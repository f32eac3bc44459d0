#include "demo/demo.h"

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/demo_result.h"
#include "cli/import_view.h"
#include "cli/open_ledger.h"
#include "cli/weekly_files.h"
#include "ledger/reconcile.h"

namespace plimsoll {
namespace {

struct Args {
  std::int64_t seed = 1;
  std::int64_t gpus = 64;
  std::int64_t days = 7;
  std::string out = "out";
  bool check = false;
};

Status LoadAll(Context& context, Store& store, const DemoFleet& fleet, const std::string& folder) {
  PLIMSOLL_TRY(LoadOptions options, context.load_options());
  for (const DemoSource& source : SourcesOf(fleet)) {
    SourceConfig config;
    config.kind = source.kind;
    config.name = source.name;
    config.cluster = source.cluster;
    for (const std::string& file : source.files) config.files.push_back(folder + "/" + file);
    PLIMSOLL_TRY(const ImportReport report, LoadSource(store, config, options));
    context.Say(ImportHeadline(report));
  }
  return Ok();
}

Result<ExitCode> CheckTruth(Context& context, Ledger& ledger, const DemoFleet& fleet,
                            Window window) {
  PLIMSOLL_TRY(const DemoResult result, DemoResultOf(context, ledger, window));
  const DemoTruth truth = TruthOf(fleet);
  std::vector<std::string> differences = CompareWithTruth(truth, result);
  PLIMSOLL_TRY(const std::vector<ReconciledPeriod> periods, Reconcile(ledger, {}));
  for (const ReconciledPeriod& period : periods) {
    if (period.unexplained == Money()) continue;
    differences.push_back(period.scope.issuer + ": " + period.outcome);
  }
  for (const std::string& difference : differences) context.Warn(difference);
  if (!differences.empty()) {
    context.Say(std::to_string(differences.size()) + " differences from the truth");
    return ExitCode::kCheckFailed;
  }
  std::string produced;
  if (!truth.runs.empty()) produced += ", " + std::to_string(truth.runs.size()) + " runs by cause";
  for (const auto& [currency, spot] : truth.spot) {
    produced += ", what spot saved (" + std::to_string(spot.evictions) + " evictions)";
  }
  for (const auto& [name, service] : truth.services) {
    produced += ", " + std::to_string(service.requests) + " requests to " + name;
  }
  context.Say("Check: GPU-hours and cost by team, class and node equal the truth: " +
              std::to_string(truth.lines.size()) + " rows and " +
              std::to_string(truth.totals.size()) + " bill totals" + produced +
              ", all equal, exactly");
  return ExitCode::kDone;
}

Result<ExitCode> RunDemo(Context& context, const Args& args) {
  if (args.seed < 0) {
    return Error{ErrorCode::kInvalidArgument, "--seed must not be negative"};
  }
  DemoOptions options;
  options.seed = static_cast<std::uint64_t>(args.seed);
  options.gpus = args.gpus;
  options.days = args.days;
  options.progress = context.progress();
  PLIMSOLL_TRY(const DemoFleet fleet, GenerateDemo(options));
  PLIMSOLL_RETURN_IF_ERROR(WriteDemo(fleet, args.out, context.progress()));
  context.UseConfig(args.out + "/plimsoll.yaml");
  PLIMSOLL_TRY(Store * store, context.store());
  PLIMSOLL_RETURN_IF_ERROR(LoadAll(context, *store, fleet, args.out));

  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  const Window window{options.begin, options.begin + Days(options.days)};
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(window));
  ExitCode code = ExitCode::kDone;
  if (args.check) {
    PLIMSOLL_TRY(code, CheckTruth(context, ledger, fleet, window));
  }
  PLIMSOLL_TRY(const ReportDocument document, WeeklyDocument(context, ledger, window));
  const WeeklyFiles files{args.out, "weekly"};
  PLIMSOLL_RETURN_IF_ERROR(WriteWeekly(document, files));
  context.Print(WeeklySummary(document, files));
  context.Say(
      "Next: plimsoll allocate --config " + args.out + "/plimsoll.yaml --db " +
      (context.options().db.empty() ? args.out + "/plimsoll.duckdb" : context.options().db) +
      " --by team,class");
  return code;
}

}  // namespace

Command DemoCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "demo";
  command.summary = "Make a realistic GPU fleet with known truth and report on it";
  command.about =
      "Simulates a mixed fleet (Kubernetes training, inference, notebooks, a MIG node, a failed "
      "GPU, spot evictions; a Slurm partition), writes what real tools would have written about "
      "it (exposition text, kubectl JSON, sacct text, FOCUS bills, training logs, a request log), "
      "loads those files through "
      "the usual importers and writes the weekly report. The same seed gives the same bytes.\n\n"
      "--check compares GPU-hours and cost by team, class and node, where each training run's time "
      "went, good requests and tokens, and what spot saved with what the simulation knows to be "
      "true; a difference is exit code 1.";
  command.example = "plimsoll demo\nplimsoll demo --db d.duckdb --out out/ --check";
  command.common = CommonSet::kStore;
  command.options = {
      CommandOption::Number("--seed", "N", "Another seed is another fleet", &args->seed).From(0),
      CommandOption::Number("--gpus", "N", "GPUs of the fleet, 16 to 1024", &args->gpus),
      CommandOption::Number("--days", "N", "Days to simulate, 1 to 92", &args->days),
      CommandOption::Text("--out,-o", "FOLDER", "Where the files and the report go", &args->out)
          .File(),
      CommandOption::Flag("--check", "Compare the answers with the truth", &args->check)};
  command.run = [args](Context& context) { return RunDemo(context, *args); };
  return command;
}

}  // namespace plimsoll
