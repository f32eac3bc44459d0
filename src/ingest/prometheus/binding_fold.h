// BindingFolder: who was seen on each device, from holder-labelled samples in any order.
//
// A run is a holder's samples no further apart than the hold. It ends at its last sample plus
// the hold, or at the next sample of the device that names another holder and not this one.
// Samples that name nobody neither extend nor cut a run: labels go missing for one scrape.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/usage_fold.h"
#include "model/fleet.h"

namespace plimsoll {

// Small numbers for holders. Shared by any number of folders; must outlive them.
class HolderTable {
 public:
  struct Holder {
    std::string ns, name;
    std::string node;  // as the series' own labels say: they churn, so it is no part of who
    friend auto operator<=>(const Holder&, const Holder&) = default;
  };
  std::int32_t Intern(const Holder& holder);
  const Holder& holder(std::int32_t index) const {
    return holders_[static_cast<std::size_t>(index)];
  }
  // The same for every node of one pod or job: the index of the holder without a node.
  std::int32_t WhoOf(std::int32_t index) const { return who_[static_cast<std::size_t>(index)]; }

 private:
  std::deque<Holder> holders_;  // stay where they are
  std::vector<std::int32_t> who_;
  std::map<Holder, std::int32_t> index_;
};

class BindingFolder {
 public:
  BindingFolder(const DeviceTable& devices, const HolderTable& holders, Window window,
                Duration hold)
      : devices_(&devices), holders_(&holders), window_(window), hold_(hold.base()) {}

  // Takes samples from begin - hold to until; others are passed over.
  void Add(std::int32_t device, std::int32_t holder, std::int64_t at_ms);

  // (ns, name) is the exporter's own pod: as a holder it is nobody.
  void Exclude(const std::string& ns, const std::string& name) { excluded_.emplace(ns, name); }

  // Hears of each instant at which several pods or jobs were on one device (or instance).
  using OnShared = std::function<void(std::int32_t device, std::int64_t at_ms)>;

  // Appends the runs, cut to the window, ordered by device and begin; snapshot_id 0.
  void Fold(std::string_view cluster, BindingBatch& rows, const OnShared& on_shared = {});

 private:
  struct Sighting {
    std::int64_t at;
    std::int32_t holder;
    friend auto operator<=>(const Sighting&, const Sighting&) = default;
  };
  struct Sightings {
    std::vector<Sighting> list;
    std::size_t settled = 0;  // length after the last sort; the list is sorted again at twice that
  };
  struct Run {
    std::int32_t who;
    std::int64_t begin, last;  // once closed, last is its end
    std::string_view node;     // the greatest that a sighting of the run says
  };
  struct Target {
    std::int32_t device;
    std::string_view cluster;
    BindingBatch* rows;
    const OnShared* on_shared;
  };

  void Settle(Sightings& sightings) const;
  void FoldDevice(const Target& target, Sightings& sightings) const;
  void Emit(const Target& target, std::vector<Run>& runs) const;

  const DeviceTable* devices_;
  const HolderTable* holders_;
  Window window_;
  std::int64_t hold_;
  std::map<std::int32_t, Sightings> sightings_;
  std::set<std::pair<std::string, std::string>> excluded_;
};

}  // namespace plimsoll
