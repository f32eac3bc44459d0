// MigGeometry: every way in which a card can be cut into MIG instances.
//
// A card has memory slices (8; A30 4) and compute slices (7; A30 4). An instance of a profile
// covers memory slices from one of the profile's starts on. Instances may not overlap, and
// their compute slices may not exceed the card's (NVIDIA MIG User Guide). All placements are
// enumerated once; a card has some hundreds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"

namespace plimsoll {

struct MigInstance {
  std::size_t profile = 0;  // index of MigGeometry::profiles()
  std::int64_t start = 0;   // memory slice
  friend auto operator<=>(const MigInstance&, const MigInstance&) = default;
};
using MigPlacement = std::vector<MigInstance>;  // by start

// Instances of each profile, by index of MigGeometry::profiles().
using MigCounts = std::vector<std::int64_t>;

// Slices that no further instance could use, as the card is cut: what even the best
// completion leaves over (compute first, then memory).
struct StrandedSlices {
  std::int64_t compute = 0, memory = 0;
  friend auto operator<=>(const StrandedSlices&, const StrandedSlices&) = default;
};

// A multiset of instances that a card can hold, with the placement that strands least.
struct MigPartition {
  MigCounts counts;
  MigPlacement placement;
  StrandedSlices stranded;
  bool maximal = false;  // no further instance fits, wherever the ones it has are placed
};

class MigGeometry {
 public:
  // Of the card's profiles, without those with media extensions ("+me"), which are the same
  // slices. Fails with kInvalidArgument if the card cannot be partitioned.
  static Result<MigGeometry> Of(const GpuModel& gpu);
  // Only the profiles of these names.
  static Result<MigGeometry> Of(const GpuModel& gpu, const std::vector<std::string>& names);

  const GpuModel& gpu() const { return *gpu_; }
  // Smallest first: by memory slices, then compute slices.
  const std::vector<const MigProfile*>& profiles() const { return profiles_; }
  // All that are not empty, and those of them to which nothing can be added.
  const std::vector<MigPlacement>& placements() const { return placements_; }
  std::vector<MigPlacement> MaximalPlacements() const;
  // By counts, each once; none is empty.
  const std::vector<MigPartition>& partitions() const { return partitions_; }

  // The partition of these counts; null if no card can hold them.
  const MigPartition* Find(const MigCounts& counts) const;
  // Why no card can hold them, in one sentence. REQUIRES: Find(counts) is null
  std::string WhyNot(const MigCounts& counts) const;
  // Profiles of which one more instance can be placed beside `placement`.
  std::vector<std::size_t> Addable(const MigPlacement& placement) const;
  // The index of a profile by its name, "1g.10gb", or by what comes before the point: "1g" is
  // the one with the least memory. Fails with kInvalidArgument, naming the profiles.
  Result<std::size_t> FindProfile(const std::string& name) const;

 private:
  MigGeometry() = default;
  void Enumerate(std::int64_t slot, std::int64_t compute, MigPlacement& placed);
  void Settle();
  std::int64_t ComputeOf(const MigPlacement& placement) const;
  std::int64_t MemoryOf(const MigPlacement& placement) const;

  const GpuModel* gpu_ = nullptr;
  std::vector<const MigProfile*> profiles_;
  std::vector<MigPlacement> placements_;
  std::vector<MigPartition> partitions_;
};

}  // namespace plimsoll
