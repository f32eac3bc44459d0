// The readers of single formats, for ReadCluster (ingest/cluster/cluster_reader.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/cluster/cluster_reader.h"

namespace plimsoll {

Result<ClusterReading> ReadClusterYaml(const ClusterSource& source);
Result<ClusterReading> ReadPhillyNodes(const ClusterSource& source);
Result<ClusterReading> ReadHeliosSizes(const ClusterSource& source);
Result<ClusterReading> ReadTiresiasCluster(const ClusterSource& source);
Result<ClusterReading> ReadGavelCluster(const ClusterSource& source);

// Equal nodes of one group, named after it, within the same domains.
struct EqualNodes {
  std::string group;
  std::uint32_t flavor = 0;
  std::int64_t nodes = 0;
  std::int32_t gpus = 0;
  std::int64_t cpu_milli = 0, memory_mib = 0;
  std::vector<std::string> domains = {};  // one a level of the tree, or none
};
// Adds them to `facts`, and to its group of that name if that is its last one.
void AddNodes(const EqualNodes& equal, ClusterSpec& facts);

}  // namespace plimsoll
