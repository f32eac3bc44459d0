// DomainTree: the topology of a cluster, levels of domains from the widest to the host's.
//
// A level is what nodes of one label value share ("block", "rack"); a domain of a level lies
// within one domain of the level above, also where two of them bear the same name. Nodes without
// a label of some level belong to no domain of it nor of the levels below.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {

using DomainId = std::uint32_t;
inline constexpr DomainId kNoDomain = ~DomainId{0};

class DomainTree {
 public:
  struct Domain {
    std::string name;
    DomainId parent = kNoDomain;  // of the level above
    std::uint32_t level = 0;
  };

  // Names of the levels, the widest first: {"zone", "block", "rack"}.
  explicit DomainTree(std::vector<std::string> levels = {}) : levels_(std::move(levels)) {}

  const std::vector<std::string>& levels() const { return levels_; }
  std::optional<std::uint32_t> Level(std::string_view name) const;
  std::size_t size() const { return domains_.size(); }
  const Domain& at(DomainId id) const { return domains_[id]; }

  // The domain of each level that these label values lead to, kNoDomain from the first missing
  // (empty) one on; domains are made at their first mention. REQUIRES: a value a level
  std::vector<DomainId> Add(std::span<const std::string> values);

  // The domain of `level` that holds `domain`. REQUIRES: level <= at(domain).level
  DomainId Ancestor(DomainId domain, std::uint32_t level) const;

 private:
  std::vector<std::string> levels_;
  std::vector<Domain> domains_;
  std::map<std::pair<DomainId, std::string>, DomainId> ids_;  // by (parent, name)
};

}  // namespace plimsoll
