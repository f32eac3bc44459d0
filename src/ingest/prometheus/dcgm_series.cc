#include "ingest/prometheus/dcgm_series.h"

#include <initializer_list>

#include "ingest/prometheus/sample_value.h"

namespace plimsoll {
namespace {

std::string FirstOf(const SeriesLabels& series, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const std::string_view value = series.Get(key);
    if (!value.empty()) return std::string(value);
  }
  return {};
}

bool LooksLikeExporter(std::string_view name) {
  return name.find("dcgm-exporter") != std::string_view::npos;
}

// The node: the exporter's hostname, unless that is its own pod's name (releases before
// NODE_NAME was passed), then what the scraper knows.
std::string NodeOf(const SeriesLabels& series) {
  std::string host = FirstOf(series, {"Hostname", "hostname", "exported_hostname"});
  if (!host.empty() && !LooksLikeExporter(host)) return host;
  std::string node = FirstOf(series, {"node", "kubernetes_node", "exported_node"});
  return node.empty() ? host : node;
}

HolderLabels HolderOf(const SeriesLabels& series) {
  HolderLabels pod{FirstOf(series, {"exported_namespace"}), FirstOf(series, {"exported_pod"})};
  if (!pod.name.empty()) return pod;
  pod = {FirstOf(series, {"namespace", "pod_namespace"}), FirstOf(series, {"pod", "pod_name"})};
  if (LooksLikeExporter(pod.name) || LooksLikeExporter(series.Get("container"))) pod = {};
  if (!pod.name.empty()) return pod;
  return {"", FirstOf(series, {"hpc_job"})};
}

}  // namespace

const DcgmMetric* FindDcgmMetric(std::string_view name) {
  for (const DcgmMetric& metric : kDcgmMetrics) {
    if (name == metric.name) return &metric;
  }
  return nullptr;
}

DcgmSeries ReadDcgmSeries(const SeriesLabels& series, const DcgmMetric& metric) {
  DcgmSeries read;
  read.uuid = FirstOf(series, {"UUID", "uuid", "gpu_uuid"});
  read.holder_instance = FirstOf(series, {"GPU_I_ID"});
  read.labels = {NodeOf(series), FirstOf(series, {"GPU_I_PROFILE"}),
                 FirstOf(series, {"modelName", "model_name"}),
                 ParseScaled(series.Get("gpu"), 0).value_or(-1)};
  // Power is the whole card's, also where it is repeated on each instance.
  if (metric.signal == UsageSignal::kPower) {
    read.labels.profile = Symbol();
  } else {
    read.instance = read.holder_instance;
  }
  read.holder = HolderOf(series);
  if (!series.Get("exported_pod").empty()) {
    read.exporter = {std::string(series.Get("namespace")), std::string(series.Get("pod"))};
  }
  return read;
}

Reading ReadDcgmValue(const DcgmMetric& metric, std::string_view text) {
  if (IsNotANumber(text)) return {ReadingKind::kAbsent, 0};
  const std::int64_t value = ParseScaled(text, metric.scale).value_or(-1);
  std::int64_t unit = 1;
  for (int i = 0; i < metric.scale; ++i) unit *= 10;
  if (value < 0) return {ReadingKind::kBad, 0};
  if (IsBlank(value / unit)) return {ReadingKind::kAbsent, 0};
  constexpr std::int64_t kPowerMax = 1'000'000'000;  // mW: a megawatt is no card
  if (metric.signal == UsageSignal::kPower && value > kPowerMax) return {ReadingKind::kBad, 0};
  const bool ratio = static_cast<std::size_t>(metric.signal) < kLadderSignals;
  return {ReadingKind::kValue, ratio && value > kPartsPerMillion ? kPartsPerMillion + 1 : value};
}

}  // namespace plimsoll
