// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_repair.h"

#include <algorithm>
#include <ranges>

#include "capacity/topology/tas_need.h"

namespace plimsoll {
namespace {

Error NoPlace(std::string reason) { return {ErrorCode::kBadData, std::move(reason)}; }

// A domain of the assignment that the snapshot no longer has; null if it has them all.
const TasDomainPods* StaleDomain(const TasSnapshot& snapshot, const TasAssignment& assignment) {
  for (const TasDomainPods& domain : assignment.domains) {
    if (!snapshot.Lowest(domain.values).has_value()) return &domain;
  }
  return nullptr;
}

std::int64_t Pods(const TasAssignment& assignment) {
  std::int64_t pods = 0;
  for (const TasDomainPods& domain : assignment.domains) pods += domain.count;
  return pods;
}

std::int32_t RemoveHost(TasAssignment& assignment, const std::string& host) {
  std::int32_t removed = 0;
  std::erase_if(assignment.domains, [&](const TasDomainPods& domain) {
    if (domain.values.back() != host) return false;
    removed = domain.count;
    return true;
  });
  return removed;
}

// Both, in the order of the domains' paths, what lies in one domain added up.
TasAssignment Merged(const TasSnapshot& snapshot, const TasAssignment& a, const TasAssignment& b) {
  TasAssignment merged{a.levels, a.domains};
  merged.domains.insert(merged.domains.end(), b.domains.begin(), b.domains.end());
  std::ranges::stable_sort(merged.domains, {}, [&](const TasDomainPods& domain) {
    return JoinValues(snapshot.domains()[*snapshot.Lowest(domain.values)].values);
  });
  std::vector<TasDomainPods> domains;
  for (TasDomainPods& domain : merged.domains) {
    if (!domains.empty() && domains.back().values == domain.values) {
      domains.back().count += domain.count;
    } else {
      domains.push_back(std::move(domain));
    }
  }
  merged.domains = std::move(domains);
  return merged;
}

// The domain of the slice that lacks `missing` pods; empty if none does.
std::string IncompleteSlice(const TasSnapshot& snapshot, const TasAssignment& assignment,
                            std::int64_t missing, const TasSliceLayer& slice) {
  const auto level = snapshot.Level(slice.level);
  if (!level.has_value()) return {};
  std::map<std::string, std::int64_t> pods;
  for (const TasDomainPods& domain : assignment.domains) {
    const std::uint32_t lowest = *snapshot.Lowest(domain.values);
    pods[snapshot.domains()[snapshot.Ancestor(lowest, *level)].id] += domain.count;
  }
  for (const auto& [id, count] : pods) {
    if ((count + missing) % slice.size == 0) return id;
  }
  return {};
}

// Where the missing pods have to lie; empty: anywhere.
std::string DomainToRepair(const TasSnapshot& snapshot, const TasPodSet& podset,
                           const TasAssignment& rest, std::int64_t slice_size) {
  const auto key = RequestedLevel(snapshot, podset);
  const auto level = key.has_value() ? snapshot.Level(*key) : std::nullopt;
  if (!level.has_value() || rest.domains.empty()) return {};
  if (HasSlices(podset) && podset.count % slice_size != 0) {
    // The innermost slice that is broken binds most.
    for (const TasSliceLayer& slice : podset.topology->slices | std::views::reverse) {
      if (slice.size > 0 && podset.count % slice.size != 0) {
        return IncompleteSlice(snapshot, rest, podset.count, slice);
      }
    }
  }
  if (!Required(podset)) return {};
  const std::uint32_t lowest = *snapshot.Lowest(rest.domains.front().values);
  return snapshot.domains()[snapshot.Ancestor(lowest, *level)].id;
}

// Of slices within slices those that the missing pods still make up.
void KeepWholeSlices(TasPodSet& podset) {
  std::vector<TasSliceLayer>& slices = podset.topology->slices;
  const auto whole = std::ranges::find_if(slices | std::views::reverse, [&](const auto& slice) {
    return slice.size > 0 && podset.count % slice.size == 0;
  });
  if (whole == (slices | std::views::reverse).end()) {
    slices.clear();
  } else {
    slices = {TasSliceLayer(*whole)};
  }
}

TasAssignment Shortened(const TasAssignment& assignment, std::int64_t pods) {
  TasAssignment shorter{assignment.levels, {}};
  for (const TasDomainPods& domain : assignment.domains) {
    if (pods <= 0) break;
    const std::int64_t kept = std::min<std::int64_t>(domain.count, pods);
    shorter.domains.push_back({domain.values, static_cast<std::int32_t>(kept)});
    pods -= kept;
  }
  return shorter;
}

Result<TasGroupAssignment> Grow(TasGroupSearch& search, const TasPodSet& workers,
                                const TasPodSet* leader) {
  const TasAssignment& previous = *workers.previous;
  TasPodSet more = workers;
  more.count = static_cast<std::int32_t>(workers.count - Pods(previous));
  search.Assume(previous, workers.pod);
  const bool leader_stays = leader != nullptr && leader->previous.has_value();
  if (leader_stays) search.Assume(*leader->previous, leader->pod);
  PLIMSOLL_TRY(TasGroupAssignment found,
               FindPodSets(search, more, leader_stays ? nullptr : leader));
  search.Assume(found.workers, workers.pod);
  if (leader_stays) {
    found.leader = leader->previous;
  } else if (leader != nullptr) {
    search.Assume(*found.leader, leader->pod);
  }
  found.workers = Merged(search.snapshot, found.workers, previous);
  return found;
}

}  // namespace

Result<TasAssignment> ReplaceNode(TasGroupSearch& search, const TasPodSet& podset,
                                  TasAssignment admitted, const std::string& unhealthy_node) {
  const TasSnapshot& snapshot = search.snapshot;
  TasPodSet missing = podset;
  missing.count = RemoveHost(admitted, unhealthy_node);
  if (const TasDomainPods* stale = StaleDomain(snapshot, admitted)) {
    return NoPlace(
        "Cannot replace the node, because the existing topologyAssignment is invalid, "
        "as it contains the stale domain " +
        stale->values.front());
  }
  PLIMSOLL_TRY(const std::int64_t slice_size, SliceSize(podset));
  const std::string within = DomainToRepair(snapshot, missing, admitted, slice_size);
  if (HasSlices(podset) && !within.empty() && missing.count % slice_size != 0) {
    KeepWholeSlices(missing);
  }
  TasGroupSearch fresh{snapshot, search.gates, false, search.assumed};
  PLIMSOLL_TRY(const TasGroupAssignment found, FindPodSets(fresh, missing, nullptr, within));
  if (found.workers.domains.empty()) {
    return NoPlace("cannot find replacement assignment for unhealthy node: " + unhealthy_node);
  }
  search.Assume(found.workers, podset.pod);
  return Merged(snapshot, found.workers, admitted);
}

bool CanResize(const TasSnapshot& snapshot, const TasPodSet& workers, const TasPodSet* leader) {
  if (!workers.previous.has_value() || StaleDomain(snapshot, *workers.previous) != nullptr) {
    return false;
  }
  if (leader != nullptr && leader->previous.has_value() &&
      StaleDomain(snapshot, *leader->previous) != nullptr) {
    return false;
  }
  const auto size = SliceSize(workers);
  return !size || (Pods(*workers.previous) % *size == 0 && workers.count % *size == 0);
}

Result<TasGroupAssignment> Resize(TasGroupSearch& search, const TasPodSet& workers,
                                  const TasPodSet* leader) {
  if (workers.count > Pods(*workers.previous)) return Grow(search, workers, leader);
  TasGroupAssignment kept{Shortened(*workers.previous, workers.count), std::nullopt};
  search.Assume(kept.workers, workers.pod);
  if (leader != nullptr) {
    kept.leader = leader->previous;
    if (kept.leader.has_value()) search.Assume(*kept.leader, leader->pod);
  }
  return kept;
}

}  // namespace plimsoll
