#include "purchase/mix/mix_reason.h"

namespace plimsoll {
namespace {

std::string ShareOfUse(int128 part, const MixUse& use) {
  const int128 all = use.reserved + use.on_demand + use.spot;
  if (all == 0) return "0 %";
  return PercentOf(static_cast<std::int64_t>(DivideHalfEven(part * 1'000'000'000, all)));
}

std::string RunOnSpot(const MixDecision& decision, const SpotSide& side) {
  const SpotOutcome& outcome = side.plan->of(side.policy);
  const std::string evictions = AmountOf(Money::FromNanos(
      DivideHalfEven(outcome.evictions_per_billion_runs, 10'000'000) * 10'000'000));
  std::string text = "spot costs " + AmountOf(*decision.cost_spot) + " a month all in, " +
                     AmountOf(decision.cost_on_demand) + " on demand; a run takes " +
                     HoursOf(outcome.mean_time) + " with " + evictions + " evictions";
  if (outcome.on_time) text += ", on time in " + PercentOf(outcome.on_time->ppb) + " of runs";
  if (side.policy == SpotPolicy::kFallback) {
    text += "; goes on demand when only that still meets the deadline";
  }
  return text;
}

std::string LoadOnSpot(const MixWorkload& workload, const MixDecision& decision,
                       const SpotSide& side) {
  std::string text;
  if (decision.use.reserved > 0) {
    text = "takes what commitments have left, which costs nothing more; ";
  }
  text += "a useful hour on spot is " + AmountOf(side.load->total());
  if (workload.on_demand_floor > 0) {
    text += "; " + std::to_string(workload.on_demand_floor) + " stay off spot as its floor";
  }
  if (side.load->short_ppb > 0) {
    text +=
        side.load->waits ? "; waits while there is no spot" : "; on demand while there is no spot";
  }
  return text;
}

std::string OffSpot(const MixDecision& decision, const SpotSide& side) {
  if (side.flavor != nullptr) {
    if (decision.use.on_demand == 0) {
      return "commitments have room for it, at " + AmountOf(decision.cost) + " a month; spot is " +
             AmountOf(*decision.cost_spot);
    }
    return "spot at " + AmountOf(*decision.cost_spot) + " a month saves nothing here";
  }
  std::string why = side.rejected.empty() ? "" : side.rejected.front().why;
  if (side.rejected.size() > 1) why = "no spot flavor qualifies";
  if (decision.use.reserved == 0) return why;
  if (decision.use.on_demand == 0) return why + "; commitments cover it";
  return why + "; commitments cover " + ShareOfUse(decision.use.reserved, decision.use) +
         " of its hours, the peaks are on demand";
}

}  // namespace

std::string WaysOf(const MixDecision& decision) {
  std::string ways;
  const auto add = [&](bool is, const char* name) {
    if (is) ways += (ways.empty() ? "" : " + ") + std::string(name);
  };
  add(decision.use.reserved > 0, "reserved");
  add(decision.use.on_demand > 0, "on demand");
  add(decision.use.spot > 0, "spot");
  add(decision.use.spot > 0 && decision.policy == SpotPolicy::kFallback, "fallback");
  return ways.empty() ? "nothing" : ways;
}

std::string ReasonOf(const MixWorkload& workload, const MixDecision& decision,
                     const SpotSide& side) {
  if (decision.use.spot == 0) return OffSpot(decision, side);
  return side.plan ? RunOnSpot(decision, side) : LoadOnSpot(workload, decision, side);
}

}  // namespace plimsoll
