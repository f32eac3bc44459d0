// The clusters of published traces: nodes by virtual cluster, by switch, by kind of GPU.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "catalog/csv.h"
#include "ingest/cluster/cluster_formats.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::int64_t kGigabyteMib = 1'024;

// A table with these columns at least, whole and with a row.
Result<CsvTable> ReadTable(const ClusterSource& source, std::span<const char* const> columns) {
  CsvTable table = ReadCsv(source.text);
  std::vector<Rejection> problems;
  if (!CheckTable(table, columns, source.file, problems)) {
    const Rejection& first = problems.front();
    return Error{ErrorCode::kBadData,
                 RefusalText(source.file, {first.line, first.field, first.reason, "", {}})};
  }
  if (table.records.empty()) return Error{ErrorCode::kBadData, source.file + " has no rows"};
  return table;
}

Error Wrong(const ClusterSource& source, const CsvRecord& record, std::string_view field,
            const std::string& what) {
  return {ErrorCode::kBadData,
          RefusalText(source.file, {record.line, std::string(field), what, "", {}})};
}

// Nodes that hold so many GPUs; those that fill no node are on a smaller one, a group of its own.
// Fails with kBadData where the cluster would have more than kClusterNodesMax nodes.
Status AddGpus(const ClusterSource& source, EqualNodes like, std::int64_t gpus,
               ClusterSpec& facts) {
  const std::int32_t per_node = source.gpus_per_node;
  const std::int64_t more = (gpus + per_node - 1) / per_node;
  if (static_cast<std::int64_t>(facts.nodes.size()) + more > kClusterNodesMax) {
    return Error{ErrorCode::kBadData, source.file + " describes more than a million nodes"};
  }
  like.nodes = gpus / per_node;
  like.gpus = per_node;
  AddNodes(like, facts);
  like.gpus = static_cast<std::int32_t>(gpus % per_node);
  like.nodes = like.gpus > 0 ? 1 : 0;
  like.group += "-rest";
  AddNodes(like, facts);
  return Ok();
}

// Nodes of `vc`, a domain of level "vc" of its own.
Status AddVc(const ClusterSource& source, const std::string& vc, std::int64_t gpus,
             ClusterSpec& facts) {
  return AddGpus(source, {vc, 0, 0, 0, 0, 0, {vc}}, gpus, facts);
}

ClusterSpec VcCluster() {
  ClusterSpec facts;
  facts.flavors = {"gpu"};
  facts.tree = DomainTree({"vc"});
  return facts;
}

const char* const kVcNote =
    "a virtual cluster is a domain of level vc; jobs are not held to theirs unless they ask for it";

}  // namespace

Result<ClusterReading> ReadPhillyNodes(const ClusterSource& source) {
  const char* const columns[] = {"vc", "node num"};
  PLIMSOLL_TRY(const CsvTable table, ReadTable(source, columns));
  ClusterReading reading{"", VcCluster(), {kVcNote, "CPUs and memory are not told"}};
  for (const CsvRecord& record : table.records) {
    const std::string vc(table.Field(record, "vc"));
    const auto nodes = ParseWhole(table.Field(record, "node num"), 1, kClusterNodesMax);
    if (vc.empty()) return Wrong(source, record, "vc", "is empty");
    if (!nodes) return Wrong(source, record, "node num", "is no number of nodes");
    PLIMSOLL_RETURN_IF_ERROR(AddVc(source, vc, *nodes * source.gpus_per_node, reading.facts));
  }
  return reading;
}

Result<ClusterReading> ReadHeliosSizes(const ClusterSource& source) {
  const char* const columns[] = {"date", "total"};
  PLIMSOLL_TRY(const CsvTable table, ReadTable(source, columns));
  const CsvRecord& last = table.records.back();
  ClusterReading reading{"", VcCluster(), {kVcNote, "CPUs and memory are not told"}};
  reading.notes.push_back("sizes are those of " + std::string(table.Field(last, "date")));
  std::int64_t sum = 0;
  for (const std::string& vc : table.header.fields) {
    if (vc == "date" || vc == "total") continue;
    const auto gpus = ParseWhole(table.Field(last, vc), 0, kClusterNodesMax * kGpusPerNodeMax);
    if (!gpus) return Wrong(source, last, vc, "is no number of GPUs");
    sum += *gpus;
    PLIMSOLL_RETURN_IF_ERROR(AddVc(source, vc, *gpus, reading.facts));
  }
  if (std::to_string(sum) != table.Field(last, "total")) {
    return Wrong(source, last, "total",
                 "is not the sum of the virtual clusters, " + std::to_string(sum));
  }
  return reading;
}

Result<ClusterReading> ReadTiresiasCluster(const ClusterSource& source) {
  const char* const columns[] = {"num_switch", "num_node_p_switch", "num_gpu_p_node",
                                 "num_cpu_p_node", "mem_p_node"};
  PLIMSOLL_TRY(const CsvTable table, ReadTable(source, columns));
  const CsvRecord& record = table.records.front();
  std::int64_t values[5] = {};
  for (std::size_t i = 0; i < 5; ++i) {
    const std::int64_t most = i == 2 ? kGpusPerNodeMax : kClusterNodesMax;
    const auto value = ParseWhole(table.Field(record, columns[i]), i == 2 ? 0 : 1, most);
    if (!value) {
      return Wrong(source, record, columns[i], "is no number up to " + std::to_string(most));
    }
    values[i] = *value;
  }
  if (values[0] * values[1] > kClusterNodesMax) {
    return Wrong(source, record, columns[0], "makes more than a million nodes");
  }
  ClusterReading reading;
  reading.facts.flavors = {"gpu"};
  reading.facts.tree = DomainTree({"switch"});
  for (std::int64_t i = 0; i < values[0]; ++i) {
    AddNodes({"node",
              0,
              values[1],
              static_cast<std::int32_t>(values[2]),
              values[3] * 1'000,
              values[4] * kGigabyteMib,
              {"switch-" + std::to_string(i)}},
             reading.facts);
  }
  return reading;
}

Result<ClusterReading> ReadGavelCluster(const ClusterSource& source) {
  const json document = json::parse(source.text, nullptr, false);
  const bool whole = document.is_object() && !document.empty() && document.begin()->is_array() &&
                     !document.begin()->empty() && (*document.begin())[0].is_string();
  if (!whole) {
    return Error{ErrorCode::kBadData,
                 source.file + R"( must be an object such as {"philly": ["300:300:300"]})"};
  }
  ClusterReading reading;
  reading.facts.flavors = {"v100", "p100", "k80"};
  std::string_view spec = (*document.begin())[0].get_ref<const std::string&>();
  if (std::ranges::count(spec, ':') != 2) {
    return Error{ErrorCode::kBadData, source.file + ": '" + std::string(spec.substr(0, 40)) +
                                          "' is not of three kinds; write V100s:P100s:K80s"};
  }
  for (std::uint32_t flavor = 0; flavor < reading.facts.flavors.size(); ++flavor) {
    const std::string_view part = spec.substr(0, spec.find(':'));
    spec.remove_prefix(std::min(spec.size(), part.size() + 1));
    const auto gpus = ParseWhole(part, 0, kClusterNodesMax * kGpusPerNodeMax);
    if (!gpus) {
      return Error{ErrorCode::kBadData, source.file + ": '" + std::string(part.substr(0, 40)) +
                                            "' is no number of GPUs; write V100s:P100s:K80s"};
    }
    PLIMSOLL_RETURN_IF_ERROR(
        AddGpus(source, {reading.facts.flavors[flavor], flavor}, *gpus, reading.facts));
  }
  reading.notes = {"how GPUs lie on nodes is not told: " + std::to_string(source.gpus_per_node) +
                   " a node"};
  return reading;
}

}  // namespace plimsoll
