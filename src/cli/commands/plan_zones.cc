#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "cli/context.h"
#include "cli/plan_commands.h"
#include "cli/plan_input.h"
#include "cli/plan_zones_view.h"
#include "cli/spot_files.h"
#include "ingest/trace/trace_reader.h"
#include "model/service.h"

namespace plimsoll {
namespace {

struct Args {
  std::vector<std::string> files;
  std::string format, observed, interval = "1h", run = "8h", by = "file", sku, shortest = "0", cap;
  std::int64_t nodes = 1;
};

// AWS families with GPUs: p3.2xlarge, g5.xlarge, g6e..., gr6...
bool HasGpu(const std::string& type) {
  const std::size_t letters = type.starts_with("gr") ? 2 : 1;
  return (type.starts_with('p') || type.starts_with('g')) && type.size() > letters &&
         type[letters] >= '0' && type[letters] <= '9';
}

class Gathering {
 public:
  Gathering(const Args& args, const EvidenceOptions& options) : args_(args), options_(options) {}

  void Add(const SpotHistory& history) {
    ++file_;
    for (const AvailabilityTrace& trace : history.traces) {
      if (!Takes(trace.pool.sku)) continue;
      // A set whose instances are known by name: their lives say more than its size does.
      const bool lives = !history.lifetimes.empty() && options_.nodes == 1;
      AddTrace(trace, options_, lives ? TraceUse::kCountsOnly : TraceUse::kAll,
               Of(trace.pool, trace.observed));
    }
    for (const InstanceLifetimes& lives : history.lifetimes) {
      if (!Takes(lives.pool.sku) || (options_.nodes > 1 && !history.traces.empty())) continue;
      AddLifetimes(lives, options_, Of(lives.pool, SpotObservation::kHeld));
    }
    for (const SpotAdvice& advice : history.advice) {
      if (args_.sku.empty() ? HasGpu(advice.pool.sku) : Takes(advice.pool.sku)) {
        view.advice.push_back(advice);
      }
    }
    view.notes.insert(view.notes.end(), history.notes.begin(), history.notes.end());
  }

  PlanZonesView view;

 private:
  bool Takes(const std::string& sku) const {
    return args_.sku.empty() || MatchesGlob(sku, args_.sku);
  }

  PoolEvidence& Of(SpotPool pool, SpotObservation observed) {
    if (args_.by == "sku") pool.zone.clear();
    if (args_.by == "zone") pool.sku.clear();
    const std::size_t file = args_.by == "file" ? file_ : 0;
    const auto [found, is_new] =
        index_.emplace(std::tuple(file, observed, pool), view.evidence.size());
    if (is_new) {
      PoolEvidence& evidence = view.evidence.emplace_back();
      evidence.pool = pool;
      evidence.observed = observed;
    }
    return view.evidence[found->second];
  }

  const Args& args_;
  EvidenceOptions options_;
  std::size_t file_ = 0;
  std::map<std::tuple<std::size_t, SpotObservation, SpotPool>, std::size_t> index_;
};

void Rank(PlanZonesView& view) {
  std::vector<PoolFigures> figures;
  for (const PoolEvidence& evidence : view.evidence) {
    figures.push_back(FiguresOf(evidence, view.interval, view.run));
  }
  std::vector<PoolEvidence> ranked;
  for (const std::size_t i : RankPools(view.evidence, figures, view.run)) {
    ranked.push_back(view.evidence[i]);
    view.figures.push_back(figures[i]);
  }
  view.evidence = std::move(ranked);
  // Safest first, dearer than on demand last, then the greatest saving.
  std::stable_sort(view.advice.begin(), view.advice.end(),
                   [](const SpotAdvice& a, const SpotAdvice& b) {
                     return std::tuple(a.saving_pct < 0, a.bucket, -a.saving_pct) <
                            std::tuple(b.saving_pct < 0, b.bucket, -b.saving_pct);
                   });
}

Result<ExitCode> RunZones(Context& context, const Args& args) {
  EvidenceOptions options;
  if (args.nodes < 1 || args.nodes > 100'000) {
    return Error{ErrorCode::kInvalidArgument, "--nodes: must be from 1 to 100000"};
  }
  options.nodes = static_cast<std::int32_t>(args.nodes);
  PLIMSOLL_TRY(options.shortest, SpanOption("--shortest", args.shortest));
  if (!args.cap.empty()) {
    PLIMSOLL_TRY(options.cap, SpanOption("--cap", args.cap));
  }
  PLIMSOLL_TRY(const Duration interval, SpanOption("--interval", args.interval));
  PLIMSOLL_TRY(const Duration run, SpanOption("--run", args.run));
  PLIMSOLL_TRY(const Config* const config, context.config());
  PLIMSOLL_TRY(const std::vector<SpotHistory> histories,
               ReadSpotFiles({args.files, args.format, args.observed}));
  Gathering gathering(args, options);
  for (const SpotHistory& history : histories) gathering.Add(history);
  PlanZonesView& view = gathering.view;
  if (view.evidence.empty() && view.advice.empty()) {
    return Error{ErrorCode::kNotFound, args.sku.empty()
                                           ? "the files tell of no GPU instances"
                                           : "--sku: the files tell of no '" + args.sku + "'"};
  }
  view.interval = interval;
  view.run = run;
  view.currency = config->currency;
  Rank(view);
  context.Print(PlanZonesAnswer(view));
  return ExitCode::kDone;
}

}  // namespace

Command PlanZonesCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "zones";
  command.summary = "Rank zones and GPU types by how long their spot capacity lasts";
  command.about =
      "Reads traces of spot availability, sets of held instances, lifetimes and AWS Spot Advisor "
      "data. The ranking is by survival: an instance that can always be launched again and is "
      "always taken again is worth little. Price is shown last and not ranked by; unknown is not "
      "0.\n\n"
      "Whether the young are taken more often than the old, the Weibull shape says: below 1 they "
      "are, and a checkpoint soon after the start pays.";
  command.example =
      "plimsoll plan zones traces/*.json --interval 1h --run 12h\n"
      "plimsoll plan zones lifetimes.csv --by sku --shortest 2m";
  command.common = CommonSet::kStore;
  command.options = {
      CommandOption::Arguments("TRACE", "Traces, lifetimes or Spot Advisor files", &args->files)
          .File(),
      CommandOption::Text("--interval", "TIME", "Between two checkpoints", &args->interval),
      CommandOption::Text("--run", "TIME", "That an instance should last", &args->run),
      CommandOption::Text("--by", "WHAT", "One row a file and pool, or pooled", &args->by)
          .OneOf({"file", "zone", "sku"}),
      CommandOption::Text("--sku", "GLOB", "Only these GPU or instance types", &args->sku),
      CommandOption::Number("--nodes", "N", "Instances that the job needs at once", &args->nodes),
      CommandOption::Text("--shortest", "TIME", "Leave out lifetimes below it as failed creations",
                          &args->shortest),
      CommandOption::Text("--cap", "TIME",
                          "Lifetimes from it on ended by the provider's cap, not by a shortage",
                          &args->cap),
      CommandOption::Text("--observed", "WHAT", "What the traces saw, if files do not tell",
                          &args->observed)
          .OneOf({"pings", "held"}),
      CommandOption::Text("--trace-format", "FORMAT", "What the files are, if content cannot tell",
                          &args->format)
          .OneOf(TraceFormatNames())};
  command.run = [args](Context& context) { return RunZones(context, *args); };
  return command;
}

}  // namespace plimsoll
