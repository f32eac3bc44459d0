#include "ingest/pod.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace plimsoll {
namespace {

constexpr std::int64_t kComputeSlices = 7;     // A100, H100, H200, B200
constexpr std::int64_t kA30ComputeSlices = 4;  // NVIDIA A30
constexpr std::int64_t kShareDenMax = 1'000'000'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlnum(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Takes 1 to 4 digits and then `unit` from the front; 0 if they are not there.
std::int64_t TakeNumber(std::string_view& text, std::string_view unit) {
  std::size_t digits = 0;
  while (digits < text.size() && digits < 4 && IsDigit(text[digits])) ++digits;
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  if (value == 0 || !text.substr(digits).starts_with(unit)) return 0;
  text.remove_prefix(digits + unit.size());
  return value;
}

bool IsA30Profile(std::int64_t slices, std::int64_t gigabytes) {
  return (slices == 1 && gigabytes == 6) || (slices == 2 && gigabytes == 12) ||
         (slices == 4 && gigabytes == 24);
}

// Accelerators whose whole card, chip or device is one unit, by sanitized resource name.
std::optional<DeviceUnit> WholeUnitOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kWhole[] = {
      {"nvidia_com_gpu", "gpu"},
      {"nvidia_com_pgpu", "gpu"},
      {"nvidia_com_gpu_shared", "gpu.shared"},
      {"amd_com_gpu", "gpu"},
      {"gpu_intel_com_i915", "gpu"},
      {"gpu_intel_com_xe", "gpu"},
      {"habana_ai_gaudi", "gaudi"},
      {"aws_amazon_com_neuron", "neuron"},
      {"aws_amazon_com_neurondevice", "neuron"},
      {"google_com_tpu", "tpu"},
  };
  for (const auto& [resource, kind] : kWhole) {
    if (name == resource) return DeviceUnit{std::string(kind), 1, 1};
  }
  return std::nullopt;
}

// gpu.intel.com/* names besides the driver's own are devices too, but for these counters.
bool IsIntelDevice(std::string_view name) {
  if (!name.starts_with("gpu_intel_com_")) return false;
  for (const std::string_view counter : {"monitoring", "millicores", "memory_max", "tiles"}) {
    if (name.ends_with(counter)) return false;
  }
  return true;
}

const std::string* FindLabel(const std::map<std::string, std::string>& labels,
                             const std::string& key) {
  if (const auto found = labels.find(key); found != labels.end()) return &found->second;
  const std::string sanitized = SanitizedName(key);
  for (const auto& [name, value] : labels) {
    if (SanitizedName(name) == sanitized) return &value;
  }
  return nullptr;
}

std::int64_t ReplicasOf(const std::map<std::string, std::string>& labels) {
  const std::string* text = FindLabel(labels, "nvidia.com/gpu.replicas");
  std::int64_t replicas = 0;
  if (text == nullptr) return 1;
  std::from_chars(text->data(), text->data() + text->size(), replicas);
  return std::clamp<std::int64_t>(replicas, 1, 10'000);
}

// Compute slices of the node's cards where they are not what the profile's name tells: a
// "1g.24gb" is a seventh of an H100 NVL and a quarter of an RTX PRO 6000.
std::int64_t SlicesOfProduct(const std::map<std::string, std::string>& labels) {
  const std::string* product = FindLabel(labels, "nvidia.com/gpu.product");
  if (product == nullptr) return 0;
  const std::string name = SanitizedName(*product);
  if (name.find("RTX_PRO_6000") != std::string::npos) return 4;
  if (name.find("RTX_PRO_5000") != std::string::npos) return 2;
  return name.find("A30") != std::string::npos && name.find("A300") == std::string::npos ? 4 : 0;
}

std::optional<DeviceUnit> SingleStrategyUnit(const std::map<std::string, std::string>& labels) {
  const std::string* product = FindLabel(labels, "nvidia.com/gpu.product");
  if (product == nullptr) return std::nullopt;
  const std::size_t mark = product->find("-MIG-");
  if (mark == std::string::npos) return std::nullopt;
  std::string profile = product->substr(mark + 5);
  if (profile.ends_with("-SHARED")) profile.resize(profile.size() - 7);
  return MigUnitOf(profile);
}

// Adds `more` to `held` of the same kind: 2 whole devices and a half are 3 of 5/6 each.
void AddDevices(const HeldDevices& more, HeldDevices& held) {
  if (held.devices == 0 || held.unit == more.unit) {
    held.unit = more.unit;
    held.devices += more.devices;
    return;
  }
  const std::int64_t mine = std::min(held.devices, kNodeDevicesMax);
  const std::int64_t theirs = std::min(more.devices, kNodeDevicesMax);
  // Parts of a thousand millionths where the exact denominator would grow past all measure.
  const int128 common = int128{held.unit.share_den} /
                        std::gcd(held.unit.share_den, more.unit.share_den) * more.unit.share_den;
  const std::int64_t den = common > kShareDenMax ? kShareDenMax : static_cast<std::int64_t>(common);
  const auto parts = [&](const DeviceUnit& unit, std::int64_t devices) {
    return static_cast<std::int64_t>(int128{devices} * unit.share_num * den / unit.share_den);
  };
  const std::int64_t sum = parts(held.unit, mine) + parts(more.unit, theirs);
  held.devices = mine + theirs;
  const std::int64_t divisor = std::max<std::int64_t>(1, std::gcd(sum, den * held.devices));
  held.unit.share_num = sum / divisor;
  held.unit.share_den = den * held.devices / divisor;
}

std::int64_t RequestOf(const PodRecord& pod, const char* resource) {
  const auto found = pod.requests.find(resource);
  return found == pod.requests.end() ? 0 : found->second;
}

std::optional<Instant> NotBefore(std::optional<Instant> time, Instant begin) {
  return time ? std::optional(std::max(*time, begin)) : std::nullopt;
}

void AppendPending(const PodRecord& pod, const std::vector<HeldDevices>& wanted,
                   PendingBatch& pending) {
  std::int64_t devices = 0;
  const HeldDevices* shape = nullptr;  // what is hardest to find room for
  for (const HeldDevices& holding : wanted) {
    devices += holding.devices;
    if (shape == nullptr || holding.devices > shape->devices) shape = &holding;
  }
  pending.snapshot_id.push_back(0);
  pending.cluster.push_back(pod.cluster);
  pending.source.emplace_back("kubernetes");
  pending.ns.push_back(pod.ns);
  pending.name.push_back(pod.name);
  pending.workload_kind.push_back(pod.workload_kind);
  pending.workload.push_back(pod.workload);
  pending.queue.push_back(pod.queue);
  pending.labels.push_back(LabelsJson(pod.labels));
  pending.devices.push_back(devices);
  pending.queued.push_back(*pod.created);
  pending.reason.push_back(pod.pending_reason);
  pending.unit_devices.push_back(devices == 0 ? 0 : shape->devices);
  pending.device_kind.push_back(devices == 0 ? "" : shape->unit.kind);
}

}  // namespace

std::string SanitizedName(std::string_view name) {
  std::string sanitized(name);
  std::replace_if(
      sanitized.begin(), sanitized.end(), [](char c) { return !IsAlnum(c); }, '_');
  return sanitized;
}

std::optional<DeviceUnit> MigUnitOf(std::string_view profile) {
  const std::string name = SanitizedName(profile);
  std::string_view rest = name;
  const std::int64_t compute = TakeNumber(rest, "c_");  // a compute instance within a slice
  const std::int64_t slices = TakeNumber(rest, "g_");
  const std::int64_t gigabytes = TakeNumber(rest, "gb");
  if (slices == 0 || slices > kComputeSlices || gigabytes == 0 || compute > slices) {
    return std::nullopt;
  }
  std::string kind = "mig-";
  if (compute != 0) kind += std::to_string(compute) + "c.";
  kind += std::to_string(slices) + "g." + std::to_string(gigabytes) + "gb";
  if (rest == "_me") {
    kind += "+me";
  } else if (rest == "_me_all") {
    kind += "+me.all";
  } else if (rest == "_gfx") {  // with graphics, on RTX PRO
    kind += "+gfx";
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  return DeviceUnit{kind, compute != 0 ? compute : slices,
                    IsA30Profile(slices, gigabytes) ? kA30ComputeSlices : kComputeSlices};
}

std::optional<DeviceUnit> DeviceUnitOf(const std::string& resource) {
  const std::string name = SanitizedName(resource);
  if (auto unit = WholeUnitOf(name)) return unit;
  constexpr std::string_view kMig = "nvidia_com_mig_";
  if (name.starts_with(kMig)) return MigUnitOf(std::string_view(name).substr(kMig.size()));
  // Two cores a device on Trainium 1 and Inferentia 2, the devices that offer cores singly.
  if (name == "aws_amazon_com_neuroncore") return DeviceUnit{"neuroncore", 1, 2};
  if (IsIntelDevice(name)) return DeviceUnit{"gpu", 1, 1};
  return std::nullopt;
}

DeviceUnit UnitOnNode(const DeviceUnit& unit, const std::map<std::string, std::string>& labels) {
  if (unit.kind.starts_with("mig-")) {
    const std::int64_t slices = SlicesOfProduct(labels);
    const bool plain = unit.share_den == kComputeSlices && unit.share_num <= slices;
    return plain ? DeviceUnit{unit.kind, unit.share_num, slices} : unit;
  }
  if (unit.kind != "gpu" && unit.kind != "gpu.shared") return unit;
  const std::int64_t replicas = ReplicasOf(labels);
  if (const auto mig = SingleStrategyUnit(labels)) {
    const DeviceUnit slice = UnitOnNode(*mig, labels);
    return {slice.kind, slice.share_num, slice.share_den * replicas};
  }
  if (replicas == 1) return unit;
  return {"gpu.shared", 1, replicas};
}

std::vector<HeldDevices> HeldDevicesOf(const PodRecord& pod) {
  std::map<std::string, HeldDevices> requests;  // two spellings of a name are one request
  for (const auto& [resource, count] : pod.requests) {
    const auto known = pod.units.find(resource);
    const std::optional<DeviceUnit> unit =
        known != pod.units.end() ? known->second : DeviceUnitOf(resource);
    if (!unit || count <= 0) continue;
    HeldDevices& request = requests[SanitizedName(resource)];
    request = {*unit, std::max(request.devices, count)};
  }
  std::map<std::string, HeldDevices> by_kind;
  for (const auto& [name, request] : requests) AddDevices(request, by_kind[request.unit.kind]);
  std::vector<HeldDevices> holdings;
  for (auto& [kind, holding] : by_kind) holdings.push_back(std::move(holding));
  if (holdings.empty()) holdings.push_back({{"gpu", 1, 1}, 0});
  return holdings;
}

std::string RoleOf(const PodMarks& marks) {
  if (marks.ns == "kai-resource-reservation" || marks.ns == "runai-reservation") {
    return "reservation";
  }
  const bool named = marks.priority_class.find("overprovision") != std::string::npos;
  const bool marked = marks.pause_image || marks.overprovisioning || named;
  return marks.priority < 0 && marked ? "placeholder" : "";
}

std::string LabelsJson(const std::map<std::string, std::string>& labels) {
  // Text that is not UTF-8 is replaced, as every store wants UTF-8.
  return nlohmann::json(labels).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void AppendPod(const PodRecord& pod, HoldingBatch& holdings, PendingBatch& pending) {
  const std::vector<HeldDevices> held = HeldDevicesOf(pod);
  if (pod.node.empty() && !pod.ended && pod.created) AppendPending(pod, held, pending);
  if (pod.node.empty() || !pod.scheduled) return;
  const std::string labels = LabelsJson(pod.labels);
  bool first = true;  // only the first row carries CPU and memory, so that rows add up
  for (const HeldDevices& holding : held) {
    holdings.snapshot_id.push_back(0);
    holdings.cluster.push_back(pod.cluster);
    holdings.node.push_back(pod.node);
    holdings.source.emplace_back("kubernetes");
    holdings.ns.push_back(pod.ns);
    holdings.name.push_back(pod.name);
    holdings.uid.push_back(pod.uid);
    holdings.workload_kind.push_back(pod.workload_kind);
    holdings.workload.push_back(pod.workload);
    holdings.account.emplace_back();
    holdings.user_name.emplace_back();
    holdings.queue.push_back(pod.queue);
    holdings.labels.push_back(labels);
    holdings.devices.push_back(holding.devices);
    holdings.device_kind.push_back(holding.unit.kind);
    holdings.share_num.push_back(holding.unit.share_num);
    holdings.share_den.push_back(holding.unit.share_den);
    holdings.cpu_milli.push_back(first ? RequestOf(pod, "cpu") : 0);
    holdings.memory_bytes.push_back(first ? RequestOf(pod, "memory") : 0);
    holdings.queued.push_back(pod.created);
    holdings.begin.push_back(*pod.scheduled);
    holdings.ready.push_back(NotBefore(pod.ready, *pod.scheduled));
    holdings.until.push_back(NotBefore(pod.ended, *pod.scheduled));
    holdings.end_reason.push_back(pod.ended ? pod.end_reason : "");
    holdings.role.push_back(pod.role);
    holdings.used_ppm.emplace_back();
    holdings.used_signal.emplace_back();
    first = false;
  }
}

}  // namespace plimsoll
