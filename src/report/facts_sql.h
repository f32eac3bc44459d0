// FactsSql: figures that are no sums of cost lines, read from the facts: energy, memory,
// waits, ends, data-as-of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll {

// Sums over the usage of whole cards and instances in a window.
struct UsageSums {
  int128 active_ppm_ms = 0, covered_ms = 0;
  std::optional<int128> energy_mj, power_ms;
  std::optional<int128> memory_mib_ms, memory_ms;
};
Result<UsageSums> ReadUsageSums(Store& store, Window window);

// Node-hours that cost something, and those of them with some usage sample.
struct Coverage {
  std::int64_t node_hours = 0;
  std::int64_t with_samples = 0;
};
Result<Coverage> ReadCoverage(Store& store, Window window);

// The end of the last usage charge; nullopt without a bill.
Result<std::optional<Instant>> ReadBillAsOf(Store& store);

// Since when there is a bill or usage: before, costs are estimates from prices.
Result<std::optional<Instant>> ReadMeasuredSince(Store& store);

// Waits from queued to begin of GPU holdings that began in the window, one row a source and
// queue. Percentiles are of the discrete kind: a wait that somebody had.
struct Waits {
  std::vector<std::string> source, queue;
  std::vector<std::int64_t> count, p50_ms, p95_ms, max_ms;
};
Result<Waits> ReadWaits(Store& store, Window window);

// Ends of GPU holdings within the window, by reason; workload_type as attribution says.
struct Ends {
  std::vector<std::string> source, workload_type, reason;
  std::vector<std::int64_t> count;
};
Result<Ends> ReadEnds(Store& store, Window window);

// GPU requests that wait now.
struct Pending {
  std::vector<std::string> source, reason;
  std::vector<std::int64_t> count, devices;
};
Result<Pending> ReadPending(Store& store);

// Marks of the usage in the window (docs/formats/prometheus.md): device-hours that carry one,
// of how many devices. Mark "" is usage that nothing is held against.
struct Marks {
  std::vector<std::string> mark;
  std::vector<std::int64_t> device_hours, devices;
};
Result<Marks> ReadMarks(Store& store, Window window);

// Cost of nodes in the window by where their price came from.
struct Rungs {
  std::vector<std::string> rung, price_source;
  std::vector<MoneyTotal> cost;
};
Result<Rungs> ReadRungs(Store& store, Window window, const std::string& currency);

// Findings of the allocation over the window, added up by kind and subject.
struct Findings {
  std::vector<std::string> kind, subject, detail;
  std::vector<GpuHours> gpu_time;
  std::vector<MoneyTotal> cost;
};
Result<Findings> ReadFindings(Store& store, Window window);

// Most GPUs at the same time, by flavor: what the fleet had.
struct Flavors {
  std::vector<std::string> gpu_model, capacity_type;
  std::vector<std::int64_t> nodes;
};
Result<Flavors> ReadFlavors(Store& store, Window window);

}  // namespace plimsoll
