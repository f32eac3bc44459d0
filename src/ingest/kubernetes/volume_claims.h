// VolumeClaims: PersistentVolumeClaims, the volumes behind them and the pods that mount them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>

#include "ingest/kubernetes/pod_object.h"
#include "ingest/kubernetes/set_asides.h"
#include "model/conditions.h"

namespace plimsoll {

class VolumeClaims {
 public:
  void AddClaim(const FieldReader& object, const Sighting& sighting);
  void AddVolume(const FieldReader& object);
  // Takes the claims of a pod that is bound; its workload must be named.
  void TakePod(const PodObject& pod);

  // One row a claim and pod; of a claim that no pod here mounts, one with uid "". Deleted
  // claims without a time of their own end at `as_of`.
  VolumeBatch Rows(const std::string& cluster, Instant as_of) const;

 private:
  using Name = std::pair<std::string, std::string>;  // namespace, name
  struct Claim {
    std::string resource_version, volume, storage_class, labels = "{}";
    std::int64_t bytes = 0;
    std::optional<Instant> begin, until;
    bool gone = false;
  };
  struct Mount {
    std::string uid, workload_kind, workload, labels;
    Instant begin;
    std::optional<Instant> until;
  };
  struct Volume {
    std::string resource_version, id, storage_class;
    std::int64_t bytes = 0;
  };
  void AppendTo(VolumeBatch& rows, const Name& name, const Claim& claim, const Mount& mount) const;

  std::map<Name, Claim> claims_;
  std::map<std::string, Volume> volumes_;
  std::map<Name, std::vector<Mount>> mounts_;
};

// A volume as bills name it: "vol-0abc" of an EBS handle or "aws://us-east-1a/vol-0abc", the
// last part of an Azure or Google disk's path, else the handle itself.
std::string BilledVolumeId(const std::string& handle);

}  // namespace plimsoll
