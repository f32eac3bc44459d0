// DeviceGrid: the physical GPUs of every node, in order, with their usage by hour (rules S2
// and S8).
//
// A node's devices are those that usage or bindings showed within the window, by (GPU index,
// UUID), then "node/gpu-k" for each further one of its GPU count. Usage rows of one (cluster,
// device, instance, hour) are merged: the better signal, then the greater of each twelfth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "allocation/node_table.h"

namespace plimsoll {

// Usage of one device or instance in one hour. The arrays live in the usage batch, or in the
// table if rows had to be merged.
struct UsageCell {
  const Twelfths* covered = nullptr;  // null: no row
  const Twelfths* active = nullptr;
  // Drawn from the two once, when they are at hand:
  std::int64_t active_sum = 0;  // meaningful if is_plain
  std::uint16_t mask = 0;       // bit t: twelfth t has coverage
  std::int8_t signal = -1;      // rank, higher is better
  std::uint16_t stalled = 0;    // bit t: twelfth t looked hung (UsageBatch::stalled)
  bool is_plain = false;        // every twelfth is fully covered, and no sample is out of range

  UsageCell() = default;
  UsageCell(const Twelfths* covered_ms, const Twelfths* active_ppm_ms, std::int8_t signal_rank,
            std::uint16_t stalled_twelfths = 0);
  bool has_row() const { return covered != nullptr; }
};

// A part of a card as a fraction.
struct CardShare {
  std::int64_t num = 0, den = 1;
};

struct InstanceCell {
  std::int32_t instance = 0;  // DeviceGrid::instances
  UsageCell cell;
};

struct DeviceFact {
  std::int32_t node = 0;
  std::int64_t gpu_index = 0;
  Symbol uuid;
  std::int32_t slot = 0;  // row of the usage grid; -1: never seen
  bool has_instances = false;
};

class DeviceGrid {
 public:
  DeviceGrid(const AllocationInput& input, const Window& window, const NodeTable& nodes);

  // Devices of `node` are ids [first(node), first(node + 1)), in order.
  std::int32_t first(std::int32_t node) const { return first_[static_cast<std::size_t>(node)]; }
  const DeviceFact& at(std::int32_t id) const { return devices_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return devices_.size(); }
  std::int32_t Find(std::int32_t node, Symbol uuid) const;  // -1 if unknown
  // GPUs that exist at a time: the node's count, or all that were seen if it has none.
  std::int32_t CardsOf(std::int32_t node) const { return cards_[static_cast<std::size_t>(node)]; }

  // The card's own row in hour `hour` of the window; an empty cell if there is none.
  const UsageCell& CardCell(std::int32_t device, std::int32_t hour) const {
    const std::int32_t slot = at(device).slot;
    if (slot < 0) return no_cell_;
    return cells_[static_cast<std::size_t>(slot) * hours_ + static_cast<std::size_t>(hour)];
  }
  // Rows of its MIG instances in that hour, by instance text; empty if there are none.
  std::span<const InstanceCell> InstanceCells(std::int32_t device, std::int32_t hour) const;
  // Bit t: some row of the device covers a part of twelfth t of that hour.
  std::uint16_t CoveredMask(std::int32_t device, std::int32_t hour) const {
    const std::uint16_t mask = CardCell(device, hour).mask;
    return at(device).has_instances ? CoveredWithInstances(device, hour, mask) : mask;
  }

  // Compute slices of the card that no further MIG instance could use, as it was partitioned
  // in that hour: 3g + 3g leave a seventh and no memory for it. {0, 1} without instances.
  CardShare StrandedShare(std::int32_t device, std::int32_t hour) const;

  TextIds& instances() { return instances_; }
  // Profile ("1g.10gb") of a MIG instance, "" if no usage row says.
  const std::string& ProfileOf(std::int32_t device, std::int32_t instance) const;
  // Instances of a device that usage showed, by text.
  std::vector<std::int32_t> InstancesOf(std::int32_t device) const;

  // Rows of one key that said different things, by device.
  const std::map<std::string, std::int64_t>& duplicates() const { return duplicates_; }

 private:
  struct Seen {  // while gathering
    std::int32_t node;
    std::int64_t gpu_index;
    Symbol uuid;
  };
  struct DeviceKey {
    std::int32_t node;
    Symbol uuid;
    friend bool operator==(const DeviceKey&, const DeviceKey&) = default;
  };
  struct DeviceKeyHash {
    std::size_t operator()(const DeviceKey& key) const {
      return static_cast<std::size_t>(key.node) * 0x9E3779B97F4A7C15U ^ key.uuid.Hash();
    }
  };
  std::int32_t SlotOf(std::int32_t node, Symbol uuid, std::int64_t gpu_index);
  std::uint16_t CoveredWithInstances(std::int32_t device, std::int32_t hour,
                                     std::uint16_t mask) const;
  void ReadUsage(const AllocationInput& input, const Window& window, const NodeTable& nodes);
  void ReadBindings(const BindingBatch& bindings, const NodeTable& nodes);
  void Merge(UsageCell& into, const UsageCell& from, const std::string& device);
  void LearnSlices(std::int32_t slot, std::int32_t instance, const UsageBatch& usage,
                   std::size_t row, const Catalog& catalog);
  void KeepLongStalls();
  void KeepOneNode(const NodeTable& nodes);
  void Number(const NodeTable& nodes);

  UsageCell no_cell_;
  std::size_t hours_ = 0;
  std::vector<Seen> seen_;
  std::unordered_map<DeviceKey, std::int32_t, DeviceKeyHash> slots_;  // index into seen_
  std::vector<UsageCell> cells_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<InstanceCell>> instance_cells_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::string> profiles_;  // (slot, instance)
  struct Slices {
    std::int64_t compute = 0, memory = 0;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, Slices> slices_;  // (slot, instance)
  std::map<std::int32_t, Slices> card_slices_;                      // by slot
  bool has_stalls_ = false;
  std::deque<Twelfths> merged_;
  TextIds instances_;
  std::map<std::string, std::int64_t> duplicates_;
  std::vector<DeviceFact> devices_;
  std::vector<std::int32_t> first_, cards_;
  std::vector<std::int32_t> device_of_slot_;
};

}  // namespace plimsoll
