#include "ingest/prometheus/ksm_series.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ingest/pod.h"
#include "ingest/prometheus/sample_value.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kAmountMax = std::int64_t{1} << 60;  // an exbibyte, a quadrillion CPUs

bool IsTime(KsmMetric metric) {
  switch (metric) {
    case KsmMetric::kPodCreated:
    case KsmMetric::kPodScheduled:
    case KsmMetric::kPodStarted:
    case KsmMetric::kPodContainerStarted:
    case KsmMetric::kPodReady:
    case KsmMetric::kPodCompleted:
    case KsmMetric::kPodDeleted:
    case KsmMetric::kNodeCreated:
      return true;
    default:
      return false;
  }
}

bool IsOfContainer(KsmMetric metric) {
  switch (metric) {
    case KsmMetric::kPodRequest:
    case KsmMetric::kPodInitRequest:
    case KsmMetric::kPodInitInfo:
    case KsmMetric::kPodTerminatedReason:
    case KsmMetric::kPodContainerStarted:
      return true;
    default:
      return false;
  }
}

// Is the label `key` added by the scrape, on a series whose own `key` is not kept apart as
// exported_key? A series about a node has no pod of its own, so its `pod` is the exporter's.
bool IsOfScrape(KsmMetric metric, std::string_view key) {
  static const std::set<std::string_view> kAlways = {
      "instance", "job", "endpoint", "service", "prometheus", "prometheus_replica", "replica"};
  if (kAlways.contains(key)) return true;
  if (key == "pod") return metric >= KsmMetric::kReplicaSetOwner;
  if (key == "container") return !IsOfContainer(metric);
  return key == "namespace" && metric >= KsmMetric::kNodeInfo;
}

// What a series is about: its metric and the exporter's own labels.
std::string ObjectKey(const KsmSeries& series) {
  constexpr std::string_view kExported = "exported_";
  std::map<std::string_view, std::string_view> own;
  for (const auto& [key, value] : series.labels.labels) {
    if (!value.empty() && !IsOfScrape(series.metric, key)) own.emplace(key, value);
  }
  for (const auto& [key, value] : series.labels.labels) {
    if (!value.empty() && key.starts_with(kExported)) {
      own.erase(key);
      own[std::string_view(key).substr(kExported.size())] = value;
    }
  }
  std::string all = series.labels.name;
  for (const auto& [key, value] : own) {
    for (const std::string_view part : {key, value}) {
      all += '\0';
      all += part;
    }
  }
  return all;
}

std::string ScrapeOf(const KsmSeries& series) {
  const std::string_view instance = series.labels.Get("instance");
  return std::string(instance.empty() ? series.labels.Get("pod") : instance);
}

int ScaleOf(KsmMetric metric, const SeriesLabels& labels) {
  if (IsTime(metric)) return 3;  // seconds
  return labels.Get("resource") == "cpu" ? 3 : 0;
}

}  // namespace

const KsmMetricName* FindKsmMetric(std::string_view name) {
  if (!name.starts_with("kube_") && !name.starts_with("container_")) return nullptr;
  for (const KsmMetricName& metric : kKsmMetrics) {
    if (name == metric.name) return &metric;
  }
  return nullptr;
}

std::int32_t KsmStore::Open(KsmMetric metric, const SeriesLabels& labels) {
  KsmSeries series;
  series.metric = metric;
  series.labels = labels;
  series.scale = ScaleOf(metric, labels);
  series.is_of_devices = DeviceUnitOf(std::string(labels.Get("resource"))).has_value();
  series_.push_back(std::move(series));
  latest_.emplace_back();
  return static_cast<std::int32_t>(series_.size() - 1);
}

std::optional<std::int64_t> KsmStore::Read(const KsmSeries& series, std::string_view text) {
  const std::optional<std::int64_t> value = ParseScaled(text, series.scale);
  if (!value || *value < 0 || *value > kAmountMax) return std::nullopt;
  if (IsTime(series.metric) && !IsSampleTime(*value)) return std::nullopt;
  if (!series.is_of_devices) return value;
  const bool is_whole = ParseScaled(text, 3) == *value * 1'000;
  return is_whole && *value <= kNodeDevicesMax ? value : std::nullopt;
}

KsmValue KsmStore::Add(std::int32_t index, std::int64_t at_ms, std::string_view value) {
  KsmSeries& series = series_[static_cast<std::size_t>(index)];
  Latest& latest = latest_[static_cast<std::size_t>(index)];
  if (latest.text != value) {
    if (IsNotANumber(value)) return KsmValue::kAbsent;
    const std::optional<std::int64_t> parsed = Read(series, value);
    if (!parsed) return KsmValue::kImpossible;
    latest = {std::string(value), *parsed};
  }
  series.first = std::min(series.first, at_ms);
  series.last = std::max(series.last, at_ms);
  series.least = std::min(series.least, latest.value);
  series.greatest = std::max(series.greatest, latest.value);
  if (latest.value == 1) {
    series.first_true = std::min(series.first_true, at_ms);
    series.last_true = std::max(series.last_true, at_ms);
  }
  // What the kubelet says does not tell that kube-state-metrics still speaks.
  if (series.metric != KsmMetric::kContainerMemory) {
    since_ = std::min(since_, at_ms);
    as_of_ = std::max(as_of_, at_ms);
  }
  return KsmValue::kTaken;
}

KsmDuplicates KsmStore::Duplicates() const {
  std::map<std::string, std::vector<std::size_t>> by_object;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const KsmSeries& series = series_[i];
    const bool is_seen = series.first <= series.last;
    if (is_seen && series.metric != KsmMetric::kContainerMemory) {
      by_object[ObjectKey(series)].push_back(i);
    }
  }
  KsmDuplicates found;
  for (auto& [object, all] : by_object) {
    std::sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(series_[a].first, ScrapeOf(series_[a])) <
             std::pair(series_[b].first, ScrapeOf(series_[b]));
    });
    std::size_t latest = all.front();  // the one that lasts longest so far
    for (std::size_t i = 1; i < all.size(); ++i) {
      const KsmSeries& series = series_[all[i]];
      if (series.first <= series_[latest].last) {
        if (found.series++ == 0) {
          found.one_scrape = ScrapeOf(series_[latest]);
          found.another_scrape = ScrapeOf(series);
        }
      }
      if (series.last > series_[latest].last) latest = all[i];
    }
  }
  return found;
}

std::vector<std::pair<std::string, std::string>> ObjectLabels(const SeriesLabels& labels) {
  constexpr std::string_view kPrefix = "label_";
  std::vector<std::pair<std::string, std::string>> own;
  for (const auto& [key, value] : labels.labels) {
    if (key.starts_with(kPrefix)) own.emplace_back(key.substr(kPrefix.size()), value);
  }
  std::sort(own.begin(), own.end());
  return own;
}

}  // namespace plimsoll
