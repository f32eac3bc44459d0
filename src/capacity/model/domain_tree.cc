// SPDX-License-Identifier: Apache-2.0
#include "capacity/model/domain_tree.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {

std::optional<std::uint32_t> DomainTree::Level(std::string_view name) const {
  const auto found = std::ranges::find(levels_, name);
  if (found == levels_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - levels_.begin());
}

std::vector<DomainId> DomainTree::Add(std::span<const std::string> values) {
  PLIMSOLL_CHECK(values.size() == levels_.size());
  std::vector<DomainId> path(levels_.size(), kNoDomain);
  DomainId parent = kNoDomain;
  for (std::uint32_t level = 0; level < levels_.size() && !values[level].empty(); ++level) {
    const auto next = static_cast<DomainId>(domains_.size());
    const auto [entry, made] = ids_.try_emplace({parent, values[level]}, next);
    if (made) domains_.push_back({values[level], parent, level});
    parent = path[level] = entry->second;
  }
  return path;
}

DomainId DomainTree::Ancestor(DomainId domain, std::uint32_t level) const {
  PLIMSOLL_CHECK(level <= domains_[domain].level);
  while (domains_[domain].level > level) domain = domains_[domain].parent;
  return domain;
}

}  // namespace plimsoll
