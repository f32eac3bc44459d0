// TrainingTargets: what a fleet is to achieve, as `plan training` reads it: a file (YAML, see
// docs/formats/targets.md) or options such as --probe gpus=32,domain=rack,within=4h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capacity/sizing/sizing_target.h"

namespace plimsoll {

// Names as written; BindTargets looks them up.
struct ClassText {
  std::string name, queue;                  // "": any queue
  std::int64_t gpus_min = 0, gpus_max = 0;  // max 0: no end
  std::optional<Duration> within;
  std::int64_t share = 0;  // billionths
};

struct GangText {
  std::string name, domain, flavor, queue;  // "": anywhere, any, the first one
  std::int64_t gpus = 0;
  std::int64_t gpus_per_pod = 0;  // 0: as many as the cluster's nodes have, or all of a small gang
  std::int64_t priority = 0;
  Duration within;
  Duration run = Hours(24);  // what a backfilling scheduler is told
  std::int64_t share = 0;    // billionths; 0: only shown
};

struct TargetFile {
  std::vector<ClassText> classes;
  std::vector<GangText> gangs;
  std::int64_t deadline_share = 0;
  std::int64_t confidence = 950'000'000;
};

// Fails with kBadData and all that is wrong, "file:line: field: sentence", one a line.
Result<TargetFile> ReadTargets(const std::string& file, const std::string& text);

// "gpus=32,domain=rack,within=4h"; also pod_gpus, flavor, queue, priority, run, probability. Fails
// with kInvalidArgument, naming the part.
Result<GangText> ParseProbe(const std::string& text);

// What the names of a file mean in a cluster.
struct TargetNames {
  std::vector<std::string> queues, levels, flavors;
  std::int64_t gpus_per_node = 8;  // the most of any node
};
// Fails with kInvalidArgument: a queue, level or flavor that is not there; with what there is.
Result<SizingTargets> BindTargets(const TargetFile& file, const TargetNames& names);

}  // namespace plimsoll
