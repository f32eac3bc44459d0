// KubernetesImport: loads `kubectl get ... -o json` into the snapshot of its cluster.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

struct KubernetesOptions {
  std::vector<std::string> files;  // "-" is standard input
  std::string cluster;             // required: the objects do not name it
  // When the objects were read. Null: the latest time that they speak of, which is the nodes'
  // last heartbeat if there are nodes.
  std::optional<Instant> as_of = std::nullopt;
  const Catalog* catalog = nullptr;  // names GPU models and shapes; may be null
  Progress progress = {};
};

// Reads lists, single objects and concatenations of them, one object at a time. Nodes, pods
// and namespaces are facts; objects of other kinds name the workloads that they own. Snapshot
// ("kubernetes", cluster), merged with what is there (ingest/fleet_load.h).
// Fails, and changes nothing, with kNotFound on a file that cannot be opened, kBadData on one
// that is not JSON, kInvalidArgument if no cluster is named. JSON that breaks off is a
// rejection: what was whole before it is loaded.
Result<ImportReport> ImportKubernetes(Store& store, const KubernetesOptions& options);

}  // namespace plimsoll
