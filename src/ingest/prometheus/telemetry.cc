#include "ingest/prometheus/telemetry.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "ingest/prometheus/ksm_nodes.h"
#include "ingest/prometheus/ksm_pods.h"

namespace plimsoll {
namespace {

// Rejections kept for the quarantine table; the rest is counted.
constexpr std::int64_t kRejectionsKeptMax = 100'000;

// The same series always has the same key, in whichever order its labels were written.
std::string KeyOf(const SeriesLabels& series) {
  std::vector<std::pair<std::string_view, std::string_view>> labels;
  for (const auto& [key, value] : series.labels) {
    if (!value.empty()) labels.emplace_back(key, value);
  }
  std::sort(labels.begin(), labels.end());
  std::string all = series.name;
  for (const auto& [key, value] : labels) {
    for (const std::string_view part : {key, value}) {
      all += '\0';
      all += part;
    }
  }
  return all;
}

Window BlockWindow(std::int64_t index) {
  const Instant begin = AtMillis(index * kTelemetryBlock.base());
  return {begin, begin + kTelemetryBlock};
}

std::int64_t BlockOf(Instant at) {
  return FloorTo(at, kTelemetryBlock).base() / kTelemetryBlock.base();
}

}  // namespace

Telemetry::Telemetry(TelemetryOptions options)
    : options_(std::move(options)),
      accepted_{options_.window.begin - options_.hold, options_.window.until} {}

void Telemetry::Refuse(const char* field, std::string_view reason, std::string_view raw) {
  ++counts_.rejected;
  if (rejections_kept_ == kRejectionsKeptMax) return;
  ++rejections_kept_;
  const Rejection rejection{input_, line_, field, std::string(reason), "", std::string(raw)};
  Append(rejections_, rejection);
  if (first_rejections_.size() < kRejectionsShownMax) first_rejections_.push_back(rejection);
}

void Telemetry::OnBadInput(std::int64_t line, std::string_view reason, std::string_view raw) {
  line_ = line;
  Refuse("", reason, raw);
}

// ---- series ------------------------------------------------------------------------------

std::int32_t Telemetry::OpenSeries(const SeriesLabels& series) {
  const auto [at, added] =
      series_index_.try_emplace(KeyOf(series), static_cast<std::int32_t>(series_.size()));
  if (added) series_.push_back(NewSeries(series));
  return at->second;
}

Telemetry::Series Telemetry::NewSeries(const SeriesLabels& series) {
  if (const DcgmMetric* metric = FindDcgmMetric(series.name)) {
    const std::int32_t index = NewDcgm(series, *metric);
    return index < 0 ? Series{} : Series{Kind::kDcgm, index};
  }
  if (const KsmMetricName* metric = FindKsmMetric(series.name)) {
    return {Kind::kKsm, ksm_.Open(metric->metric, series)};
  }
  ignored_.insert(series.name);
  return {};
}

std::int32_t Telemetry::NewDcgm(const SeriesLabels& series, const DcgmMetric& metric) {
  const DcgmSeries read = ReadDcgmSeries(series, metric);
  if (read.uuid.empty()) {
    Refuse("UUID",
           "the series names no device; its samples are not used: let the exporter "
           "write the UUID label",
           series.name);
    return -1;
  }
  Dcgm dcgm;
  dcgm.metric = &metric;
  dcgm.device = devices_.Intern(read.uuid, read.instance);
  dcgm.labels = devices_.InternLabels(read.labels);
  if (!read.holder.name.empty()) {
    dcgm.holder = holders_.Intern({read.holder.ns, read.holder.name, read.labels.node});
    dcgm.holder_device = devices_.Intern(read.uuid, read.holder_instance);
  }
  dcgm.exporter = read.exporter;
  dcgm_.push_back(std::move(dcgm));
  return static_cast<std::int32_t>(dcgm_.size() - 1);
}

// ---- samples -----------------------------------------------------------------------------

void Telemetry::OnSample(std::int32_t id, std::int64_t at_ms, std::string_view value) {
  ++counts_.read;
  if (!accepted_.contains(AtMillis(at_ms))) return;
  Series& series = series_[static_cast<std::size_t>(id)];
  if (series.kind == Kind::kDcgm) {
    OnDcgm(series, at_ms, value);
  } else if (series.kind == Kind::kKsm) {
    const bool inside = options_.window.contains(AtMillis(at_ms));
    if (ksm_.Add(series.index, at_ms, value)) {
      counts_.accepted += inside ? 1 : 0;
    } else if (inside) {
      ++counts_.absent;
    }
  }
}

void Telemetry::OnDcgm(Series& series, std::int64_t at_ms, std::string_view value) {
  const Dcgm& dcgm = dcgm_[static_cast<std::size_t>(series.index)];
  const bool inside = options_.window.contains(AtMillis(at_ms));
  const Reading reading = ReadDcgmValue(*dcgm.metric, value);
  if (reading.kind == ReadingKind::kBad) {
    if (inside && !series.refused) {
      Refuse(dcgm.metric->name,
             "no device can have this value; it is not used (later ones of "
             "this series are counted only)",
             value);
    } else if (inside) {
      ++counts_.rejected;
    }
    series.refused = series.refused || inside;
    return;
  }
  if (reading.kind == ReadingKind::kAbsent) {
    counts_.absent += inside ? 1 : 0;
    return;
  }
  counts_.accepted += inside ? 1 : 0;
  const std::int64_t own = BlockOf(AtMillis(at_ms));
  AddToBlock(own, dcgm, at_ms, reading.value);
  // A hold may be longer than a block, never longer than a day.
  for (std::int64_t next = own + 1; at_ms + options_.hold.base() > BlockWindow(next).begin.base();
       ++next) {
    AddToBlock(next, dcgm, at_ms, reading.value);
  }
}

void Telemetry::AddToBlock(std::int64_t index, const Dcgm& dcgm, std::int64_t at_ms,
                           std::int64_t value) {
  auto found = blocks_.find(index);
  if (found == blocks_.end()) {
    const Window cover = Intersect(BlockWindow(index), options_.window);
    if (cover.empty()) return;
    found = blocks_
                .emplace(index, Block{UsageFolder(devices_, cover, options_.hold),
                                      BindingFolder(devices_, holders_, cover, options_.hold)})
                .first;
  }
  Block& block = found->second;
  block.first = std::min(block.first, at_ms);
  block.last = std::max(block.last, at_ms);
  const std::int64_t device = dcgm.device;
  const std::int64_t labels = dcgm.labels;
  block.usage.Add({dcgm.metric->signal, {&device, 1}, {&labels, 1}, {&at_ms, 1}, {&value, 1}});
  if (dcgm.holder >= 0) block.bindings.Add(dcgm.holder_device, dcgm.holder, at_ms);
  if (!dcgm.exporter.name.empty()) block.bindings.Exclude(dcgm.exporter.ns, dcgm.exporter.name);
}

// ---- facts -------------------------------------------------------------------------------

std::vector<Window> Telemetry::Days() const {
  std::vector<Window> days;
  for (const auto& [index, block] : blocks_) {
    const Instant begin = FloorTo(BlockWindow(index).begin, plimsoll::Days(1));
    if (days.empty() || days.back().begin != begin)
      days.push_back({begin, begin + plimsoll::Days(1)});
  }
  return days;
}

TelemetryDay Telemetry::TakeDay(Window day) {
  TelemetryDay taken;
  taken.day = day;
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  auto block = blocks_.lower_bound(BlockOf(day.begin));
  while (block != blocks_.end() && day.contains(BlockWindow(block->first).begin)) {
    first = std::min(first, block->second.first);
    last = std::max(last, block->second.last);
    block->second.usage.Fold(options_.cluster, taken.usage);
    block->second.bindings.Fold(options_.cluster, taken.bindings);
    counts_.duplicates += block->second.usage.duplicates();
    block = blocks_.erase(block);
  }
  if (first <= last) {
    const Window seen{AtMillis(first), AtMillis(last) + options_.hold};
    taken.covered = Intersect(Intersect(seen, day), options_.window);
  } else {
    taken.covered = {day.begin, day.begin};
  }
  return taken;
}

TelemetryFleet Telemetry::Fleet(bool with_pending) const {
  const KsmOptions options{options_.cluster, options_.hold};
  TelemetryFleet fleet;
  fleet.facts.nodes = NodesOf(ksm_, options);
  const KsmPods found = PodsOf(ksm_, options);
  fleet.pods_without_node = found.without_node;
  for (const PodRecord& pod : found.pods) {
    AppendPod(pod, fleet.facts.holdings, fleet.facts.pending);
  }
  if (!with_pending) Clear(fleet.facts.pending);
  return fleet;
}

}  // namespace plimsoll
