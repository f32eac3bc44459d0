// SPDX-License-Identifier: Apache-2.0
#include "ingest/cluster/openb_nodes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ingest/cluster/openb_table.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kCpuMilliMax = 1'000'000'000;   // a million CPUs on one node
constexpr std::int64_t kMemoryMibMax = 1'000'000'000;  // a petabyte
constexpr std::int64_t kMibPerGib = 1'024;

enum NodeColumn : std::size_t { kName, kCpu, kMemory, kGpus, kModel };

const std::vector<OpenbColumn>& Columns() {
  static const std::vector<OpenbColumn> columns{
      {"the node's name", {{"sn"}, {"machine"}, {"node_name"}}},
      {"CPU", {{"cpu_milli"}, {"cap_cpu", 1'000}, {"cpu_num", 1'000}}},
      {"memory", {{"memory_mib"}, {"cap_mem", kMibPerGib}}, false},
      {"GPUs", {{"gpu"}, {"cap_gpu"}, {"gpu_capacity_num"}}},
      {"the GPU model", {{"model"}, {"gpu_type"}, {"gpu_model"}}},
  };
  return columns;
}

struct Named {
  NodeSpec node;
  std::string model;
};

void TakeNode(OpenbRow& row, std::set<std::string>& names, std::vector<Named>& nodes) {
  Named named;
  NodeSpec& node = named.node;
  node.name = row.text(kName);
  named.model = row.text(kModel);
  const auto cpu = row.Amount(kCpu, kCpuMilliMax);
  const auto memory =
      row.has(kMemory) ? row.Amount(kMemory, kMemoryMibMax) : std::optional(kMemoryMibMax);
  const auto gpus = row.Amount(kGpus, kGpusPerNodeMax);
  if (!cpu || !memory || !gpus) return;
  node.cpu_milli = *cpu;
  node.memory_mib = *memory;
  node.gpus = static_cast<std::int32_t>(*gpus);
  if (node.name.empty()) return row.Fail(kName, "is no name");
  if (!names.insert(node.name).second) {
    return row.Fail(kName, "is the name of an earlier row: keep one of them");
  }
  if (node.gpus == 0) {
    named.model = kCpuFlavor;
  } else if (named.model.empty()) {
    return row.Fail(kModel, "must name the model of the node's GPUs");
  }
  nodes.push_back(std::move(named));
}

}  // namespace

Result<OpenbNodes> ReadOpenbNodes(const std::string& file, std::string_view text) {
  std::vector<Named> nodes;
  std::set<std::string> names;
  OpenbNodes result;
  PLIMSOLL_RETURN_IF_ERROR(ReadOpenbRows(
      file, text, Columns(), "machine,gpu_type,cap_cpu,cap_mem,cap_gpu", [&](OpenbRow& row) {
        result.memory_known = row.has(kMemory);
        TakeNode(row, names, nodes);
      }));
  if (nodes.empty()) return Error{ErrorCode::kBadData, file + ": has no rows"};
  for (const Named& named : nodes) result.flavors.push_back(named.model);
  std::ranges::sort(result.flavors);
  const auto rest = std::ranges::unique(result.flavors);
  result.flavors.erase(rest.begin(), rest.end());
  if (result.flavors.size() > kFlavorsMax) {
    return Error{ErrorCode::kBadData, file + ": has " + std::to_string(result.flavors.size()) +
                                          " GPU models; " + std::to_string(kFlavorsMax) +
                                          " can be told apart: name alike what is alike"};
  }
  for (Named& named : nodes) {
    const auto flavor = std::ranges::lower_bound(result.flavors, named.model);
    named.node.flavor = static_cast<std::uint32_t>(flavor - result.flavors.begin());
    result.nodes.push_back(std::move(named.node));
  }
  return result;
}

}  // namespace plimsoll
