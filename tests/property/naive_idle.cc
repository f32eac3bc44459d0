#include "property/naive_idle.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

namespace plimsoll {
namespace {

constexpr int128 kParts = 4'200;  // of a millisecond: sevenths, quarters and percents are whole

// Largest remainder, by sorting; all to the last if nothing weighs.
std::vector<int128> Divide(int128 total, const std::vector<int128>& weights) {
  const int128 sum = std::accumulate(weights.begin(), weights.end(), int128{0});
  std::vector<int128> parts(weights.size(), 0);
  if (sum == 0) {
    parts.back() = total;
    return parts;
  }
  std::vector<std::pair<int128, std::size_t>> rests;
  int128 left = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    parts[i] = total * weights[i] / sum;
    rests.emplace_back(-(total * weights[i] % sum), i);
    left -= parts[i];
  }
  std::sort(rests.begin(), rests.end());
  for (std::size_t i = 0; left > 0; ++i, --left) ++parts[rests[i].second];
  return parts;
}

// Takes idle time of some nodes while it lasts; `cards` of them at once at most.
struct Claim {
  CostClass cost_class;
  Window time;
  std::function<bool(const std::string&)> takes_from;
  std::int64_t cards = INT64_MAX;
  bool but_missing = false;  // cards that telemetry misses count against `cards`
};

// What one node has in one twelfth.
struct Idle {
  Window provisioned;       // within the twelfth
  int128 left = 0;          // 4,200ths of a millisecond, in the cut or the twelfth
  int128 of_part_held = 0;  // of that, beside a holder of the same card
  std::int64_t free_cards = 0, missing_cards = 0;
};

class NaiveIdle {
 public:
  NaiveIdle(const RandomFleet& fleet, const Conditions& conditions, const IdlePolicy& policy)
      : f_(fleet), conditions_(conditions), policy_(policy) {
    ClaimStates();
    ClaimSetAsides("slurm-maintenance", CostClass::kUnavailable);
    ClaimPlans();
    ClaimSetAsides("slurm-reservation", CostClass::kQuotaHeld);
    ClaimSetAsides("kueue-workload", CostClass::kQuotaHeld);
    ClaimSetAsides("capacity-buffer", CostClass::kReserve);
    for (const DeclaredReserve& one : policy_.reserves) {
      Add(CostClass::kReserve,
          {one.from.value_or(kFleetBegin - Days(9)), one.until.value_or(kFleetBegin + Days(9))},
          one.scope.node, one.gpus);
    }
    ClaimScaleDown();
  }

  // What each claim takes of each node in an hour, and last what is stranded.
  std::map<std::string, std::vector<int128>> TakenIn(Instant hour) {
    taken_.clear();
    for (Instant t = hour; t < hour + Hours(1); t = t + kTwelfth) DoTwelfth({t, t + kTwelfth});
    return taken_;
  }
  const std::vector<Claim>& claims() const { return claims_; }
  std::int64_t CardsOf(const std::string& node) const {
    return f_.nodes.gpu_count[static_cast<std::size_t>(
        std::find(f_.nodes.node.begin(), f_.nodes.node.end(), node) - f_.nodes.node.begin())];
  }
  Window ProvisionedIn(const std::string& node, Instant hour) const {
    Window hull{hour + Hours(1), hour};
    for (std::size_t i = 0; i < RowsOf(f_.charges); ++i) {
      if (f_.charges.resource_id[i] != "i-" + node) continue;
      if (FloorTo(f_.charges.charge_begin[i], Hours(1)) != hour) continue;
      hull = {std::min(hull.begin, f_.charges.charge_begin[i]),
              std::max(hull.until, f_.charges.charge_until[i])};
    }
    return hull;
  }

 private:
  // ---- claims ----

  void Add(CostClass cost_class, Window time, const std::string& node, std::int64_t cards) {
    if (time.empty() || cards <= 0) return;
    claims_.push_back({cost_class, time,
                       [node](const std::string& of) { return node.empty() || node == of; }, cards,
                       false});
  }

  struct State {
    Window time;
    std::string value;
    std::int64_t gpus;
    Instant seen;
  };
  // States of one aspect of a node, one after the other; equal ones are one.
  std::vector<State> StatesOf(const std::string& node, const std::string& aspect) const {
    std::map<Instant, State> by_time;
    const NodeStateBatch& s = conditions_.states;
    for (std::size_t i = 0; i < RowsOf(s); ++i) {
      if (s.node[i] != node || s.aspect[i] != aspect) continue;
      if (s.since[i] >= f_.options.window.until) continue;  // it does not touch the window (S1)
      const State state{
          {s.since[i], kFleetBegin + Days(9)}, s.value[i].text(), s.gpus[i], s.seen[i]};
      const auto [at, is_new] = by_time.emplace(s.since[i], state);
      // Two of one time: the worse, which is the lesser word or number.
      if (!is_new &&
          std::tie(state.value, state.gpus) < std::tie(at->second.value, at->second.gpus))
        at->second = state;
    }
    std::vector<State> states;
    for (const auto& [since, state] : by_time) {
      if (!states.empty() && states.back().value == state.value &&
          states.back().gpus == state.gpus) {
        states.back().seen = std::max(states.back().seen, state.seen);
        continue;
      }
      if (!states.empty()) states.back().time.until = since;
      states.push_back(state);
    }
    return states;
  }

  void ClaimStates() {
    for (const Symbol symbol : f_.nodes.node) {
      const std::string node(symbol.text());
      for (const State& one : StatesOf(node, "health")) {
        if (one.value != "ok") Add(CostClass::kUnavailable, one.time, node, INT64_MAX);
      }
    }
    for (const MaintenanceWindow& one : policy_.maintenance) {
      Add(CostClass::kUnavailable, one.time, one.scope.node, INT64_MAX);
    }
    for (const Symbol symbol : f_.nodes.node) {
      const std::string node(symbol.text());
      for (const State& one : StatesOf(node, "schedulable")) {
        if (one.value != "no") continue;
        Add(CostClass::kUnavailable,
            {one.time.begin, std::min(one.time.until, one.time.begin + policy_.cordon_grace)}, node,
            INT64_MAX);
      }
    }
    for (const Symbol symbol : f_.nodes.node) {
      const std::string node(symbol.text());
      for (const State& one : StatesOf(node, "gpus")) {
        const std::size_t before = claims_.size();
        Add(CostClass::kUnavailable, one.time, node, CardsOf(node) - one.gpus);
        if (claims_.size() > before) claims_.back().but_missing = true;
      }
    }
  }

  void ClaimPlans() {
    for (const Symbol symbol : f_.nodes.node) {
      const std::string node(symbol.text());
      for (const State& one : StatesOf(node, "planned")) {
        if (one.value != "yes") continue;
        Add(CostClass::kQuotaHeld, {one.time.begin, std::min(one.time.until, one.seen)}, node,
            INT64_MAX);
      }
    }
  }

  void ClaimSetAsides(const std::string& kind, CostClass cost_class) {
    const SetAsideBatch& s = conditions_.set_asides;
    // One row a name, in the order of their keys.
    std::set<std::pair<std::string, std::string>> keys;
    for (std::size_t i = 0; i < RowsOf(s); ++i) keys.emplace(s.source[i].text(), s.name[i]);
    for (const auto& [source, name] : keys) {
      for (std::size_t i = 0; i < RowsOf(s); ++i) {
        if (s.source[i] != source || s.name[i] != name || s.kind[i] != kind) continue;
        Add(cost_class, {s.since[i], s.until[i].value_or(s.seen[i])}, s.node[i].text(), s.gpus[i]);
      }
    }
  }

  void ClaimScaleDown() {
    for (const Symbol symbol : f_.nodes.node) {
      const HoldingBatch& h = f_.holdings;
      for (std::size_t i = 0; i < RowsOf(h); ++i) {
        if (h.node[i] != symbol || !HoldsGpu(i)) continue;
        Instant until = *h.until[i] + policy_.scale_down_delay;
        bool is_last = true;
        for (std::size_t j = 0; j < RowsOf(h); ++j) {
          if (h.node[j] != symbol || !HoldsGpu(j)) continue;
          if (h.begin[j] <= *h.until[i] && *h.until[j] > *h.until[i]) is_last = false;
          if (h.begin[j] > *h.until[i]) until = std::min(until, h.begin[j]);
        }
        if (is_last) {
          Add(CostClass::kScaleDownDelay, {*h.until[i], until}, symbol.text(), INT64_MAX);
        }
      }
    }
  }

  // ---- idle time ----

  bool HoldsGpu(std::size_t i) const {
    return f_.holdings.role[i].text().empty() && f_.holdings.begin[i] < *f_.holdings.until[i];
  }
  std::string DeviceOf(std::size_t i) const { return f_.bindings.device[i].text(); }

  bool Overlaps(const std::string& device, Window time) const {
    for (std::size_t i = 0; i < RowsOf(f_.holdings); ++i) {
      if (!HoldsGpu(i) || DeviceOf(i) != device) continue;
      if (!Intersect({f_.holdings.begin[i], *f_.holdings.until[i]}, time).empty()) return true;
    }
    return false;
  }

  // 4,200ths of a card that are held of it at `t`: the youngest holders that fit.
  int128 HeldOf(const std::string& device, Instant t) const {
    const HoldingBatch& h = f_.holdings;
    std::vector<std::size_t> holders;
    for (std::size_t i = 0; i < RowsOf(h); ++i) {
      const bool now = HoldsGpu(i) && h.begin[i] <= t && t < *h.until[i];
      if (now && DeviceOf(i) == device) holders.push_back(i);
    }
    std::sort(holders.begin(), holders.end(), [&](std::size_t a, std::size_t b) {
      return h.begin[a] != h.begin[b] ? h.begin[a] > h.begin[b] : h.name[a] < h.name[b];
    });
    int128 held = 0;
    for (const std::size_t i : holders) {
      const int128 share = kParts * h.devices[i] * h.share_num[i] / h.share_den[i];
      if (held + share <= kParts) held += share;
    }
    return held;
  }

  // Null: no sample; else the busy parts per million.
  std::optional<std::int64_t> BusyIn(const std::string& device, Instant twelfth) const {
    const Instant hour = FloorTo(twelfth, Hours(1));
    const auto t = static_cast<std::size_t>(Between(hour, twelfth).base() / kTwelfth.base());
    for (std::size_t i = 0; i < RowsOf(f_.usage); ++i) {
      if (f_.usage.device[i] != device || f_.usage.hour[i] != hour) continue;
      if (f_.usage.covered[i][t] == 0) return std::nullopt;
      return f_.usage.active[i][t] / kTwelfth.base();
    }
    return std::nullopt;
  }

  Idle IdleIn(const std::string& node, Window twelfth) const {
    Idle idle;
    idle.provisioned = Intersect(ProvisionedIn(node, FloorTo(twelfth.begin, Hours(1))), twelfth);
    if (idle.provisioned.empty()) return idle;
    bool any_sample = false;
    for (std::int64_t g = 0; g < CardsOf(node); ++g) {
      any_sample = any_sample || BusyIn(node + "-" + std::to_string(g), twelfth.begin).has_value();
    }
    for (std::int64_t g = 0; g < CardsOf(node); ++g) {
      const std::string device = node + "-" + std::to_string(g);
      const auto busy = BusyIn(device, twelfth.begin);
      const bool is_missing = !busy && any_sample;
      const bool is_held = Overlaps(device, idle.provisioned);
      idle.missing_cards += is_missing ? 1 : 0;
      bool is_free = false;
      for (Instant t = idle.provisioned.begin; t < idle.provisioned.until; t = t + Minutes(1)) {
        const int128 held = HeldOf(device, t);
        bool is_waste = !is_missing && (held > 0 || is_held || !busy || *busy < 10'000);
        // Not held in a twelfth that some holding overlaps: the sample describes the holder.
        if (held == 0 && is_held) is_waste = true;
        if (!is_waste) continue;
        const int128 part = 60'000 * (kParts - held);
        idle.left += part;
        if (held > 0) idle.of_part_held += part;
        is_free = is_free || held == 0;
      }
      idle.free_cards += is_free ? 1 : 0;
    }
    return idle;
  }

  // ---- taking ----

  void DoTwelfth(Window twelfth) {
    std::map<std::string, Idle> nodes;
    for (const Symbol node : f_.nodes.node) {
      Idle idle = IdleIn(node.text(), twelfth);
      if (!idle.provisioned.empty()) nodes[node.text()] = idle;
    }
    std::set<Instant> cuts{twelfth.begin, twelfth.until};
    for (const Claim& claim : claims_) {
      for (const Instant t : {claim.time.begin, claim.time.until}) {
        if (twelfth.contains(t)) cuts.insert(t);
      }
    }
    for (const auto& [name, idle] : nodes) {
      for (const Instant t : {idle.provisioned.begin, idle.provisioned.until}) cuts.insert(t);
    }
    const std::int64_t smallest = SmallestShape(twelfth);
    for (auto at = cuts.begin(); std::next(at) != cuts.end(); ++at) {
      const Window cut{*at, *std::next(at)};
      for (const auto& [name, left] : TakeInCut(nodes, cut)) {
        if (smallest > 0) Strand(name, nodes.at(name), left, cut, smallest);
      }
    }
  }

  std::map<std::string, int128> TakeInCut(const std::map<std::string, Idle>& nodes, Window cut) {
    std::map<std::string, int128> has;
    for (const auto& [name, idle] : nodes) {
      const Window time = Intersect(cut, idle.provisioned);
      if (time.empty()) continue;
      has[name] = idle.left * time.length().base() / idle.provisioned.length().base();
    }
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      const Claim& claim = claims_[c];
      if (Intersect(claim.time, cut) != cut) continue;
      std::vector<std::string> from;
      std::vector<int128> amounts;
      int128 cards = claim.cards;
      for (const auto& [name, amount] : has) {
        if (!claim.takes_from(name)) continue;
        from.push_back(name);
        amounts.push_back(amount);
        if (claim.but_missing) cards -= nodes.at(name).missing_cards;
      }
      const int128 all = std::accumulate(amounts.begin(), amounts.end(), int128{0});
      if (all == 0 || cards <= 0) continue;
      const int128 most = cards * cut.length().base() * kParts;
      if (all > most) amounts = Divide(most, amounts);
      for (std::size_t i = 0; i < from.size(); ++i) {
        has[from[i]] -= amounts[i];
        std::vector<int128>& taken = taken_[from[i]];
        taken.resize(claims_.size() + 1);
        taken[c] += amounts[i];
      }
    }
    return has;
  }

  // The smallest that waits during all of the twelfth; 0: something that fits anywhere waits, or
  // nothing is known of what could wait.
  std::int64_t SmallestShape(Window twelfth) const {
    const PendingBatch& p = conditions_.pending;
    std::int64_t least = INT64_MAX;
    for (std::size_t i = 0; i < RowsOf(p); ++i) {
      if (p.queued[i] > twelfth.begin) continue;
      least = std::min(least, p.device_kind[i] == "gpu" ? p.unit_devices[i] : std::int64_t{0});
    }
    if (least != INT64_MAX) return least;
    for (const std::int64_t gpus : policy_.typical_gpus) least = std::min(least, gpus);
    return least == INT64_MAX ? 0 : least;
  }

  void Strand(const std::string& node, const Idle& idle, int128 left, Window cut,
              std::int64_t smallest) {
    const Window time = Intersect(cut, idle.provisioned);
    if (left == 0 || time.empty()) return;
    std::vector<int128>& taken = taken_[node];
    taken.resize(claims_.size() + 1);
    const int128 card = time.length().base() * kParts;
    const int128 whole = (left + card - 1) / card;
    const bool fits = std::min<int128>(idle.free_cards, whole) >= smallest;
    const int128 of_part_held =
        idle.of_part_held * time.length().base() / idle.provisioned.length().base();
    taken.back() += fits ? std::min(left, of_part_held) : left;
  }

  const RandomFleet& f_;
  const Conditions& conditions_;
  const IdlePolicy& policy_;
  std::vector<Claim> claims_;
  std::map<std::string, std::vector<int128>> taken_;  // by node: a part a claim, then stranded
};

}  // namespace

std::map<std::tuple<Instant, std::string, CostClass>, NaiveIdlePart> ExplainIdleNaively(
    const RandomFleet& fleet, const Conditions& conditions, const IdlePolicy& policy,
    const std::map<NaiveNodeHour, NaiveIdlePart>& waste) {
  NaiveIdle naive(fleet, conditions, policy);
  std::map<std::tuple<Instant, std::string, CostClass>, NaiveIdlePart> parts;
  for (const auto& [node_hour, line] : waste) {
    const auto& [hour, node] = node_hour;
    auto taken = naive.TakenIn(hour)[node];
    taken.resize(naive.claims().size() + 1);
    const int128 sum = std::accumulate(taken.begin(), taken.end(), int128{0});
    const int128 stranded = taken.back();
    std::vector<int128> by_time = taken;
    by_time.push_back(std::max<int128>(line.millis * kParts - sum, 0));
    std::vector<int128> by_card = taken;  // CPU and memory are not stranded with the cards
    by_card.back() = 0;
    by_card.push_back(naive.CardsOf(node) * naive.ProvisionedIn(node, hour).length().base() *
                          kParts -
                      (sum - stranded));
    const auto millis = Divide(line.millis, by_time);
    const auto gpu = Divide(line.gpu, by_time);
    const auto cpu = Divide(line.cpu, by_card);
    const auto memory = Divide(line.memory, by_card);
    for (std::size_t i = 0; i < by_time.size(); ++i) {
      const CostClass cost_class = i < naive.claims().size()    ? naive.claims()[i].cost_class
                                   : i == naive.claims().size() ? CostClass::kStranded
                                                                : CostClass::kWaste;
      NaiveIdlePart& part = parts[{hour, node, cost_class}];
      part.millis += millis[i];
      part.gpu += gpu[i];
      part.cpu += cpu[i];
      part.memory += memory[i];
    }
  }
  return parts;
}

}  // namespace plimsoll
