#include "ingest/prometheus/telemetry.h"

#include <algorithm>
#include <iterator>
#include <tuple>
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
      accepted_{options_.window.begin - options_.hold, options_.window.until + options_.hold} {
  if (options_.companion == nullptr) return;
  options_.companion->Open({options_.cluster, options_.window, options_.hold,
                            [this](const char* field, std::string_view reason,
                                   std::string_view raw) { Refuse(field, reason, raw); }});
}

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
  if (const SignalRow* row = FindSignal(series.name)) return NewGpu(series, *row);
  if (const KsmMetricName* metric = FindKsmMetric(series.name)) {
    return {Kind::kKsm, ksm_.Open(metric->metric, series)};
  }
  if (options_.companion != nullptr) {
    const std::int32_t index = options_.companion->OpenSeries(series);
    if (index >= 0) return {Kind::kCompanion, index};
  }
  ignored_.insert(series.name);
  return {};
}

Telemetry::Series Telemetry::NewGpu(const SeriesLabels& series, const SignalRow& row) {
  const GpuSeries read = ReadGpuSeries(series, row);
  if (!read.is_ours) {
    ignored_.insert(series.name);
    return {};
  }
  if (read.uuid.empty()) {
    Refuse(DialectOf(row.exporter).device[0],
           "the series names no device; its samples are not used: let the exporter "
           "write this label",
           series.name);
    return {};
  }
  Gpu gpu;
  gpu.row = &row;
  gpu.device = devices_.Intern(read.uuid, read.instance);
  gpu.own_device = devices_.Intern(read.uuid, read.own_instance);
  gpu.labels = devices_.InternLabels(read.labels);
  if (!read.holder.name.empty()) {
    gpu.holder = holders_.Intern({read.holder.ns, read.holder.name, read.labels.node});
  }
  if (!read.scrape.empty()) {
    gpu.scrape =
        scrapes_.emplace(read.scrape, static_cast<std::int32_t>(scrapes_.size())).first->second;
  }
  gpu.xid = static_cast<std::int32_t>(std::clamp<std::int64_t>(read.xid, 0, INT32_MAX));
  gpu.zero_is_silence = read.zero_is_silence;
  gpu.exporter = read.exporter;
  gpus_.push_back(std::move(gpu));
  return {Kind::kGpu, static_cast<std::int32_t>(gpus_.size() - 1)};
}

// ---- samples -----------------------------------------------------------------------------

void Telemetry::OnSample(std::int32_t id, std::int64_t at_ms, std::string_view value) {
  ++counts_.read;
  if (!accepted_.contains(AtMillis(at_ms))) return;
  Series& series = series_[static_cast<std::size_t>(id)];
  if (series.kind == Kind::kGpu) {
    OnGpu(series, at_ms, value);
  } else if (series.kind == Kind::kCompanion) {
    OnCompanion(series, at_ms, value);
  } else if (series.kind == Kind::kKsm && at_ms < options_.window.until.base()) {
    OnKsm(series, at_ms, value);
  }
}

void Telemetry::OnCompanion(const Series& series, std::int64_t at_ms, std::string_view value) {
  const SampleOutcome outcome = options_.companion->OnSample(series.index, at_ms, value);
  // What only ends the time before comes again, and counts then.
  if (!options_.window.contains(AtMillis(at_ms)) || tail_only_) return;
  if (outcome == SampleOutcome::kTaken) ++counts_.accepted;
  if (outcome == SampleOutcome::kAbsent) ++counts_.absent;
  if (outcome == SampleOutcome::kRefused) ++counts_.rejected;
}

void Telemetry::OnKsm(Series& series, std::int64_t at_ms, std::string_view value) {
  const bool inside = options_.window.contains(AtMillis(at_ms));
  switch (ksm_.Add(series.index, at_ms, value)) {
    case KsmValue::kTaken:
      counts_.accepted += inside ? 1 : 0;
      return;
    case KsmValue::kAbsent:
      counts_.absent += inside ? 1 : 0;
      return;
    case KsmValue::kImpossible:
      break;
  }
  if (!inside) return;
  const KsmSeries& refused = ksm_.series()[static_cast<std::size_t>(series.index)];
  RefuseValue(series, refused.labels.name.c_str(),
              "no object can have this amount (a node has at most " +
                  std::to_string(kNodeDevicesMax) + " devices of a resource)",
              value);
}

void Telemetry::RefuseValue(Series& series, const char* field, std::string_view why,
                            std::string_view value) {
  if (series.refused) {
    ++counts_.rejected;
    return;
  }
  series.refused = true;
  Refuse(field, std::string(why) + "; it is not used (later ones of this series are counted only)",
         value);
}

void Telemetry::OnGpu(Series& series, std::int64_t at_ms, std::string_view value) {
  const Gpu& gpu = gpus_[static_cast<std::size_t>(series.index)];
  const bool is_counter = gpu.row->signal == UsageSignal::kEnergy;
  if (!is_counter && (tail_only_ || at_ms >= options_.window.until.base())) return;
  const bool inside = options_.window.contains(AtMillis(at_ms)) && !tail_only_;
  const Reading reading = ReadSignalValue(*gpu.row, value);
  if (reading.kind == ReadingKind::kBad) {
    if (inside) RefuseValue(series, gpu.row->name, "no device can have this value", value);
    return;
  }
  if (inside) ++(reading.kind == ReadingKind::kValue ? counts_.accepted : counts_.absent);
  AddToBlocks({series.index, at_ms, reading});
}

void Telemetry::AddToBlocks(const GpuSample& sample) {
  const std::int64_t own = BlockOf(AtMillis(sample.at_ms));
  // A counter's sample ends what the block before has begun.
  const Gpu& gpu = gpus_[static_cast<std::size_t>(sample.gpu)];
  if (gpu.row->signal == UsageSignal::kEnergy && sample.reading.kind == ReadingKind::kValue) {
    for (std::int64_t before = own - 1;
         sample.at_ms < (BlockWindow(before).until + options_.hold).base(); --before) {
      if (BlockWindow(before).until > taken_until_) AddToBlock(before, sample);
    }
  }
  if (tail_only_) return;
  AddToBlock(own, sample);
  // A hold may be longer than a block, never longer than a day.
  for (std::int64_t next = own + 1;
       sample.at_ms + options_.hold.base() > BlockWindow(next).begin.base(); ++next) {
    AddToBlock(next, sample);
  }
}

// Null if the block has no part in the window.
Telemetry::Block* Telemetry::BlockAt(std::int64_t index) {
  const auto found = blocks_.find(index);
  if (found != blocks_.end()) return &found->second;
  const Window cover = Intersect(BlockWindow(index), options_.window);
  if (cover.empty()) return nullptr;
  return &blocks_
              .emplace(index, Block{UsageFolder(devices_, cover, options_.hold),
                                    BindingFolder(devices_, holders_, cover, options_.hold),
                                    {},
                                    {}})
              .first->second;
}

void Telemetry::AddToBlock(std::int64_t index, const GpuSample& sample) {
  const Gpu& gpu = gpus_[static_cast<std::size_t>(sample.gpu)];
  const std::int64_t at_ms = sample.at_ms;
  Block* block = BlockAt(index);
  if (block == nullptr) return;
  const bool is_zero = sample.reading.value == 0;
  const bool is_silent = gpu.zero_is_silence && is_zero;
  if (sample.reading.kind == ReadingKind::kSentinel) {
    block->usage.Mark(UsageMark::kSentinel, gpu.device, gpu.labels, at_ms);
  } else if (sample.reading.kind == ReadingKind::kAbsent) {
    block->usage.Mark(UsageMark::kNotANumber, gpu.device, gpu.labels, at_ms);
  } else if (is_silent) {
    block->usage.Mark(UsageMark::kPartitionSilent, gpu.own_device, gpu.labels, at_ms);
  } else {
    const bool is_event = gpu.row->signal == UsageSignal::kXidEvent;
    const std::int64_t device = gpu.device;
    const std::int64_t labels = gpu.labels;
    const std::int64_t value = is_event && !is_zero ? gpu.xid : sample.reading.value;
    block->usage.Add({gpu.row->signal, {&device, 1}, {&labels, 1}, {&at_ms, 1}, {&value, 1}});
  }
  if (at_ms >= block->usage.window().until.base()) return;  // nothing begins with it
  block->all.first = std::min(block->all.first, at_ms);
  block->all.last = std::max(block->all.last, at_ms);
  if (gpu.scrape >= 0) {
    if (block->series.size() < gpus_.size()) block->series.resize(gpus_.size());
    Seen& seen = block->series[static_cast<std::size_t>(sample.gpu)];
    seen.first = std::min(seen.first, at_ms);
    seen.last = std::max(seen.last, at_ms);
  }
  if (gpu.holder >= 0) block->bindings.Add(gpu.own_device, gpu.holder, at_ms);
  if (!gpu.exporter.name.empty()) block->bindings.Exclude(gpu.exporter.ns, gpu.exporter.name);
}

// ---- facts -------------------------------------------------------------------------------

std::vector<Window> Telemetry::Days() const {
  std::vector<Window> days;
  for (const auto& [index, block] : blocks_) {
    if (block.all.first > block.all.last) continue;  // nothing but the end of a rise
    const Instant begin = FloorTo(BlockWindow(index).begin, plimsoll::Days(1));
    if (days.empty() || days.back().begin != begin)
      days.push_back({begin, begin + plimsoll::Days(1)});
  }
  return days;
}

// Two scrapes of one metric of one device whose times overlap. One that replaces another (a
// restarted exporter) begins after it.
void Telemetry::MarkDuplicateExporters(Block& block) const {
  using Key = std::tuple<std::int32_t, const SignalRow*, std::int32_t>;  // device, metric, scrape
  std::map<Key, Seen> by_scrape;
  for (std::size_t i = 0; i < block.series.size(); ++i) {
    const Seen& seen = block.series[i];
    if (seen.first > seen.last) continue;
    Seen& all = by_scrape[{gpus_[i].own_device, gpus_[i].row, gpus_[i].scrape}];
    all = {std::min(all.first, seen.first), std::max(all.last, seen.last)};
  }
  for (auto a = by_scrape.begin(); a != by_scrape.end(); ++a) {
    const auto& [device, row, scrape] = a->first;
    for (auto b = std::next(a); b != by_scrape.end(); ++b) {
      if (std::get<0>(b->first) != device || std::get<1>(b->first) != row) break;
      const std::int64_t until = std::min(a->second.last, b->second.last);
      std::int64_t at = std::max(a->second.first, b->second.first);
      for (; at <= until; at = (FloorTo(AtMillis(at), Hours(1)) + Hours(1)).base()) {
        block.usage.Mark(UsageMark::kDuplicateExporter, device, -1, at);
      }
    }
  }
}

void Telemetry::FoldBlock(Block& block, TelemetryDay& taken) {
  MarkDuplicateExporters(block);
  block.bindings.Fold(options_.cluster, taken.bindings,
                      [&](std::int32_t device, std::int64_t at_ms) {
                        block.usage.Mark(UsageMark::kSharedCopies, device, -1, at_ms);
                      });
  block.usage.Fold(options_.cluster, taken.usage);
  counts_.duplicates += block.usage.duplicates();
}

TelemetryDay Telemetry::TakeDay(Window day) {
  TelemetryDay taken;
  taken.day = day;
  taken_until_ = std::max(taken_until_, day.until);
  Seen all;
  auto block = blocks_.lower_bound(BlockOf(day.begin));
  while (block != blocks_.end() && day.contains(BlockWindow(block->first).begin)) {
    all.first = std::min(all.first, block->second.all.first);
    all.last = std::max(all.last, block->second.all.last);
    FoldBlock(block->second, taken);
    block = blocks_.erase(block);
  }
  if (all.first <= all.last) {
    const Window seen{AtMillis(all.first), AtMillis(all.last) + options_.hold};
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
  // A sample says what is so until the next one, but for no longer than the hold.
  if (has_fleet()) {
    const Window seen{AtMillis(ksm_.since()), AtMillis(ksm_.as_of()) + options_.hold};
    fleet.facts.covered = Intersect(seen, options_.window);
  }
  return fleet;
}

}  // namespace plimsoll
