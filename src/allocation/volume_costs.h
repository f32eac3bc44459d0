// VolumeCosts: what a volume costs goes to who mounts it, at each moment alike; while nobody
// does, it is its claim's (rule S18).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "allocation/charge_costs.h"
#include "allocation/spread.h"

namespace plimsoll {

class VolumeOwners {
 public:
  VolumeOwners(const AllocationInput& input, const AllocationOptions& options,
               WorkloadTable& workloads);

  // Index of the volume that a billed resource id names, whole or after its last '/' or ':';
  // -1 if it names none.
  std::int32_t Find(std::string_view resource_id) const;

  struct Part {
    std::int32_t workload;
    Money cost;
  };
  // Divides what the volume cost in `time` over the moments of it and who mounted it then.
  // Fails with kOutOfRange past 38 digits.
  Status Divide(std::int32_t volume, Money cost, const Window& time,
                std::vector<Part>& parts) const;

  // Appends what volumes cost that no charge named, by options.volume_prices.
  // `billed` says by volume which ones a charge named.
  Status AddUnbilled(const AllocationOptions& options, const std::vector<bool>& billed,
                     ScopeTable& scopes, std::vector<DirectCost>& direct) const;
  std::size_t size() const { return volumes_.size(); }

 private:
  struct Mount {
    Window time;
    std::int32_t workload;
  };
  struct Volume {
    std::string id, storage_class;
    std::int64_t bytes = 0;
    Window exists;
    std::vector<std::int32_t> claims;  // their own workloads: who pays while nobody mounts it
    std::vector<Mount> mounts;
  };

  // Claims of one volume id (a shared file system) are one volume.
  Volume& VolumeOf(const VolumeBatch& batch, std::size_t row, bool is_new_claim);

  std::vector<Volume> volumes_;
  std::map<std::string, std::int32_t, std::less<>> by_id_;
  std::size_t current_ = 0;  // while gathering: the volume of the claim at hand
};

}  // namespace plimsoll
