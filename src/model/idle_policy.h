// IdlePolicy: what the owners of a fleet declare about capacity that nothing holds.
//
// Declared capacity is intentional: a reserve, up to its size. What nobody declared and nothing
// explains is waste.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "units/time.h"

namespace plimsoll {

// Nodes that something applies to: all conditions that are given must hold. Names and zones
// may end in "*". Nothing given is the whole fleet.
struct NodeScope {
  std::string cluster, node, zone, region, gpu_model, capacity_type;
  std::string label_key, label_value;  // a node label, in either spelling of its key
};

// Why capacity is kept free.
inline constexpr const char* kReserveKinds[] = {"failure-domain", "release-overlap", "gang-hold",
                                                "warm-pool",      "placeholder",     "guarantee"};

struct DeclaredReserve {
  std::string name;  // unique
  std::string kind;  // kReserveKinds
  NodeScope scope;
  std::int64_t gpus = 0;  // physical cards; what is idle beyond them is not reserved
  std::string owner;      // the team that pays
  std::string reason;
  std::optional<Instant> from, until;
};

struct MaintenanceWindow {
  NodeScope scope;
  Window time;
  std::string reason;
};

struct IdlePolicy {
  std::vector<DeclaredReserve> reserves;  // in order of precedence
  std::vector<MaintenanceWindow> maintenance;
  Duration scale_down_delay{};        // the autoscaler's own, from when a node was emptied; 0: none
  Duration init_grace = Minutes(30);  // a node that starts for longer has failed
  Duration cordon_grace = Minutes(60);     // a cordon nobody declared is waste after it
  std::vector<std::int64_t> typical_gpus;  // GPUs of usual requests, when nothing waits
};

}  // namespace plimsoll
