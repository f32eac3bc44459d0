// TrainingSettings: what of a fleet and its queue `plan training` can be told, and told to change.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capacity/queue/queue_options.h"
#include "capacity/sizing/fleet_grid.h"
#include "capacity/sizing/queue_evaluator.h"
#include "cli/training_quota.h"

namespace plimsoll {

struct TrainingSettings {
  std::vector<std::int64_t> units;  // of each group of the model
  QueueOrder order = QueueOrder::kPriority;
  // Null: best effort, or what each queue of the quotas has.
  std::optional<QueueDiscipline> discipline;
  bool preemption = false;
  std::optional<Duration> prefer_topology_for;
  std::optional<std::int64_t> failures;  // per million node-days, of all flavors; null: the model's
  std::optional<Duration> checkpoint;    // interval of all jobs; null: their own
  std::optional<std::int64_t> spares;  // nodes kept for failures, the last ones; null: the model's
  std::vector<QuotaChange> quotas;     // in the order in which they apply
  Duration warm_up;

  friend bool operator==(const TrainingSettings&, const TrainingSettings&) = default;
};

// The cluster and its jobs as they were read.
struct TrainingModel {
  std::vector<FleetAxis> groups;  // `units` is the number there is now, alone
  std::vector<std::string> levels, flavors;
  // Of each flavor: the groups that have it. The simulated cluster's flavors, and so those of the
  // history's shapes, are the groups.
  std::vector<FlavorSet> groups_of_flavor;
  std::string currency;            // of the groups' prices; "" if not known
  std::int64_t gpus_per_node = 8;  // the most of any
  TrainingWorkload history;
  // A cluster with so many units of each group, and what breaks in it.
  std::function<SimulatedFleet(const std::vector<std::int64_t>& units)> fleet;
  std::shared_ptr<const TrainingQuota> quota;  // null: without
  bool is_on_record = false;  // history is what this cluster ran: waits can be compared
  std::vector<std::pair<std::string, std::string>> files;  // name and content, for the hash
};

// The groups of all flavors in a set.
FlavorSet GroupsOf(const std::vector<FlavorSet>& groups_of_flavor, FlavorSet flavors);

// What there is now, with the queue's defaults.
TrainingSettings SettingsOf(const TrainingModel& model);

// One "key=value": a group's name and its units; order, discipline, preemption, prefer-topology,
// failures (per 1,000 node-days), checkpoint, spares; a change of the model's quotas. Fails with
// kInvalidArgument, with all keys.
Status ApplySetting(const TrainingModel& model, const std::string& option, const std::string& text,
                    TrainingSettings& settings);

// The settings' fleet. Fails with kInvalidArgument: more spares than nodes; or as SetQuota.
Result<SimulatedFleet> FleetOf(const TrainingModel& model, const TrainingSettings& settings);

// All of it as text, for the hash.
std::string SettingsText(const TrainingSettings& settings);

// "NAME=4..16" with steps "/2", or "NAME=4,6,8": the axis of a group. Fails with kInvalidArgument.
Result<FleetAxis> ParseAxis(const TrainingModel& model, const std::string& text);

}  // namespace plimsoll
