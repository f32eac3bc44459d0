#include "cli/training_plan.h"

#include <algorithm>
#include <limits>

#include "capacity/sizing/resample.h"
#include "capacity/workload/workload_summary.h"
#include "cli/commit_options.h"
#include "cli/files.h"
#include "cli/plan_input.h"
#include "cli/training_shard_file.h"
#include "cli/training_targets.h"
#include "cli/version.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kReplicationsMax = 100'000;
constexpr std::int64_t kEpochsMax = 100'000;
constexpr Duration kResampledFrom = Days(7);
constexpr std::int64_t kHundredPercent = 1'000'000'000;

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

Status CheckNumbers(const TrainingArgs& args) {
  const auto check = [](const char* option, std::int64_t value, std::int64_t least,
                        std::int64_t most) -> Status {
    if (value >= least && value <= most) return Ok();
    return Wrong(std::string(option) + ": " + std::to_string(value) + " is not from " +
                 std::to_string(least) + " to " + std::to_string(most));
  };
  PLIMSOLL_RETURN_IF_ERROR(check("--replications", args.replications, 1, kReplicationsMax));
  PLIMSOLL_RETURN_IF_ERROR(check("--probes", args.epochs, 1, kEpochsMax));
  PLIMSOLL_RETURN_IF_ERROR(check("--threads", args.threads, 0, 4'096));
  return check("--seed", args.seed, 0, std::numeric_limits<std::int64_t>::max());
}

// Classes by size where nobody names any.
TargetFile UsualClasses() {
  TargetFile file;
  file.classes = {{"up to 1 GPU", "", 0, 1, {}, 0},
                  {"2 to 8 GPUs", "", 2, 8, {}, 0},
                  {"9 to 64 GPUs", "", 9, 64, {}, 0},
                  {"more than 64 GPUs", "", 65, 0, {}, 0}};
  return file;
}

struct TargetText {
  SizingTargets targets;
  std::string text;  // of the file, for the hash
};
Result<TargetText> TargetsOf(const TrainingArgs& args, const TrainingModel& model) {
  TargetText out;
  TargetFile file = UsualClasses();
  if (!args.targets.empty()) {
    PLIMSOLL_TRY(out.text, ReadWholeFile(args.targets));
    PLIMSOLL_TRY(file, ReadTargets(args.targets, out.text));
  }
  for (const std::string& probe : args.probes) {
    PLIMSOLL_TRY(GangText gang, ParseProbe(probe));
    file.gangs.push_back(std::move(gang));
  }
  if (model.quota) PLIMSOLL_RETURN_IF_ERROR(NameClusterQueues(*model.quota, file));
  PLIMSOLL_TRY(out.targets, BindTargets(file, {model.history.queues, model.levels, model.flavors,
                                               model.gpus_per_node}));
  for (GangTarget& gang : out.targets.gangs) {
    gang.job.shape.flavors = GroupsOf(model.groups_of_flavor, gang.job.shape.flavors);
  }
  return out;
}

bool AsksForAnything(const SizingTargets& targets) {
  const auto asked = [](const auto& one) { return one.share > 0; };
  return targets.deadline_share > 0 ||
         std::any_of(targets.classes.begin(), targets.classes.end(), asked) ||
         std::any_of(targets.gangs.begin(), targets.gangs.end(), asked);
}

// The same jobs, coming faster by `load` billionths.
TrainingWorkload AtLoad(const TrainingWorkload& history, std::int64_t load) {
  if (load == kHundredPercent || history.jobs.empty()) return history;
  TrainingWorkload scaled = history;
  const Instant begin = history.jobs.front().submitted;
  for (TrainingJob& job : scaled.jobs) {
    const Duration after = Between(begin, job.submitted);
    const auto moved = static_cast<std::int64_t>(int128{after.base()} * kHundredPercent / load);
    if (job.deadline) job.deadline = *job.deadline - (after - Millis(moved));
    job.submitted = begin + Millis(moved);
  }
  return scaled;
}

Result<std::int64_t> LoadOf(const std::string& text) {
  if (text.empty()) return kHundredPercent;
  const Result<Money> number =
      Money::Parse(text.ends_with('%') ? text.substr(0, text.size() - 1) : text);
  if (number && text.ends_with('%') && *number >= Money::Units(1) &&
      *number <= Money::Units(100'000)) {
    return static_cast<std::int64_t>(number->nanos() / 100);
  }
  return Wrong("--load: '" + text + "' is no load such as 120%");
}

Duration LengthOf(const TrainingWorkload& workload) {
  if (workload.jobs.empty()) return {};
  return Between(workload.jobs.front().submitted, workload.jobs.back().submitted);
}

// Draws of fewer jobs than that could be of none.
Status SetFit(const TrainingModel& model, TrainingPlan& plan) {
  const auto jobs = std::ssize(model.history.jobs);
  const auto drawn = static_cast<std::int64_t>(int128{jobs} * plan.load / kHundredPercent);
  const std::optional<Window> window = WindowOf(model.history);
  if (std::min<std::int64_t>(jobs, drawn) < kArrivalsLeast || !window) {
    return Wrong("--arrivals fit: " + std::to_string(jobs) + " jobs" +
                 (drawn < jobs ? " at that load" : "") +
                 " tell nothing of how they come; at least " + std::to_string(kArrivalsLeast) +
                 " are needed: take --arrivals replay");
  }
  plan.fit = std::make_shared<const WorkloadFit>(FitWorkload(model.history, *window));
  return Ok();
}

Status SetJobs(const TrainingArgs& args, const TrainingModel& model, TrainingPlan& plan) {
  if (model.history.jobs.empty()) return Wrong("there are no jobs to simulate");
  PLIMSOLL_TRY(const std::int64_t load, LoadOf(args.load));
  plan.workload = AtLoad(model.history, load);
  const bool is_long = LengthOf(plan.workload) >= kResampledFrom;
  const std::string arrivals =
      args.arrivals.empty() ? (is_long ? "resample" : "replay") : args.arrivals;
  const auto at = std::ranges::find(kArrivalsNames, arrivals);
  plan.arrivals = static_cast<Arrivals>(at - std::begin(kArrivalsNames));
  plan.load = load;
  return plan.arrivals == Arrivals::kFit ? SetFit(model, plan) : Ok();
}

// Drawn histories begin with an empty cluster, which the first tenth is to fill.
Result<Duration> WarmUpOf(const TrainingArgs& args, const TrainingPlan& plan) {
  if (!args.warm_up.empty()) return SpanOption("--warm-up", args.warm_up);
  if (plan.arrivals == Arrivals::kReplay) return Duration();
  const Duration drawn = plan.fit ? plan.fit->window.length() : LengthOf(plan.workload);
  return Millis(drawn.base() / 10);
}

Status SetGrid(const TrainingArgs& args, const TrainingModel& model, const TrainingSettings& base,
               TrainingPlan& plan) {
  if (!AsksForAnything(plan.targets)) {
    return Wrong(
        "--grid: nothing is asked of the fleets; give --targets FILE with shares, or "
        "--probe gpus=32,within=4h,probability=90%");
  }
  std::vector<FleetAxis> axes = model.groups;
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i].units = {base.units[i]};
  for (const std::string& text : args.grid) {
    PLIMSOLL_TRY(FleetAxis axis, ParseAxis(model, text));
    for (FleetAxis& other : axes) {
      if (other.name == axis.name) other.units = axis.units;
    }
  }
  PLIMSOLL_TRY(plan.grid, FleetGrid::Of(std::move(axes)));
  for (std::size_t i = 0; i < plan.grid.size(); ++i) {
    TrainingSettings point = base;
    point.units = plan.grid.Units(i);
    plan.points.push_back(std::move(point));
  }
  return Ok();
}

Status SetPoints(const TrainingArgs& args, const TrainingModel& model, TrainingPlan& plan) {
  TrainingSettings base = SettingsOf(model);
  for (const std::string& text : args.settings) {
    PLIMSOLL_RETURN_IF_ERROR(ApplySetting(model, "--set", text, base));
  }
  PLIMSOLL_TRY(base.warm_up, WarmUpOf(args, plan));
  if (!args.grid.empty() && !args.what_if.empty()) {
    return Wrong("--grid and --what-if exclude each other");
  }
  if (!args.grid.empty()) {
    plan.ask = TrainingAsk::kGrid;
    return SetGrid(args, model, base, plan);
  }
  plan.points = {base};
  if (args.what_if.empty()) {
    const bool one = args.targets.empty() && args.probes.size() == 1;
    plan.ask = one ? TrainingAsk::kProbe : TrainingAsk::kWaits;
    return Ok();
  }
  plan.ask = TrainingAsk::kChange;
  TrainingSettings changed = base;
  for (const std::string& text : args.what_if) {
    PLIMSOLL_RETURN_IF_ERROR(ApplySetting(model, "--what-if", text, changed));
  }
  plan.points.push_back(std::move(changed));
  return Ok();
}

std::string QuestionOf(const TrainingArgs& args, const TrainingModel& model,
                       const TrainingPlan& plan, const std::string& targets) {
  std::vector<std::pair<std::string, std::string>> parts = model.files;
  parts.insert(parts.begin(), {"version", Version()});
  parts.emplace_back("targets", targets);
  for (const std::string& probe : args.probes) parts.emplace_back("probe", probe);
  for (const TrainingSettings& point : plan.points)
    parts.emplace_back("point", SettingsText(point));
  parts.emplace_back("arrivals", kArrivalsNames[static_cast<std::size_t>(plan.arrivals)]);
  parts.emplace_back("load", args.load);
  parts.emplace_back("seed", std::to_string(plan.seed));
  parts.emplace_back("probes", std::to_string(plan.epochs));
  parts.emplace_back("replications", std::to_string(args.replications));
  return QuestionHash(parts);
}

TrainingWorkload DrawnJobs(const TrainingPlan& plan, std::uint64_t replication) {
  if (plan.arrivals == Arrivals::kReplay) return plan.workload;
  if (plan.arrivals == Arrivals::kResample) {
    return ResampleBlocks(plan.workload, {plan.seed, replication, Days(1)});
  }
  WorkloadDraw draw{plan.fit->window, plan.seed, replication};
  draw.scale = 1e-9 * static_cast<decltype(draw.scale)>(plan.load);
  TrainingWorkload drawn = DrawWorkload(*plan.fit, draw);
  // As unlikely as it is: the record stands in for a draw of nothing.
  return drawn.jobs.empty() ? plan.workload : drawn;
}

}  // namespace

Result<TrainingPlan> PlanOf(const TrainingArgs& args, const TrainingModel& model) {
  PLIMSOLL_RETURN_IF_ERROR(CheckNumbers(args));
  PLIMSOLL_TRY(const FleetGrid one, FleetGrid::Of({}));
  TrainingPlan plan{{}, {}, {}, {}, {}, one, 1, 50, {}};
  PLIMSOLL_TRY(const TargetText targets, TargetsOf(args, model));
  plan.targets = targets.targets;
  plan.seed = static_cast<std::uint64_t>(args.seed);
  plan.epochs = static_cast<std::int32_t>(args.epochs);
  PLIMSOLL_RETURN_IF_ERROR(SetJobs(args, model, plan));
  PLIMSOLL_RETURN_IF_ERROR(SetPoints(args, model, plan));
  plan.runs = {QuestionOf(args, model, plan, targets.text),
               static_cast<std::int64_t>(plan.points.size()), args.replications,
               plan.targets.classes.size(), plan.targets.gangs.size()};
  return plan;
}

TrainingWorkload WorkloadOf(const TrainingPlan& plan, const TrainingSettings& settings,
                            std::uint64_t replication) {
  TrainingWorkload workload = DrawnJobs(plan, replication);
  for (TrainingJob& job : workload.jobs) {
    if (settings.checkpoint) job.checkpoint.interval = settings.checkpoint;
  }
  return workload;
}

}  // namespace plimsoll
