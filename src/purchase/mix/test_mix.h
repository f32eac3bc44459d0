// Workloads and prices for the tests of this folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/commitment.h"
#include "purchase/mix/mix_plan.h"

namespace plimsoll {

inline Money Of(const char* text) { return *Money::Parse(text); }

inline MixFlavor Flavor(const char* on_demand, const char* spot, Duration mtbf = Hours(1'000'000)) {
  MixFlavor flavor;
  flavor.name = "node";
  flavor.on_demand = Of(on_demand);
  if (*spot != '\0') flavor.spot = Of(spot);
  flavor.lifetime = *Lifetime::Exponential(static_cast<double>(mtbf.base()));
  return flavor;
}

inline MixWorkload Load(const char* name, WorkloadKind kind, std::int64_t units) {
  MixWorkload load;
  load.name = name;
  load.flavor = "node";
  load.kind = kind;
  load.latency =
      kind == WorkloadKind::kInference ? LatencyClass::kLatencyCritical : LatencyClass::kBatch;
  load.interruptible = kind != WorkloadKind::kInference;
  load.demand = {units * kUnitHour};
  return load;
}

inline MixWorkload TrainRun(const char* name, Duration work, std::optional<Duration> deadline) {
  MixWorkload run;
  run.name = name;
  run.flavor = "node";
  run.interruptible = true;
  run.run = WorkloadRun{1, work, Hours(672), {}, deadline};
  run.save = Minutes(5);
  run.restart = Minutes(10);
  return run;
}

inline SpotRules Rules() {
  SpotRules rules;
  rules.sampling.replications = 400;
  return rules;
}

}  // namespace plimsoll
