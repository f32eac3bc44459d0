// NodeTopology: where nodes lie, by the labels that clouds and operators give them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// The levels that labels tell, the widest first: "zone", "layer-1", ..., "block", "rack", "clique".
inline constexpr std::size_t kTopologyLevels = 8;
std::string_view TopologyLevelName(std::size_t level);

// The value of each level, "" where no label tells it. `labels` is a JSON object, its keys as
// Kubernetes spells them or as kube-state-metrics does; `zone` counts if no label tells one.
std::vector<std::string> TopologyOf(const std::string& labels, const std::string& zone);

}  // namespace plimsoll
