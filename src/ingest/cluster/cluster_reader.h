// ClusterReader: files that describe the nodes of a cluster, in any known format.
//
// docs/formats/cluster-yaml.md describes our own; docs/formats/job-traces.md those of traces.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/model/node_group.h"
#include "ingest/cluster/workload_reader.h"

namespace plimsoll {

enum class ClusterFormat : unsigned char {
  kCluster,      // our own cluster.yaml, or the same as JSON
  kPhillyNodes,  // CSV: vc,node num (nodes of 8 GPUs)
  kHeliosSizes,  // CSV: date, GPUs of each VC; the last day counts
  kTiresias,     // CSV: num_switch,num_node_p_switch,num_gpu_p_node,...
  kGavel,        // JSON: {"name": ["V100s:P100s:K80s"]}
};
std::vector<std::string> ClusterFormatNames();  // as --cluster-format takes them

// Fails with kInvalidArgument, naming the formats.
Result<ClusterFormat> ParseClusterFormat(const std::string& name);

struct ClusterSource {
  std::string file;       // for messages
  std::string_view text;  // of the whole file
  std::optional<ClusterFormat> format = {};
  std::int32_t gpus_per_node = 8;  // where the format tells GPUs only
};

struct ClusterReading {
  std::string format;
  ClusterSpec facts;
  std::vector<std::string> notes;  // what the format does not tell; one sentence each
};

// Fails with kBadData, naming file, line, field and remedy. What it returns is sound: at least one
// node, at most kFlavorsMax flavors, groups that cover all nodes.
Result<ClusterReading> ReadCluster(const ClusterSource& source);

// Makes a workload's flavors and levels those of the cluster: shapes take the cluster's bits. A
// flavor that the cluster does not have is none that a job can get. Fails with kBadData, naming
// them, where a job then could never run, and on a level that the cluster does not have.
Status BindWorkload(const std::string& file, const ClusterSpec& cluster, WorkloadReading& reading);

// More nodes than that are a mistaken count.
inline constexpr std::int64_t kClusterNodesMax = 1'000'000;

}  // namespace plimsoll
