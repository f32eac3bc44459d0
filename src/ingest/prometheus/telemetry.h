// Telemetry: gathers samples of both readers and folds them, two hours at a time.
//
// A block is two hours of UTC, folded alone from its own samples and those of one hold before
// it. So a file read at once and a server read block by block give the same rows, and memory
// grows with a block of the fleet, not with the window. Not thread-safe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/fleet_load.h"
#include "ingest/prometheus/binding_fold.h"
#include "ingest/prometheus/companion.h"
#include "ingest/prometheus/gpu_series.h"
#include "ingest/prometheus/ksm_series.h"
#include "ingest/prometheus/samples.h"
#include "ingest/usage_fold.h"
#include "model/import.h"

namespace plimsoll {

inline constexpr Duration kTelemetryBlock = Hours(2);

struct TelemetryOptions {
  std::string cluster;
  Window window;  // facts are cut to it
  Duration hold = Minutes(5);
  Companion* companion = nullptr;  // reads what telemetry does not know; outlives it
};

struct TelemetryCounts {
  std::int64_t read = 0;      // samples handed over, of any metric and time
  std::int64_t accepted = 0;  // samples inside the window that say something
  std::int64_t absent = 0;    // NaN or a blank constant
  std::int64_t rejected = 0;
  std::int64_t duplicates = 0;  // known as days are taken
};

// What one UTC day gave.
struct TelemetryDay {
  Window day;
  Window covered;  // first sample to the end of the last one's hold, cut to the day
  UsageBatch usage;
  BindingBatch bindings;
};

struct TelemetryFleet {
  FleetFacts facts;
  std::int64_t pods_without_node = 0;  // seen running, but no series says where: left out
};

class Telemetry : public SampleSink {
 public:
  explicit Telemetry(TelemetryOptions options);

  // The file or URL that the next samples come from, for rejections.
  void SetInput(std::string name) { input_ = std::move(name); }
  // Samples outside `window` are passed over from now on: a server may send more than asked.
  void SetAccepted(Window window) { accepted_ = window; }
  // From now on samples only end what blocks before theirs have begun (counters), until the
  // next call with false: a day needs the first samples after it, and they come again.
  void SetTailOnly(bool tail_only) { tail_only_ = tail_only; }

  std::int32_t OpenSeries(const SeriesLabels& series) override;
  void OnSample(std::int32_t series, std::int64_t at_ms, std::string_view value) override;
  void AtLine(std::int64_t line) override { line_ = line; }
  void OnBadInput(std::int64_t line, std::string_view reason, std::string_view raw) override;

  // The days that have samples not yet taken, in order.
  std::vector<Window> Days() const;
  // Folds the blocks of `day` and forgets their samples.
  TelemetryDay TakeDay(Window day);
  // Nodes, holdings and, if asked, waits as of the last kube-state-metrics sample so far.
  TelemetryFleet Fleet(bool with_pending) const;
  bool has_fleet() const { return ksm_.as_of() != INT64_MIN; }
  // Of all of kube-state-metrics' series so far.
  KsmDuplicates FleetDuplicates() const { return ksm_.Duplicates(); }

  const TelemetryCounts& counts() const { return counts_; }
  // Hands over the rejections since the last call; all of them are in the counts.
  RejectionBatch TakeRejections() { return std::exchange(rejections_, {}); }
  const std::vector<Rejection>& first_rejections() const { return first_rejections_; }
  const std::set<std::string>& ignored() const { return ignored_; }

 private:
  enum class Kind : unsigned char { kIgnored, kGpu, kKsm, kCompanion };
  struct Series {
    Kind kind = Kind::kIgnored;
    std::int32_t index = 0;  // of gpus_, of ksm_, or the companion's
    bool refused = false;    // a sample of it is in the quarantine
  };
  struct Gpu {
    const SignalRow* row;
    std::int32_t device, labels;
    std::int32_t own_device = 0;  // with the instance that the series speaks of
    std::int32_t holder = -1;
    std::int32_t scrape = -1;  // which scrape it came by
    std::int32_t xid = 0;
    bool zero_is_silence = false;
    HolderLabels exporter;
  };
  struct Seen {  // first and last sample of a series in a block
    std::int64_t first = INT64_MAX, last = INT64_MIN;
  };
  struct Block {
    UsageFolder usage;
    BindingFolder bindings;
    Seen all;
    std::vector<Seen> series;  // by index of gpus_
  };
  struct GpuSample {
    std::int32_t gpu;  // index of gpus_
    std::int64_t at_ms;
    Reading reading;
  };

  Series NewSeries(const SeriesLabels& series);
  Series NewGpu(const SeriesLabels& series, const SignalRow& row);
  void OnGpu(Series& series, std::int64_t at_ms, std::string_view value);
  void OnCompanion(const Series& series, std::int64_t at_ms, std::string_view value);
  void OnKsm(Series& series, std::int64_t at_ms, std::string_view value);
  // `why` ends "; it is not used"; only the first of a series is kept in full.
  void RefuseValue(Series& series, const char* field, std::string_view why, std::string_view value);
  Block* BlockAt(std::int64_t index);
  void AddToBlocks(const GpuSample& sample);
  void AddToBlock(std::int64_t index, const GpuSample& sample);
  void FoldBlock(Block& block, TelemetryDay& taken);
  void MarkDuplicateExporters(Block& block) const;
  void Refuse(const char* field, std::string_view reason, std::string_view raw);

  TelemetryOptions options_;
  Window accepted_;
  bool tail_only_ = false;
  Instant taken_until_ = AtMillis(INT64_MIN);  // the end of the last day that was taken
  std::string input_;
  std::int64_t line_ = 0;
  DeviceTable devices_;
  HolderTable holders_;
  KsmStore ksm_;
  std::vector<Series> series_;
  std::vector<Gpu> gpus_;
  std::map<std::string, std::int32_t> scrapes_;
  std::unordered_map<std::string, std::int32_t> series_index_;
  std::map<std::int64_t, Block> blocks_;  // by begin / kTelemetryBlock
  TelemetryCounts counts_;
  RejectionBatch rejections_;
  std::int64_t rejections_kept_ = 0;  // also of those handed over
  std::vector<Rejection> first_rejections_;
  std::set<std::string> ignored_;
};

}  // namespace plimsoll
