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

bool IsPlainWaste(const HourLine& line) {
  return line.workload == kNobody && line.cost_class == kWasteClass;
}

Duration LengthOf(const Window& window) { return window.empty() ? Duration() : window.length(); }

// What of `amount`, which is even over `whole`, falls into `part`. Parts that make up the whole
// add up to the amount.
std::int64_t PartOf(std::int64_t amount, const Window& whole, const Window& part) {
  if (whole.empty() || amount == 0) return 0;
  const auto until = [&](Instant at) {
    const Instant within = std::clamp(at, whole.begin, whole.until);
    return int128{amount} * Between(whole.begin, within).base() / whole.length().base();
  };
  return static_cast<std::int64_t>(until(part.until) - until(part.begin));
}

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
  idle_ = idle;
  taken_.assign(idle.size(), {});
  const Window whole{hour, hour + Hours(1)};
  std::vector<const IdleClaim*> claims;
  for (const IdleClaim& claim : claims_) {
    if (!Intersect(claim.time, whole).empty()) claims.push_back(&claim);
  }
  for (std::size_t t = 0; t < 12; ++t) {
    const Instant begin = hour + Millis(static_cast<std::int64_t>(t) * kTwelfth.base());
    const Window twelfth{begin, begin + kTwelfth};
    PLIMSOLL_RETURN_IF_ERROR(DivideTwelfth(claims, twelfth, t));
  }
  return Rewrite(lines);
}

// A twelfth is cut where claims and nodes begin or end: within a cut each holds for all of it or
// not at all, so that claims of the same time never take twice. Idle time is taken to be even over
// what of it the node was provisioned.
Status IdleRules::DivideTwelfth(const std::vector<const IdleClaim*>& claims, const Window& twelfth,
                                std::size_t t) {
  std::vector<Instant> cuts{twelfth.begin, twelfth.until};
  const auto cut_at = [&](const Window& time) {
    for (const Instant at : {time.begin, time.until}) {
      if (twelfth.begin < at && at < twelfth.until) cuts.push_back(at);
    }
  };
  for (const IdleClaim* claim : claims) cut_at(claim->time);
  for (const IdleTime& idle : idle_) cut_at(idle.provisioned);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::map<Symbol, std::int64_t> least;  // by cluster
  for (std::size_t cut = 0; cut + 1 < cuts.size(); ++cut) {
    const Window time{cuts[cut], cuts[cut + 1]};
    left_.clear();
    for (const IdleTime& idle : idle_) {
      const Window whole = Intersect(idle.provisioned, twelfth);
      left_.push_back({PartOf(idle.waste[t], whole, time), PartOf(idle.shared[t], whole, time),
                       idle.missing_cards[t], LengthOf(Intersect(whole, time))});
    }
    for (const IdleClaim* claim : claims) {
      if (Intersect(claim->time, time) != time) continue;
      PLIMSOLL_RETURN_IF_ERROR(Claim(*claim, time.length()));
    }
    for (std::size_t i = 0; i < idle_.size(); ++i) {
      if (left_[i].waste == 0) continue;
      const Symbol cluster = nodes_.at(idle_[i].node).cluster;
      const auto [known, is_new] = least.try_emplace(cluster, 0);
      if (is_new) known->second = SmallestShape(cluster, twelfth);
      if (known->second > 0) Strand(i, known->second, idle_[i].free_cards[t]);
    }
  }
  return Ok();
}

// Takes what is idle in the claim's nodes, up to its cards. If there is more, each node gives
// the same part of what it has: the order of their names does not matter.
Status IdleRules::Claim(const IdleClaim& claim, Duration length) {
  std::vector<std::size_t> at;
  std::vector<std::int64_t> have;
  std::int64_t missing = 0;
  auto node = claim.nodes.begin();
  for (std::size_t i = 0; i < idle_.size() && node != claim.nodes.end(); ++i) {  // both ascend
    node = std::lower_bound(node, claim.nodes.end(), idle_[i].node);
    if (node == claim.nodes.end() || *node != idle_[i].node) continue;
    missing += left_[i].missing_cards;
    if (left_[i].waste == 0) continue;
    at.push_back(i);
    have.push_back(left_[i].waste);
  }
  const int128 sum = std::accumulate(have.begin(), have.end(), int128{0});
  if (sum == 0) return Ok();
  int128 take = sum;
  if (claim.gpus != kAllCards) {
    const std::int64_t cards = claim.gpus - (claim.counts_missing ? missing : 0);
    take = std::clamp<int128>(int128{cards} * length.base() * kIdleParts, 0, sum);
  }
  std::vector<int128> parts(have.size());
  if (!SplitInto(take, std::span<const std::int64_t>(have), std::span<int128>(parts))) {
    return TooLarge();
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    left_[at[i]].waste -= static_cast<std::int64_t>(parts[i]);
    PLIMSOLL_RETURN_IF_ERROR(Share(claim, at[i], static_cast<std::int64_t>(parts[i])));
  }
  return Ok();
}

// Divides what a claim took on one node evenly among its owners.
Status IdleRules::Share(const IdleClaim& claim, std::size_t at, std::int64_t parts) {
  const std::vector<std::int64_t> even(claim.owners.size(), 1);
  std::vector<std::int64_t> shares(even.size());
  if (!SplitInto(parts, std::span<const std::int64_t>(even), std::span<std::int64_t>(shares))) {
    return TooLarge();
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    Take(at, claim.owners[i], claim.cost_class, shares[i]);
  }
  return Ok();
}

void IdleRules::Take(std::size_t at, std::int32_t workload, CostClass cost_class,
                     std::int64_t parts) {
  if (parts == 0) return;
  for (Taken& taken : taken_[at]) {
    if (taken.workload != workload || taken.cost_class != cost_class) continue;
    taken.parts += parts;
    return;
  }
  taken_[at].push_back({workload, cost_class, parts});
}

// The least GPUs that some waiting pod or task needs on one node; 0 if one fits anywhere. If
// nothing waits, the least of the usual requests, or 0.
std::int64_t IdleRules::SmallestShape(Symbol cluster, const Window& twelfth) const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const WaitingShape& shape : waiting_) {
    // A moment between creation and bind is no wait.
    if (shape.cluster != cluster || Intersect(shape.time, twelfth) != twelfth) continue;
    least = std::min(least, shape.gpus);
  }
  return least == std::numeric_limits<std::int64_t>::max() ? typical_ : least;
}

// Free cards of a node that are too few for everything that waits, and parts of cards where
// only whole ones would do.
void IdleRules::Strand(std::size_t at, std::int64_t least, std::int64_t free_cards) {
  const std::int64_t waste = left_[at].waste;
  const std::int64_t card = left_[at].length.base() * kIdleParts;
  const std::int64_t left = (waste + card - 1) / card;  // cards, after claims
  const bool fits = std::min(free_cards, left) >= least;
  Take(at, kNobody, CostClass::kStranded, fits ? std::min(left_[at].shared, waste) : waste);
}

// Every waste line of a node is divided: GPU cost by what was taken of its time and what is
// left; idle CPU and memory by what was taken of all its cards' time, stranded cards apart,
// for CPU and memory are not stranded with them.
Status IdleRules::Rewrite(std::vector<HourLine>& lines) const {
  std::map<std::int32_t, std::size_t> of_node;
  for (std::size_t i = 0; i < idle_.size(); ++i) {
    if (!taken_[i].empty()) of_node.emplace(idle_[i].node, i);
  }
  if (of_node.empty()) return Ok();
  std::map<std::int32_t, std::int64_t> waste, all;  // GPU time; the carrier's lines have it
  for (const HourLine& line : lines) {
    all[line.node] += line.gpu_millis * kIdleParts;
    // Rounded to milliseconds as the line is: a claim is never given more than it took.
    if (IsPlainWaste(line)) waste[line.node] += line.gpu_millis * kIdleParts;
  }
  std::vector<HourLine> out;
  for (const HourLine& line : lines) {
    const auto found = of_node.find(line.node);
    if (found == of_node.end() || !IsPlainWaste(line)) {
      out.push_back(line);
      continue;
    }
    PLIMSOLL_RETURN_IF_ERROR(
        DivideLine(line, taken_[found->second], waste[line.node], all[line.node], out));
  }
  lines = std::move(out);
  return Ok();
}

Status IdleRules::DivideLine(const HourLine& line, const std::vector<Taken>& taken,
                             std::int64_t waste, std::int64_t all, std::vector<HourLine>& out) {
  std::vector<std::int64_t> of_gpu, of_rest;
  for (const Taken& part : taken) {
    of_gpu.push_back(part.parts);
    of_rest.push_back(part.cost_class == CostClass::kStranded ? 0 : part.parts);
    waste -= of_gpu.back();
    all -= of_rest.back();
  }
  of_gpu.push_back(std::max<std::int64_t>(waste, 0));
  of_rest.push_back(std::max<std::int64_t>(all, 0));
  std::vector<HourLine> parts(of_gpu.size(), {line.scope, line.node, 0, 0});
  std::vector<int128> shares(parts.size());
  const auto divide = [&](auto member, const std::vector<std::int64_t>& weights) {
    if (line.*member == 0) return true;
    if (!SplitInto(int128{line.*member}, std::span<const std::int64_t>(weights),
                   std::span<int128>(shares))) {
      return false;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].*member = static_cast<std::decay_t<decltype(line.*member)>>(shares[i]);
    }
    return true;
  };
  if (!divide(&HourLine::gpu_millis, of_gpu) || !divide(&HourLine::gpu, of_gpu) ||
      !divide(&HourLine::cpu, of_rest) || !divide(&HourLine::memory, of_rest)) {
    return TooLarge();
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_rest = i == taken.size();
    parts[i].workload = is_rest ? kNobody : taken[i].workload;
    parts[i].cost_class = is_rest ? kWasteClass : static_cast<std::int32_t>(taken[i].cost_class);
    if (!parts[i].is_zero()) out.push_back(parts[i]);
  }
  return Ok();
}

}  // namespace plimsoll
