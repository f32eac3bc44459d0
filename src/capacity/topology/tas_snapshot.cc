// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_snapshot.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {

std::string JoinValues(std::span<const std::string> values) {
  std::string joined;
  for (const std::string& value : values) {
    if (&value != &values.front()) joined += ',';
    joined += value;
  }
  return joined;
}

void AddAmounts(ResourceAmounts& sum, const ResourceAmounts& more, std::int64_t times) {
  for (const auto& [name, amount] : more) sum[name] += amount * times;
}

TasSnapshot::TasSnapshot(TasFlavor flavor, std::span<const KubeNode> nodes)
    : flavor_(std::move(flavor)),
      host_is_lowest_(!flavor_.levels.empty() && flavor_.levels.back() == kHostnameLabel) {
  PLIMSOLL_CHECK(!flavor_.levels.empty());
  for (const KubeNode& node : nodes) {
    const bool labelled = std::ranges::all_of(
        flavor_.levels, [&](const std::string& level) { return node.labels.contains(level); });
    if (!node.ready || node.unschedulable || !labelled) continue;
    if (!MatchesSelector(node.labels, flavor_.node_labels)) continue;
    AddNode(node);
  }
  Link();
}

void TasSnapshot::AddNode(const KubeNode& node) {
  std::vector<std::string> values;
  for (const std::string& level : flavor_.levels) values.push_back(node.labels.at(level));
  const std::string id = host_is_lowest_ ? values.back() : JoinValues(values);
  const auto [found, made] = leaf_by_id_.try_emplace(id, leaves_.size());
  if (made) {
    const auto level = static_cast<std::uint32_t>(values.size() - 1);
    leaves_.push_back({static_cast<std::uint32_t>(domains_.size()), {}, {}, std::nullopt});
    domains_.push_back({std::move(values), id, level});
    if (host_is_lowest_) leaves_.back().node = node;
  }
  AddAmounts(leaves_[found->second].free, node.allocatable, 1);
  leaf_by_node_[node.name] = found->second;
}

void TasSnapshot::Link() {
  by_level_.resize(flavor_.levels.size());
  std::map<std::vector<std::string>, std::uint32_t> by_values;
  for (std::uint32_t i = 0; i < domains_.size(); ++i) by_values[domains_[i].values] = i;
  for (std::uint32_t i = 0; i < domains_.size(); ++i) {
    const std::uint32_t level = domains_[i].level;
    by_level_[level].push_back(i);
    if (level == 0) continue;
    std::vector<std::string> above = domains_[i].values;
    above.pop_back();
    const auto next = static_cast<std::uint32_t>(domains_.size());
    const auto [parent, made] = by_values.try_emplace(above, next);
    if (made) domains_.push_back({above, JoinValues(above), level - 1});
    domains_[i].parent = parent->second;
    domains_[parent->second].children.push_back(i);
  }
  const auto by_value = [&](std::uint32_t i) -> const auto& { return domains_[i].values; };
  for (auto& level : by_level_) {
    std::ranges::sort(level, {}, by_value);
    for (std::uint32_t i = 0; i < level.size(); ++i) domains_[level[i]].order = i;
  }
  for (Domain& domain : domains_) std::ranges::sort(domain.children, {}, by_value);
}

std::optional<std::uint32_t> TasSnapshot::Level(std::string_view key) const {
  const auto found = std::ranges::find(flavor_.levels, key);
  if (found == flavor_.levels.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - flavor_.levels.begin());
}

std::optional<std::uint32_t> TasSnapshot::Lowest(std::span<const std::string> values) const {
  const auto found = leaf_by_id_.find(JoinValues(values));
  if (found == leaf_by_id_.end()) return std::nullopt;
  return leaves_[found->second].domain;
}

std::uint32_t TasSnapshot::Ancestor(std::uint32_t domain, std::uint32_t level) const {
  PLIMSOLL_CHECK(level <= domains_[domain].level);
  while (domains_[domain].level > level) domain = domains_[domain].parent;
  return domain;
}

void TasSnapshot::AddUsage(std::span<const std::string> values, const ResourceAmounts& pod,
                           std::int64_t count) {
  const auto found = leaf_by_id_.find(JoinValues(values));
  if (found == leaf_by_id_.end()) return;
  AddAmounts(leaves_[found->second].used, pod, count);
  leaves_[found->second].used["pods"] += count;
}

void TasSnapshot::AddPod(const std::string& node, const ResourceAmounts& pod) {
  const auto found = leaf_by_node_.find(node);
  if (found == leaf_by_node_.end()) return;
  AddAmounts(leaves_[found->second].free, pod, -1);
  --leaves_[found->second].free["pods"];
}

}  // namespace plimsoll
