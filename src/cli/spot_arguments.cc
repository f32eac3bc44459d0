#include "cli/spot_arguments.h"

#include <utility>

#include "cli/files.h"
#include "cli/plan_input.h"
#include "ingest/trace/trace_reader.h"
#include "purchase/spot/lifetime_text.h"

namespace plimsoll {
namespace {

constexpr std::string_view kLifetimes = "lifetimes:";

// Sets `to` if the option was given.
template <class Value, class Reader>
Status Set(const Reader& reader, const char* option, const std::string& text, Value& to) {
  if (text.empty()) return Ok();
  PLIMSOLL_TRY(to, reader(option, text));
  return Ok();
}

Status Need(const char* option, const std::string& text, const char* example) {
  if (!text.empty()) return Ok();
  return OptionError(option, std::string("is needed, as in ") + example);
}

Status ReadTimes(const SpotArguments& args, SpotQuestion& question) {
  SpotRunModel& run = question.run;
  PLIMSOLL_RETURN_IF_ERROR(Need("--work", args.work, "--work 100h"));
  PLIMSOLL_RETURN_IF_ERROR(
      Need("--checkpoint-write", args.checkpoint_write, "--checkpoint-write 5m"));
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--work", args.work, run.work));
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--checkpoint-write", args.checkpoint_write, run.save));
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--restart", args.restart, run.restart));
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--wait", args.wait, run.wait));
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--notice", args.notice, run.notice));
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--step", args.step, question.step));
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--deadline", args.deadline, run.deadline));
  PLIMSOLL_RETURN_IF_ERROR(
      Set(SpanOption, "--hardware-mtbf", args.hardware_mtbf, run.hardware_mtbf));
  if (run.deadline && *run.deadline <= Duration()) {
    return OptionError("--deadline", "must be longer than 0");
  }
  if (run.deadline && *run.deadline < run.work) {
    return OptionError("--deadline",
                       "is earlier than the end of the work alone, without interruptions");
  }
  if (run.hardware_mtbf && *run.hardware_mtbf <= Duration()) {
    return OptionError("--hardware-mtbf", "must be longer than 0");
  }
  question.by_age = args.interval == "by-age";
  if (question.by_age || args.interval == "best") return Ok();
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--interval", args.interval, run.interval));
  if (!args.interval.empty() && run.interval <= Duration()) {
    return OptionError("--interval", "must be longer than 0");
  }
  return Ok();
}

Status ReadPrices(const SpotArguments& args, SpotPrices& prices) {
  PLIMSOLL_RETURN_IF_ERROR(Need("--on-demand", args.on_demand, "--on-demand 32.77"));
  PLIMSOLL_RETURN_IF_ERROR(Need("--spot", args.spot, "--spot 11.47"));
  PLIMSOLL_RETURN_IF_ERROR(Set(AmountOption, "--on-demand", args.on_demand, prices.on_demand));
  PLIMSOLL_RETURN_IF_ERROR(Set(AmountOption, "--spot", args.spot, prices.spot));
  PLIMSOLL_RETURN_IF_ERROR(
      Set(AmountOption, "--storage-price", args.storage_price, prices.storage));
  PLIMSOLL_RETURN_IF_ERROR(
      Set(AmountOption, "--traffic-price", args.traffic_price, prices.traffic));
  PLIMSOLL_RETURN_IF_ERROR(Set(AmountOption, "--people-cost", args.people, prices.people));
  PLIMSOLL_RETURN_IF_ERROR(Set(AmountOption, "--people-cost-per-eviction", args.people_per_eviction,
                               prices.people_per_eviction));
  PLIMSOLL_RETURN_IF_ERROR(Set(AmountOption, "--penalty", args.penalty, prices.penalty));
  PLIMSOLL_RETURN_IF_ERROR(
      Set(AmountOption, "--penalty-per-hour", args.penalty_per_hour, prices.penalty_per_hour));
  PLIMSOLL_RETURN_IF_ERROR(
      Set(AmountOption, "--delay-cost", args.delay_cost, prices.delay_per_hour));
  PLIMSOLL_RETURN_IF_ERROR(
      Set(GigabytesOption, "--storage-gb", args.storage_gb, prices.storage_mb));
  prices.traffic_mb = prices.storage_mb;
  PLIMSOLL_RETURN_IF_ERROR(
      Set(GigabytesOption, "--traffic-gb", args.traffic_gb, prices.traffic_mb));
  if (!args.storage_price.empty() && args.storage_gb.empty()) {
    return OptionError("--storage-price", "needs --storage-gb, the size of the checkpoints kept");
  }
  if (!args.traffic_price.empty() && args.traffic_gb.empty() && args.storage_gb.empty()) {
    return OptionError("--traffic-price", "needs --traffic-gb, what a restart moves");
  }
  return Ok();
}

Status ReadOdds(const SpotArguments& args, SpotQuestion& question) {
  std::int64_t save_ppb = 0;
  PLIMSOLL_RETURN_IF_ERROR(Set(ShareOption, "--save-probability", args.save_probability, save_ppb));
  question.run.save_per_billion = static_cast<std::uint64_t>(save_ppb);
  if (save_ppb > 0 && args.notice.empty()) {
    return OptionError("--save-probability",
                       "needs --notice: without a notice nothing can be saved on it");
  }
  PLIMSOLL_RETURN_IF_ERROR(Set(ShareOption, "--on-time", args.on_time, question.on_time_ppb));
  const bool has_penalty = !args.penalty.empty() || !args.penalty_per_hour.empty();
  if (!question.run.deadline && (has_penalty || !args.on_time.empty())) {
    return OptionError(has_penalty ? "--penalty" : "--on-time", "needs a --deadline");
  }
  return Ok();
}

std::vector<CommandOption> TimeOptions(SpotArguments& args) {
  return {
      CommandOption::Text("--work", "TIME", "Work of the run without any interruption", &args.work),
      CommandOption::Text("--checkpoint-write", "TIME", "What a checkpoint stops the work for",
                          &args.checkpoint_write),
      CommandOption::Text("--restart", "TIME",
                          "From new capacity until the work goes on: boot, image, reload; 0 if "
                          "not given",
                          &args.restart),
      CommandOption::Text("--wait", "TIME", "For capacity after an eviction; 0 if not given",
                          &args.wait),
      CommandOption::Text("--mtbf", "TIME", "Mean time from start to eviction of one spot node",
                          &args.mtbf),
      CommandOption::Text("--model", "LAW",
                          "How spot nodes live: exponential (with --mtbf), "
                          "weibull:k=0.56,scale=2.09h, bathtub:tau1=1h,tau2=0.8h,cap=24h, "
                          "lifetimes:FILE.csv",
                          &args.model),
      CommandOption::Text("--interval", "TIME",
                          "Of work between two checkpoints; best (if not given), or by-age: by "
                          "the age of the instance",
                          &args.interval),
      CommandOption::Text("--step", "TIME", "One training step: intervals are whole steps",
                          &args.step),
      CommandOption::Flag("--no-final-checkpoint", "The end of the work is not saved",
                          &args.no_final_checkpoint),
      CommandOption::Text("--notice", "TIME", "From the notice to the eviction, as 2m on AWS",
                          &args.notice),
      CommandOption::Text("--save-probability", "SHARE",
                          "Measured odds that a checkpoint is saved on notice: 0.5, 50% or 3/6; "
                          "0 if not given",
                          &args.save_probability),
      CommandOption::Text("--hardware-mtbf", "TIME",
                          "Mean time to failure of one node on demand; it never fails if not "
                          "given",
                          &args.hardware_mtbf)};
}

std::vector<CommandOption> PriceOptions(SpotArguments& args) {
  return {
      CommandOption::Text("--nodes", "N",
                          "Nodes of the run, 1 if not given; the loss of one stops all",
                          &args.nodes),
      CommandOption::Text("--gpus", "N", "GPUs of one node: also shows prices of a GPU",
                          &args.gpus),
      CommandOption::Text("--on-demand", "AMOUNT",
                          "Price on demand of one node, with all its GPUs, for an hour",
                          &args.on_demand),
      CommandOption::Text("--spot", "AMOUNT", "The same on spot", &args.spot),
      CommandOption::Text("--storage-gb", "GB", "Checkpoints kept while the run lasts",
                          &args.storage_gb),
      CommandOption::Text("--storage-price", "AMOUNT", "Of one GB for a month of 730 hours",
                          &args.storage_price),
      CommandOption::Text("--traffic-gb", "GB",
                          "Moved at each restart; as --storage-gb if not given", &args.traffic_gb),
      CommandOption::Text("--traffic-price", "AMOUNT", "Of one GB moved", &args.traffic_price),
      CommandOption::Text("--people-cost", "AMOUNT", "Work of people for the run, on spot only",
                          &args.people),
      CommandOption::Text("--people-cost-per-eviction", "AMOUNT", "The same for each eviction",
                          &args.people_per_eviction),
      CommandOption::Text("--deadline", "TIME",
                          "From the start; adds the policy fallback, which goes on demand when "
                          "spot would risk it",
                          &args.deadline),
      CommandOption::Text("--penalty", "AMOUNT", "Once, if the deadline is missed", &args.penalty),
      CommandOption::Text("--penalty-per-hour", "AMOUNT", "For each hour late",
                          &args.penalty_per_hour),
      CommandOption::Text("--delay-cost", "AMOUNT",
                          "What an hour's delay costs you: tells how long it pays to wait for spot "
                          "before the start",
                          &args.delay_cost),
      CommandOption::Text("--on-time", "SHARE",
                          "How likely the deadline must be met to advise a policy; 0.95 if not "
                          "given",
                          &args.on_time),
      CommandOption::Number("--seed", "N", "The same seed gives the same answer on any machine",
                            &args.seed)
          .From(0),
      CommandOption::Number("--replications", "N", "Runs that are simulated for each policy",
                            &args.replications)
          .Range(2, 2'000'000)};
}

// All lives of the file as one law, whatever their pools.
Result<Lifetime> LifetimeOfFile(const std::string& file) {
  PLIMSOLL_TRY(const std::string text, ReadWholeFile(file));
  PLIMSOLL_TRY(const SpotHistory history,
               ReadSpotHistory({file, text, TraceFormat::kLifetimes, std::nullopt}));
  Result<MeasuredLife> measured = MeasuredLife::Of(ObservedLives(history.lifetimes));
  if (!measured) return Error{ErrorCode::kBadData, file + ": " + measured.error().message};
  return Lifetime::Measured(std::move(*measured));
}

}  // namespace

std::vector<CommandOption> SpotOptions(SpotArguments& arguments) {
  std::vector<CommandOption> options = TimeOptions(arguments);
  for (CommandOption& option : PriceOptions(arguments)) options.push_back(std::move(option));
  return options;
}

Result<Lifetime> LifetimeOf(const SpotArguments& arguments) {
  std::optional<Duration> mtbf;
  PLIMSOLL_RETURN_IF_ERROR(Set(SpanOption, "--mtbf", arguments.mtbf, mtbf));
  const std::string& model = arguments.model;
  if (model.starts_with(kLifetimes)) {
    if (mtbf) return OptionError("--mtbf", "the lifetimes give their mean: leave it out");
    return LifetimeOfFile(model.substr(kLifetimes.size()));
  }
  if (model.empty() && !mtbf) {
    return OptionError("--mtbf",
                       "say how long spot nodes live, as in --mtbf 4h or --model "
                       "weibull:k=0.56,scale=2.09h");
  }
  const Result<Lifetime> lifetime = ParseLifetime(model.empty() ? "exponential" : model, mtbf);
  if (!lifetime) return OptionError(model.empty() ? "--mtbf" : "--model", lifetime.error().message);
  return *lifetime;
}

Result<SpotQuestion> SpotQuestionOf(const SpotArguments& arguments) {
  PLIMSOLL_TRY(const Lifetime lifetime, LifetimeOf(arguments));
  SpotQuestion question(lifetime);
  PLIMSOLL_RETURN_IF_ERROR(ReadTimes(arguments, question));
  PLIMSOLL_RETURN_IF_ERROR(ReadPrices(arguments, question.prices));
  PLIMSOLL_RETURN_IF_ERROR(ReadOdds(arguments, question));
  PLIMSOLL_RETURN_IF_ERROR(Set(CountOption, "--nodes", arguments.nodes, question.run.nodes));
  question.run.last_is_saved = !arguments.no_final_checkpoint;
  question.sampling.seed = static_cast<std::uint64_t>(arguments.seed);
  question.sampling.replications = arguments.replications;
  return question;
}

}  // namespace plimsoll
