// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_counts.h"

#include <algorithm>
#include <limits>

namespace plimsoll {
namespace {

bool Within(const TasSnapshot::Domain& domain, const std::string& id) {
  const std::string path = JoinValues(domain.values);
  return id.empty() || path == id || path.starts_with(id + ",");
}

// Whether the node of a leaf may take such pods; counts the exclusion if not.
bool Admits(const KubeNode& node, const TasPodNeed& pod, TasExclusions& exclusions) {
  if (const NodeTaint* taint = UntoleratedTaint(node.taints, pod.tolerations)) {
    ++exclusions.taints[ToString(*taint)];
    return false;
  }
  if (!MatchesSelector(node.labels, pod.node_selector)) {
    ++exclusions.node_selector;
    return false;
  }
  if (!MatchesRequired(node.labels, pod.affinity)) {
    ++exclusions.affinity;
    return false;
  }
  return true;
}

void CountLeaf(const TasSnapshot::Leaf& leaf, const TasPodNeed& pod, const ResourceAmounts* assumed,
               TasDomainState& state, TasExclusions& exclusions) {
  ResourceAmounts free = leaf.free;
  if (!pod.simulate_empty) AddAmounts(free, leaf.used, -1);
  if (assumed != nullptr) AddAmounts(free, *assumed, -1);
  const TasFit fit = CountIn(pod.pod, free);
  state.pods = fit.count;
  if (fit.count == 0 && !fit.limit.empty()) ++exclusions.resources[fit.limit];
  if (pod.leader.has_value() && CountIn(*pod.leader, free).count > 0) {
    state.leaders = 1;
    AddAmounts(free, *pod.leader, -1);
  }
  state.pods_with_leader = CountIn(pod.pod, free).count;
}

}  // namespace

bool TasExclusions::any() const {
  return node_selector > 0 || affinity > 0 || topology_domain > 0 || !taints.empty() ||
         !resources.empty();
}

std::string TasExclusions::Text() const {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& what, int count) {
    if (count > 0) parts.push_back(what + ": " + std::to_string(count));
  };
  add("nodeSelector", node_selector);
  add("affinity", affinity);
  add("topologyDomain", topology_domain);
  for (const auto& [taint, count] : taints) add("taint \"" + taint + "\"", count);
  for (const auto& [resource, count] : resources) add("resource \"" + resource + "\"", count);
  std::ranges::sort(parts);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

TasFit CountIn(const ResourceAmounts& request, const ResourceAmounts& free) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  TasFit fit;
  bool first = true;
  for (const auto& [name, amount] : request) {
    const auto found = free.find(name);
    const std::int64_t has = found == free.end() ? 0 : found->second;
    const std::int64_t count =
        amount == 0 ? kMost : std::clamp<std::int64_t>(has / amount, 0, kMost);
    if (first || count < fit.count) fit = {count, name};
    first = false;
  }
  return fit;
}

TasStates CountDomains(const TasSnapshot& snapshot, const TasPodNeed& pod, const TasNeed& need,
                       const AssumedUsage& assumed, TasExclusions& exclusions) {
  TasStates states(snapshot.domains().size());
  for (const TasSnapshot::Leaf& leaf : snapshot.leaves()) {
    ++exclusions.leaves;
    const TasSnapshot::Domain& domain = snapshot.domains()[leaf.domain];
    TasDomainState& state = states[leaf.domain];
    if (leaf.node.has_value()) {
      if (!Admits(*leaf.node, pod, exclusions)) continue;
      state.affinity = PreferenceScore(leaf.node->labels, pod.affinity);
    }
    if (!Within(domain, pod.within)) {
      ++exclusions.topology_domain;
      continue;
    }
    const auto used = assumed.find(domain.id);
    CountLeaf(leaf, pod, used == assumed.end() ? nullptr : &used->second, state, exclusions);
  }
  for (const std::uint32_t root : snapshot.level(0)) RollUp(snapshot, need, true, root, states);
  return states;
}

void RollUp(const TasSnapshot& snapshot, const TasNeed& need, bool inner, std::uint32_t domain,
            TasStates& states) {
  const TasSnapshot::Domain& one = snapshot.domains()[domain];
  TasDomainState& state = states[domain];
  if (!one.children.empty()) {
    const auto size = need.inner_sizes.find(one.level + 1);
    const std::int64_t whole = inner && size != need.inner_sizes.end() ? size->second : 1;
    TasDomainState sum;
    // What the leader costs is what it costs where it costs least.
    std::int64_t pods_lost = -1, slices_lost = -1;
    for (const std::uint32_t child : one.children) {
      RollUp(snapshot, need, inner, child, states);
      const TasDomainState& part = states[child];
      const std::int64_t pods = part.pods / whole * whole;
      sum.pods += pods;
      sum.slices += part.slices;
      sum.leaders = std::max(sum.leaders, part.leaders);
      sum.affinity += part.affinity;
      if (need.leaders > 0 && part.leaders == 0) continue;
      const std::int64_t less_pods = pods - part.pods_with_leader / whole * whole;
      const std::int64_t less_slices = part.slices - part.slices_with_leader;
      pods_lost = pods_lost < 0 ? less_pods : std::min(pods_lost, less_pods);
      slices_lost = slices_lost < 0 ? less_slices : std::min(slices_lost, less_slices);
    }
    sum.pods_with_leader = pods_lost < 0 ? 0 : sum.pods - pods_lost;
    sum.slices_with_leader = pods_lost < 0 ? 0 : sum.slices - slices_lost;
    state = sum;
  }
  if (one.level == need.slice_level) {
    state.slices = state.pods / need.slice_size;
    state.slices_with_leader = state.pods_with_leader / need.slice_size;
  }
}

}  // namespace plimsoll
