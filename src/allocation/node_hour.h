// NodeHour: divides what one node cost in one hour among workloads and classes of GPU time
// (rules S8, S11 and S12).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "allocation/classify.h"
#include "allocation/device_grid.h"
#include "allocation/findings.h"
#include "allocation/holding_table.h"
#include "allocation/node_split.h"
#include "allocation/resolve.h"

namespace plimsoll {

// A cost line before hours and ids are final. Sorted and merged by (scope, node, workload,
// class) within its hour.
struct HourLine {
  std::int32_t scope, node, workload;
  std::int32_t cost_class;
  std::int64_t gpu_millis = 0;
  int128 gpu = 0, cpu = 0, memory = 0, storage = 0, network = 0, overhead = 0;  // nanos

  bool is_zero() const {
    return gpu_millis == 0 && gpu == 0 && cpu == 0 && memory == 0 && storage == 0 && network == 0 &&
           overhead == 0;
  }
};

// GPU time of one node in one hour, by twelfth, in kIdleParts of a millisecond.
struct IdleTime {
  std::int32_t node = 0;
  Window provisioned{};                          // within the hour
  std::array<std::int64_t, 12> waste{};          // explained by nothing so far
  std::array<std::int64_t, 12> shared{};         // of it, on cards of which another part is held
  std::array<std::int64_t, 12> missing_cards{};  // that telemetry misses, held or not
  std::array<std::int64_t, 12> free_cards{};     // cards that are wholly waste for a while
};

struct ScopeCost {
  std::int32_t scope;
  std::array<int128, 3> parts;  // GPU, CPU, memory; nanos
};

struct NodeHour {
  std::int32_t node = 0;
  std::int32_t hour = 0;  // of the window
  Instant begin;          // of the hour
  Window provisioned;     // empty: it costs, but it did not run
  std::span<const ScopeCost> scopes;
  std::size_t carrier = 0;  // the one of `scopes` that carries the GPU time
};

class NodeHourDivider {
 public:
  struct Facts {
    const NodeTable& nodes;
    const DeviceGrid& devices;
    const HoldingTable& holdings;
    const Pieces& pieces;
  };
  struct Options {
    std::int64_t busy_ppm_min = 0;   // AllocationOptions
    std::int32_t no_telemetry = -1;  // the workload of machines that only the bill knows
    bool notes_idle = true;          // fill idle_time()
  };
  NodeHourDivider(const Facts& facts, const Options& options);

  // Appends the lines of one node-hour; hours must come in time order. Zero lines are left
  // out. Fails with kOutOfRange if a sum or a share does not fit.
  Status Divide(const NodeHour& node_hour, std::vector<HourLine>& lines);

  // Idle and missing time of the last Divide, by twelfth.
  const IdleTime& idle_time() const { return idle_; }

  // Counts held GPU time of that hour that lies outside `provisioned`.
  void NoteUnprovisioned(std::int32_t node, const Window& hour, const Window& provisioned);

  // Devices that went missing, labels that were stale, time held while not provisioned, CPU and
  // memory held beyond what a node has.
  void Report(const AllocationInput& input, FindingLog& findings);

 private:
  struct Cell {  // one (workload, class) of the node-hour; costs in costs_
    std::int32_t workload;
    CostClass cost_class;
    std::int64_t gpu_millis;
    std::size_t costs;  // first of 3 x scopes
    int128 weight = 0;  // of the cards' time, a card's millisecond is 1,000,000 x denominator_
  };
  struct Asked {  // by workload
    std::int32_t workload;
    int128 cpu, memory;  // milli x ms, bytes x ms
  };
  enum Part : std::size_t { kGpu = 0, kCpu = 1, kMemory = 2 };

  Cell& CellOf(std::int32_t workload, CostClass cost_class);
  int128& CostIn(const Cell& cell, std::size_t scope, Part part) {
    return costs_[cell.costs + scope * 3 + part];
  }
  void DivideIdle(const NodeHour& at, std::vector<HourLine>& lines) const;
  void PickDevices(const NodeHour& at);
  bool DivideGpus(const NodeHour& at);
  bool WeighDevice(const NodeHour& at, std::int32_t device);
  bool AddDevice(std::int32_t device);
  bool WidenDenominator(std::int64_t denominator);
  bool DivideOverCells(int128 total);  // into shares_, by weight
  void SortCells();                    // by (workload, class)
  void GatherAsked(const NodeHour& at);
  bool DivideRequested(const NodeHour& at, Part part);
  void ReportOverCommitted(FindingLog& findings) const;
  bool GiveToHolder(std::int32_t workload, std::size_t scope, Part part, int128 cost);
  void Emit(const NodeHour& at, std::vector<HourLine>& lines);
  std::span<const Piece> PiecesFrom(std::int32_t device, Instant begin);

  Facts facts_;
  Classifier classifier_;
  std::int32_t no_telemetry_;
  std::vector<std::size_t> piece_cursor_;    // by device
  std::vector<std::size_t> request_cursor_;  // by node
  std::vector<std::int64_t> missing_;        // ms unavailable, by device
  std::vector<int128> lost_;                 // ms lost to stale labels, by holding
  std::vector<int128> unprovisioned_;        // ms, by node
  // What was held beyond the capacity in the fullest hour, by node: milli CPU, bytes.
  std::vector<int128> over_cpu_, over_memory_;

  // Of the current node-hour.
  std::vector<std::int32_t> picked_;  // devices
  std::vector<std::uint16_t> masks_;  // of all the node's devices
  std::uint16_t node_mask_ = 0;
  std::vector<ClassWeight> weights_;
  std::vector<std::int64_t> plain_weights_;
  std::vector<int128> wide_weights_, shares_, given_;
  std::vector<Cell> cells_;
  std::int64_t denominator_ = 1;  // common to the shares on all cards
  IdleTime idle_;
  std::vector<int128> costs_;
  std::size_t scope_count_ = 0;
  std::vector<Asked> asked_;
};

}  // namespace plimsoll
