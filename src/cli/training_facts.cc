#include "cli/training_facts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "allocation/holding_table.h"
#include "catalog/catalog.h"
#include "ingest/cluster/workload_builder.h"
#include "ingest/pod.h"

namespace plimsoll {
namespace {

constexpr Duration kOneStart = Minutes(10);
constexpr std::int64_t kMib = 1'024 * 1'024;

// Kinds of owners that run for good: no job of a queue.
constexpr const char* kServices[] = {"Deployment", "ReplicaSet",           "StatefulSet",
                                     "DaemonSet",  "InferenceService",     "LeaderWorkerSet",
                                     "Node",       "ReplicationController"};

// Labels that say where a node lies, the widest first.
constexpr std::pair<const char*, const char*> kTopologyLabels[] = {
    {"topology.kubernetes.io/zone", "zone"},
    {"topology.k8s.aws/network-node-layer-1", "layer-1"},
    {"topology.k8s.aws/network-node-layer-2", "layer-2"},
    {"topology.k8s.aws/network-node-layer-3", "layer-3"},
    {"cloud.google.com/gce-topology-block", "block"},
    {"cloud.google.com/gce-topology-subblock", "subblock"},
    {"cloud.provider.com/topology-block", "block"},
    {"cloud.provider.com/topology-rack", "rack"},
    {"topology.kubernetes.io/rack", "rack"},
    {"nvidia.com/gpu.clique", "clique"}};

using Key = std::tuple<std::string, std::string, std::string, std::string>;

// Rows of one job.
struct Holder {
  std::vector<std::size_t> rows;
};

Key KeyOf(const HoldingBatch& held, std::size_t row) {
  const std::string cluster(held.cluster[row].text());
  if (held.source[row].text() == "slurm") return {cluster, "", "SlurmJob", held.name[row]};
  return {cluster, std::string(held.ns[row].text()), held.workload_kind[row], held.workload[row]};
}

// Time covered by any of the spans.
Duration Covered(std::vector<Window> spans) {
  std::sort(spans.begin(), spans.end());
  Duration sum;
  std::optional<Instant> until;
  for (const Window& span : spans) {
    const Instant begin = until ? std::max(*until, span.begin) : span.begin;
    if (span.until > begin) sum += Between(begin, span.until);
    until = until ? std::max(*until, span.until) : span.until;
  }
  return sum;
}

// Thousandths of a card that a row holds, a part of one rounded up.
std::int64_t MilliOf(const HoldingBatch& held, std::size_t row) {
  const std::int64_t den = std::max<std::int64_t>(held.share_den[row], 1);
  const std::int64_t devices = std::clamp<std::int64_t>(held.devices[row], 0, kNodeDevicesMax);
  return (devices * std::max<std::int64_t>(held.share_num[row], 0) * kMilliPerGpu + den - 1) / den;
}

void SetGpus(std::int64_t milli, PodShape& shape) {
  if (milli > 0 && milli < kMilliPerGpu) {
    shape.gpus = 1;
    shape.gpu_milli = static_cast<std::int32_t>(milli);
    return;
  }
  shape.gpus = static_cast<std::int32_t>(
      std::min<std::int64_t>((milli + kMilliPerGpu - 1) / kMilliPerGpu, kGpusPerNodeMax));
}

std::string GpuModelOf(const NodeBatch& nodes, std::size_t row) {
  return nodes.gpu_model[row].empty() ? "unknown" : nodes.gpu_model[row];
}

class JobsOf {
 public:
  JobsOf(const OccupancyFacts& occupancy, Window window, TrainingFacts& facts)
      : held_(occupancy.holdings), window_(window), facts_(facts) {
    const NodeBatch& nodes = occupancy.nodes;
    for (std::size_t row = 0; row < RowsOf(nodes); ++row) {
      models_.emplace(nodes.node[row].text(), GpuModelOf(nodes, row));
    }
  }

  void Take(const Holder& holder) {
    const std::size_t first = FirstRow(holder);
    if (!window_.contains(held_.begin[first])) return;
    if (IsService(first)) return LeaveOut("serves for good (" + held_.workload_kind[first] + ")");
    std::vector<Window> spans;
    std::size_t last = first;
    for (const std::size_t row : holder.rows) {
      if (!held_.until[row]) return LeaveOut("still running: its run time is not known");
      spans.push_back({held_.begin[row], *held_.until[row]});
      if (*held_.until[row] > *held_.until[last]) last = row;
    }
    TrainingJob job;
    SetGang(holder, first, job);
    if (job.shape.gpus == 0) return LeaveOut("asks for no GPU");
    job.name = held_.source[first].text() == "slurm" ? held_.name[first] : held_.workload[first];
    job.user = held_.user_name[first];
    job.queue = Queue(first);
    job.submitted = std::min(held_.queued[first].value_or(held_.begin[first]), held_.begin[first]);
    job.run = Covered(std::move(spans));
    if (held_.queued[first]) job.started = held_.begin[first];
    facts_.waits_unknown += held_.queued[first] ? 0 : 1;
    job.shape.flavors = FlavorsOf(holder);
    job.ended = held_.until[last];
    job.end = EndOfReason(held_.end_reason[last]);
    facts_.workload.jobs.push_back(std::move(job));
  }

 private:
  std::size_t FirstRow(const Holder& holder) const {
    return *std::min_element(
        holder.rows.begin(), holder.rows.end(),
        [&](std::size_t a, std::size_t b) { return held_.begin[a] < held_.begin[b]; });
  }

  bool IsService(std::size_t row) const {
    return std::find(std::begin(kServices), std::end(kServices), held_.workload_kind[row]) !=
           std::end(kServices);
  }

  // Pods (of Slurm: nodes) of the first start, each with the most that one of them holds.
  void SetGang(const Holder& holder, std::size_t first, TrainingJob& job) const {
    struct Pod {
      std::int64_t milli = 0, cpu_milli = 0, memory_bytes = 0;
      std::map<std::string, std::int64_t> by_kind;  // two sources may tell of one pod
    };
    std::map<std::pair<std::string, std::string>, Pod> pods;
    for (const std::size_t row : holder.rows) {
      if (held_.begin[row] > held_.begin[first] + kOneStart) continue;
      Pod& pod = pods[{held_.uid[row], std::string(held_.node[row].text())}];
      std::int64_t& of_kind = pod.by_kind[std::string(held_.device_kind[row].text())];
      const std::int64_t milli = MilliOf(held_, row);
      pod.milli += std::max<std::int64_t>(milli - of_kind, 0);
      of_kind = std::max(of_kind, milli);
      pod.cpu_milli = std::max(pod.cpu_milli, held_.cpu_milli[row]);
      pod.memory_bytes = std::max(pod.memory_bytes, held_.memory_bytes[row]);
    }
    Pod most;
    std::int32_t with_gpus = 0;
    for (const auto& [id, pod] : pods) {
      with_gpus += pod.milli > 0 ? 1 : 0;
      most.milli = std::max(most.milli, pod.milli);
      most.cpu_milli = std::max(most.cpu_milli, pod.cpu_milli);
      most.memory_bytes = std::max(most.memory_bytes, pod.memory_bytes);
    }
    job.pods = job.pods_min = std::max(with_gpus, 1);
    SetGpus(most.milli, job.shape);
    job.shape.cpu_milli = most.cpu_milli;
    job.shape.memory_mib = most.memory_bytes / kMib;
  }

  // Those of its nodes as far as the cluster still has them; else any.
  FlavorSet FlavorsOf(const Holder& holder) const {
    const std::vector<std::string>& known = facts_.cluster.flavors;
    FlavorSet flavors = 0;
    for (const std::size_t row : holder.rows) {
      const auto model = models_.find(std::string(held_.node[row].text()));
      if (model == models_.end()) continue;
      const auto at = std::find(known.begin(), known.end(), model->second);
      if (at != known.end()) flavors |= FlavorSet{1} << (at - known.begin());
    }
    return flavors == 0 ? kAnyFlavor : flavors;
  }

  std::uint32_t Queue(std::size_t row) {
    const std::string ns(held_.ns[row].text());
    const std::string name = !held_.queue[row].empty() ? held_.queue[row]
                             : !ns.empty()             ? ns
                                                       : std::string("default");
    std::vector<std::string>& queues = facts_.workload.queues;
    const auto [at, is_new] = queues_.emplace(name, static_cast<std::uint32_t>(queues.size()));
    if (is_new) queues.push_back(name);
    return at->second;
  }

  void LeaveOut(const std::string& why) { ++facts_.left_out[why]; }

  const HoldingBatch& held_;
  Window window_;
  TrainingFacts& facts_;
  std::map<std::string, std::uint32_t> queues_;
  std::map<std::string, std::string> models_;  // by node
};

// The values of the known topology labels of each node, with its zone.
std::map<std::string, std::string> LabelsOf(const NodeBatch& nodes, std::size_t row) {
  std::map<std::string, std::string> labels;
  const auto object = nlohmann::json::parse(nodes.labels[row], nullptr, false);
  if (object.is_object()) {
    for (const auto& [key, value] : object.items()) {
      if (value.is_string()) labels[key] = value.get<std::string>();
    }
  }
  if (!nodes.zone[row].empty()) labels.emplace(kTopologyLabels[0].first, nodes.zone[row]);
  return labels;
}

// Labels that a node of the fleet bears, the widest first, one a level's name.
std::vector<std::pair<std::string, std::string>> LevelsOf(const NodeBatch& nodes,
                                                          const std::vector<std::size_t>& rows) {
  std::set<std::string> borne;
  for (const std::size_t row : rows) {
    for (const auto& [label, value] : LabelsOf(nodes, row)) borne.insert(label);
  }
  std::vector<std::pair<std::string, std::string>> levels;
  for (const auto& [label, level] : kTopologyLabels) {
    const bool named = std::any_of(levels.begin(), levels.end(),
                                   [&](const auto& known) { return known.second == level; });
    if (borne.contains(label) && !named) levels.emplace_back(label, level);
  }
  return levels;
}

std::string PurchaseOf(const std::string& capacity_type) {
  return capacity_type == "spot" || capacity_type == "on-demand" ? capacity_type : "";
}

std::string GroupNameOf(const NodeBatch& nodes, std::size_t row) {
  std::string name =
      nodes.instance_type[row].empty() ? nodes.gpu_model[row] : nodes.instance_type[row];
  if (name.empty()) name = "unknown";
  const std::string purchase = PurchaseOf(nodes.capacity_type[row]);
  return purchase.empty() ? name : name + " " + purchase;
}

// Nodes with GPUs that were there at `at`, each once, by group. Of several sources' rows the one
// that names a model counts, of those the one with the most labels; then the lesser model: the
// catalog's name ("L4") is before an exporter's ("NVIDIA-L4").
std::vector<std::size_t> RowsAt(const NodeBatch& nodes, Instant at) {
  const auto is_better = [&](std::size_t a, std::size_t b) {
    const std::string &model = nodes.gpu_model[a], &other = nodes.gpu_model[b];
    if (model.empty() != other.empty()) return other.empty();
    if (nodes.labels[a].size() != nodes.labels[b].size()) {
      return nodes.labels[a].size() > nodes.labels[b].size();
    }
    return model < other;
  };
  std::map<std::pair<Symbol, Symbol>, std::size_t> by_node;
  for (std::size_t row = 0; row < RowsOf(nodes); ++row) {
    const bool there = nodes.begin[row].value_or(at) <= at && nodes.until[row].value_or(at) >= at;
    if (!there || nodes.gpu_count[row] <= 0) continue;
    const auto [known, is_new] =
        by_node.emplace(std::pair(nodes.cluster[row], nodes.node[row]), row);
    if (!is_new && is_better(row, known->second)) known->second = row;
  }
  std::vector<std::size_t> rows;
  for (const auto& [node, row] : by_node) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(GroupNameOf(nodes, a), nodes.node[a].text()) <
           std::tuple(GroupNameOf(nodes, b), nodes.node[b].text());
  });
  return rows;
}

std::uint32_t FlavorOf(const std::string& name, std::vector<std::string>& flavors) {
  const auto at = std::find(flavors.begin(), flavors.end(), name);
  const auto index = static_cast<std::uint32_t>(at - flavors.begin());
  if (at != flavors.end()) return index;
  if (flavors.size() + 1 < kFlavorsMax) {
    flavors.push_back(name);
    return index;
  }
  if (flavors.size() < kFlavorsMax) flavors.emplace_back("other");
  return static_cast<std::uint32_t>(kFlavorsMax - 1);
}

ClusterSpec ClusterOf(const NodeBatch& nodes, Instant at) {
  ClusterSpec facts;
  const std::vector<std::size_t> rows = RowsAt(nodes, at);
  const auto levels = LevelsOf(nodes, rows);
  std::vector<std::string> names;
  for (const auto& [label, level] : levels) names.push_back(level);
  facts.tree = DomainTree(names);
  for (const std::size_t row : rows) {
    const std::string group = GroupNameOf(nodes, row);
    if (facts.groups.empty() || facts.groups.back().name != group) {
      facts.groups.push_back({group,
                              static_cast<NodeId>(facts.nodes.size()),
                              0,
                              PurchaseOf(nodes.capacity_type[row]),
                              0,
                              {},
                              {},
                              {},
                              {}});
    }
    ++facts.groups.back().nodes;
    NodeSpec& node = facts.nodes.emplace_back();
    node.name = nodes.node[row].text();
    node.flavor = FlavorOf(GpuModelOf(nodes, row), facts.flavors);
    node.cpu_milli = nodes.cpu_milli[row];
    node.memory_mib = nodes.memory_bytes[row] / kMib;
    node.gpus =
        static_cast<std::int32_t>(std::min<std::int64_t>(nodes.gpu_count[row], kGpusPerNodeMax));
    const auto labels = LabelsOf(nodes, row);
    std::vector<std::string> values;
    for (const auto& [label, level] : levels) {
      const auto value = labels.find(label);
      values.push_back(value == labels.end() ? "" : value->second);
    }
    if (!values.empty()) node.domains = facts.tree.Add(values);
  }
  return facts;
}

// Where facts are of several clusters, each one's GPUs are models of their own: its jobs run on no
// other's.
void TellClustersApart(NodeBatch& nodes) {
  std::set<std::string> clusters;
  for (const auto& cluster : nodes.cluster) clusters.emplace(cluster.text());
  if (clusters.size() < 2) return;
  for (std::size_t row = 0; row < RowsOf(nodes); ++row) {
    const std::string prefix = std::string(nodes.cluster[row].text()) + "/";
    nodes.gpu_model[row] = prefix + GpuModelOf(nodes, row);
    if (!nodes.instance_type[row].empty()) {
      nodes.instance_type[row] = prefix + nodes.instance_type[row];
    }
  }
}

}  // namespace

TrainingFacts TrainingFactsOf(const OccupancyFacts& occupancy, Window window) {
  TrainingFacts facts;
  facts.cluster = ClusterOf(occupancy.nodes, window.until - Millis(1));
  const HoldingBatch& held = occupancy.holdings;
  std::vector<Holder> holders;  // in the order of their first rows
  std::map<Key, std::size_t> known;
  // Each once: the Kubernetes API and kube-state-metrics tell of the same pods.
  for (const std::size_t row : UniqueHoldings(held, window.until)) {
    if (!held.role[row].text().empty()) continue;  // it only keeps room
    const auto [at, is_new] = known.try_emplace(KeyOf(held, row), holders.size());
    if (is_new) holders.emplace_back();
    holders[at->second].rows.push_back(row);
  }
  JobsOf jobs(occupancy, window, facts);
  for (const Holder& holder : holders) jobs.Take(holder);
  std::stable_sort(
      facts.workload.jobs.begin(), facts.workload.jobs.end(),
      [](const TrainingJob& a, const TrainingJob& b) { return a.submitted < b.submitted; });
  return facts;
}

Result<TrainingFacts> GatherTrainingFacts(Context& context, Window window) {
  PLIMSOLL_TRY(Store* const store, context.existing_store());
  PLIMSOLL_TRY(OccupancyFacts occupancy, ReadOccupancy(*store, window));
  PLIMSOLL_TRY(const Catalog* const catalog, context.catalog());
  for (std::string& model : occupancy.nodes.gpu_model) {
    if (const GpuModel* const known = catalog->FindGpu(model)) model = known->name;
  }
  TellClustersApart(occupancy.nodes);
  TrainingFacts facts = TrainingFactsOf(occupancy, window);
  if (facts.cluster.nodes.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no node with GPUs was there at the end of " + ToString(window) +
                     ": load nodes with `plimsoll ingest kubernetes` or `plimsoll ingest slurm`, "
                     "take a --window whose end they cover, or give --cluster and --jobs"};
  }
  if (!facts.workload.jobs.empty()) return facts;
  return Error{ErrorCode::kNotFound, "no job began and ended in " + ToString(window) +
                                         ": load jobs with `plimsoll ingest slurm` or "
                                         "`plimsoll ingest kubernetes`, or name a file of them"};
}

}  // namespace plimsoll
