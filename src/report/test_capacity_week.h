// A week's waits and idle GPUs made by hand, for tests of the report's sections.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/capacity_week.h"

namespace plimsoll {

inline CapacityWeek TestCapacityWeek() {
  CapacityWeek week;
  week.until = AtSeconds(1'777'939'200);
  WaitsOfJobs jobs;
  jobs.size = "32+";
  jobs.started = 3;
  jobs.unknown = 2;
  jobs.waiting = 3;
  jobs.waits = WaitQuantiles{Seconds(40), Minutes(90), Hours(2), Minutes(125), {}, {}};
  jobs.waited = WholeGpuHours(100);
  week.by_size = {jobs};
  jobs.size = "";
  jobs.cluster = "c";
  jobs.queue = "research";
  jobs.waits->p95_low = Hours(1);
  jobs.waits->p95_high = Minutes(125);
  week.by_queue = {jobs};
  week.causes = {{"c", {WholeGpuHours(20), WholeGpuHours(64), WholeGpuHours(16), GpuHours()}}};
  week.reasons = {{"c", "Resources", 3, 96'000}};
  PoolWeek pool;
  pool.cluster = "c";
  pool.gpu_model = "H100-SXM-80GB";
  pool.nodes = 16;
  pool.gpus = 128;
  pool.idle_milli = 64'000;
  pool.idle_mean_milli = 32'500;
  pool.unusable_ppb = 1'000'000'000;
  pool.unusable_mean_ppb = 123'400'000;
  pool.pod_gpus = 8;
  pool.pod_cpu_milli = 176'000;
  pool.stranded_milli = 64'000;
  pool.largest = {{"node", 4}, {"rack", 16}};
  pool.gangs = {{32, 4, 2, 0, "rack", 0}};
  week.pools = {pool};
  week.unfit = {{"c", "H100-SXM-80GB", 3, 32, 4, 64'000, 0}};
  return week;
}

}  // namespace plimsoll
