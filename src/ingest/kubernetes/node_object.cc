#include "ingest/kubernetes/node_object.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "ingest/kubernetes/kubernetes_quantity.h"
#include "ingest/pod.h"

namespace plimsoll {
namespace {

std::string Get(const NodeLabels& labels, const char* key) {
  const auto found = labels.find(key);
  return found == labels.end() ? "" : found->second;
}

std::string FirstOf(const NodeLabels& labels, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (std::string value = Get(labels, key); !value.empty()) return value;
  }
  return "";
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::int64_t Count(const std::string& text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return 0;
  return std::clamp<std::int64_t>(count, 0, 1'000'000);
}

// A capacity-type value of any dialect: SPOT, on-demand, ON_DEMAND, CAPACITY_BLOCK, Ec2Spot.
std::string KnownType(const std::string& value) {
  const std::string lower = Lower(value);
  if (lower.find("spot") != std::string::npos || lower.find("preempt") != std::string::npos) {
    return "spot";
  }
  if (lower == "on-demand" || lower == "on_demand" || lower == "ondemand" || lower == "regular" ||
      lower == "standard" || lower == "normal") {
    return "on-demand";
  }
  if (lower.find("reserv") != std::string::npos || lower.find("capacity") == 0) return "reserved";
  return "";
}

// How many instances of the node's single MIG profile make a card; 0 without one.
std::int64_t InstancesPerCard(const NodeLabels& labels) {
  const DeviceUnit unit = UnitOnNode({"gpu", 1, 1}, labels);
  if (!unit.kind.starts_with("mig-")) return 0;
  std::int64_t replicas = std::max<std::int64_t>(1, Count(Get(labels, "nvidia.com/gpu.replicas")));
  const std::int64_t slices = unit.share_den / replicas;
  return std::max<std::int64_t>(1, slices / unit.share_num);
}

std::int64_t CapacityOf(const std::map<std::string, std::string>& capacity,
                        const std::string& resource) {
  const auto found = capacity.find(resource);
  if (found == capacity.end()) return 0;
  const auto count = ParseKubernetesQuantity(found->second, 1);
  return count ? std::min<std::int64_t>(*count, 1'000'000) : 0;
}

void AddState(const FieldReader& object, NodeLabels& labels) {
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    if (condition.Text("type") != "Ready") continue;
    labels["kubernetes/ready"] = condition.Text("status");
    const auto since = condition.Time("lastTransitionTime");
    if (since) labels["kubernetes/ready.as-of"] = ToString(*since);
  }
  if (object.Boolean("spec.unschedulable")) labels["kubernetes/unschedulable"] = "true";
}

std::int64_t Capacity(const FieldReader& object, const char* resource, std::int64_t scale) {
  const auto capacity = object.Texts("status.capacity");
  const auto found = capacity.find(resource);
  if (found == capacity.end()) return 0;
  const auto value = ParseKubernetesQuantity(found->second, scale);
  if (value) return *value;
  object.Fail(std::string("status.capacity.") + resource, value.error().message);
  return 0;
}

// Accelerators that the node offers are whole and no more than any machine has; anything else
// would multiply what its hours cost.
void CheckDevices(const FieldReader& object, const std::string& path) {
  for (const auto& [resource, text] : object.Texts(path)) {
    if (!DeviceUnitOf(resource)) continue;
    const auto whole = ParseKubernetesQuantity(text, 1);
    const auto milli = ParseKubernetesQuantity(text, 1'000);
    if (whole && milli && *milli == *whole * 1'000 && *whole <= kNodeDevicesMax) continue;
    object.Fail(path + "." + resource,
                "'" + text.substr(0, 40) + "' is no number of devices: a node has 0 to " +
                    std::to_string(kNodeDevicesMax) +
                    " of a resource, whole ones; see what its device plugin reports");
  }
}

std::string ModelOf(const NodeLabels& labels, const InstanceShape* shape, const Catalog* catalog) {
  const std::string product = GpuProductOf(labels);
  if (catalog != nullptr && !product.empty()) {
    if (const GpuModel* model = catalog->FindGpu(product)) return model->name;
  }
  if (shape != nullptr && !shape->gpu_model.empty()) return shape->gpu_model;
  return product;
}

}  // namespace

std::string CapacityTypeOf(const NodeLabels& labels) {
  for (const char* key :
       {"karpenter.sh/capacity-type", "eks.amazonaws.com/capacityType",
        "kubernetes.azure.com/scalesetpriority", "cloud.google.com/gke-provisioning",
        "node.kubernetes.io/lifecycle", "lifecycle"}) {
    if (std::string type = KnownType(Get(labels, key)); !type.empty()) return type;
  }
  for (const char* key : {"cloud.google.com/gke-spot", "cloud.google.com/gke-preemptible"}) {
    if (Lower(Get(labels, key)) == "true") return "spot";
  }
  // Regular nodes of these platforms lack the label that spot nodes of theirs always have.
  if (labels.contains("kubernetes.azure.com/agentpool") || labels.contains("agentpool") ||
      labels.contains("cloud.google.com/gke-nodepool")) {
    return "on-demand";
  }
  return "unknown";
}

std::string GpuProductOf(const NodeLabels& labels) {
  std::string product = FirstOf(
      labels,
      {"nvidia.com/gpu.product", "amd.com/gpu.product-name", "beta.amd.com/gpu.product-name",
       "cloud.google.com/gke-accelerator", "cloud.google.com/gke-tpu-accelerator",
       "karpenter.k8s.aws/instance-gpu-name", "karpenter.k8s.aws/instance-accelerator-name",
       "karpenter.azure.com/sku-gpu-name", "k8s.amazonaws.com/accelerator"});
  if (product.ends_with("-SHARED")) product.resize(product.size() - 7);
  if (const std::size_t mig = product.find("-MIG-"); mig != std::string::npos) product.resize(mig);
  return product;
}

std::int64_t CardsOf(const NodeLabels& labels, const std::map<std::string, std::string>& amounts) {
  const std::int64_t replicas =
      std::max<std::int64_t>(1, Count(Get(labels, "nvidia.com/gpu.replicas")));
  const std::int64_t per_card = std::max<std::int64_t>(1, InstancesPerCard(labels));
  std::int64_t cards = 0;
  std::int64_t slices = 0;
  std::int64_t slices_per_card = 7;
  for (const auto& [resource, text] : amounts) {
    const auto unit = DeviceUnitOf(resource);
    if (!unit) continue;
    const std::int64_t count = CapacityOf(amounts, resource);
    if (unit->kind.starts_with("mig-")) {
      const DeviceUnit slice = UnitOnNode(*unit, labels);
      slices += count * slice.share_num;
      slices_per_card = slice.share_den;
    } else if (resource.starts_with("nvidia.com/")) {
      const std::int64_t units = per_card * replicas;
      cards += (count + units - 1) / units;
    } else if (unit->kind != "neuroncore") {  // cores are of devices that are counted
      cards += count;
    }
  }
  return cards + (slices + slices_per_card - 1) / slices_per_card;
}

std::int64_t PhysicalGpus(const NodeLabels& labels,
                          const std::map<std::string, std::string>& capacity,
                          const InstanceShape* shape) {
  if (shape != nullptr && shape->gpu_num > 0) {
    return (shape->gpu_num + shape->gpu_den - 1) / shape->gpu_den;
  }
  const std::int64_t cloud = Count(FirstOf(
      labels,
      {"karpenter.k8s.aws/instance-gpu-count", "karpenter.azure.com/sku-gpu-count",
       "cloud.google.com/gke-accelerator-count", "karpenter.k8s.aws/instance-accelerator-count"}));
  if (cloud > 0) return cloud;
  const std::int64_t discovered = Count(Get(labels, "nvidia.com/gpu.count"));
  if (discovered == 0) return CardsOf(labels, capacity);
  const std::int64_t per_card = std::max<std::int64_t>(1, InstancesPerCard(labels));
  return (discovered + per_card - 1) / per_card;
}

void AppendNode(const FieldReader& object, const std::string& cluster, const Catalog* catalog,
                NodeBatch& nodes) {
  const std::string name = object.Text("metadata.name");
  if (name.empty()) object.Fail("metadata.name", "is missing");
  NodeLabels labels = object.Texts("metadata.labels");
  const std::string type =
      FirstOf(labels, {"node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"});
  const InstanceShape* shape = catalog == nullptr ? nullptr : catalog->FindShape("", type);
  CheckDevices(object, "status.capacity");
  CheckDevices(object, "status.allocatable");
  const std::int64_t gpus = PhysicalGpus(labels, object.Texts("status.capacity"), shape);
  if (gpus > kNodeGpusMax) {
    object.Fail("metadata.labels", "with status.capacity they make " + std::to_string(gpus) +
                                       " physical GPUs: a node has at most " +
                                       std::to_string(kNodeGpusMax) +
                                       "; see nvidia.com/gpu.count and gpu.replicas");
  }

  NodeBatch row;
  row.snapshot_id.push_back(0);
  row.cluster.push_back(cluster);
  row.node.push_back(name);
  row.provider_id.push_back(object.Text("spec.providerID"));
  row.instance_type.push_back(type);
  row.region.push_back(FirstOf(
      labels, {"topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"}));
  row.zone.push_back(
      FirstOf(labels, {"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"}));
  row.capacity_type.push_back(CapacityTypeOf(labels));
  row.gpu_model.push_back(gpus > 0 ? ModelOf(labels, shape, catalog) : "");
  row.gpu_count.push_back(gpus);
  row.cpu_milli.push_back(Capacity(object, "cpu", 1'000));
  row.memory_bytes.push_back(Capacity(object, "memory", 1));
  row.begin.push_back(object.Time("metadata.creationTimestamp"));
  row.until.push_back(object.Time("metadata.deletionTimestamp"));
  AddState(object, labels);
  row.labels.push_back(LabelsJson(labels));
  if (object.has_error()) return;
  AppendRow(nodes, row, 0);
}

}  // namespace plimsoll
