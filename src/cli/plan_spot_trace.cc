#include "cli/plan_spot_trace.h"

#include <algorithm>
#include <optional>

#include "cli/files.h"
#include "cli/plan_input.h"
#include "cli/plan_spot_trace_view.h"
#include "cli/spot_files.h"
#include "ingest/trace/start_file.h"
#include "ingest/trace/trace_reader.h"
#include "purchase/spot/trace_optimum.h"
#include "purchase/spot/trace_replay.h"
#include "sim/replications.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kOptimumStepsMax = 10'000;  // of one start
constexpr std::int64_t kStartsAtOnce = 64;         // replayed between two looks at the progress
constexpr std::int64_t kStartsMost = 10'000'000;
constexpr std::size_t kStartsDefault = 1'000;  // as many as were published
constexpr std::int64_t kNodesMost = 100'000;

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

Result<std::vector<TracePolicy>> PoliciesOf(const std::string& text) {
  std::vector<TracePolicy> policies;
  std::string names;
  for (const char* name : kTracePolicyNames)
    names += (names.empty() ? "" : ", ") + std::string(name);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string name = text.substr(from, comma - from);
    from = comma + 1;
    const std::optional<TracePolicy> policy = ParseTracePolicy(name);
    if (!policy) return Wrong("--policies: no policy is called '" + name + "'; there are " + names);
    if (std::find(policies.begin(), policies.end(), *policy) == policies.end()) {
      policies.push_back(*policy);
    }
  }
  return policies;
}

Result<TraceJob> JobOf(const SpotTraceJob& args, std::int64_t nodes) {
  TraceJob job;
  for (const auto& [option, text] :
       {std::pair{"--work", &args.work}, std::pair{"--deadline", &args.deadline},
        std::pair{"--on-demand", &args.on_demand}}) {
    if (text->empty()) return Wrong(std::string(option) + ": plan spot --trace needs it");
  }
  PLIMSOLL_TRY(job.work, SpanOption("--work", args.work));
  PLIMSOLL_TRY(job.deadline, SpanOption("--deadline", args.deadline));
  PLIMSOLL_TRY(job.restart, SpanOption("--restart", args.restart));
  PLIMSOLL_TRY(const Money on_demand, HourlyPriceOption("--on-demand", args.on_demand));
  job.on_demand = Money::FromNanos(on_demand.nanos() * nodes);
  if (!args.spot.empty()) {
    PLIMSOLL_TRY(const Money spot, HourlyPriceOption("--spot", args.spot));
    job.spot = Money::FromNanos(spot.nanos() * nodes);
  }
  if (job.work <= Duration()) return Wrong("--work: must be above 0");
  if (job.deadline < job.work + job.restart) {
    return Wrong("--deadline: " + args.deadline + " is less than the work and one restart (" +
                 args.work + " + " + args.restart + "): not even on demand is it met");
  }
  return job;
}

Result<AvailabilityTrace> ReadTrace(const SpotTraceArgs& args) {
  PLIMSOLL_TRY(const std::vector<SpotHistory> histories,
               ReadSpotFiles({{args.trace}, args.format, ""}));
  std::vector<AvailabilityTrace> traces;
  for (const SpotHistory& history : histories) {
    traces.insert(traces.end(), history.traces.begin(), history.traces.end());
  }
  if (traces.size() == 1) return traces.front();
  return Error{
      ErrorCode::kBadData,
      args.trace + (traces.empty() ? " holds no trace: lifetimes and advice are for plimsoll "
                                     "plan zones"
                                   : " names more than one trace: replay them one by one")};
}

// A trace with the spot prices of the whole job, tick by tick where they are the trace's.
struct PricedTrace {
  std::vector<std::uint8_t> up;
  std::vector<Money> prices;  // empty: --spot
};

Result<PricedTrace> PriceTrace(const AvailabilityTrace& trace, const SpotTraceJob& args,
                               std::int64_t nodes) {
  PricedTrace priced;
  for (const std::int32_t count : trace.instances) priced.up.push_back(count >= nodes ? 1 : 0);
  if (!args.spot.empty()) return priced;
  if (trace.prices.empty()) {
    return Wrong("--spot: " + trace.name + " tells no prices: give the spot price for an hour");
  }
  for (std::size_t i = 0; i < trace.prices.size(); ++i) {
    if (!trace.prices[i] && priced.up[i] != 0) {
      return Wrong("--spot: " + trace.name + " tells no price at tick " + std::to_string(i) +
                   ", and unknown is not 0: give the spot price for an hour");
    }
    priced.prices.push_back(Money::FromNanos(trace.prices[i].value_or(Money()).nanos() * nodes));
  }
  return priced;
}

Result<std::vector<std::int64_t>> StartsOf(const SpotTraceArgs& args, std::int64_t seed,
                                           const TraceJob& job, const AvailabilityTrace& trace) {
  const auto ticks = static_cast<std::int64_t>(trace.instances.size());
  if (!args.starts.empty()) {
    PLIMSOLL_TRY(const std::string text, ReadWholeFile(args.starts));
    return ReadStarts(args.starts, text, ticks);
  }
  const std::vector<std::int64_t> room = StartsWithRoom(ticks, trace.gap, job.deadline);
  if (room.empty()) {
    return Wrong("--deadline: the trace is shorter: it lasts " +
                 HoursText(Millis(ticks * trace.gap.base())) + " hours");
  }
  if (args.random_starts == 0) return EvenStarts(room, kStartsDefault);
  return RandomStarts(room, args.random_starts, static_cast<std::uint64_t>(seed));
}

Status CheckNumbers(const SpotTraceArgs& args, std::int64_t nodes) {
  if (nodes < 1 || nodes > kNodesMost) {
    return Wrong("--nodes: must be from 1 to " + std::to_string(kNodesMost));
  }
  if (args.random_starts < 0 || args.random_starts > kStartsMost) {
    return Wrong("--starts-random: must be from 1 to " + std::to_string(kStartsMost));
  }
  if (args.random_starts > 0 && !args.starts.empty()) {
    return Wrong("--starts-random: does not go with --starts");
  }
  return Ok();
}

std::optional<TraceOutcome> OutcomeOf(TracePolicy policy, const SpotTraceView& view,
                                      const PricedTrace& priced, std::int64_t start) {
  const auto at = static_cast<std::size_t>(start);
  SpotSeries series{view.gap, std::span(priced.up).subspan(at)};
  if (!priced.prices.empty()) series.prices = std::span(priced.prices).subspan(at);
  if (policy < TracePolicy::kOptimum) return ReplayTrace(policy, view.job, series);
  return TraceOptimum(view.job, series, {policy == TracePolicy::kOptimumPublished});
}

// One for each of view.starts; starts that are drawn again are not replayed again.
Result<std::vector<TraceOutcome>> OutcomesOf(TracePolicy policy, const SpotTraceView& view,
                                             const PricedTrace& priced, const Progress& progress) {
  std::vector<std::int64_t> starts = view.starts;
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::vector<std::optional<TraceOutcome>> of_start(starts.size());
  const std::string name = kTracePolicyNames[static_cast<std::size_t>(policy)];
  const auto count = static_cast<std::int64_t>(starts.size());
  for (std::int64_t done = 0; done < count; done += kStartsAtOnce) {
    if (progress) progress(name, done, count);
    ForEachBlock(std::min(kStartsAtOnce, count - done), 0, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(done + i);
      of_start[at] = OutcomeOf(policy, view, priced, starts[at]);
    });
  }
  std::vector<TraceOutcome> outcomes;
  for (const std::int64_t start : view.starts) {
    const auto found = std::lower_bound(starts.begin(), starts.end(), start) - starts.begin();
    const std::optional<TraceOutcome>& outcome = of_start[static_cast<std::size_t>(found)];
    if (!outcome) {
      return Wrong("--starts: the trace ends before a job that starts at tick " +
                   std::to_string(start) + " can be done in time: start earlier");
    }
    outcomes.push_back(*outcome);
  }
  return outcomes;
}

}  // namespace

std::vector<CommandOption> SpotTraceOptions(SpotTraceArgs& args) {
  std::string names;
  for (const char* name : kTracePolicyNames)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return {CommandOption::Text("--trace", "FILE", "Trace of spot capacity to replay policies on",
                              &args.trace)
              .File(),
          CommandOption::Text("--trace-format", "FORMAT",
                              "What the file is, if its content cannot tell", &args.format)
              .OneOf(TraceFormatNames()),
          CommandOption::Text("--policies", "NAMES", "Policies to replay, by commas: " + names,
                              &args.policies),
          CommandOption::Text("--starts", "FILE",
                              "Ticks of the trace at which jobs start, a CSV file", &args.starts)
              .File(),
          CommandOption::Number(
              "--starts-random", "N",
              "Draw N starts that leave room to the deadline, in place of all of them, a thousand "
              "at most and evenly spread",
              &args.random_starts)
              .From(1),
          CommandOption::Flag("--per-start", "Show what every start cost", &args.per_start)};
}

Status CheckNeedsNoTrace(const SpotTraceArgs& args) {
  const SpotTraceArgs none;
  const std::pair<const char*, bool> given[] = {{"--trace-format", args.format != none.format},
                                                {"--policies", args.policies != none.policies},
                                                {"--starts", args.starts != none.starts},
                                                {"--starts-random", args.random_starts != 0},
                                                {"--per-start", args.per_start}};
  for (const auto& [name, is_given] : given) {
    if (is_given) return Wrong(std::string(name) + ": needs --trace FILE");
  }
  return Ok();
}

Result<ExitCode> RunSpotTrace(Context& context, const SpotTraceArgs& args,
                              const SpotTraceJob& job) {
  PLIMSOLL_RETURN_IF_ERROR(CheckNumbers(args, job.nodes));
  SpotTraceView view;
  PLIMSOLL_TRY(const std::vector<TracePolicy> policies, PoliciesOf(args.policies));
  PLIMSOLL_TRY(view.job, JobOf(job, job.nodes));
  PLIMSOLL_TRY(const AvailabilityTrace trace, ReadTrace(args));
  PLIMSOLL_TRY(const PricedTrace priced, PriceTrace(trace, job, job.nodes));
  PLIMSOLL_TRY(view.starts, StartsOf(args, job.seed, view.job, trace));
  view.trace = trace.name;
  view.gap = trace.gap;
  view.ticks = static_cast<std::int64_t>(trace.instances.size());
  view.ticks_up = std::count(priced.up.begin(), priced.up.end(), 1);
  view.per_start = args.per_start;
  const Progress progress = context.progress();
  const std::int64_t steps = view.job.deadline.base() / view.gap.base();
  for (const TracePolicy policy : policies) {
    if (policy >= TracePolicy::kOptimum && steps > kOptimumStepsMax) {
      context.Warn(std::string(kTracePolicyNames[static_cast<std::size_t>(policy)]) +
                   " is left out: it would search " + std::to_string(steps) +
                   " steps of the trace a start; a trace of longer steps has it");
      continue;
    }
    PLIMSOLL_TRY(std::vector<TraceOutcome> outcomes, OutcomesOf(policy, view, priced, progress));
    PolicyOutcomes& one = view.policies.emplace_back();
    one.policy = policy;
    one.summary = SummarizeOutcomes(outcomes, view.job);
    one.outcomes = std::move(outcomes);
  }
  PLIMSOLL_TRY(const Config* const config, context.config());
  view.currency = config->currency;
  context.Print(SpotTraceAnswer(view));
  return ExitCode::kDone;
}

}  // namespace plimsoll
