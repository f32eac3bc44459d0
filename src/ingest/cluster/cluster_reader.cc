#include "ingest/cluster/cluster_reader.h"

#include <algorithm>

#include "base/check.h"
#include "ingest/cluster/cluster_formats.h"

namespace plimsoll {
namespace {

struct Format {
  ClusterFormat format;
  const char* name;
};

constexpr Format kFormats[] = {
    {ClusterFormat::kCluster, "cluster"},          {ClusterFormat::kPhillyNodes, "philly-nodes"},
    {ClusterFormat::kHeliosSizes, "helios-sizes"}, {ClusterFormat::kTiresias, "tiresias-spec"},
    {ClusterFormat::kGavel, "gavel-spec"},
};

// {"philly": ["300:300:300"]}: numbers with colons in a list of texts.
bool IsGavel(std::string_view text) {
  const std::size_t open = text.find("[\"");
  if (open == std::string_view::npos || text.find("\"groups\"") != std::string_view::npos) {
    return false;
  }
  const std::size_t close = text.find('"', open + 2);
  if (close == std::string_view::npos) return false;
  const std::string_view spec = text.substr(open + 2, close - open - 2);
  return !spec.empty() && spec.find_first_not_of("0123456789:") == std::string_view::npos;
}

ClusterFormat Recognize(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with("num_switch,")) return ClusterFormat::kTiresias;
  if (line == "vc,node num") return ClusterFormat::kPhillyNodes;
  if (line.starts_with("date,") && line.ends_with(",total")) return ClusterFormat::kHeliosSizes;
  return IsGavel(text) ? ClusterFormat::kGavel : ClusterFormat::kCluster;
}

Result<ClusterReading> ReadAs(ClusterFormat format, const ClusterSource& source) {
  switch (format) {
    case ClusterFormat::kCluster:
      return ReadClusterYaml(source);
    case ClusterFormat::kPhillyNodes:
      return ReadPhillyNodes(source);
    case ClusterFormat::kHeliosSizes:
      return ReadHeliosSizes(source);
    case ClusterFormat::kTiresias:
      return ReadTiresiasCluster(source);
    case ClusterFormat::kGavel:
      return ReadGavelCluster(source);
  }
  PLIMSOLL_CHECK(false);
}

// Which of `known` each of `names` is; null of those that are none.
std::vector<std::optional<std::uint32_t>> IndexesIn(const std::vector<std::string>& names,
                                                    const std::vector<std::string>& known) {
  std::vector<std::optional<std::uint32_t>> indexes;
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    indexes.push_back(at == known.end() ? std::nullopt
                                        : std::optional(static_cast<std::uint32_t>(
                                              std::distance(known.begin(), at))));
  }
  return indexes;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

using Indexes = std::vector<std::optional<std::uint32_t>>;

// False if the job accepts flavors and the cluster has none of them.
bool BindFlavors(const Indexes& indexes, TrainingJob& job) {
  if (job.shape.flavors != kAnyFlavor) {
    FlavorSet bound = 0;
    for (std::uint32_t i = 0; i < indexes.size(); ++i) {
      if (Accepts(job.shape.flavors, i) && indexes[i]) bound |= FlavorSet{1} << *indexes[i];
    }
    if (bound == 0 && job.shape.gpus > 0) return false;
    job.shape.flavors = bound == 0 ? kAnyFlavor : bound;
  }
  std::vector<std::uint32_t> order;
  for (const std::uint32_t flavor : job.flavor_order) {
    if (indexes[flavor]) order.push_back(*indexes[flavor]);
  }
  job.flavor_order = std::move(order);
  return true;
}

}  // namespace

std::vector<std::string> ClusterFormatNames() {
  std::vector<std::string> names;
  for (const Format& known : kFormats) names.emplace_back(known.name);
  return names;
}

Result<ClusterFormat> ParseClusterFormat(const std::string& name) {
  for (const Format& known : kFormats) {
    if (name == known.name) return known.format;
  }
  return Error{ErrorCode::kInvalidArgument, "--cluster-format: no format is called '" + name +
                                                "'; there are " + Joined(ClusterFormatNames())};
}

Result<ClusterReading> ReadCluster(const ClusterSource& source) {
  PLIMSOLL_CHECK(source.gpus_per_node > 0 && source.gpus_per_node <= kGpusPerNodeMax);
  const ClusterFormat format = source.format ? *source.format : Recognize(source.text);
  PLIMSOLL_TRY(ClusterReading reading, ReadAs(format, source));
  for (const Format& known : kFormats) {
    if (known.format == format) reading.format = known.name;
  }
  if (reading.facts.nodes.empty()) {
    return Error{ErrorCode::kBadData, source.file + " describes no node"};
  }
  return reading;
}

void AddNodes(const EqualNodes& equal, ClusterSpec& facts) {
  if (equal.nodes == 0) return;
  if (facts.groups.empty() || facts.groups.back().name != equal.group) {
    NodeGroup& group = facts.groups.emplace_back();
    group.name = equal.group;
    group.first = static_cast<NodeId>(facts.nodes.size());
  }
  NodeGroup& group = facts.groups.back();
  const std::vector<DomainId> domains =
      equal.domains.empty() ? std::vector<DomainId>() : facts.tree.Add(equal.domains);
  for (std::int64_t i = 0; i < equal.nodes; ++i) {
    facts.nodes.push_back({equal.group + "-" + std::to_string(group.nodes++), equal.flavor,
                           equal.cpu_milli, equal.memory_mib, equal.gpus, domains});
  }
}

Status BindWorkload(const std::string& file, const ClusterSpec& cluster, WorkloadReading& reading) {
  const Indexes flavors = IndexesIn(reading.flavors, cluster.flavors);
  const Indexes levels = IndexesIn(reading.levels, cluster.tree.levels());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i]) continue;
    return Error{ErrorCode::kBadData, file + ": jobs ask for a domain of level '" +
                                          reading.levels[i] + "'; the cluster has the levels " +
                                          Joined(cluster.tree.levels())};
  }
  for (TrainingJob& job : reading.workload.jobs) {
    if (!BindFlavors(flavors, job)) {
      return Error{ErrorCode::kBadData, file + ": job '" + job.name +
                                            "' takes only flavors that the cluster does not "
                                            "have; it has " +
                                            Joined(cluster.flavors)};
    }
    if (job.topology.mode != TopologyMode::kNone) {
      job.topology.level = *levels[job.topology.level];
    }
    if (job.topology.slice_pods > 0) job.topology.slice_level = *levels[job.topology.slice_level];
  }
  reading.flavors = cluster.flavors;
  reading.levels = cluster.tree.levels();
  return Ok();
}

}  // namespace plimsoll
