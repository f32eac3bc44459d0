// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_reason.h"

namespace plimsoll {
namespace {

std::string Topology(const TasSnapshot& snapshot) {
  return "topology \"" + snapshot.flavor().topology + "\" ";
}

std::string Excluded(const TasExclusions& exclusions) {
  if (!exclusions.any()) return {};
  return ". Total nodes: " + std::to_string(exclusions.leaves) + "; excluded: " + exclusions.Text();
}

std::int64_t SlicesWithin(const TasSnapshot& snapshot, const TasStates& states,
                          std::uint32_t domain, std::uint32_t level, std::int64_t size) {
  const TasSnapshot::Domain& one = snapshot.domains()[domain];
  if (one.level == level) return states[domain].pods / size;
  std::int64_t slices = 0;
  for (const std::uint32_t child : one.children) {
    slices += SlicesWithin(snapshot, states, child, level, size);
  }
  return slices;
}

}  // namespace

std::string NoDomainsReason(const TasSnapshot& snapshot, std::uint32_t level) {
  return "no topology domains at level: " + snapshot.flavor().levels[level];
}

std::string NotFitReason(const TasSnapshot& snapshot, const TasNeed& need, std::int64_t fitting,
                         const TasExclusions& exclusions) {
  const std::string wanted = std::to_string(need.slices());
  const std::string unit = need.slice_size == 1 ? " pod(s)" : " slice(s)";
  const std::string fit =
      fitting == 0 ? "doesn't allow to fit any of " + wanted
                   : "allows to fit only " + std::to_string(fitting) + " out of " + wanted;
  return Topology(snapshot) + fit + unit + Excluded(exclusions);
}

std::string LayersReason(const TasSnapshot& snapshot, const TasNeed& need, std::uint32_t level,
                         const TasStates& states, const TasExclusions& exclusions) {
  std::string reason = Topology(snapshot) + "doesn't allow to fit";
  const TasSnapshot::Domain* best = nullptr;
  std::uint32_t best_index = 0;
  for (const std::uint32_t i : snapshot.level(level)) {
    const TasSnapshot::Domain& domain = snapshot.domains()[i];
    const std::int64_t slices = states[i].slices;
    if (best == nullptr || slices > states[best_index].slices ||
        (slices == states[best_index].slices && domain.id < best->id)) {
      best = &domain;
      best_index = i;
    }
  }
  if (best == nullptr) return reason;
  for (const TasSliceLayer& layer : need.layers) {
    const auto layer_level = snapshot.Level(layer.level);
    if (!layer_level.has_value() || *layer_level < level) continue;
    reason += "; " +
              std::to_string(SlicesWithin(snapshot, states, best_index, *layer_level, layer.size)) +
              "/" + std::to_string(need.count / layer.size) + " slice(s) fit on level " +
              layer.level;
  }
  return reason + Excluded(exclusions);
}

}  // namespace plimsoll
