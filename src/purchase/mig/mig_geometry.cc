#include "purchase/mig/mig_geometry.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

bool HasMedia(const MigProfile& profile) { return profile.name.ends_with("+me"); }

std::string NamesOf(const std::vector<const MigProfile*>& profiles) {
  std::string names;
  for (const MigProfile* const profile : profiles) {
    names += (names.empty() ? "" : ", ") + profile->name;
  }
  return names;
}

// "1g" of "1g.10gb".
std::string ShortName(const std::string& name) { return name.substr(0, name.find('.')); }

}  // namespace

Result<MigGeometry> MigGeometry::Of(const GpuModel& gpu) {
  std::vector<std::string> names;
  for (const MigProfile& profile : gpu.profiles) {
    if (!HasMedia(profile)) names.push_back(profile.name);
  }
  return Of(gpu, names);
}

Result<MigGeometry> MigGeometry::Of(const GpuModel& gpu, const std::vector<std::string>& names) {
  MigGeometry geometry;
  geometry.gpu_ = &gpu;
  for (const MigProfile& profile : gpu.profiles) {
    if (std::find(names.begin(), names.end(), profile.name) == names.end()) continue;
    geometry.profiles_.push_back(&profile);
  }
  if (geometry.profiles_.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 gpu.name +
                     " has no MIG profiles: choose a card that can be partitioned, such as "
                     "A100, H100, H200, B200 or A30"};
  }
  std::stable_sort(geometry.profiles_.begin(), geometry.profiles_.end(),
                   [](const MigProfile* a, const MigProfile* b) {
                     return std::tie(a->memory_slices, a->compute_slices) <
                            std::tie(b->memory_slices, b->compute_slices);
                   });
  MigPlacement placed;
  geometry.Enumerate(0, 0, placed);
  geometry.Settle();
  return geometry;
}

// At every slot, the larger instances before the smaller ones, and nothing last: so the first
// placement found of several that are as good has its largest instances in front.
void MigGeometry::Enumerate(std::int64_t slot, std::int64_t compute, MigPlacement& placed) {
  if (slot >= gpu_->memory_slices) {
    if (!placed.empty()) placements_.push_back(placed);
    return;
  }
  for (std::size_t i = profiles_.size(); i-- > 0;) {
    const MigProfile& profile = *profiles_[i];
    const bool starts_here =
        std::find(profile.starts.begin(), profile.starts.end(), slot) != profile.starts.end();
    const auto of_profile =
        std::count_if(placed.begin(), placed.end(),
                      [i](const MigInstance& instance) { return instance.profile == i; });
    if (!starts_here || of_profile >= profile.max ||
        compute + profile.compute_slices > gpu_->compute_slices) {
      continue;
    }
    placed.push_back({i, slot});
    Enumerate(slot + profile.memory_slices, compute + profile.compute_slices, placed);
    placed.pop_back();
  }
  Enumerate(slot + 1, compute, placed);
}

std::int64_t MigGeometry::ComputeOf(const MigPlacement& placement) const {
  std::int64_t slices = 0;
  for (const MigInstance& instance : placement) {
    slices += profiles_[instance.profile]->compute_slices;
  }
  return slices;
}

std::int64_t MigGeometry::MemoryOf(const MigPlacement& placement) const {
  std::int64_t slices = 0;
  for (const MigInstance& instance : placement) {
    slices += profiles_[instance.profile]->memory_slices;
  }
  return slices;
}

std::vector<MigPlacement> MigGeometry::MaximalPlacements() const {
  std::vector<MigPlacement> maximal;
  for (const MigPlacement& placement : placements_) {
    if (Addable(placement).empty()) maximal.push_back(placement);
  }
  return maximal;
}

void MigGeometry::Settle() {
  const std::vector<MigPlacement> maximal = MaximalPlacements();
  std::map<MigCounts, MigPartition> best;
  for (const MigPlacement& placement : placements_) {
    MigPartition partition;
    partition.counts.assign(profiles_.size(), 0);
    for (const MigInstance& instance : placement) ++partition.counts[instance.profile];
    partition.placement = placement;
    partition.maximal = Addable(placement).empty();
    std::optional<StrandedSlices> least;
    for (const MigPlacement& whole : maximal) {
      if (!std::includes(whole.begin(), whole.end(), placement.begin(), placement.end(),
                         [](const MigInstance& a, const MigInstance& b) {
                           return std::tie(a.start, a.profile) < std::tie(b.start, b.profile);
                         })) {
        continue;
      }
      const StrandedSlices left{gpu_->compute_slices - ComputeOf(whole),
                                gpu_->memory_slices - MemoryOf(whole)};
      if (!least || left < *least) least = left;
    }
    partition.stranded = least.value_or(StrandedSlices{});
    const auto [place, fresh] = best.try_emplace(partition.counts, partition);
    if (fresh) continue;
    const bool all_maximal = place->second.maximal && partition.maximal;
    if (partition.stranded < place->second.stranded) place->second = std::move(partition);
    place->second.maximal = all_maximal;
  }
  for (auto& [counts, partition] : best) partitions_.push_back(std::move(partition));
}

const MigPartition* MigGeometry::Find(const MigCounts& counts) const {
  const auto found = std::lower_bound(
      partitions_.begin(), partitions_.end(), counts,
      [](const MigPartition& partition, const MigCounts& key) { return partition.counts < key; });
  return found != partitions_.end() && found->counts == counts ? &*found : nullptr;
}

std::string MigGeometry::WhyNot(const MigCounts& counts) const {
  std::int64_t compute = 0;
  std::int64_t memory = 0;
  std::string too_many;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    compute += counts[i] * profiles_[i]->compute_slices;
    memory += counts[i] * profiles_[i]->memory_slices;
    if (counts[i] > profiles_[i]->max) {
      too_many = "a card holds " + std::to_string(profiles_[i]->max) + " of " + profiles_[i]->name +
                 " at most, " + std::to_string(counts[i]) + " are asked for";
    }
  }
  const auto more = [this](std::int64_t wanted, std::int64_t has, const char* kind) {
    return "they need " + std::to_string(wanted) + " " + kind + " slices, " + gpu_->name + " has " +
           std::to_string(has);
  };
  if (compute > gpu_->compute_slices) return more(compute, gpu_->compute_slices, "compute");
  if (memory > gpu_->memory_slices) return more(memory, gpu_->memory_slices, "memory");
  if (!too_many.empty()) return too_many;
  if (compute == 0) return "no profile is named";
  return "their slices would be enough, but no placement keeps them apart: each profile may "
         "begin at some memory slices alone";
}

std::vector<std::size_t> MigGeometry::Addable(const MigPlacement& placement) const {
  std::vector<std::size_t> addable;
  const std::int64_t compute = ComputeOf(placement);
  for (std::size_t i = 0; i < profiles_.size(); ++i) {
    const MigProfile& profile = *profiles_[i];
    if (compute + profile.compute_slices > gpu_->compute_slices) continue;
    const auto is_free = [&](std::int64_t start) {
      return std::none_of(placement.begin(), placement.end(), [&](const MigInstance& instance) {
        return instance.start < start + profile.memory_slices &&
               start < instance.start + profiles_[instance.profile]->memory_slices;
      });
    };
    const auto held =
        std::count_if(placement.begin(), placement.end(),
                      [i](const MigInstance& instance) { return instance.profile == i; });
    if (held < profile.max && std::any_of(profile.starts.begin(), profile.starts.end(), is_free)) {
      addable.push_back(i);
    }
  }
  return addable;
}

Result<std::size_t> MigGeometry::FindProfile(const std::string& name) const {
  std::optional<std::size_t> by_short;
  for (std::size_t i = 0; i < profiles_.size(); ++i) {
    if (profiles_[i]->name == name) return i;
    // "1g" is the usual one, with as much memory as compute, not its double-memory kin.
    if (ShortName(profiles_[i]->name) == name && !by_short) by_short = i;
  }
  if (by_short) return *by_short;
  return Error{ErrorCode::kInvalidArgument,
               "'" + name + "' is no MIG profile of " + gpu_->name + ": " + NamesOf(profiles_)};
}

}  // namespace plimsoll
