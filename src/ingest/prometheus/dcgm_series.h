// DcgmSeries: what a dcgm-exporter series is, whichever release, mode and scraper named it.
//
// The key of a device is (UUID, GPU_I_ID) alone; every other label churns. Dialects read:
// UUID, uuid, gpu_uuid; Hostname, hostname; modelName, model_name; pod, pod_name,
// exported_pod (and their namespaces); hpc_job. See docs/formats/exposition.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/prometheus/samples.h"
#include "ingest/usage_fold.h"

namespace plimsoll {

// The metrics that are read, in the order in which they are asked of a server.
struct DcgmMetric {
  const char* name;
  UsageSignal signal;
  int scale;  // digits from the exported unit to the signal's
};
inline constexpr DcgmMetric kDcgmMetrics[] = {
    {"DCGM_FI_PROF_SM_ACTIVE", UsageSignal::kSmActive, 6},               // ratio
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", UsageSignal::kGrEngineActive, 6},  // ratio
    {"DCGM_FI_DEV_GPU_UTIL", UsageSignal::kGpuUtil, 4},                  // percent
    {"DCGM_FI_DEV_POWER_USAGE", UsageSignal::kPower, 3},                 // W
    {"DCGM_FI_DEV_FB_USED", UsageSignal::kMemory, 0},                    // MiB
    {"DCGM_FI_DEV_XID_ERRORS", UsageSignal::kXid, 0},
};
const DcgmMetric* FindDcgmMetric(std::string_view name);  // null if it is not read

// Who a series says is on the device: a pod, or a Slurm job (ns "").
struct HolderLabels {
  std::string ns, name;  // name "": nobody
};

struct DcgmSeries {
  std::string uuid;      // "" if the series names no device
  std::string instance;  // "" also for power, which is the card's whoever exports it
  DeviceLabels labels;
  HolderLabels holder;
  std::string holder_instance;  // the GPU_I_ID the holder is on
  // The exporter's own pod, as the scraper attached it (when exported_pod is there too): a
  // series of the same block whose plain pod label is this one has no holder.
  HolderLabels exporter;
};
DcgmSeries ReadDcgmSeries(const SeriesLabels& series, const DcgmMetric& metric);

enum class ReadingKind : unsigned char {
  kValue,
  kAbsent,  // NaN or one of DCGM's blank constants: never 0
  kBad,     // negative, or beyond what the device can do
};
struct Reading {
  ReadingKind kind = ReadingKind::kAbsent;
  std::int64_t value = 0;  // in the signal's unit; a ratio above 1 is 1,000,001
};
Reading ReadDcgmValue(const DcgmMetric& metric, std::string_view text);

}  // namespace plimsoll
