// FleetBuilder: adds holders to a fleet so that no unit and no vCPU is held twice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "demo/fleet.h"
#include "demo/random.h"

namespace plimsoll {

// What pods of one workload have in common.
struct PodTemplate {
  std::string ns, container;
  std::map<std::string, std::string> labels;
  std::string who;  // the team its labels and namespace lead to, or the reason for none
  std::string resource;
  std::int64_t count = 0, cpu = 0, gib = 0;
  DemoActivity activity = DemoActivity::kIdle;
};

struct PodLife {
  Instant created, bind, ready;
  std::optional<Instant> end;  // not EndsInTime: still running
  std::string end_reason = "Completed";
};

class FleetBuilder {
 public:
  explicit FleetBuilder(DemoFleet& fleet) : fleet_(fleet) {}

  DemoFleet& fleet() { return fleet_; }
  Window window() const { return fleet_.window; }
  // Minutes after midnight of the window's day `day` (0 is the first).
  Instant At(std::int64_t day, std::int64_t hour, std::int64_t minute = 0) const {
    return fleet_.window.begin + Days(day) + Hours(hour) + Minutes(minute);
  }
  std::int64_t days() const { return fleet_.window.length().base() / Days(1).base(); }

  // An end in the last five minutes is not seen by the last scrape: such holders stay.
  bool EndsInTime(Instant end) const { return end + kDemoStep <= window().until; }

  // Adds an owner with a fresh uid, a child of `parent` if given.
  std::size_t AddOwner(DemoOwner owner, std::optional<std::size_t> parent = std::nullopt);

  // True if none of the units is held within `span` and none has failed in it.
  bool Free(std::size_t node, const std::vector<std::size_t>& units, Window span) const;

  // Adds a pod that holds `units` of `node`. REQUIRES: Free over its life.
  std::size_t AddPod(const PodTemplate& pod, std::size_t owner, const std::string& name,
                     std::size_t node, const std::vector<std::size_t>& units, const PodLife& life);
  // Adds a pod that waits for a node until the window ends.
  void AddPendingPod(const PodTemplate& pod, std::size_t owner, const std::string& name,
                     Instant created);

  // Adds a hold alone (a Slurm job's part of a node).
  std::size_t AddHold(DemoHold hold);

 private:
  DemoFleet& fleet_;
};

// "2g7xk": the end of a pod's name, out of Kubernetes' own alphabet.
std::string PodSuffix(DemoRandom& random, std::size_t length);

// 1 (Monday) to 7 (Sunday), UTC.
constexpr std::int64_t WeekdayOf(Instant t) {
  const std::int64_t day = FloorTo(t, Days(1)).base() / Days(1).base();
  return (day + 3) % 7 + 1;
}

// How much traffic users send at `t`, in percent of the weekly peak.
std::int64_t TrafficAt(Instant t);

}  // namespace plimsoll
