#include "purchase/mix/spot_side.h"

#include <algorithm>

#include "model/commitment.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

// `scaled` counts 10^-places.
std::string Decimal(int128 scaled, int places) {
  const std::string text = Money::FromNanos(scaled).ToString();  // nine places
  const std::size_t dot = text.find('.');
  std::string digits = text.substr(0, dot) + text.substr(dot + 1);
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  while (digits.size() < static_cast<std::size_t>(places) + 1) digits.insert(0, "0");
  std::string whole = digits.substr(0, digits.size() - static_cast<std::size_t>(places));
  const std::string rest = digits.substr(whole.size());
  for (std::size_t at = whole.size(); at > 3; at -= 3) whole.insert(at - 3, ",");
  return (negative ? "-" : "") + whole + (places > 0 ? "." + rest : "");
}

// What holds of the workload on any flavor; "" if nothing does.
std::string NeverOnSpot(const MixWorkload& workload) {
  if (workload.latency == LatencyClass::kLatencyCritical) {
    return "latency-critical: an eviction breaks its latency target, at any price";
  }
  if (!workload.interruptible) return "not interruptible";
  const bool serves = workload.kind == WorkloadKind::kInference && !workload.run &&
                      workload.latency == LatencyClass::kInteractive;
  if (serves && workload.on_demand_floor < 1) {
    return "a service without an on-demand floor: all its replicas could be evicted at once; "
           "give on_demand_floor";
  }
  return "";
}

// What speaks against one flavor, from prices alone; "" if nothing does.
std::string WhyNotPrice(const MixFlavor& flavor, const MixFlavor& own) {
  if (!flavor.spot) return "no spot price is known, and unknown is not 0";
  if (flavor.name != own.name && *flavor.spot > *own.on_demand) {
    return "its spot price of " + AmountOf(*flavor.spot) + " is above the cap, the " +
           AmountOf(*own.on_demand) + " of " + own.name + " on demand";
  }
  if (*flavor.spot > *own.on_demand) {
    return "spot at " + AmountOf(*flavor.spot) + " is dearer than on demand at " +
           AmountOf(*own.on_demand) + "; check the price list";
  }
  if (*flavor.spot == *own.on_demand) {
    return "spot costs as much as on demand, so nothing is gained";
  }
  if (!flavor.lifetime) return "no eviction law is known: give mtbf, or lifetime, of the flavor";
  return "";
}

SpotQuestion QuestionOf(const MixWorkload& workload, const MixFlavor& own, const MixFlavor& flavor,
                        const SpotRules& rules) {
  SpotQuestion question(*flavor.lifetime);
  SpotRunModel& run = question.run;
  run.work = workload.run->work;
  run.nodes = workload.run->nodes;
  run.deadline = workload.run->deadline;
  run.restart = workload.restart;
  run.wait = flavor.wait;
  run.save = workload.save;
  run.interval = workload.interval;
  if (workload.save <= Duration()) {  // one segment without a save
    run.save = Millis(1);
    run.interval = run.work;
    run.last_is_saved = false;
  }
  question.prices.on_demand = *own.on_demand;
  question.prices.spot = *flavor.spot;
  question.prices.people_per_eviction = workload.people_per_eviction;
  question.prices.penalty = workload.penalty;
  question.prices.penalty_per_hour = workload.penalty_per_hour;
  question.sampling = rules.sampling;
  question.on_time_ppb = rules.on_time_ppb;
  return question;
}

std::string WhyLate(const SpotPlan& plan, const SpotRules& rules) {
  std::int64_t best = -1;
  for (const SpotOutcome& outcome : plan.outcomes) {
    if (outcome.policy != SpotPolicy::kOnDemand && outcome.on_time) {
      best = std::max(best, outcome.on_time->ppb);
    }
  }
  if (best < 0) return "not every run would end";
  return "meets its deadline in " + PercentOf(best) + " of runs, " + PercentOf(rules.on_time_ppb) +
         " are asked";
}

// Takes the cheapest policy that is on time; "" if there is one.
Result<std::string> TryRun(const MixWorkload& workload, const MixFlavor& own,
                           const MixFlavor& flavor, const SpotRules& rules, SpotSide& side) {
  const Duration mtbf = JobMtbf(*flavor.lifetime, workload.run->nodes);
  if (workload.save <= Duration() &&
      int128{workload.run->work.base()} * kBillion > int128{mtbf.base()} * rules.long_run_ppb) {
    return "a run of " + HoursOf(workload.run->work) + " without checkpoints, longer than " +
           PercentOf(rules.long_run_ppb) + " of the " + HoursOf(mtbf) +
           " its instances live: give checkpoint_write";
  }
  PLIMSOLL_TRY(SpotPlan plan, PlanSpot(QuestionOf(workload, own, flavor, rules)));
  const SpotOutcome* best = nullptr;
  for (const SpotOutcome& outcome : plan.outcomes) {
    const bool fits = outcome.policy != SpotPolicy::kOnDemand && outcome.unfinished == 0 &&
                      (!outcome.on_time || outcome.on_time->ppb >= rules.on_time_ppb);
    if (!fits) continue;
    if (best == nullptr || outcome.mean_cost.total() < best->mean_cost.total()) best = &outcome;
  }
  if (best == nullptr) return WhyLate(plan, rules);
  const Money on_demand = plan.of(SpotPolicy::kOnDemand).mean_cost.total();
  if (best->mean_cost.total() >= on_demand) {
    return "a run that is on time as likely as asked costs " + AmountOf(best->mean_cost.total()) +
           " on spot, " + AmountOf(on_demand) + " on demand";
  }
  side.policy = best->policy;
  side.plan = std::move(plan);
  return std::string();
}

Result<std::string> TryLoad(const MixWorkload& workload, const MixFlavor& own,
                            const MixFlavor& flavor, SpotSide& side) {
  const SpotLoadModel model{*flavor.lifetime, workload.restart, flavor.wait, workload.item,
                            workload.save};
  const bool may_wait = workload.latency == LatencyClass::kBatch;
  const auto cost =
      PriceSpotLoad(model, {*own.on_demand, *flavor.spot, may_wait, workload.waiting});
  if (!cost) return cost.error().message;
  if (cost->total() >= *own.on_demand) {
    return "with what evictions cost, a useful hour is " + AmountOf(cost->total()) +
           ", on demand " + AmountOf(*own.on_demand);
  }
  side.load = *cost;
  return std::string();
}

}  // namespace

std::string PercentOf(std::int64_t ppb) {
  std::string text = Decimal(DivideHalfEven(ppb, 100'000), 2);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text + " %";
}

std::string AmountOf(Money money) {
  const bool small = money < Money::Units(100) && money > -Money::Units(100);
  const int places = small ? 4 : 0;
  const std::int64_t unit = small ? 100'000 : Money::kNanosPerUnit;
  std::string text = Decimal(DivideHalfEven(money.nanos(), unit), places);
  // Cents at least, more where there are more.
  if (small) {
    for (int i = 0; i < 2 && text.ends_with('0'); ++i) text.pop_back();
  }
  return text;
}

std::string HoursOf(Duration duration) {
  std::string text = Decimal(DivideHalfEven(duration.base(), kUnitHour / 10), 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text + " h";
}

Money SpotSide::cost() const {
  if (load) return load->total();
  return plan->of(policy).mean_cost.total();
}

Money PenaltyOf(const MixWorkload& workload, Duration finished) {
  if (!workload.run || !workload.run->deadline || finished <= *workload.run->deadline) return {};
  const Duration late = finished - *workload.run->deadline;
  return workload.penalty + Money::FromNanos(DivideHalfEven(
                                workload.penalty_per_hour.nanos() * late.base(), kUnitHour));
}

Result<SpotSide> SpotSideOf(const MixWorkload& workload, const MixFlavor& own,
                            std::span<const MixFlavor> flavors, const SpotRules& rules) {
  SpotSide best;
  const auto reject = [&](const std::string& flavor, std::string why, std::optional<Money> cost) {
    const std::string option = "spot" + (flavor == own.name ? "" : " " + flavor);
    best.rejected.push_back({workload.name, option, std::move(why), cost});
  };
  if (std::string why = NeverOnSpot(workload); !why.empty()) {
    reject(own.name, std::move(why), std::nullopt);
    return best;
  }
  std::vector<std::string> names = workload.spot_flavors;
  if (names.empty()) names.push_back(own.name);
  for (const std::string& name : names) {
    const auto flavor = std::find_if(flavors.begin(), flavors.end(),
                                     [&](const MixFlavor& f) { return f.name == name; });
    std::string why =
        flavor == flavors.end() ? "no prices of it are given" : WhyNotPrice(*flavor, own);
    SpotSide side;
    if (why.empty()) {
      Result<std::string> tried = workload.run ? TryRun(workload, own, *flavor, rules, side)
                                               : TryLoad(workload, own, *flavor, side);
      if (!tried) return Error{tried.error().code, workload.name + ": " + tried.error().message};
      why = *tried;
    }
    if (!why.empty()) {
      reject(name, std::move(why), std::nullopt);
      continue;
    }
    side.flavor = &*flavor;
    if (best.flavor != nullptr && best.cost() <= side.cost()) {
      reject(name, "dearer than spot " + best.flavor->name, std::nullopt);
      continue;
    }
    if (best.flavor != nullptr) {
      reject(best.flavor->name, "dearer than spot " + name, std::nullopt);
    }
    side.rejected = std::move(best.rejected);
    best = std::move(side);
  }
  return best;
}

}  // namespace plimsoll
