// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_assign.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "capacity/topology/tas_need.h"
#include "capacity/topology/tas_repair.h"
#include "capacity/topology/tas_search.h"

namespace plimsoll {
namespace {

using Results = std::map<std::string, TasResult>;
using Group = std::vector<const TasPodSet*>;

// Podsets of one name belong together, those without are alone; in the order of the podsets.
std::vector<Group> Groups(std::span<const TasPodSet> podsets) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> by_name;
  for (const TasPodSet& podset : podsets) {
    if (!podset.group.has_value()) {
      groups.push_back({&podset});
      continue;
    }
    const auto [found, made] = by_name.try_emplace(*podset.group, groups.size());
    if (made) groups.emplace_back();
    groups[found->second].push_back(&podset);
  }
  return groups;
}

class Assigner {
 public:
  Assigner(const TasSnapshot& snapshot, const TasOptions& options)
      : snapshot_(snapshot),
        options_(options),
        search_{snapshot, options.gates, options.simulate_empty, {}} {}

  Results Run(std::span<const TasPodSet> podsets) {
    for (const Group& group : Groups(podsets)) {
      const bool placed = options_.repair.has_value() ? Repair(group) : Place(group);
      if (!placed) break;
    }
    return std::move(results_);
  }

 private:
  bool Repair(const Group& group) {
    for (const TasPodSet* podset : group) {
      const auto admitted = options_.repair->admitted.find(podset->name);
      if (admitted == options_.repair->admitted.end()) continue;
      if (options_.gates.skip_pod_owned && options_.repair->owned_by_single_pod) {
        results_[podset->name] = {admitted->second, {}};
        continue;
      }
      auto repaired =
          ReplaceNode(search_, *podset, admitted->second, options_.repair->unhealthy_node);
      if (!repaired) {
        results_[podset->name] = {std::nullopt, repaired.error().message};
        return false;
      }
      results_[podset->name] = {std::move(*repaired), {}};
    }
    return true;
  }

  bool Place(const Group& group) {
    const TasPodSet* workers = group[0];
    const TasPodSet* leader = group.size() > 1 ? group[1] : nullptr;
    if (leader != nullptr && leader->count > workers->count) std::swap(workers, leader);
    if (options_.gates.elastic_slices && CanResize(snapshot_, *workers, leader)) {
      return Keep(*workers, leader, Resize(search_, *workers, leader));
    }
    const auto found = FindPodSets(search_, *workers, leader);
    if (!found) {
      for (const TasPodSet* podset : group) {
        results_[podset->name] = {std::nullopt, found.error().message};
      }
      return false;
    }
    search_.Assume(found->workers, workers->pod);
    if (leader != nullptr) search_.Assume(*found->leader, leader->pod);
    return Keep(*workers, leader, found);
  }

  bool Keep(const TasPodSet& workers, const TasPodSet* leader,
            const Result<TasGroupAssignment>& found) {
    if (!found) {
      results_[workers.name] = {std::nullopt, found.error().message};
      return false;
    }
    results_[workers.name] = {found->workers, {}};
    if (leader != nullptr) results_[leader->name] = {found->leader, {}};
    return true;
  }

  const TasSnapshot& snapshot_;
  const TasOptions& options_;
  TasGroupSearch search_;
  Results results_;
};

}  // namespace

Results AssignPodSets(const TasSnapshot& snapshot, std::span<const TasPodSet> podsets,
                      const TasOptions& options) {
  return Assigner(snapshot, options).Run(podsets);
}

}  // namespace plimsoll
