#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/import_view.h"
#include "cli/load_sources.h"
#include "cli/text.h"
#include "config/sources.h"
#include "config/suggest.h"

namespace plimsoll {
namespace {

struct Args {
  std::vector<std::string> only;
};

// How the loads of one source ended, in a word.
std::string OutcomeOf(const ImportReport& report) {
  std::string outcome = "unchanged";
  for (const ImportReport::Load& load : report.loads) {
    if (load.outcome == "restated") return "restated";
    if (load.outcome != "unchanged") outcome = load.outcome;
  }
  return outcome;
}

// The sources to pull, by kind in the order of SourceKinds, then as written.
Result<std::vector<SourceConfig>> Chosen(const Config& config, const Args& args) {
  std::vector<std::string> names;
  for (const SourceConfig& source : config.sources) names.push_back(source.name);
  for (const std::string& name : args.only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return Error{ErrorCode::kInvalidArgument,
                 "--only '" + name + "' is not the name of a source" + DidYouMean(name, names)};
  }
  std::vector<SourceConfig> chosen;
  for (const std::string& kind : SourceKinds()) {
    for (const SourceConfig& source : config.sources) {
      const bool wanted = args.only.empty() || std::find(args.only.begin(), args.only.end(),
                                                         source.name) != args.only.end();
      if (source.kind == kind && wanted) chosen.push_back(source);
    }
  }
  return chosen;
}

Row RowOf(const SourceConfig& source, const Result<ImportReport>& report) {
  if (!report) {
    return {source.name,  source.kind,  std::string("failed"), std::nullopt,
            std::nullopt, std::nullopt, report.error().message};
  }
  return {source.name,
          source.kind,
          OutcomeOf(*report),
          std::to_string(report->accepted),
          std::to_string(report->rejected),
          std::to_string(report->duplicates),
          std::nullopt};
}

Result<ExitCode> RunSync(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  if (config->sources.empty()) {
    return Error{ErrorCode::kFailedPrecondition,
                 (config->path.empty() ? "there is no plimsoll.yaml here"
                                       : config->path + " names no sources") +
                     std::string("; plimsoll init writes one, --config names another")};
  }
  PLIMSOLL_TRY(const std::vector<SourceConfig> sources, Chosen(*config, args));
  Result<Store*> store = context.store();
  if (!store && store.error().code == ErrorCode::kUnavailable) {
    return Error{ErrorCode::kUnavailable,
                 store.error().message + "; this sync did nothing, the next one will catch up"};
  }
  if (!store) return store.error();
  PLIMSOLL_TRY(const LoadOptions load, context.load_options());
  Table table;
  table.columns = {{"source"},
                   {"kind"},
                   {"outcome"},
                   {"accepted", CellKind::kNumber},
                   {"rejected", CellKind::kNumber},
                   {"duplicates", CellKind::kNumber},
                   {"error"}};
  bool failed = false;
  for (const SourceConfig& source : sources) {
    context.Detail("source " + source.name);
    const Result<ImportReport> report = LoadSource(**store, source, load);
    table.rows.push_back(RowOf(source, report));
    failed = failed || !report.has_value();
    if (!report) context.Warn(source.name + ": " + report.error().message);
    if (!report) continue;
    for (const std::string& warning : report->warnings) context.Warn(source.name + ": " + warning);
  }
  // From cron, a sync that went well has nothing to say.
  if (failed || !context.options().quiet) context.Print(table);
  return failed ? ExitCode::kUnavailable : ExitCode::kDone;
}

}  // namespace

Command SyncCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "sync";
  command.summary = "Pull every source of plimsoll.yaml since the last time";
  command.about =
      "Safe to run again and from cron: content that is loaded already changes nothing, one "
      "source that fails does not stop the others (the exit code is then 4), and while another "
      "plimsoll holds the database it does nothing and says so.\n\n"
      "A server is read from where the last sync ended, the first time 15 days back; plimsoll "
      "ingest prometheus --window reads further.";
  command.example = "plimsoll sync\nplimsoll sync --only bill --quiet --config /etc/plimsoll.yaml";
  command.common = CommonSet::kStore;
  command.options = {CommandOption::List(
      "--only", "NAME", "Pull only the source of this name; may be given again", &args->only)};
  command.run = [args](Context& context) { return RunSync(context, *args); };
  return command;
}

}  // namespace plimsoll
