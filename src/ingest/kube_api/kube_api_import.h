// KubeApiImport: the state of a cluster as its API has it, now or over a while.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "ingest/kube_api/kube_access.h"
#include "ingest/kubernetes/kubernetes_load.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

struct KubeApiOptions {
  std::string kubeconfig, context;  // "": as kubectl chooses them
  bool in_cluster = false;          // the service account of the pod that this runs in
  std::string cluster;              // required: the API does not name it
  Duration watch;                   // how long to watch after the list; 0: not at all
  std::optional<Instant> at;        // when everything counts as seen; null: when it is
  std::function<Instant()> now;     // required
  const Catalog* catalog = nullptr;
  Progress progress = {};
};

// What was read, on its way into the store.
struct KubeGathering {
  KubernetesLoad load;
  std::optional<Instant> as_of;
  std::set<std::string> complete;  // kinds

  Result<ImportReport> StoreIn(Store& store) { return load.StoreIn(store, as_of, complete); }
};

// The access that the options name.
Result<KubeAccess> AccessOf(const KubeApiOptions& options);

// Lists every collection, then watches them all for options.watch. Needs no store, so that none
// is held meanwhile. Kinds that the server lacks are noted, those that the credentials may not
// read are warned of with the rule that is missing; nodes and pods must be readable. Fails with
// kInvalidArgument (a refusal), kUnavailable (no answer), or as AccessOf does.
Result<KubeGathering> GatherKubeApi(const KubeApiOptions& options);
Result<KubeGathering> GatherKubeApi(const KubeApiOptions& options, const KubeAccess& access);

}  // namespace plimsoll
