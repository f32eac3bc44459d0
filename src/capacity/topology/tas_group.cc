// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_group.h"

#include <algorithm>

#include "capacity/topology/tas_need.h"
#include "capacity/topology/tas_search.h"

namespace plimsoll {
namespace {

ResourceAmounts WithPod(ResourceAmounts amounts) {
  ++amounts["pods"];
  return amounts;
}

TasPodNeed PodNeedOf(const TasGroupSearch& search, const TasPodSet& workers,
                     const TasPodSet* leader, const std::string& within) {
  TasPodNeed pod;
  pod.pod = WithPod(workers.pod);
  if (leader != nullptr) pod.leader = WithPod(leader->pod);
  pod.node_selector = workers.node_selector;
  pod.tolerations = workers.tolerations;
  const auto& of_flavor = search.snapshot.flavor().tolerations;
  pod.tolerations.insert(pod.tolerations.end(), of_flavor.begin(), of_flavor.end());
  pod.affinity = workers.affinity;
  pod.within = within;
  pod.simulate_empty = search.simulate_empty;
  return pod;
}

// The domains that hold any, in the order of their values.
TasAssignment AssignmentOf(const TasSnapshot& snapshot, const TasChoice& choice,
                           std::int64_t TasDomainState::*count) {
  const auto& levels = snapshot.flavor().levels;
  const std::size_t skip = snapshot.host_is_lowest() ? levels.size() - 1 : 0;
  const auto from = static_cast<std::ptrdiff_t>(skip);
  TasAssignment assignment;
  assignment.levels.assign(levels.begin() + from, levels.end());
  TasDomains domains = choice.domains;
  std::ranges::sort(domains, {}, [&](std::uint32_t i) { return snapshot.domains()[i].order; });
  for (const std::uint32_t i : domains) {
    const std::int64_t pods = choice.states[i].*count;
    if (pods == 0) continue;
    const auto& values = snapshot.domains()[i].values;
    assignment.domains.push_back(
        {{values.begin() + from, values.end()}, static_cast<std::int32_t>(pods)});
  }
  return assignment;
}

}  // namespace

void TasGroupSearch::Assume(const TasAssignment& assignment, const ResourceAmounts& pod) {
  for (const TasDomainPods& domain : assignment.domains) {
    AddAmounts(assumed[JoinValues(domain.values)], WithPod(pod), domain.count);
  }
}

Result<TasGroupAssignment> FindPodSets(const TasGroupSearch& search, const TasPodSet& workers,
                                       const TasPodSet* leader, const std::string& within) {
  PLIMSOLL_TRY(const TasNeed need,
               NeedOf(search.snapshot, search.gates, workers, leader != nullptr));
  TasExclusions exclusions;
  TasStates states = CountDomains(search.snapshot, PodNeedOf(search, workers, leader, within), need,
                                  search.assumed, exclusions);
  TasChoice choice =
      SearchDomains(search.snapshot, search.gates, need, std::move(states), exclusions);
  if (!choice.reason.empty()) return Error{ErrorCode::kBadData, std::move(choice.reason)};
  TasGroupAssignment found;
  found.workers = AssignmentOf(search.snapshot, choice, &TasDomainState::pods);
  if (leader != nullptr) {
    found.leader = AssignmentOf(search.snapshot, choice, &TasDomainState::leaders);
  }
  return found;
}

}  // namespace plimsoll
