#include "ingest/prometheus/ksm_series.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ingest/prometheus/sample_value.h"

namespace plimsoll {
namespace {

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

int ScaleOf(KsmMetric metric, const SeriesLabels& labels) {
  if (IsTime(metric)) return 3;  // seconds
  return labels.Get("resource") == "cpu" ? 3 : 0;
}

}  // namespace

const KsmMetricName* FindKsmMetric(std::string_view name) {
  if (!name.starts_with("kube_")) return nullptr;
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
  series_.push_back(std::move(series));
  latest_.emplace_back();
  return static_cast<std::int32_t>(series_.size() - 1);
}

bool KsmStore::Add(std::int32_t index, std::int64_t at_ms, std::string_view value) {
  KsmSeries& series = series_[static_cast<std::size_t>(index)];
  Latest& latest = latest_[static_cast<std::size_t>(index)];
  if (latest.text != value) {
    const std::optional<std::int64_t> parsed = ParseScaled(value, series.scale);
    if (!parsed || *parsed < 0) return false;
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
  as_of_ = std::max(as_of_, at_ms);
  return true;
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
