#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/commit_options.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/mix_files.h"
#include "cli/mix_view.h"
#include "cli/plan_commands.h"
#include "cli/plan_input.h"
#include "ingest/trace/commit_offers.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kRunsDefault = 2'000;
constexpr std::int64_t kRunsMost = 100'000;

struct Args {
  std::string workloads, prices, offers, existing;
  std::string on_time = "95%", long_run = "25%", capital, start;
  std::int64_t runs = kRunsDefault, seed = 1;
};

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

// Profiles lie beside the file that names them.
Status ReadProfiles(const Args& args, MixFile& file) {
  const std::filesystem::path folder = std::filesystem::path(args.workloads).parent_path();
  for (std::size_t i = 0; i < file.workloads.size(); ++i) {
    if (file.profiles[i].empty()) continue;
    const std::string path = (folder / file.profiles[i]).string();
    PLIMSOLL_TRY(const std::string text, ReadWholeFile(path));
    PLIMSOLL_TRY(file.workloads[i].demand, ReadMixProfile(path, text, file.workloads[i].flavor));
  }
  return Ok();
}

Status AddPrices(const Args& args, MixQuestion& question) {
  if (args.prices.empty()) return Ok();
  PLIMSOLL_TRY(const std::string text, ReadWholeFile(args.prices));
  PLIMSOLL_TRY(const MixFile file, ReadMixFile(args.prices, text));
  if (!file.workloads.empty()) return Wrong("--prices: " + args.prices + " has workloads in it");
  for (const MixFlavor& flavor : file.flavors) {
    const bool twice = std::any_of(question.flavors.begin(), question.flavors.end(),
                                   [&](const auto& other) { return other.name == flavor.name; });
    if (twice) {
      return Wrong("--prices: " + args.prices + ": " + flavor.name + " has prices in " +
                   args.workloads + " too");
    }
    question.flavors.push_back(flavor);
  }
  return Ok();
}

// On-demand prices of an offer file count where a flavor has none.
Status AddOffers(const Args& args, MixQuestion& question) {
  for (const std::string* path : {&args.offers, &args.existing}) {
    if (path->empty()) continue;
    PLIMSOLL_TRY(const std::string text, ReadWholeFile(*path));
    const Result<OfferFile> file = ReadOfferFile(*path, text);
    if (!file) return file.error();
    question.offers.insert(question.offers.end(), file->offers.begin(), file->offers.end());
    question.existing.insert(question.existing.end(), file->existing.begin(), file->existing.end());
    for (const FlavorPrice& price : file->on_demand) {
      const auto known = std::find_if(question.flavors.begin(), question.flavors.end(),
                                      [&](const auto& f) { return f.name == price.flavor; });
      if (known == question.flavors.end()) {
        MixFlavor flavor;
        flavor.name = price.flavor;
        flavor.on_demand = price.price;
        question.flavors.push_back(std::move(flavor));
      } else if (!known->on_demand) {
        known->on_demand = price.price;
      }
    }
  }
  for (const CommitmentOffer& offer : question.offers) PLIMSOLL_RETURN_IF_ERROR(CheckOffer(offer));
  return Ok();
}

Status ReadOptions(Context& context, const Args& args, MixOptions& options) {
  options.start = context.now();
  if (!args.start.empty()) {
    const Result<Instant> start = ParseInstant(args.start);
    if (!start) return Wrong("--start: '" + args.start + "' is not a date such as 2027-01-01");
    options.start = *start;
  }
  if (!args.capital.empty()) {
    PLIMSOLL_TRY(options.cost_of_capital, ShareOption("--cost-of-capital", args.capital));
  }
  PLIMSOLL_TRY(options.spot.on_time_ppb, ShareOption("--on-time", args.on_time));
  PLIMSOLL_TRY(options.spot.long_run_ppb, ShareOption("--long-run", args.long_run));
  if (args.runs < 1 || args.runs > kRunsMost) return Wrong("--runs must be from 1 to 100000");
  if (args.seed < 0) return Wrong("--seed must be 0 or more");
  options.spot.sampling.replications = args.runs;
  options.spot.sampling.seed = static_cast<std::uint64_t>(args.seed);
  return Ok();
}

Result<ExitCode> RunMix(Context& context, const Args& args) {
  MixQuestion question;
  PLIMSOLL_RETURN_IF_ERROR(ReadOptions(context, args, question.options));
  PLIMSOLL_TRY(const std::string text, ReadWholeFile(args.workloads));
  PLIMSOLL_TRY(MixFile file, ReadMixFile(args.workloads, text));
  if (file.workloads.empty()) return Wrong("--workloads: " + args.workloads + " has no workloads");
  PLIMSOLL_RETURN_IF_ERROR(ReadProfiles(args, file));
  question.workloads = std::move(file.workloads);
  question.flavors = std::move(file.flavors);
  PLIMSOLL_RETURN_IF_ERROR(AddPrices(args, question));
  PLIMSOLL_RETURN_IF_ERROR(AddOffers(args, question));
  PLIMSOLL_TRY(const MixPlan plan, PlanMix(question));
  PLIMSOLL_TRY(const Config* const config, context.config());
  context.Print(
      MixAnswer({&question, &plan, config->currency, context.options().format == "table"}));
  return ExitCode::kDone;
}

std::vector<CommandOption> Options(Args& args) {
  return {
      CommandOption::Text("--workloads", "FILE",
                          "What runs: YAML or CSV (docs/formats/workloads.md)", &args.workloads)
          .File()
          .Required(),
      CommandOption::Text("--prices", "FILE",
                          "Prices and eviction laws of flavors, YAML or CSV; may stand in "
                          "the workloads' YAML",
                          &args.prices)
          .File(),
      CommandOption::Text("--offers", "FILE",
                          "Commitments on offer, YAML or CSV (docs/formats/usage-csv.md)",
                          &args.offers)
          .File(),
      CommandOption::Text("--existing", "FILE",
                          "Commitments already made, in YAML or CSV; used first", &args.existing)
          .File(),
      CommandOption::Text("--on-time", "PERCENT", "How likely a run on spot must meet its deadline",
                          &args.on_time),
      CommandOption::Text("--long-run", "PERCENT",
                          "A run without checkpoints longer than this part of its MTBF is never "
                          "on spot",
                          &args.long_run),
      CommandOption::Text("--cost-of-capital", "PERCENT",
                          "A year; weighs what is paid upfront. 0 % if not given", &args.capital),
      CommandOption::Text("--start", "DATE",
                          "Existing commitments in force then count; now if not given",
                          &args.start),
      CommandOption::Number("--runs", "N", "Simulated runs of each run on spot", &args.runs),
      CommandOption::Number("--seed", "N", "Of the simulation", &args.seed).From(0)};
}

}  // namespace

Command PlanMixCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "mix";
  command.summary = "Decide for each workload: reserved, on demand or spot; and what to commit to";
  command.about =
      "Rules come first. A latency-critical service is never on spot; an interactive one only if "
      "interruptible and above its on-demand floor; a run without checkpoints only if it is short "
      "against its MTBF; a run with a deadline only if it is met as likely as --on-time asks.\n\n"
      "Then the cheapest: spot with its redone work, restarts, waits and penalties against "
      "commitments and on demand. What cannot be on spot takes commitments first, hour by hour; "
      "what they have left costs nothing more and goes to other load; the rest goes where it is "
      "cheaper, on demand in a tie. The units to commit to and the runs on spot are found "
      "together, exactly; where there are too many runs for that the answer says how far it may "
      "be from the optimum.\n\n"
      "Amounts are of a month of 730 hours. A price that is not known is left out, never 0.";
  command.example =
      "plimsoll plan mix --workloads workloads.yaml --offers offers.yaml\n"
      "plimsoll plan mix --workloads workloads.csv --prices flavors.csv --on-time 99% "
      "--format json";
  command.common = CommonSet::kStore;
  command.options = Options(*args);
  command.run = [args](Context& context) { return RunMix(context, *args); };
  return command;
}

}  // namespace plimsoll
