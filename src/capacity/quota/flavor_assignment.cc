#include "capacity/quota/flavor_assignment.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace plimsoll {
namespace {

// How a flavor could be had, the better the greater.
enum class Way : unsigned char { kNoFit, kNoCandidates, kPreempt, kReclaim, kFit };

struct Rating {
  Way way = Way::kFit;
  std::int32_t borrowing = 0;  // 0: within the queue's own quota
};

bool IsBetter(const Rating& a, const Rating& b, FlavorPreference preference) {
  if (a.way == Way::kNoFit) return false;
  if (b.way == Way::kNoFit) return true;
  const bool a_waits = a.way == Way::kNoCandidates, b_waits = b.way == Way::kNoCandidates;
  if (a_waits != b_waits) return b_waits;
  if (preference == FlavorPreference::kPreemptionOverBorrowing && a.borrowing != b.borrowing) {
    return a.borrowing < b.borrowing;
  }
  return a.way != b.way ? a.way > b.way : a.borrowing < b.borrowing;
}

bool TriesNext(const Rating& rating, const FlavorFungibility& fungibility) {
  if (rating.way == Way::kNoFit || rating.way == Way::kNoCandidates) return true;
  const bool preempts = rating.way != Way::kFit;
  return (preempts && fungibility.when_can_preempt == FlavorSearch::kTryNextFlavor) ||
         (rating.borrowing > 0 && fungibility.when_can_borrow == FlavorSearch::kTryNextFlavor);
}

AssignmentMode ModeOf(Way way) {
  if (way == Way::kNoFit) return AssignmentMode::kNoFit;
  return way == Way::kFit ? AssignmentMode::kFit : AssignmentMode::kPreempt;
}

// More than any quota where it does not fit into the type.
std::int64_t Times(std::int64_t amount, std::int32_t count) {
  std::int64_t product = 0;
  const bool overflows = __builtin_mul_overflow(amount, count, &product);
  return overflows ? 2 * kQuotaAmountMax : std::min(product, 2 * kQuotaAmountMax);
}

// One workload's search, pod set by pod set; what earlier ones take counts for later ones.
class Assigner {
 public:
  Assigner(QuotaState& state, const QuotaRequest& request, const QuotaRules& rules)
      : state_(state),
        tree_(state.tree()),
        node_(state.tree().node(request.queue)),
        request_(request),
        rules_(rules) {}

  FlavorAssignment Run(std::vector<std::int32_t> counts) {
    out_.counts = std::move(counts);
    out_.mode = AssignmentMode::kFit;
    out_.cursor.assign(request_.pod_sets.size(), {});
    for (std::size_t i = 0; i < request_.pod_sets.size(); ++i) {
      out_.flavors.emplace_back();
      if (AssignPodSet(i)) continue;
      out_.mode = AssignmentMode::kNoFit;
      out_.cursor.clear();
      return std::move(out_);
    }
    for (const std::vector<std::int32_t>& pod_set : out_.cursor) {
      out_.flavors_left = out_.flavors_left || std::any_of(pod_set.begin(), pod_set.end(),
                                                           [](std::int32_t i) { return i >= 0; });
    }
    return std::move(out_);
  }

 private:
  struct Choice {
    std::size_t flavor = 0;  // of the group
    Rating rating;
    std::vector<Rating> each;  // as asked_
  };

  bool AssignPodSet(std::size_t index) {
    CollectRequests(index);
    for (const QuotaTree::Group& group : node_.groups) {
      asked_.clear();
      for (std::size_t r = 0; r < group.resources.size(); ++r) {
        for (QuotaAmount& one : requests_) {
          if (one.cell == group.resources[r]) asked_.emplace_back(r, std::exchange(one.amount, -1));
        }
      }
      if (!asked_.empty() && !AssignGroup(index, group)) return false;
    }
    const bool has_all = std::all_of(requests_.begin(), requests_.end(),
                                     [](const QuotaAmount& one) { return one.amount <= 0; });
    if (!has_all) out_.reason = NoFitReason::kNoMatchingFlavor;
    return has_all;
  }

  // Into requests_: resource (in the place of the cell) and amount; -1 once it has a flavor.
  void CollectRequests(std::size_t index) {
    const PodSet& pod_set = request_.pod_sets[index];
    requests_.clear();
    for (const ResourceAmount& one : pod_set.per_pod) {
      Request(one.resource, Times(one.amount, out_.counts[index]));
    }
    const std::uint32_t pods = tree_.pods_resource();
    for (const QuotaTree::Group& group : node_.groups) {
      const bool covers =
          std::find(group.resources.begin(), group.resources.end(), pods) != group.resources.end();
      if (covers) Request(pods, out_.counts[index]);
    }
  }

  void Request(std::uint32_t resource, std::int64_t amount) {
    for (QuotaAmount& one : requests_) {
      if (one.cell != resource) continue;
      one.amount = std::min(one.amount + amount, 2 * kQuotaAmountMax);
      return;
    }
    requests_.push_back({resource, amount});
  }

  bool AssignGroup(std::size_t index, const QuotaTree::Group& group) {
    const PodSet& pod_set = request_.pod_sets[index];
    std::optional<Choice> best;
    NoFitReason reason = NoFitReason::kNoMatchingFlavor;  // the mildest of all flavors
    std::int32_t tried = -1;
    for (auto f = FirstFlavor(index, group); f < group.flavors.size(); ++f) {
      tried = static_cast<std::int32_t>(f);
      const std::uint32_t flavor = group.flavors[f];
      if (!pod_set.accepts.empty() && !pod_set.accepts[flavor]) continue;
      NoFitReason why = NoFitReason::kNone;
      Choice choice = Rate(group, f, why);
      if (choice.rating.way == Way::kNoFit) reason = std::min(reason, why);
      const FlavorPreference preference = node_.fungibility.preference;
      const bool stops = !TriesNext(choice.rating, node_.fungibility);
      const Rating worst = {Way::kNoFit, std::numeric_limits<std::int32_t>::max()};
      if (stops || IsBetter(choice.rating, best ? best->rating : worst, preference)) {
        best = std::move(choice);
      }
      if (stops) break;
    }
    if (!best) {
      out_.reason = reason;
      return false;
    }
    const bool was_last = tried + 1 == static_cast<std::int32_t>(group.flavors.size());
    Take(index, group, *best, was_last ? -1 : tried);
    return true;
  }

  std::size_t FirstFlavor(std::size_t index, const QuotaTree::Group& group) const {
    if (index >= request_.cursor.size()) return 0;
    const std::uint32_t resource = group.resources[asked_.front().first];
    const std::vector<std::int32_t>& pod_set = request_.cursor[index];
    return resource < pod_set.size() ? static_cast<std::size_t>(pod_set[resource] + 1) : 0;
  }

  // The worst of all resources is the flavor's rating.
  Choice Rate(const QuotaTree::Group& group, std::size_t f, NoFitReason& reason) {
    Choice choice;
    choice.flavor = f;
    for (const auto& [resource, amount] : asked_) {
      const QuotaCell cell = group.cells[f][resource];
      const Rating rating = RateCell(cell, Taken(cell) + amount, reason);
      choice.each.push_back(rating);
      if (IsBetter(choice.rating, rating, node_.fungibility.preference)) choice.rating = rating;
    }
    return choice;
  }

  std::int64_t Taken(QuotaCell cell) const {
    const auto at = std::find_if(out_.usage.begin(), out_.usage.end(),
                                 [&](const QuotaAmount& one) { return one.cell == cell; });
    return at == out_.usage.end() ? 0 : at->amount;
  }

  Rating RateCell(QuotaCell cell, std::int64_t amount, NoFitReason& reason) {
    const QuotaNode queue = request_.queue;
    const QuotaTree::Quota& quota = tree_.quota(queue, cell);
    if (amount > quota.potential) {
      reason = std::max(reason, NoFitReason::kExceedsMaxQuota);
      return {Way::kNoFit, 0};
    }
    const QuotaTree::Reach reach = tree_.BorrowingReach(queue, cell, amount);
    const std::int64_t available = std::max<std::int64_t>(0, tree_.Available(queue, cell));
    if (amount <= available) return {Way::kFit, reach.height};
    if (quota.nominal >= amount || reach.below_root || MayPreemptWhileBorrowing()) {
      return RateEviction(cell, amount);
    }
    reason = std::max(reason, NoFitReason::kWaitingForQuota);
    return {Way::kNoFit, reach.height};
  }

  bool MayPreemptWhileBorrowing() const {
    return node_.preemption.borrow_within_cohort ||
           (rules_.fair_sharing &&
            node_.preemption.reclaim_within_cohort != PreemptionPolicy::kNever);
  }

  // What evicting for this cell alone would come to.
  Rating RateEviction(QuotaCell cell, std::int64_t amount) {
    const QuotaNode queue = request_.queue;
    const QuotaAmount usage = {cell, amount};
    const std::vector<Victim> victims = FindVictims(
        state_, {queue, request_.priority, request_.queued, {&usage, 1}, {&cell, 1}}, rules_);
    if (victims.empty()) {
      return {Way::kNoCandidates, tree_.BorrowingReach(queue, cell, amount).height};
    }
    bool own = false;
    for (const Victim& one : victims) {
      own = own || state_.workload(one.workload).queue == queue;
      state_.RemoveUsage(one.workload);
    }
    const std::int32_t height = tree_.BorrowingReach(queue, cell, amount).height;
    for (const Victim& one : victims) state_.AddUsage(one.workload);
    return {own ? Way::kPreempt : Way::kReclaim, height};
  }

  void Take(std::size_t index, const QuotaTree::Group& group, const Choice& choice,
            std::int32_t tried) {
    std::vector<std::int32_t>& cursor = out_.cursor[index];
    cursor.resize(tree_.resources().size(), -1);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const auto [r, amount] = asked_[i];
      const AssignmentMode mode = ModeOf(choice.each[i].way);
      const QuotaCell cell = group.cells[choice.flavor][r];
      out_.flavors[index].push_back({group.resources[r], group.flavors[choice.flavor], mode});
      out_.mode = std::min(out_.mode, mode);
      out_.borrowing = std::max(out_.borrowing, choice.each[i].borrowing);
      cursor[group.resources[r]] = tried;
      AddUsage(cell, amount);
      const bool is_new =
          std::find(out_.contested.begin(), out_.contested.end(), cell) == out_.contested.end();
      if (mode == AssignmentMode::kPreempt && is_new) out_.contested.push_back(cell);
    }
  }

  void AddUsage(QuotaCell cell, std::int64_t amount) {
    if (amount == 0) return;
    for (QuotaAmount& one : out_.usage) {
      if (one.cell == cell) {
        one.amount += amount;
        return;
      }
    }
    out_.usage.push_back({cell, amount});
  }

  QuotaState& state_;
  const QuotaTree& tree_;
  const QuotaTree::Node& node_;
  const QuotaRequest& request_;
  const QuotaRules& rules_;
  FlavorAssignment out_;
  std::vector<QuotaAmount> requests_;
  std::vector<std::pair<std::size_t, std::int64_t>> asked_;  // resource of the group, amount
};

void AskNodes(const QuotaRequest& request, const PlacementHooks& hooks, FlavorAssignment& out) {
  if (out.mode == AssignmentMode::kNoFit || !hooks.could_place) return;
  const AssignmentMode mode = hooks.could_place(request, out);
  if (mode == AssignmentMode::kFit) return;
  out.mode = mode;
  out.contested.clear();
  for (std::vector<ResourceFlavor>& pod_set : out.flavors) {
    for (ResourceFlavor& one : pod_set) one.mode = mode;
  }
  if (mode == AssignmentMode::kNoFit) out.reason = NoFitReason::kPlacementFailed;
  if (mode == AssignmentMode::kNoFit) return;
  for (const QuotaAmount& one : out.usage) out.contested.push_back(one.cell);
}

FlavorAssignment Assign(QuotaState& state, const QuotaRequest& request, const QuotaRules& rules,
                        const PlacementHooks& hooks, std::vector<std::int32_t> counts) {
  FlavorAssignment out = Assigner(state, request, rules).Run(std::move(counts));
  AskNodes(request, hooks, out);
  return out;
}

std::vector<std::int32_t> FullCounts(const QuotaRequest& request) {
  std::vector<std::int32_t> counts;
  for (const PodSet& pod_set : request.pod_sets) counts.push_back(pod_set.count);
  return counts;
}

class Nominator {
 public:
  Nominator(QuotaState& state, const QuotaRequest& request, const QuotaRules& rules,
            const PlacementHooks& hooks)
      : state_(state), request_(request), rules_(rules), hooks_(hooks) {}

  Nomination Run() {
    Nomination full = Try(FullCounts(request_));
    if (IsFound(full) || !rules_.partial_admission) return full;
    std::optional<Nomination> fewer = TryFewer();
    if (!fewer) return full;
    fewer->assignment.cursor.clear();
    fewer->assignment.flavors_left = false;
    return *std::move(fewer);
  }

 private:
  static bool IsFound(const Nomination& one) {
    return one.assignment.mode == AssignmentMode::kFit || !one.victims.empty();
  }

  Nomination Try(std::vector<std::int32_t> counts) {
    Nomination out = {Assign(state_, request_, rules_, hooks_, std::move(counts)), {}};
    const FlavorAssignment& assignment = out.assignment;
    if (assignment.mode != AssignmentMode::kPreempt) return out;
    Preemptor preemptor = {request_.queue, request_.priority, request_.queued, assignment.usage,
                           assignment.contested};
    if (hooks_.places_without) {
      preemptor.places = [&](std::span<const Victim> victims) {
        return hooks_.places_without(request_, assignment, victims);
      };
    }
    out.victims = FindVictims(state_, preemptor, rules_);
    return out;
  }

  // Every pod set gives up the same part of what it can; the least part that suffices.
  std::optional<Nomination> TryFewer() {
    std::int64_t most = 0;
    for (const PodSet& pod_set : request_.pod_sets) most += pod_set.count - pod_set.min_count;
    std::optional<Nomination> best;
    std::int64_t low = 1, high = most + 1;  // high: known to suffice, or beyond the most
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      std::vector<std::int32_t> counts = FullCounts(request_);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::int64_t can = counts[i] - request_.pod_sets[i].min_count;
        counts[i] -= static_cast<std::int32_t>(can * middle / most);
      }
      Nomination one = Try(std::move(counts));
      if (IsFound(one)) {
        best = std::move(one);
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return best;
  }

  QuotaState& state_;
  const QuotaRequest& request_;
  const QuotaRules& rules_;
  const PlacementHooks& hooks_;
};

}  // namespace

FlavorAssignment AssignFlavors(QuotaState& state, const QuotaRequest& request,
                               const QuotaRules& rules, const PlacementHooks& hooks) {
  return Assign(state, request, rules, hooks, FullCounts(request));
}

Nomination Nominate(QuotaState& state, const QuotaRequest& request, const QuotaRules& rules,
                    const PlacementHooks& hooks) {
  return Nominator(state, request, rules, hooks).Run();
}

}  // namespace plimsoll
