#include "purchase/spot/spot_plan.h"

#include <algorithm>
#include <cmath>

#include "purchase/spot/checkpoint_interval.h"
#include "purchase/spot/lifetime_renewal.h"

namespace plimsoll {
namespace {

constexpr double kBillion = 1e9;
constexpr double kNever = 4e15;                       // milliseconds
constexpr std::int64_t kSegmentsMax = 1'000'000;      // of a run
constexpr std::int64_t kRenewalSegmentsMax = 20'000;  // more take too long to solve
constexpr std::int64_t kGiveUpAfter = 50;             // times the work, a restart and a wait
constexpr double kLossesFollowed = 90'000;            // of one run: see kLossesMax of SpotRun
constexpr double kSlowdownMax = 1e6;                  // of a run on demand, by its own failures
constexpr double kEvictionsMax = 1e7;                 // simulated for one policy, about
constexpr std::int64_t kFewestRuns = 256;
constexpr std::int64_t kRunsMax = 2'000'000;

double InMs(Duration duration) { return static_cast<double>(duration.base()); }

Duration Rounded(double ms) { return Millis(std::llround(std::min(ms, kNever))); }

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

Status Check(const SpotQuestion& question) {
  const SpotRunModel& run = question.run;
  if (run.work <= Duration()) return Wrong("the work must be longer than 0");
  if (run.save <= Duration()) return Wrong("writing a checkpoint must take longer than 0");
  if (run.nodes < 1 || run.nodes > 100'000) return Wrong("nodes must be from 1 to 100,000");
  if (run.interval > Duration() && run.work.base() / run.interval.base() > kSegmentsMax) {
    return Wrong("the interval between checkpoints must be at least a millionth of the work");
  }
  if (question.by_age && run.nodes > 1 && !run.lifetime.memoryless()) {
    return Wrong(
        "intervals by age are of one instance; of several nodes each has its own age: give one "
        "interval");
  }
  if (run.save_per_billion > 0 && run.save > run.notice) {
    return Wrong("a checkpoint does not fit in the notice, so that none is saved on it");
  }
  if (question.sampling.replications < 1 || question.sampling.replications > kRunsMax) {
    return Wrong("replications must be from 1 to 2,000,000");
  }
  return CheckPrices(question.prices);
}

CheckpointModel CheckpointModelOf(const SpotRunModel& run, double mtbf) {
  return {mtbf, InMs(run.save), InMs(run.restart), InMs(run.wait)};
}

RenewalRun RenewalRunOf(const SpotRunModel& run) {
  return {InMs(run.work),    InMs(run.interval), InMs(run.save),
          InMs(run.restart), InMs(run.wait),     run.last_is_saved};
}

// Whole steps, at least one; up, as a checkpoint comes at the first end of a step after it is due.
Duration InSteps(Duration interval, Duration step) {
  if (step <= Duration()) return interval;
  return Millis((interval.base() + step.base() - 1) / step.base() * step.base());
}

void ChooseIntervals(SpotQuestion& question, SpotPlan& plan) {
  SpotRunModel& run = question.run;
  const double mtbf = run.lifetime.Mean() / static_cast<double>(run.nodes), save = InMs(run.save);
  plan.job_mtbf = Rounded(mtbf);
  plan.interval_young = Rounded(YoungInterval(save, mtbf));
  plan.interval_daly = Rounded(DalyInterval(save, mtbf));
  const bool by_renewal = run.nodes == 1 && !run.lifetime.memoryless();
  plan.interval_optimal = Rounded(by_renewal ? BestInterval(run.lifetime, RenewalRunOf(run))
                                             : OptimalInterval(save, mtbf));
  if (run.interval <= Duration()) {
    // An interval beyond the work saves once, at the end.
    run.interval = std::min(InSteps(plan.interval_optimal, question.step), run.work);
  } else {
    run.interval = InSteps(run.interval, question.step);
  }
  run.interval = std::max(run.interval, Millis(run.work.base() / kSegmentsMax + 1));
  plan.interval = run.interval;
  if (question.step > Duration()) plan.interval_steps = run.interval.base() / question.step.base();
  if (question.by_age && !run.lifetime.memoryless()) {
    run.aged_intervals = AgedIntervals(run.lifetime, run, run.restart);
    run.aged_first_intervals = AgedIntervals(run.lifetime, run, Duration());
    for (auto* const intervals : {&run.aged_intervals, &run.aged_first_intervals}) {
      for (Duration& interval : *intervals) interval = InSteps(interval, question.step);
    }
  }
}

void ApplyClosedForms(const SpotQuestion& question, SpotPlan& plan) {
  const SpotRunModel& run = question.run;
  const double mtbf = run.lifetime.Mean() / static_cast<double>(run.nodes);
  const CheckpointModel model = CheckpointModelOf(run, mtbf);
  const bool memoryless = run.lifetime.memoryless();
  const auto finite = [&plan](double ms) {
    plan.never_ends = !(ms < kNever);
    return plan.never_ends ? std::nullopt : std::optional(Rounded(ms));
  };
  if (memoryless) {
    plan.first_order_waste_ppb =
        std::llround(std::min(FirstOrderWaste(model, InMs(run.interval)), 1e9) * kBillion);
  }
  if (run.save_per_billion > 0 || !run.aged_intervals.empty()) return;
  if (memoryless) {
    plan.expected_even = finite(EvenExpectedTime(model, InMs(run.work), InMs(run.interval)));
    plan.expected_exact =
        finite(ExpectedTime(model, InMs(run.work), InMs(run.interval), run.last_is_saved));
  } else if (run.nodes == 1 && run.work.base() / run.interval.base() < kRenewalSegmentsMax) {
    plan.expected_even = plan.expected_exact = finite(RenewalTime(run.lifetime, RenewalRunOf(run)));
  }
}

// What a job on demand takes, by its work: more than 1 if its hardware fails.
double OnDemandSlowdown(SpotRunModel& run) {
  if (!run.hardware_mtbf) return 1;
  const double mtbf = InMs(*run.hardware_mtbf) / static_cast<double>(run.nodes);
  const CheckpointModel model{mtbf, InMs(run.save), InMs(run.restart), 0};
  run.on_demand_interval = std::clamp(Rounded(OptimalInterval(model.save, mtbf)),
                                      Millis(run.work.base() / kSegmentsMax + 1), run.work);
  return ExpectedTime(model, InMs(run.work), InMs(run.on_demand_interval), false) / InMs(run.work);
}

void ApplyBreakEven(const SpotQuestion& question, double on_demand_slowdown, SpotPlan& plan) {
  const SpotRunModel& run = question.run;
  const auto nodes = static_cast<double>(run.nodes);
  const double kept = (nodes - 1) / nodes;
  const double ratio = static_cast<double>(question.prices.spot.nanos()) /
                       static_cast<double>(question.prices.on_demand.nanos());
  plan.discount_ppb = std::llround((1 - ratio) * kBillion);
  const CheckpointModel model = CheckpointModelOf(run, run.lifetime.Mean() / nodes);
  if (const auto mtbf = BreakEvenMtbf(model, kept, ratio / on_demand_slowdown)) {
    plan.break_even_mtbf = Rounded(*mtbf * nodes);
  }
  const double slowdown = BilledSlowdown(model, kept);
  if (std::isfinite(slowdown)) {
    plan.break_even_discount_ppb = std::llround((1 - on_demand_slowdown / slowdown) * kBillion);
  }
}

void ApplyAges(const SpotRunModel& run, SpotPlan& plan) {
  if (run.lifetime.memoryless()) return;
  for (const Duration age : {Hours(0), Hours(1), Hours(6), Hours(24)}) {
    const double survives = run.lifetime.SurvivalGiven(InMs(age), InMs(Hours(1)));
    if (run.lifetime.Survival(InMs(age)) <= 0) return;
    SpotRunModel next = run;
    next.work = Hours(10'000);  // no end of the work cuts it short
    plan.ages.push_back(
        {age, std::llround(survives * kBillion), NextAgedInterval(run.lifetime, next, age)});
  }
}

// Runs that `each` costs so many evictions.
std::int64_t Affordable(double each) {
  return std::max(static_cast<std::int64_t>(kEvictionsMax / std::max(each, 1.0)), kFewestRuns);
}

// Fewer runs where each takes very many evictions or none is expected to end.
std::int64_t RunsFor(const SpotQuestion& question, const SpotPlan& plan) {
  const double longest = InMs(question.run.give_up);
  const double expected = plan.expected_exact ? std::min(InMs(*plan.expected_exact), longest)
                          : plan.never_ends   ? longest
                                              : longest / 10;
  // A gang that ages draws a life for each node first; a segment takes a tenth of an eviction.
  const SpotRunModel& run = question.run;
  const double nodes = run.lifetime.memoryless() ? 0 : static_cast<double>(run.nodes);
  const double each = nodes + expected / (InMs(plan.job_mtbf) + InMs(run.wait)) +
                      expected / (InMs(run.interval) + InMs(run.save)) / 10;
  const std::int64_t most = expected < longest ? Affordable(each) : kFewestRuns;
  return std::min(question.sampling.replications, most);
}

std::int64_t OnDemandRunsFor(const SpotQuestion& question, double slowdown) {
  const SpotRunModel& run = question.run;
  if (!run.hardware_mtbf) return question.sampling.replications;
  const double expected = InMs(run.work) * slowdown;
  const double each = expected * static_cast<double>(run.nodes) / InMs(*run.hardware_mtbf) +
                      expected / (InMs(run.on_demand_interval) + InMs(run.save)) / 10;
  return std::min(question.sampling.replications, Affordable(each));
}

void Sample(const SpotQuestion& question, double on_demand_slowdown, SpotPlan& plan) {
  std::vector<SpotPolicy> policies{SpotPolicy::kOnDemand, SpotPolicy::kSpotOnly};
  if (question.run.deadline) policies.push_back(SpotPolicy::kFallback);
  for (const SpotPolicy policy : policies) {
    SpotSampling sampling = question.sampling;
    sampling.replications = policy == SpotPolicy::kOnDemand
                                ? OnDemandRunsFor(question, on_demand_slowdown)
                                : RunsFor(question, plan);
    plan.outcomes.push_back(SampleSpotRuns(question.run, question.prices, policy, sampling));
  }
  const Money on_demand = plan.of(SpotPolicy::kOnDemand).mean_cost.total();
  for (const SpotOutcome& outcome : plan.outcomes) {
    SpotSaving saving;
    saving.on_demand = on_demand;
    saving.gross = on_demand - outcome.mean_cost.work;
    saving.deductions = outcome.mean_cost.lines;
    saving.net = saving.gross - outcome.mean_cost.on_top();
    plan.savings.push_back(saving);
  }
}

void ApplyWaiting(const SpotQuestion& question, SpotPlan& plan) {
  const Money hour = question.prices.delay_per_hour;
  if (hour <= Money() || plan.of(SpotPolicy::kSpotOnly).unfinished > 0) return;
  const SpotOutcome &spot = plan.of(SpotPolicy::kSpotOnly), &other = plan.of(SpotPolicy::kOnDemand);
  const int128 later = (spot.mean_time - other.mean_time).base();
  const int128 ms = DivideHalfEven(plan.savings[1].net.nanos() * Hours(1).base(), hour.nanos());
  plan.worth_waiting = Millis(static_cast<std::int64_t>(
      std::clamp<int128>(ms - later, 0, static_cast<std::int64_t>(kNever))));
}

// The cheapest that is on time as likely as asked; if none is, the likeliest to be on time.
void Advise(const SpotQuestion& question, SpotPlan& plan) {
  const auto meets = [&](const SpotOutcome& outcome) {
    return outcome.unfinished == 0 &&
           (!outcome.on_time || outcome.on_time->ppb >= question.on_time_ppb);
  };
  const auto share = [](const SpotOutcome& outcome) {
    return outcome.on_time ? outcome.on_time->ppb : 0;
  };
  const SpotOutcome* best = &plan.outcomes.front();
  for (const SpotOutcome& outcome : plan.outcomes) {
    if (meets(outcome) != meets(*best)) {
      if (meets(outcome)) best = &outcome;
      continue;
    }
    const bool cheaper = outcome.mean_cost.total() < best->mean_cost.total();
    const bool likelier = share(outcome) > share(*best);
    const bool as_likely = share(outcome) == share(*best) && outcome.unfinished == 0;
    if (meets(outcome) ? cheaper : likelier || (as_likely && cheaper)) best = &outcome;
  }
  plan.advised = best->policy;
  plan.advised_meets_deadline = meets(*best);
}

}  // namespace

Result<SpotPlan> PlanSpot(SpotQuestion question) {
  PLIMSOLL_RETURN_IF_ERROR(Check(question));
  SpotPlan plan;
  ChooseIntervals(question, plan);
  ApplyClosedForms(question, plan);
  SpotRunModel& run = question.run;
  const bool ends =
      plan.expected_exact && *plan.expected_exact < Millis(kGiveUpAfter * run.work.base());
  if (ends && InMs(*plan.expected_exact) > kLossesFollowed * InMs(plan.job_mtbf)) {
    return Wrong(
        "the run would be evicted more than 90,000 times, more than is simulated: ask for a tenth "
        "of the work and take ten times the answer");
  }
  const double on_demand_slowdown = OnDemandSlowdown(run);
  if (!(on_demand_slowdown < kSlowdownMax)) {
    return Wrong(
        "with that hardware MTBF a run on demand takes more than a million times its work");
  }
  ApplyBreakEven(question, on_demand_slowdown, plan);
  run.give_up = Millis(kGiveUpAfter * (run.work + run.restart + run.wait).base());
  if (run.deadline) run.give_up = std::max(run.give_up, *run.deadline + *run.deadline);
  ApplyAges(run, plan);
  Sample(question, on_demand_slowdown, plan);
  ApplyWaiting(question, plan);
  Advise(question, plan);
  return plan;
}

}  // namespace plimsoll
