// The demo: a simulated GPU fleet with known truth, written as the files real tools write.
//
// The same options give the same bytes on any machine and any day. The generator knows what
// every hour cost and who held it; CompareWithTruth says where a ledger that read the files
// disagrees. Nothing here reads the allocation's code or a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "demo/fleet.h"
#include "demo/truth.h"

namespace plimsoll {

// 2026-11-16T00:00:00Z, a Monday: the week that ends on 2026-11-23. Fixed, not "now".
inline constexpr Instant kDemoBegin = AtSeconds(1'794'787'200);

struct DemoOptions {
  std::uint64_t seed = 1;
  std::int64_t gpus = 64;      // 16 to 1,024
  std::int64_t days = 7;       // 1 to 92; a shorter week has fewer events
  Instant begin = kDemoBegin;  // midnight UTC
  Progress progress;           // may be empty
};

// Fails with kInvalidArgument if an option is outside its range.
Result<DemoFleet> GenerateDemo(const DemoOptions& options);

// One file of the demo and how it is loaded: `plimsoll ingest KIND --cluster CLUSTER FILE`.
struct DemoSource {
  std::string kind;                // focus, kubernetes, prometheus, slurm, runs, requests
  std::string name;                // of the source in plimsoll.yaml
  std::string cluster;             // "" for bills and logs
  std::vector<std::string> files;  // within the folder
};
// The sources of a fleet, in loading order; Slurm and its bill only if the fleet has them.
std::vector<DemoSource> SourcesOf(const DemoFleet& fleet);

// Writes the files of SourcesOf, plimsoll.yaml and demo_truth.json into `folder`, which is
// made if need be; files of the same name are replaced. Fails with kUnavailable, naming the
// file, if one cannot be written.
Status WriteDemo(const DemoFleet& fleet, const std::string& folder, const Progress& progress = {});

}  // namespace plimsoll
