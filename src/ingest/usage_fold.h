// UsageFolder: GPU samples in any order to UsageBatch rows, exactly as model/usage.h defines.
//
// Integers only, and every rule is free of order; but what looks hung is told against the least
// power among the samples folded together. For one key and instant the greater value
// counts (a duplicate), a sample holds until the next or for the hold, the best signal that
// covers an hour at all gives its busy fraction. Of an energy counter the rise between two
// samples no further apart than the hold is spread evenly between them; a fall is a reset and
// counts nothing. Samples are kept in eight bytes each; input that is ordered in time per
// series is never sorted. Not thread-safe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/usage.h"

namespace plimsoll {

// The first three are the efficiency ladder, best first.
enum class UsageSignal : unsigned char {
  kSmActive,        // ppm
  kGrEngineActive,  // ppm
  kGpuUtil,         // ppm (a percent is 10,000)
  kPower,           // mW; give it to the card (instance ""), also when a MIG series says it
  kMemory,          // MiB of frame buffer used
  kXid,             // last XID code; a change to another code than 0 marks its hour "xid-N"
  kEnergy,          // mJ drawn so far, a counter; given to the card as power is
  kXidEvent,        // an XID code that happened: marks its hour "xid-N" (0: none did)
};
inline constexpr std::size_t kLadderSignals = 3;
inline constexpr std::size_t kNarrowSignals = 6;  // the first ones: kept in 32 bits
inline constexpr std::size_t kUsageSignals = 8;

// The mark of an hour whose busy fraction is GPU_UTIL's or its like: one kernel reads 100 %.
inline constexpr const char* kMarkCoarse = "coarse";

// What a reader knows of samples that a value cannot say. Bits; the names are in usage_fold.cc
// and in docs/formats/prometheus.md.
enum class UsageMark : unsigned char {
  kSentinel = 1,           // a constant that stands for "no value" was exported
  kNotANumber = 2,         // NaN was
  kPartitionSilent = 4,    // a partition without counters of its own exported 0
  kDuplicateExporter = 8,  // two exporters, or two scrapes of one, spoke at once
  kSharedCopies = 16,      // several pods or jobs at once: each has a copy of the card's values
};

// A counter that rises faster than this counts nothing: more than any accelerator on sale
// draws (the greatest announced are below 4 kW). W, which is mJ a ms.
inline constexpr std::int64_t kCardWattsMax = 5'000;

// What a series says of its device beside the key. Labels churn: they never are a key.
struct DeviceLabels {
  Symbol node, profile, gpu_model;
  std::int64_t gpu_index = -1;  // -1: not said

  friend auto operator<=>(const DeviceLabels&, const DeviceLabels&) = default;
};

// Small numbers for devices (UUID, GPU_I_ID) and their labels. Shared by any number of
// folders; must outlive them.
class DeviceTable {
 public:
  struct Device {
    Symbol uuid, instance;
    friend auto operator<=>(const Device&, const Device&) = default;
  };

  std::int32_t Intern(Symbol uuid, Symbol instance);
  std::int32_t InternLabels(const DeviceLabels& labels);

  const Device& device(std::int32_t index) const {
    return devices_[static_cast<std::size_t>(index)];
  }
  const DeviceLabels& labels(std::int32_t index) const {
    return labels_[static_cast<std::size_t>(index)];
  }
  std::size_t size() const { return devices_.size(); }

  // True if `a` says more than `b`, or as much and sorts after it: a total order.
  bool SaysMore(std::int32_t a, std::int32_t b) const;

 private:
  std::vector<Device> devices_;
  std::vector<DeviceLabels> labels_;
  std::map<Device, std::int32_t> device_index_;
  std::map<DeviceLabels, std::int32_t> labels_index_;
};

// Samples of one signal, of any devices and in any order; all spans are as long.
struct SampleColumns {
  UsageSignal signal = UsageSignal::kSmActive;
  std::span<const std::int64_t> device, labels;  // of the DeviceTable
  std::span<const std::int64_t> at_ms;           // since the epoch
  std::span<const std::int64_t> value;           // in the signal's unit
};

class UsageFolder {
 public:
  // Folds the hours that `window` touches; time outside it is never covered.
  // REQUIRES: hold > 0, window not empty and at most 20 days long.
  UsageFolder(const DeviceTable& devices, Window window, Duration hold);

  // Takes the samples that can say something of the window (from begin - hold to until, of
  // kEnergy to until + hold); others are passed over. Ratios above 1,000,000 are clamped and
  // their hours marked.
  void Add(const SampleColumns& samples);

  // Marks the hour of `at_ms`, if it is in the window. The first three marks make a row also
  // where nothing was measured; `labels` is -1 where other samples give them.
  void Mark(UsageMark mark, std::int32_t device, std::int32_t labels, std::int64_t at_ms);

  // Appends the rows of every hour with data, ordered by (device, instance, hour);
  // snapshot_id 0. The busy fraction of a whole card is dropped in hours in which one of its
  // MIG instances has data. Can be called once.
  void Fold(Symbol cluster, UsageBatch& rows);

  // Known after Fold: samples inside the window that repeated a key and instant.
  std::int64_t duplicates() const { return duplicates_; }
  const Window& window() const { return window_; }

 private:
  struct Sample {
    std::int32_t at;  // ms since base_
    std::int32_t value;
  };
  struct Series {
    std::vector<Sample> samples;
    std::int32_t last = INT32_MIN;  // of samples; here, so that their memory is only written
    bool disordered = false;
  };
  struct Count {
    std::int32_t at;  // ms since base_
    std::int64_t millijoules;
  };
  struct XidEvent {
    std::int32_t device;
    std::int32_t hour, code;
    friend auto operator<=>(const XidEvent&, const XidEvent&) = default;
  };
  struct LabelSlot {
    std::int32_t at = INT32_MIN;
    std::int32_t labels = -1;
  };
  struct NewestLabels {
    LabelSlot seen;                     // not in labels_ until an hour later is seen
    std::int32_t hour_end = INT32_MIN;  // of seen.at
  };
  struct Hour;
  struct Folded;

  void Grow(std::int32_t device);
  void StartSeries(Series& series) const;
  void SeeLabels(std::int32_t device, LabelSlot seen);
  void KeepLabels(std::int32_t device, LabelSlot seen);
  Series& SeriesOf(std::int32_t device, UsageSignal signal);
  void Settle(Series& series);
  void FoldDevice(std::int32_t device, Folded& folded);
  void FoldLadder(std::int32_t device, Folded& folded);
  void FoldWhole(std::int32_t device, UsageSignal signal, Folded& folded);
  void FoldXid(std::int32_t device, Folded& folded);
  void FoldStalls(std::int32_t device, Folded& folded);
  void FoldEnergy(std::int32_t device, Folded& folded);
  void AddRise(Count from, Count to, Folded& folded) const;
  void AddWide(const SampleColumns& samples, std::size_t i);
  void Note(std::int32_t device, LabelSlot seen);
  void Emit(const Folded& folded, Symbol cluster, UsageBatch& rows) const;
  std::int32_t LabelsAt(std::int32_t device, std::size_t hour) const;

  const DeviceTable* devices_;
  Window window_;
  std::int64_t hold_;
  std::int64_t base_;           // the hour that holds window_.begin
  std::int32_t begin_, until_;  // the window, ms since base_
  std::size_t hours_;
  // By signal and then device: samples come by time, and a sweep over all devices then walks
  // along memory.
  std::array<std::vector<Series>, kNarrowSignals> series_;
  std::vector<std::vector<Count>> counters_;  // by device, of kEnergy
  std::set<XidEvent> xid_events_;
  std::vector<unsigned char> marks_;  // device x hours_: bits of UsageMark
  std::vector<NewestLabels> newest_;  // by device
  std::vector<LabelSlot> labels_;     // device x (1 + hours_): first the time before base_
  std::int64_t duplicates_ = 0;
};

}  // namespace plimsoll
