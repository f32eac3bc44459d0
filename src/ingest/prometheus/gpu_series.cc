#include "ingest/prometheus/gpu_series.h"

#include <algorithm>
#include <utility>

#include "ingest/prometheus/sample_value.h"

namespace plimsoll {
namespace {

// The exporter's own value of a label: Prometheus renames it where the target has one too.
std::string OwnValue(const SeriesLabels& series, std::string_view key) {
  const std::string_view exported = series.Get("exported_" + std::string(key));
  return std::string(exported.empty() ? series.Get(key) : exported);
}

template <class Names>
std::string FirstOf(const SeriesLabels& series, const Names& names) {
  for (const char* name : names) {
    if (name == nullptr) break;
    std::string value = OwnValue(series, name);
    if (!value.empty()) return value;
  }
  return {};
}

bool LooksLikeExporter(std::string_view name) {
  for (const std::string_view part : {"dcgm-exporter", "metrics-exporter", "metric-exporter",
                                      "neuron-monitor", "tpu-device-plugin"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return false;
}

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "gpu-n7:9400" -> "gpu-n7"; "" if the target is an address and not a name.
std::string HostOfTarget(std::string_view target) {
  const std::size_t colon = target.find(':');
  const std::string_view host = target.substr(0, colon);
  const bool is_name = std::any_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return is_name && target.find(':', colon + 1) == std::string_view::npos ? std::string(host) : "";
}

// The node: the exporter's hostname, unless that is its own pod's name (releases before
// NODE_NAME was passed), then what the scraper knows. Who runs no Kubernetes names the target.
std::string NodeOf(const SeriesLabels& series, Exporter exporter) {
  constexpr const char* kHost[] = {"Hostname", "hostname"};
  constexpr const char* kNode[] = {"node", "kubernetes_node", "k8s_node_name", "host_name"};
  const std::string host = FirstOf(series, kHost);
  if (!host.empty() && !LooksLikeExporter(host)) return host;
  std::string node = FirstOf(series, kNode);
  if (node.empty() && exporter == Exporter::kNeuron) return OwnValue(series, "instance_id");
  const bool has_no_node = exporter != Exporter::kDcgm && exporter != Exporter::kDcgmOld;
  if (node.empty() && host.empty() && has_no_node) return HostOfTarget(series.Get("instance"));
  return node.empty() ? host : node;
}

// Spellings that only an exporter has come first: beside them, plain `pod` is the target's. So
// it may be beside a job.
void SetHolder(const SeriesLabels& series, const ExporterDialect& dialect, GpuSeries& read) {
  constexpr std::pair<const char*, const char*> kOwn[] = {{"exported_namespace", "exported_pod"},
                                                          {"pod_namespace", "pod_name"},
                                                          {"k8s_namespace_name", "k8s_pod_name"}};
  const std::string ns(series.Get("namespace"));
  const std::string pod(series.Get("pod"));
  for (const auto& [own_ns, own_pod] : kOwn) {
    const std::string name(series.Get(own_pod));
    if (name.empty()) continue;
    const std::string own(series.Get(own_ns));
    read.holder = {own.empty() ? ns : own, name};
    if (pod != name) read.exporter = {ns, pod};
    return;
  }
  const std::string job = FirstOf(series, dialect.job);
  if (!job.empty() && job != "0") {  // Princeton's exporter: no job
    read.holder = {"", job};
  } else if (!LooksLikeExporter(pod) && !LooksLikeExporter(series.Get("container"))) {
    read.holder = {ns, pod};
  }
}

// ---- keys that are more than a label -----------------------------------------------------

// NeuronCores of a chip, by instance family (AWS instance type pages). Of others the machine
// is taken for one device.
struct NeuronFamily {
  std::string_view prefix;
  std::int64_t cores;
  const char* model;
};
constexpr NeuronFamily kNeuronFamilies[] = {{"inf1.", 4, "Inferentia1"},
                                            {"inf2.", 2, "Inferentia2"},
                                            {"trn1.", 2, "Trainium1"},
                                            {"trn1n.", 2, "Trainium1"}};

void SetNeuronKey(const SeriesLabels& series, GpuSeries& read) {
  const std::string type = OwnValue(series, "instance_type");
  const std::optional<std::int64_t> core = ParseScaled(read.own_instance, 0);
  for (const NeuronFamily& family : kNeuronFamilies) {
    if (!type.starts_with(family.prefix) || !IsDigits(read.own_instance) || !core) continue;
    read.labels.gpu_index = *core / family.cores;
    read.labels.gpu_model = family.model;
    if (!read.uuid.empty()) read.uuid += "/neuron-" + std::to_string(read.labels.gpu_index);
  }
}

// A card without a UUID label is known by its place: serial numbers are not unique in virtual
// machines. A card that is not partitioned has no instance.
void SetAmdKey(const SeriesLabels& series, const SignalRow& row, GpuSeries& read) {
  const std::string id = OwnValue(series, "gpu_id");
  if (read.uuid.empty() && !read.labels.node.empty()) {
    read.uuid = read.labels.node + "/amd-" + id;
  }
  std::string mode = read.labels.profile;
  std::transform(mode.begin(), mode.end(), mode.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const bool is_first = read.own_instance.empty() || read.own_instance == "0";
  if (is_first && (mode.empty() || mode == "spx")) {
    read.own_instance.clear();
    read.labels.profile = Symbol();
  } else {
    read.labels.profile = mode;
  }
  // Only the first partition of a card carries activity, power and energy.
  read.zero_is_silence = !is_first && row.signal != UsageSignal::kMemory;
}

bool IsOurs(const SeriesLabels& series, const SignalRow& row) {
  const ExporterDialect& dialect = DialectOf(row.exporter);
  if (dialect.own_label != nullptr && OwnValue(series, dialect.own_label).empty()) return false;
  if (row.exporter != Exporter::kOtel) return true;
  const std::string type = OwnValue(series, "hw_type");  // optional where the name says it
  if (type != "gpu" && !(type.empty() && std::string_view(row.name).starts_with("hw_gpu_"))) {
    return false;
  }
  const std::string task = OwnValue(series, "hw_gpu_task");
  return task.empty() || task == "general";
}

std::int64_t IndexOf(const SeriesLabels& series, const ExporterDialect& dialect) {
  const std::string text = FirstOf(series, dialect.index);
  const std::size_t digits = text.find_last_not_of("0123456789") + 1;  // "accel7", "7654321-7"
  const std::string_view number = std::string_view(text).substr(digits);
  return number.empty() ? -1 : ParseScaled(number, 0).value_or(-1);
}

}  // namespace

GpuSeries ReadGpuSeries(const SeriesLabels& series, const SignalRow& row) {
  GpuSeries read;
  read.is_ours = IsOurs(series, row);
  if (!read.is_ours) return read;
  const ExporterDialect& dialect = DialectOf(row.exporter);
  read.uuid = FirstOf(series, dialect.device);
  read.own_instance = FirstOf(series, dialect.instance);
  read.labels = {NodeOf(series, row.exporter), FirstOf(series, dialect.profile),
                 FirstOf(series, dialect.model), IndexOf(series, dialect)};
  if (row.exporter == Exporter::kAmd) SetAmdKey(series, row, read);
  if (row.exporter == Exporter::kNeuron) SetNeuronKey(series, read);
  // Power is the whole card's, also where it is repeated on each instance.
  if (row.signal == UsageSignal::kPower || row.signal == UsageSignal::kEnergy) {
    read.labels.profile = Symbol();
  } else {
    read.instance = read.own_instance;
  }
  SetHolder(series, dialect, read);
  const std::string_view target = series.Get("instance");
  const std::string_view job = series.Get("job");
  if (!target.empty() || !job.empty()) {
    read.scrape = std::string(target) + " " + std::string(job);
  }
  if (row.signal == UsageSignal::kXidEvent) {
    read.xid = ParseScaled(OwnValue(series, "xid"), 0).value_or(0);
  }
  return read;
}

}  // namespace plimsoll
