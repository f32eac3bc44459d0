// kubernetes.json: the cluster's objects as `kubectl get ... -o json` prints them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "demo/fleet.h"

namespace plimsoll {

// A v1 List of namespaces, living nodes, workload objects and all pods, ended ones too, as of
// the window's end. Spot nodes that are gone are not in it, as in a real cluster.
std::string KubernetesJson(const DemoFleet& fleet);

}  // namespace plimsoll
