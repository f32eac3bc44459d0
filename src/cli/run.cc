#include "cli/run.h"

#include <ostream>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/help.h"
#include "cli/parse.h"
#include "cli/text.h"
#include "cli/version.h"

namespace plimsoll {
namespace {

// A full disk or a closed pipe: the answer did not arrive, so the run did not succeed.
ExitCode Flushed(const Io& io, ExitCode code) {
  io.out->flush();
  if (io.out->good()) return code;
  *io.err << "plimsoll: error: cannot write the output; is the disk full?\n";
  return ExitCode::kUnavailable;
}

// "plimsoll help ingest" is "plimsoll ingest --help".
std::vector<std::string> WithoutHelpWord(const std::vector<std::string>& args) {
  if (args.empty() || args.front() != "help") return args;
  std::vector<std::string> rest(args.begin() + 1, args.end());
  rest.push_back("--help");
  return rest;
}

}  // namespace

ExitCode RunCommands(const Command& root, const std::vector<std::string>& args, const Io& io) {
  CommonOptions common;
  const Result<ParsedCommand> parsed = ParseCommandLine(root, common, WithoutHelpWord(args));
  if (!parsed) {
    if (args.empty()) *io.err << HelpText({{&root}, false, false}, io.columns) << "\n";
    *io.err << "plimsoll: error: " << PrintableLines(parsed.error().message) << "\n";
    return ExitCodeOf(parsed.error().code);
  }
  if (parsed->version) {
    *io.out << "plimsoll " << Version() << "\n";
    return Flushed(io, ExitCode::kDone);
  }
  if (parsed->help) {
    *io.out << HelpText(*parsed, io.columns);
    return Flushed(io, ExitCode::kDone);
  }
  Context context(io, common, root);
  const Result<ExitCode> result = parsed->command().run(context);
  if (!result) {
    context.Fail(result.error());
    Flushed(io, ExitCode::kDone);
    return ExitCodeOf(result.error().code);
  }
  return Flushed(io, *result);
}

ExitCode Run(const std::vector<std::string>& args, const Io& io) {
  return RunCommands(RootCommand(), args, io);
}

}  // namespace plimsoll
