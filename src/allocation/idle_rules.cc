#include "allocation/idle_rules.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "units/split.h"

namespace plimsoll {
namespace {

constexpr auto kNobody = static_cast<std::int32_t>(kNoId);
constexpr auto kWasteClass = static_cast<std::int32_t>(CostClass::kWaste);

Error TooLarge() {
  return {ErrorCode::kOutOfRange, "idle GPU time or its cost does not fit exact arithmetic"};
}

// The part of `whole` that one share of weight `millis` of `total` is, and what is left.
struct Divider {
  std::vector<std::int64_t> weights;
  std::vector<int128> parts;

  bool Divide(int128 whole) {
    parts.resize(weights.size());
    return SplitInto(whole, std::span<const std::int64_t>(weights), std::span<int128>(parts));
  }
};

}  // namespace

IdleRules::IdleRules(const AllocationInput& input, const AllocationOptions& options,
                     const DeviceGrid& devices, const NodeTable& nodes, WorkloadTable& workloads)
    : nodes_(nodes),
      claims_(GatherIdleClaims(input, options, devices, nodes, workloads)),
      waiting_(GatherWaiting(input, options)) {
  for (const std::int64_t gpus : options.idle.typical_gpus) {
    typical_ = typical_ == 0 ? gpus : std::min(typical_, gpus);
  }
}

void IdleRules::Renumber(std::span<const std::int32_t> final_ids) {
  for (IdleClaim& claim : claims_) {
    for (std::int32_t& owner : claim.owners) owner = final_ids[static_cast<std::size_t>(owner)];
    std::sort(claim.owners.begin(), claim.owners.end());
  }
}

Status IdleRules::Apply(Instant hour, std::span<const IdleTime> idle,
                        std::vector<HourLine>& lines) {
  idle_.assign(idle.begin(), idle.end());
  whole_ = idle_;
  taken_.assign(idle.size(), {});
  for (std::size_t t = 0; t < 12; ++t) {
    const Instant begin = hour + Millis(static_cast<std::int64_t>(t) * kTwelfth.base());
    const Window twelfth{begin, begin + kTwelfth};
    for (const IdleClaim& claim : claims_) {
      if (Intersect(claim.time, twelfth).empty()) continue;
      PLIMSOLL_RETURN_IF_ERROR(Claim(claim, twelfth, t));
    }
    Strand(twelfth, t);
  }
  return Rewrite(lines);
}

// Takes what is idle in the claim's nodes, up to its cards. If there is more, each node gives
// the same part of what it has: the order of their names does not matter.
Status IdleRules::Claim(const IdleClaim& claim, const Window& twelfth, std::size_t t) {
  const std::int64_t overlap = Intersect(claim.time, twelfth).length().base();
  std::vector<std::size_t> at;
  std::vector<std::int64_t> have;
  int128 known = 0;
  for (std::size_t i = 0; i < idle_.size(); ++i) {
    if (!std::binary_search(claim.nodes.begin(), claim.nodes.end(), idle_[i].node)) continue;
    const auto in_time =
        static_cast<std::int64_t>(int128{whole_[i].waste[t]} * overlap / kTwelfth.base());
    const std::int64_t millis = std::min(in_time, idle_[i].waste[t]);
    known += idle_[i].unavailable[t];
    if (millis == 0) continue;
    at.push_back(i);
    have.push_back(millis);
  }
  const int128 sum = std::accumulate(have.begin(), have.end(), int128{0});
  if (sum == 0) return Ok();
  int128 take = sum;
  if (claim.gpus != kAllCards) {
    take = int128{claim.gpus} * overlap - (claim.counts_unavailable ? known : 0);
    take = std::clamp<int128>(take, 0, sum);
  }
  std::vector<int128> parts(have.size());
  if (!SplitInto(take, std::span<const std::int64_t>(have), std::span<int128>(parts))) {
    return TooLarge();
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    idle_[at[i]].waste[t] -= static_cast<std::int64_t>(parts[i]);
    PLIMSOLL_RETURN_IF_ERROR(Share(claim, at[i], static_cast<std::int64_t>(parts[i])));
  }
  return Ok();
}

// Divides what a claim took on one node evenly among its owners.
Status IdleRules::Share(const IdleClaim& claim, std::size_t at, std::int64_t millis) {
  const std::vector<std::int64_t> even(claim.owners.size(), 1);
  std::vector<std::int64_t> parts(even.size());
  if (!SplitInto(millis, std::span<const std::int64_t>(even), std::span<std::int64_t>(parts))) {
    return TooLarge();
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Take(at, claim.owners[i], claim.cost_class, parts[i]);
  }
  return Ok();
}

void IdleRules::Take(std::size_t at, std::int32_t workload, CostClass cost_class,
                     std::int64_t millis) {
  if (millis == 0) return;
  for (Taken& taken : taken_[at]) {
    if (taken.workload != workload || taken.cost_class != cost_class) continue;
    taken.millis += millis;
    return;
  }
  taken_[at].push_back({workload, cost_class, millis});
}

// The least GPUs that some waiting pod or task needs on one node; 0 if one fits anywhere. If
// nothing waits, the least of the usual requests, or 0.
std::int64_t IdleRules::SmallestShape(Symbol cluster, const Window& twelfth) const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const WaitingShape& shape : waiting_) {
    if (shape.cluster != cluster || Intersect(shape.time, twelfth).empty()) continue;
    least = std::min(least, shape.gpus);
  }
  return least == std::numeric_limits<std::int64_t>::max() ? typical_ : least;
}

// Free cards of a node that are too few for everything that waits.
void IdleRules::Strand(const Window& twelfth, std::size_t t) {
  for (std::size_t i = 0; i < idle_.size(); ++i) {
    const std::int64_t waste = idle_[i].waste[t];
    if (waste == 0) continue;
    const std::int64_t least = SmallestShape(nodes_.at(idle_[i].node).cluster, twelfth);
    if (least == 0 || waste >= least * kTwelfth.base()) continue;
    idle_[i].waste[t] = 0;
    Take(i, kNobody, CostClass::kStranded, waste);
  }
}

// Every waste line of a node is divided by what was taken of its time and what is left.
Status IdleRules::Rewrite(std::vector<HourLine>& lines) const {
  std::map<std::int32_t, std::size_t> of_node;
  for (std::size_t i = 0; i < idle_.size(); ++i) {
    if (!taken_[i].empty()) of_node.emplace(idle_[i].node, i);
  }
  if (of_node.empty()) return Ok();
  std::map<std::int32_t, std::int64_t> total;  // of waste, before; one line carries it
  for (const HourLine& line : lines) {
    if (line.workload == kNobody && line.cost_class == kWasteClass) {
      total[line.node] += line.gpu_millis;
    }
  }
  std::vector<HourLine> out;
  Divider divider;
  for (const HourLine& line : lines) {
    const auto found = of_node.find(line.node);
    if (found == of_node.end() || line.workload != kNobody || line.cost_class != kWasteClass) {
      out.push_back(line);
      continue;
    }
    const std::vector<Taken>& taken = taken_[found->second];
    divider.weights.clear();
    std::int64_t left = total[line.node];
    for (const Taken& part : taken) {
      divider.weights.push_back(part.millis);
      left -= part.millis;
    }
    divider.weights.push_back(std::max<std::int64_t>(left, 0));
    std::vector<HourLine> parts(divider.weights.size(), {line.scope, line.node, 0, 0});
    const auto divide = [&](auto member) {
      if (!divider.Divide(line.*member)) return false;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].*member = static_cast<std::decay_t<decltype(line.*member)>>(divider.parts[i]);
      }
      return true;
    };
    if (!divide(&HourLine::gpu_millis) || !divide(&HourLine::gpu) || !divide(&HourLine::cpu) ||
        !divide(&HourLine::memory)) {
      return TooLarge();
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_rest = i == taken.size();
      parts[i].workload = is_rest ? kNobody : taken[i].workload;
      parts[i].cost_class = is_rest ? kWasteClass : static_cast<std::int32_t>(taken[i].cost_class);
      if (!parts[i].is_zero()) out.push_back(parts[i]);
    }
  }
  lines = std::move(out);
  return Ok();
}

}  // namespace plimsoll
