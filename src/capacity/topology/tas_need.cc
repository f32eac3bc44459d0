// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_need.h"

#include <span>

namespace plimsoll {
namespace {

Error Wrong(std::string reason) { return {ErrorCode::kBadData, std::move(reason)}; }

bool SlicesOnly(const TasTopologyRequest& topology) {
  return !topology.required.has_value() && !topology.preferred.has_value() &&
         !topology.slices.empty();
}

bool Unconstrained(const TasPodSet& podset) {
  return podset.implied || (podset.topology.has_value() &&
                            (podset.topology->unconstrained || SlicesOnly(*podset.topology)));
}

// Sizes of slices within slices, for each level from below the outermost one down to theirs.
Status AddInnerSlices(const TasSnapshot& snapshot, std::span<const TasSliceLayer> layers,
                      TasNeed& need) {
  std::uint32_t above = need.slice_level;
  std::int64_t size_above = need.slice_size;
  for (const TasSliceLayer& layer : layers.subspan(1)) {
    const auto level = snapshot.Level(layer.level);
    if (!level.has_value()) {
      return Wrong("no requested topology level for additional slice layer: " + layer.level);
    }
    if (*level <= above) {
      return Wrong("additional slice layer topology " + layer.level +
                   " must be at a lower level than " + snapshot.flavor().levels[above]);
    }
    if (layer.size <= 0 || size_above % layer.size != 0) {
      return Wrong("additional slice layer size " + std::to_string(layer.size) +
                   " must evenly divide parent layer size " + std::to_string(size_above));
    }
    for (std::uint32_t i = above + 1; i <= *level; ++i) need.inner_sizes[i] = layer.size;
    above = *level;
    size_above = layer.size;
  }
  if (!need.inner_sizes.empty()) need.layers.assign(layers.begin(), layers.end());
  return Ok();
}

}  // namespace

std::optional<std::string> RequestedLevel(const TasSnapshot& snapshot, const TasPodSet& podset) {
  const std::vector<std::string>& levels = snapshot.flavor().levels;
  if (podset.topology.has_value()) {
    const TasTopologyRequest& topology = *podset.topology;
    if (topology.required.has_value()) return topology.required;
    if (topology.preferred.has_value()) return topology.preferred;
    if (SlicesOnly(topology)) return levels.front();
    if (topology.unconstrained) return levels.back();
  }
  if (podset.implied) return levels.back();
  return std::nullopt;
}

Result<std::int64_t> SliceSize(const TasPodSet& podset) {
  if (!HasSlices(podset)) return std::int64_t{1};
  const std::int32_t size = podset.topology->slices.front().size;
  if (size <= 0) return Wrong("slice topology requested, but slice size not provided");
  return std::int64_t{size};
}

bool Required(const TasPodSet& podset) {
  return podset.topology.has_value() && podset.topology->required.has_value();
}

bool HasSlices(const TasPodSet& podset) {
  return podset.topology.has_value() && !podset.topology->slices.empty();
}

Result<TasNeed> NeedOf(const TasSnapshot& snapshot, const TasGates& gates, const TasPodSet& workers,
                       bool with_leader) {
  TasNeed need;
  need.count = workers.count;
  need.leaders = with_leader ? 1 : 0;
  need.required = Required(workers);
  need.unconstrained = Unconstrained(workers);
  PLIMSOLL_TRY(need.slice_size, SliceSize(workers));
  const auto key = RequestedLevel(snapshot, workers);
  if (!key.has_value()) return Wrong("topology level not specified");
  const auto level = snapshot.Level(*key);
  if (!level.has_value()) return Wrong("no requested topology level: " + *key);
  need.level = *level;
  const std::string slice_key =
      HasSlices(workers) ? workers.topology->slices.front().level : snapshot.flavor().levels.back();
  const auto slice_level = snapshot.Level(slice_key);
  if (!slice_level.has_value()) {
    return Wrong("no requested topology level for slices: " + slice_key);
  }
  need.slice_level = *slice_level;
  if (need.level > need.slice_level) {
    return Wrong("podset slice topology " + slice_key + " is above the podset topology " + *key);
  }
  if (gates.multi_layer && HasSlices(workers)) {
    PLIMSOLL_RETURN_IF_ERROR(AddInnerSlices(snapshot, workers.topology->slices, need));
  }
  return need;
}

}  // namespace plimsoll
