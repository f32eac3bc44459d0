// Usage: how busy each GPU (or MIG instance) was, folded from samples to twelfths of an hour.
//
// Sample and hold: a sample at t says what the device did from t until the next sample, but
// for no longer than the hold (five minutes unless configured: Prometheus's own staleness).
// So a gap is uncovered time, never zero and never stretched. Within a twelfth (five
// minutes) `covered` is the milliseconds some sample speaks for, `active` the integral of
// the busy fraction over them in parts-per-million x milliseconds: fully busy for a whole
// twelfth is covered 300,000 and active 300,000,000,000. Both are exact integers, so the
// order, repetition and batching of samples never change them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

inline constexpr Duration kTwelfth = Minutes(5);
inline constexpr std::int64_t kPartsPerMillion = 1'000'000;

// Which counter the busy fraction came from, best first: the efficiency ladder.
inline constexpr const char* kSignalSmActive = "sm_active";
inline constexpr const char* kSignalGrEngineActive = "gr_engine_active";
inline constexpr const char* kSignalGpuUtil = "gpu_util";  // coarse: one kernel reads 100 %

// One row a (device, instance, hour). The key is (cluster, device, instance, hour).
struct UsageBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster, node;
  std::vector<Symbol> device;    // GPU UUID
  std::vector<Symbol> instance;  // MIG GPU_I_ID, or "" for the whole card
  std::vector<Symbol> profile;   // "1g.10gb", or ""
  std::vector<std::int64_t> gpu_index;
  std::vector<Symbol> gpu_model;  // modelName as exported
  std::vector<Instant> hour;
  std::vector<Symbol> signal;     // kSignal*; "" if the hour has no busy fraction
  std::vector<Twelfths> covered;  // ms
  std::vector<Twelfths> active;   // ppm x ms
  // Whole card; null if not exported. Integrals over the covered time, with that time.
  std::vector<std::optional<std::int64_t>> energy_mj;      // millijoules drawn
  std::vector<std::optional<std::int64_t>> power_ms;       // ms that energy_mj covers
  std::vector<std::optional<std::int64_t>> memory_mib_ms;  // MiB x ms of FB used
  std::vector<std::optional<std::int64_t>> memory_ms;      // ms that memory_mib_ms covers
  std::vector<Symbol> quality;  // "" trusted, else comma-separated marks (prometheus.md)
  // Bit t: in twelfth t the device looked hung: GPU_UTIL at 90 % or more, SM_ACTIVE below 1 %
  // and power, where exported, at most 1.3 times the least twelfth's of the device in its load.
  std::vector<std::int64_t> stalled;

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &UsageBatch::snapshot_id),
      MakeColumn("cluster", &UsageBatch::cluster),
      MakeColumn("node", &UsageBatch::node),
      MakeColumn("device", &UsageBatch::device),
      MakeColumn("instance", &UsageBatch::instance),
      MakeColumn("profile", &UsageBatch::profile),
      MakeColumn("gpu_index", &UsageBatch::gpu_index),
      MakeColumn("gpu_model", &UsageBatch::gpu_model),
      MakeColumn("hour", &UsageBatch::hour),
      MakeColumn("signal", &UsageBatch::signal),
      MakeColumn("covered", &UsageBatch::covered),
      MakeColumn("active", &UsageBatch::active),
      MakeColumn("energy_mj", &UsageBatch::energy_mj),
      MakeColumn("power_ms", &UsageBatch::power_ms),
      MakeColumn("memory_mib_ms", &UsageBatch::memory_mib_ms),
      MakeColumn("memory_ms", &UsageBatch::memory_ms),
      MakeColumn("quality", &UsageBatch::quality),
      MakeColumn("stalled", &UsageBatch::stalled),
  };
};

}  // namespace plimsoll
