#include "purchase/mix/mix_plan.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "purchase/commit/term_cost.h"
#include "purchase/commit/unit_replay.h"
#include "purchase/mix/hour_dispatch.h"
#include "purchase/mix/mix_reason.h"
#include "units/split.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kUnitsMax = 1'000'000;
constexpr Money kHourMax = Money::Units(10'000'000);

Money Times(Money money, int128 times, int128 per) {
  return Money::FromNanos(DivideHalfEven(money.nanos() * times, per));
}

// One amount of a run as that of a month.
Money Monthly(Money of_run, const WorkloadRun& run) {
  return Times(of_run, Hours(kHoursPerMonth).base(), run.every.base());
}

// What one workload is within its flavor.
struct Part {
  std::size_t workload = 0;
  SpotSide side;
  HourlyUnits off_spot;            // fixed, or a run's use
  HourlyUnits anywhere;            // load that may be divided; empty: none
  std::optional<std::size_t> run;  // of FleetQuestion::runs
  SpotCost run_cost;               // a month on spot
};

class FlavorPlanner {
 public:
  FlavorPlanner(const MixQuestion& question, const MixFlavor& flavor, MixPlan& plan)
      : question_(question), flavor_(flavor), plan_(plan) {
    fleet_.fixed.resize(static_cast<std::size_t>(plan.hours));
    fleet_.on_demand = *flavor.on_demand;
  }

  Status Plan() {
    for (std::size_t i = 0; i < question_.workloads.size(); ++i) {
      if (question_.workloads[i].flavor != flavor_.name) continue;
      PLIMSOLL_RETURN_IF_ERROR(Take(i));
    }
    PLIMSOLL_RETURN_IF_ERROR(CheckSizes());
    TakeExisting();
    PLIMSOLL_RETURN_IF_ERROR(TakeOffers());
    for (const Part& part : parts_) {
      if (!part.anywhere.empty()) fleet_.loads.push_back({part.anywhere, ElsewhereOf(part)});
    }
    choice_ = ChooseFleet(fleet_);
    plan_.proven = plan_.proven && choice_.proven;
    plan_.cost_least -= choice_.cost - choice_.cost_least;  // the total is added at the end
    return Decide();
  }

 private:
  const MixWorkload& Workload(const Part& part) const { return question_.workloads[part.workload]; }
  int128 PerMonth() const { return int128{plan_.hours} * kUnitHour; }
  // Unit-milliseconds of all hours at a price, for a month.
  Money Priced(Money hourly, int128 used) const {
    return Times(hourly, used * kHoursPerMonth, PerMonth());
  }
  Money ElsewhereOf(const Part& part) const {
    return part.side.load ? part.side.load->total() : *flavor_.on_demand;
  }

  Status Take(std::size_t index) {
    const MixWorkload& workload = question_.workloads[index];
    Part part;
    part.workload = index;
    PLIMSOLL_TRY(part.side,
                 SpotSideOf(workload, flavor_, question_.flavors, question_.options.spot));
    for (const MixRejection& no : part.side.rejected) plan_.rejected.push_back(no);
    part.off_spot = UseOf(workload, plan_.hours);
    if (workload.run && part.side.flavor != nullptr) {
      part.run = fleet_.runs.size();
      const SpotCost& once = part.side.plan->of(part.side.policy).mean_cost;
      part.run_cost.work = Monthly(once.work, *workload.run);
      for (std::size_t l = 0; l < kSpotLines; ++l) {
        part.run_cost.lines[l] = Monthly(once.lines[l], *workload.run);
      }
      fleet_.runs.push_back({part.off_spot, ExtraOf(workload), part.run_cost.total()});
    } else if (!workload.run && part.side.flavor != nullptr) {
      const std::int64_t floor = workload.on_demand_floor * kUnitHour;
      part.anywhere = part.off_spot;
      for (std::size_t h = 0; h < part.off_spot.size(); ++h) {
        part.off_spot[h] = std::min(part.off_spot[h], floor);
        part.anywhere[h] -= part.off_spot[h];
      }
    }
    if (!part.run) {
      for (std::size_t h = 0; h < part.off_spot.size(); ++h) fleet_.fixed[h] += part.off_spot[h];
    }
    parts_.push_back(std::move(part));
    return Ok();
  }

  static Money ExtraOf(const MixWorkload& workload) {
    if (!workload.run) return {};
    return Monthly(PenaltyOf(workload, workload.run->work), *workload.run);
  }

  Status CheckSizes() const {
    HourlyUnits all = fleet_.fixed;
    for (std::size_t h = 0; h < all.size(); ++h) {
      for (const FleetRun& run : fleet_.runs) all[h] += run.used[h];
      for (const Part& part : parts_) all[h] += part.anywhere.empty() ? 0 : part.anywhere[h];
    }
    const std::int64_t units = *std::max_element(all.begin(), all.end()) / kUnitHour + 1;
    if (units <= kUnitsMax && units * flavor_.on_demand->nanos() <= kHourMax.nanos()) return Ok();
    return Error{ErrorCode::kOutOfRange,
                 flavor_.name + ": more than a million instances, or 10,000,000 an hour"};
  }

  void TakeExisting() {
    MixExisting sum;
    sum.flavor = flavor_.name;
    for (const ExistingCommitment& one : question_.existing) {
      if (one.flavor != flavor_.name || one.expires <= question_.options.start) continue;
      sum.expires = sum.units == 0 ? one.expires : std::min(sum.expires, one.expires);
      sum.units += one.units;
      sum.cost += Money::FromNanos(one.price.nanos() * one.units * kHoursPerMonth);
    }
    fleet_.existing = sum.units;
    if (sum.units == 0) return;
    existing_ = plan_.existing.size();
    plan_.existing.push_back(std::move(sum));
  }

  // The cheapest by the month counts; in a tie the shorter term.
  Status TakeOffers() {
    for (const CommitmentOffer& offer : question_.offers) {
      const Money* const rate = PriceOf(offer, flavor_.name);
      if (rate == nullptr) continue;
      PLIMSOLL_TRY(Money term, TermCost(offer, flavor_.name, question_.options.cost_of_capital));
      // Money an hour for one unit: at the plan's own price.
      if (IsOfMoney(offer.kind)) term = Times(term, rate->nanos(), Money::kNanosPerUnit);
      const Money monthly = Times(term, 1, offer.term_months);
      const bool better = !fleet_.committed || monthly < *fleet_.committed ||
                          (monthly == *fleet_.committed && offer.term_months < offer_->term_months);
      if (!better) continue;
      fleet_.committed = monthly;
      offer_ = &offer;
      term_cost_ = term;
    }
    return Ok();
  }

  bool IsOnSpot(const Part& part) const { return part.run && choice_.on_spot[*part.run]; }

  // Two loads a workload: what stays off spot and what may be anywhere.
  DispatchedUse Dispatch() const {
    std::vector<DispatchLoad> loads;
    const Money top = *flavor_.on_demand;
    for (const Part& part : parts_) {
      loads.push_back({IsOnSpot(part) ? &nothing_ : &part.off_spot, top});
      loads.push_back({part.anywhere.empty() ? &nothing_ : &part.anywhere, ElsewhereOf(part)});
    }
    return DispatchHours(loads, fleet_.existing, choice_.units);
  }

  Status Decide() {
    nothing_.resize(fleet_.fixed.size());
    const DispatchedUse use = Dispatch();
    const int128 hours = PerMonth();
    Money used = BuyAndUse(use);
    std::vector<std::int64_t> weights;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      weights.push_back(static_cast<std::int64_t>(use.reserved[2 * i] + use.reserved[2 * i + 1]));
    }
    std::vector<Money> shares(parts_.size());
    if (std::any_of(weights.begin(), weights.end(), [](std::int64_t w) { return w > 0; })) {
      PLIMSOLL_TRY(shares, SplitByWeight(used, weights));
    }
    const std::size_t first = plan_.decisions.size();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      MixDecision decision;
      decision.workload = part.workload;
      const auto monthly = [&](int128 unit_ms) {
        return DivideHalfEven(unit_ms * kHoursPerMonth * kUnitHour, hours);
      };
      const bool spot_load = part.side.load.has_value();
      const int128 spot = spot_load ? use.elsewhere[2 * i + 1] : 0;
      const int128 rest = use.elsewhere[2 * i] + (spot_load ? 0 : use.elsewhere[2 * i + 1]);
      decision.use = {monthly(weights[i]), monthly(rest), monthly(spot)};
      decision.cost_committed = shares[i];
      decision.cost_rest = Priced(*flavor_.on_demand, rest);
      FillSpot(part, spot, decision);
      if (!IsOnSpot(part)) decision.penalty_on_demand = ExtraOf(Workload(part));
      FillAlternatives(part, decision);
      decision.cost = std::accumulate(decision.lines.begin(), decision.lines.end(),
                                      decision.cost_committed + decision.cost_rest +
                                          decision.cost_spot_work + decision.penalty_on_demand);
      decision.reason = ReasonOf(Workload(part), decision, part.side);
      plan_.decisions.push_back(std::move(decision));
    }
    RejectSpot(first);
    AddTotals(first);
    return Ok();
  }

  // Returns what of the commitments is in use.
  Money BuyAndUse(const DispatchedUse& use) {
    Money used;
    if (existing_) {
      MixExisting& existing = plan_.existing[*existing_];
      const Money part = Times(existing.cost, use.existing, PerMonth() * existing.units);
      existing.unused = existing.cost - part;
      used += part;
    }
    if (choice_.units == 0) return used;
    MixPurchase buy;
    buy.flavor = flavor_.name;
    buy.offer = offer_->name;
    buy.kind = offer_->kind;
    buy.months = offer_->term_months;
    buy.units = choice_.units;
    buy.hourly = HourlyOf(term_cost_, buy.months);
    buy.cost = Money::FromNanos(fleet_.committed->nanos() * buy.units);
    buy.term_cost = Money::FromNanos(term_cost_.nanos() * buy.units);
    buy.break_even_ppb =
        ShareOf(fleet_.committed->nanos(), flavor_.on_demand->nanos() * kHoursPerMonth).value_or(0);
    buy.utilization_ppb = ShareOf(use.bought, PerMonth() * buy.units);
    const Money part = Times(buy.cost, use.bought, PerMonth() * buy.units);
    buy.unused = buy.cost - part;
    buy.saving = CostOfFleet(fleet_, choice_.on_spot, 0).cost - choice_.cost;
    plan_.purchases.push_back(std::move(buy));
    return used + part;
  }

  void FillSpot(const Part& part, int128 spot, MixDecision& decision) const {
    if (IsOnSpot(part)) {
      decision.spot_flavor = part.side.flavor->name;
      decision.policy = part.side.policy;
      decision.cost_spot_work = part.run_cost.work;
      decision.lines = part.run_cost.lines;
      const SpotOutcome& outcome = part.side.plan->of(part.side.policy);
      const auto waits = outcome.time_by_cause[static_cast<std::size_t>(SpotTime::kWaiting)].base();
      const WorkloadRun& run = *Workload(part).run;
      decision.use.spot = DivideHalfEven(
          int128{outcome.mean_time.base() - waits} * run.nodes * Hours(kHoursPerMonth).base(),
          run.every.base());
    } else if (spot > 0) {
      decision.spot_flavor = part.side.flavor->name;
      const SpotLoadCost& load = *part.side.load;
      decision.cost_spot_work = Priced(load.spot, spot);
      const auto line = [&](SpotLine name) -> Money& {
        return decision.lines[static_cast<std::size_t>(name)];
      };
      line(SpotLine::kRestarts) = Priced(load.interruptions, spot);
      line(SpotLine::kOnDemand) = Priced(load.fallback, spot);
      line(SpotLine::kDeadlinePenalty) = Priced(load.waiting, spot);
    }
  }

  // What each way would cost alone.
  void FillAlternatives(const Part& part, MixDecision& decision) const {
    const MixWorkload& workload = Workload(part);
    const auto sum = [](const HourlyUnits& used) {
      return std::accumulate(used.begin(), used.end(), int128{0});
    };
    const int128 all = sum(part.off_spot) + sum(part.anywhere);
    decision.cost_on_demand = Priced(*flavor_.on_demand, all) + ExtraOf(workload);
    if (fleet_.committed) {
      FleetQuestion alone{part.off_spot, {}, {}, fleet_.on_demand, 0, fleet_.committed};
      for (std::size_t h = 0; h < part.anywhere.size(); ++h) alone.fixed[h] += part.anywhere[h];
      decision.cost_reserved = CostOfFleet(alone, {}).cost + ExtraOf(workload);
    }
    if (workload.run) FillRun(part, decision);
    if (part.side.flavor == nullptr) return;
    const Money price = *part.side.flavor->spot;
    decision.return_pays_from = ReturnPaysFrom(workload.restart, *flavor_.on_demand, price);
    if (workload.waiting > Money()) {
      const Duration life =
          JobMtbf(*part.side.flavor->lifetime, workload.run ? workload.run->nodes : 1);
      decision.wait_up_to = LongestWait(workload.waiting, *flavor_.on_demand - price,
                                        workload.run ? std::min(life, workload.run->work) : life);
    }
    if (part.run) {
      decision.cost_spot = part.run_cost.total();
      const SpotPlan& spot = *part.side.plan;
      decision.break_even_mtbf = spot.break_even_mtbf;
      if (spot.break_even_discount_ppb) {
        decision.break_even_price =
            Times(*flavor_.on_demand, Money::kNanosPerUnit - *spot.break_even_discount_ppb,
                  Money::kNanosPerUnit);
      }
      return;
    }
    const SpotLoadCost& load = *part.side.load;
    decision.cost_spot =
        Priced(*flavor_.on_demand, sum(part.off_spot)) + Priced(load.total(), sum(part.anywhere));
    decision.waits = load.waits;
    decision.break_even_price =
        Times(*flavor_.on_demand - load.waiting, Money::kNanosPerUnit, load.slowdown_ppb);
  }

  void FillRun(const Part& part, MixDecision& decision) const {
    const WorkloadRun& run = *Workload(part).run;
    decision.time_on_demand = run.work;
    if (run.deadline) {
      decision.on_time_on_demand_ppb = run.work <= *run.deadline ? 1'000'000'000 : 0;
    }
    if (!part.side.plan) return;
    const SpotOutcome& outcome = part.side.plan->of(part.side.policy);
    decision.time_spot = outcome.mean_time;
    decision.evictions_ppb = outcome.evictions_per_billion_runs;
    if (outcome.on_time) decision.on_time_spot_ppb = outcome.on_time->ppb;
  }

  // Ways that were allowed and are not taken.
  void RejectSpot(std::size_t first) {
    for (std::size_t i = first; i < plan_.decisions.size(); ++i) {
      const MixDecision& decision = plan_.decisions[i];
      const std::string& name = question_.workloads[decision.workload].name;
      if (decision.cost_spot && decision.use.spot == 0) {
        plan_.rejected.push_back({name, "spot",
                                  "costs more than the " + AmountOf(decision.cost) + " of the plan",
                                  decision.cost_spot});
      }
      if (decision.use.on_demand == 0) {
        plan_.rejected.push_back({name, "on demand",
                                  "costs more than the " + AmountOf(decision.cost) + " of the plan",
                                  decision.cost_on_demand});
      }
      if (decision.cost_reserved && decision.use.reserved == 0) {
        const bool never = *decision.cost_reserved == decision.cost_on_demand;
        plan_.rejected.push_back(
            {name, "reserved",
             never ? "no unit is used more of the time than its break-even"
                   : "costs more than the " + AmountOf(decision.cost) + " of the plan",
             never ? std::nullopt : decision.cost_reserved});
      }
    }
  }

  void AddTotals(std::size_t first) {
    MixTotals& totals = plan_.totals;
    HourlyUnits all = fleet_.fixed;
    Money extra;
    for (const Part& part : parts_) {
      for (std::size_t h = 0; h < part.anywhere.size(); ++h) all[h] += part.anywhere[h];
      for (std::size_t h = 0; part.run && h < all.size(); ++h) all[h] += part.off_spot[h];
      extra += ExtraOf(Workload(part));
    }
    const Money existing = existing_ ? plan_.existing[*existing_].cost : Money();
    FleetQuestion as_is{std::move(all), {}, {}, fleet_.on_demand, 0, std::nullopt};
    totals.on_demand += CostOfFleet(as_is, {}).cost + extra;
    as_is.existing = fleet_.existing;
    totals.as_is += CostOfFleet(as_is, {}).cost + extra + existing;
    totals.cost_existing += existing;
    for (std::size_t i = first; i < plan_.decisions.size(); ++i) {
      const MixDecision& decision = plan_.decisions[i];
      totals.cost_on_demand += decision.cost_rest + decision.penalty_on_demand;
      totals.cost_spot += decision.cost_spot_work;
      for (std::size_t l = 0; l < kSpotLines; ++l) {
        totals.lines[l] += decision.lines[l];
        totals.cost_spot += decision.lines[l];
      }
    }
  }

  const MixQuestion& question_;
  const MixFlavor& flavor_;
  MixPlan& plan_;
  std::vector<Part> parts_;
  FleetQuestion fleet_;
  FleetChoice choice_;
  const CommitmentOffer* offer_ = nullptr;
  Money term_cost_;
  std::optional<std::size_t> existing_;
  HourlyUnits nothing_;
};

// gross = as is - (existing + purchases in use + on demand + work at the spot price).
void Close(MixPlan& plan) {
  MixTotals& totals = plan.totals;
  for (const MixPurchase& purchase : plan.purchases) {
    totals.cost_purchases += purchase.cost;
    totals.unused_purchases += purchase.unused;
  }
  totals.cost =
      totals.cost_existing + totals.cost_purchases + totals.cost_on_demand + totals.cost_spot;
  totals.net_saving = totals.as_is - totals.cost;
  totals.gross_saving = std::accumulate(totals.lines.begin(), totals.lines.end(),
                                        totals.net_saving + totals.unused_purchases);
  plan.cost_least += totals.cost;
}

}  // namespace

Result<MixPlan> PlanMix(const MixQuestion& question) {
  if (question.workloads.empty()) {
    return Error{ErrorCode::kInvalidArgument, "there are no workloads"};
  }
  const std::optional<std::int64_t> hours = CycleHours(question.workloads);
  if (!hours) {
    return Error{ErrorCode::kInvalidArgument,
                 "the workloads do not begin anew together within five years: give profiles of "
                 "whole days or weeks, and runs every 24h, 168h or 672h"};
  }
  MixPlan plan;
  plan.hours = *hours;
  for (const MixWorkload& workload : question.workloads) {
    const auto flavor =
        std::find_if(question.flavors.begin(), question.flavors.end(),
                     [&](const MixFlavor& one) { return one.name == workload.flavor; });
    if (flavor != question.flavors.end() && flavor->on_demand) continue;
    plan.unpriced.push_back(workload.name);
    plan.rejected.push_back({workload.name, workload.flavor,
                             "no on-demand price is known, and unknown is not 0: it is in no total",
                             std::nullopt});
  }
  for (const MixFlavor& flavor : question.flavors) {
    const bool needed =
        std::any_of(question.workloads.begin(), question.workloads.end(),
                    [&](const MixWorkload& workload) { return workload.flavor == flavor.name; });
    const bool held =
        std::any_of(question.existing.begin(), question.existing.end(),
                    [&](const ExistingCommitment& one) { return one.flavor == flavor.name; });
    if (!flavor.on_demand || !(needed || held)) continue;
    PLIMSOLL_RETURN_IF_ERROR(FlavorPlanner(question, flavor, plan).Plan());
  }
  std::stable_sort(
      plan.decisions.begin(), plan.decisions.end(),
      [](const MixDecision& a, const MixDecision& b) { return a.workload < b.workload; });
  Close(plan);
  return plan;
}

}  // namespace plimsoll
