// KubernetesLoad: objects of one cluster on their way into its snapshot, from files or the API.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "ingest/kubernetes/cluster_objects.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

class KubernetesLoad {
 public:
  // `catalog` names GPU models and shapes; it may be null.
  KubernetesLoad(std::string cluster, const Catalog* catalog, Progress progress)
      : cluster_(cluster), objects_(std::move(cluster), catalog), progress_(std::move(progress)) {}

  // Takes an object from `path` of `source` (a file, or a collection of the API). One that
  // cannot be taken is a rejection with the path of its field.
  void Take(const nlohmann::json& object, const Sighting& sighting, const std::string& source,
            const std::string& path);
  void Reject(Rejection rejection) { rejections_.push_back(std::move(rejection)); }
  void Warn(std::string sentence) { warnings_.push_back(std::move(sentence)); }
  void Note(std::string what) { notes_.push_back(std::move(what)); }  // what was not there
  const std::string& cluster() const { return cluster_; }

  // Merges into snapshot ("kubernetes", cluster). `as_of`: when the objects were read; null:
  // the latest time that they speak of. `complete`: kinds of which every object there is was
  // taken, so that what is missing has ended. Afterwards the load is used up.
  Result<ImportReport> StoreIn(Store& store, std::optional<Instant> as_of,
                               const std::set<std::string>& complete = {});

 private:
  ImportReport Describe(const ClusterFacts& facts) const;

  std::string cluster_;
  ClusterObjects objects_;
  Progress progress_;
  std::vector<Rejection> rejections_;
  std::vector<std::string> warnings_, notes_;
  std::int64_t taken_ = 0;
};

}  // namespace plimsoll
