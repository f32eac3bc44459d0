#include "ingest/prometheus/ksm_nodes.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace plimsoll {
namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

struct Node {
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  std::string provider_id;
  std::pair<std::int64_t, Labels> labels{INT64_MIN, {}};
  std::map<std::string, std::int64_t> capacity;  // by sanitized resource
  std::int64_t created = INT64_MAX;

  // The first of these labels that is not empty.
  std::string Label(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys) {
      for (const auto& [label, value] : labels.second) {
        if (label == key && !value.empty()) return value;
      }
    }
    return {};
  }
  std::int64_t Number(std::string_view key) const {
    const std::string text = Label({key});
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return std::max<std::int64_t>(value, 0);
  }
};

void See(Node& node, const KsmSeries& series) {
  node.first = std::min(node.first, series.first);
  node.last = std::max(node.last, series.last);
  if (series.metric == KsmMetric::kNodeInfo) {
    node.provider_id = std::max(node.provider_id, std::string(series.labels.Get("provider_id")));
  } else if (series.metric == KsmMetric::kNodeLabels) {
    node.labels = std::max(node.labels, {series.last, ObjectLabels(series.labels)});
  } else if (series.metric == KsmMetric::kNodeCapacity) {
    std::int64_t& most = node.capacity[std::string(series.labels.Get("resource"))];
    most = std::max(most, series.greatest);
  } else {
    node.created = std::min(node.created, series.least);
  }
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

// Every platform's own label; unknown is not on demand.
std::string CapacityType(const Node& node) {
  std::string type =
      Lower(node.Label({"karpenter_sh_capacity_type", "eks_amazonaws_com_capacityType",
                        "eks_amazonaws_com_capacity_type"}));
  if (type == "on_demand") type = "on-demand";
  if (type == "capacity_block") type = "reserved";
  if (type == "spot" || type == "on-demand" || type == "reserved") return type;
  const std::string spot = Lower(node.Label(
      {"cloud_google_com_gke_spot", "cloud_google_com_gke_preemptible",
       "kubernetes_azure_com_scalesetpriority", "node_kubernetes_io_lifecycle", "lifecycle"}));
  if (spot == "true" || spot == "spot" || spot == "ec2spot") return "spot";
  const bool managed =
      !node.Label({"cloud_google_com_gke_nodepool", "kubernetes_azure_com_agentpool"}).empty();
  return managed ? "on-demand" : "unknown";  // both clouds label only their spot nodes
}

// "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb-SHARED" names the card up to the first mark.
std::string ModelOf(const Node& node) {
  std::string product = node.Label({"nvidia_com_gpu_product", "amd_com_gpu_product_name"});
  for (const char* mark : {"-MIG-", "-SHARED"}) {
    product = product.substr(0, product.find(mark));
  }
  return product;
}

// Devices that one card carries if all of it is cut into `profile` ("1g.10gb"): as many as
// its compute or its memory slices allow.
std::int64_t DevicesPerCard(const std::string& profile, bool small_card) {
  static const std::map<std::string_view, std::int64_t> kFewer = {
      {"1g.6gb", 4},  {"2g.12gb", 2}, {"4g.24gb", 1},                  // A30: four slices
      {"1g.20gb", 4}, {"1g.24gb", 4}, {"1g.35gb", 4}, {"1g.45gb", 4},  // two memory slices each
  };
  if (small_card && profile == "1g.10gb") return 4;  // A100 40 GB: two memory slices each
  if (const auto fewer = kFewer.find(profile); fewer != kFewer.end()) return fewer->second;
  switch (profile.empty() ? '\0' : profile[0]) {
    case '1':
      return 7;
    case '2':
      return 3;
    case '3':
      return 2;
    default:
      return 1;
  }
}

std::int64_t PhysicalCards(const Node& node) {
  std::int64_t devices = 0;
  for (const auto& [resource, amount] : node.capacity) {
    const auto unit = DeviceUnitOf(resource);
    if (!unit || resource.starts_with("nvidia_com_mig_")) continue;
    // A replicated card is offered as gpu or as gpu.shared, never as both at once.
    devices = std::max(devices, amount);
  }
  const std::int64_t counted = node.Number("nvidia_com_gpu_count");
  devices /= std::max<std::int64_t>(node.Number("nvidia_com_gpu_replicas"), 1);
  if (counted > 0) devices = counted;  // physical also under time-slicing
  const std::string product = node.Label({"nvidia_com_gpu_product"});
  const std::size_t mig = product.find("-MIG-");
  if (mig == std::string::npos) return devices;
  std::string profile = product.substr(mig + 5);
  profile = profile.substr(0, profile.find("-SHARED"));
  const bool small_card = product.find("40GB-MIG-") != std::string::npos;
  return devices / DevicesPerCard(profile, small_card);
}

std::int64_t CapacityOf(const Node& node, const std::string& resource) {
  const auto found = node.capacity.find(resource);
  return found == node.capacity.end() ? 0 : found->second;
}

void AppendNode(const std::string& name, const Node& node, const std::string& cluster,
                NodeBatch& rows) {
  rows.snapshot_id.push_back(0);
  rows.cluster.push_back(cluster);
  rows.node.push_back(name);
  rows.provider_id.push_back(node.provider_id);
  rows.instance_type.push_back(
      node.Label({"node_kubernetes_io_instance_type", "beta_kubernetes_io_instance_type"}));
  rows.region.push_back(
      node.Label({"topology_kubernetes_io_region", "failure_domain_beta_kubernetes_io_region"}));
  rows.zone.push_back(
      node.Label({"topology_kubernetes_io_zone", "failure_domain_beta_kubernetes_io_zone"}));
  rows.capacity_type.push_back(CapacityType(node));
  rows.gpu_model.push_back(ModelOf(node));
  rows.gpu_count.push_back(PhysicalCards(node));
  rows.cpu_milli.push_back(CapacityOf(node, "cpu"));
  rows.memory_bytes.push_back(CapacityOf(node, "memory"));
  rows.begin.push_back(node.created == INT64_MAX ? std::nullopt
                                                 : std::optional(AtMillis(node.created)));
  std::map<std::string, std::string> labels(node.labels.second.begin(), node.labels.second.end());
  rows.labels.push_back(LabelsJson(labels));
}

}  // namespace

NodeBatch NodesOf(const KsmStore& store, const KsmOptions& options) {
  std::map<std::string, Node> nodes;
  for (const KsmSeries& series : store.series()) {
    if (series.metric < KsmMetric::kNodeInfo || series.last < series.first) continue;
    std::string name(series.labels.Get("exported_node"));
    if (name.empty()) name = series.labels.Get("node");
    if (!name.empty()) See(nodes[name], series);
  }
  NodeBatch rows;
  for (const auto& [name, node] : nodes) {
    AppendNode(name, node, options.cluster, rows);
    const bool gone = store.as_of() - node.last > options.hold.base();
    rows.until.push_back(gone ? std::optional(AtMillis(node.last) + options.hold) : std::nullopt);
  }
  return rows;
}

}  // namespace plimsoll
