#include "ingest/usage_fold.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kTwelfthMs = 300'000;
constexpr std::int32_t kValueMax = INT32_MAX;

std::size_t Index(std::int64_t n) { return static_cast<std::size_t>(n); }

int SaidFields(const DeviceLabels& labels) {
  return !labels.node.empty() + !labels.profile.empty() + !labels.gpu_model.empty() +
         (labels.gpu_index >= 0);
}

// Makes room for `more` rows, at least doubling what there is.
void ReserveRows(UsageBatch& rows, std::size_t more) {
  const std::size_t capacity = rows.snapshot_id.capacity();
  if (RowsOf(rows) + more <= capacity) return;
  const std::size_t wanted = std::max(RowsOf(rows) + more, 2 * capacity);
  std::apply([&](auto... column) { ((rows.*(column.values)).reserve(wanted), ...); },
             UsageBatch::kColumns);
}

constexpr unsigned char Bit(UsageMark mark) { return static_cast<unsigned char>(mark); }

constexpr std::pair<UsageMark, const char*> kMarkNames[] = {
    {UsageMark::kSentinel, "sentinel"},
    {UsageMark::kNotANumber, "nan"},
    {UsageMark::kPartitionSilent, "partition-silent"},
    {UsageMark::kDuplicateExporter, "duplicate-exporter"},
    {UsageMark::kSharedCopies, "time-slicing-copies"}};

// Marks that say something also of an hour without any measurement.
constexpr unsigned char kLoneMarks =
    Bit(UsageMark::kSentinel) | Bit(UsageMark::kNotANumber) | Bit(UsageMark::kPartitionSilent);

// Millijoules, rounded half to even.
std::int64_t Millijoules(std::int64_t microjoules) {
  return static_cast<std::int64_t>(DivideHalfEven(int128{microjoules}, int128{1'000}));
}

}  // namespace

// ---- DeviceTable -------------------------------------------------------------------------

std::int32_t DeviceTable::Intern(Symbol uuid, Symbol instance) {
  Device key{uuid, instance};
  const auto [at, added] =
      device_index_.try_emplace(key, static_cast<std::int32_t>(devices_.size()));
  if (added) devices_.push_back(key);
  return at->second;
}

std::int32_t DeviceTable::InternLabels(const DeviceLabels& labels) {
  const auto [at, added] =
      labels_index_.try_emplace(labels, static_cast<std::int32_t>(labels_.size()));
  if (added) labels_.push_back(labels);
  return at->second;
}

bool DeviceTable::SaysMore(std::int32_t a, std::int32_t b) const {
  const DeviceLabels& left = labels(a);
  const DeviceLabels& right = labels(b);
  const int left_said = SaidFields(left);
  const int right_said = SaidFields(right);
  return left_said != right_said ? left_said > right_said : left > right;
}

// ---- UsageFolder: taking samples ---------------------------------------------------------

UsageFolder::UsageFolder(const DeviceTable& devices, Window window, Duration hold)
    : devices_(&devices),
      window_(window),
      hold_(hold.base()),
      base_(FloorTo(window.begin, Hours(1)).base()) {
  PLIMSOLL_CHECK(hold_ > 0 && hold_ <= 24 * kHourMs && !window.empty() &&
                 window.length() <= Days(20));
  begin_ = static_cast<std::int32_t>(window.begin.base() - base_);
  until_ = static_cast<std::int32_t>(window.until.base() - base_);
  hours_ = Index((until_ + kHourMs - 1) / kHourMs);
}

void UsageFolder::Grow(std::int32_t device) {
  PLIMSOLL_CHECK(device >= 0 && Index(device) < devices_->size());
  for (std::vector<Series>& series : series_) series.resize(devices_->size());
  counters_.resize(devices_->size());
  marks_.resize(devices_->size() * hours_);
  newest_.resize(devices_->size());
  labels_.resize(devices_->size() * (hours_ + 1));
}

UsageFolder::Series& UsageFolder::SeriesOf(std::int32_t device, UsageSignal signal) {
  return series_[static_cast<std::size_t>(signal)][Index(device)];
}

// An hour has the labels of its last sample; of two at once those that say more.
void UsageFolder::KeepLabels(std::int32_t device, LabelSlot seen) {
  const std::size_t slot = seen.at < 0 ? 0 : 1 + Index(seen.at / kHourMs);
  LabelSlot& kept = labels_[Index(device) * (hours_ + 1) + slot];
  if (seen.at < kept.at || (seen.at == kept.at && seen.labels == kept.labels)) return;
  if (seen.at > kept.at || devices_->SaysMore(seen.labels, kept.labels)) kept = seen;
}

void UsageFolder::SeeLabels(std::int32_t device, LabelSlot seen) {
  NewestLabels& of_device = newest_[Index(device)];
  LabelSlot& newest = of_device.seen;
  if (seen.at < newest.at) return KeepLabels(device, seen);
  if (seen.at == newest.at) {
    if (seen.labels != newest.labels && devices_->SaysMore(seen.labels, newest.labels)) {
      newest = seen;
    }
    return;
  }
  if (seen.at >= of_device.hour_end) {
    if (newest.labels >= 0) KeepLabels(device, newest);
    of_device.hour_end =
        seen.at < 0 ? 0 : static_cast<std::int32_t>((seen.at / kHourMs + 1) * kHourMs);
  }
  newest = seen;
}

void UsageFolder::StartSeries(Series& series) const {
  // As many as a window without a gap has at the least.
  const std::int64_t samples = std::min<std::int64_t>(window_.length().base() / hold_ + 1, 1'000);
  series.samples.reserve(Index(samples));
}

void UsageFolder::Note(std::int32_t device, LabelSlot seen) {
  NewestLabels& newest = newest_[Index(device)];
  if (seen.at > newest.seen.at && seen.at < newest.hour_end) {
    newest.seen = seen;
  } else {
    SeeLabels(device, seen);
  }
}

// A sample that does not fit a narrow series.
void UsageFolder::AddWide(const SampleColumns& samples, std::size_t i) {
  const auto device = static_cast<std::int32_t>(samples.device[i]);
  const auto at = static_cast<std::int32_t>(samples.at_ms[i] - base_);
  if (samples.signal == UsageSignal::kEnergy) {
    counters_[Index(device)].push_back({at, std::max<std::int64_t>(samples.value[i], 0)});
  } else if (samples.value[i] > 0 && at >= begin_ && at < until_) {
    const std::int64_t code = std::min<std::int64_t>(samples.value[i], kValueMax);
    xid_events_.insert(
        {device, static_cast<std::int32_t>(at / kHourMs), static_cast<std::int32_t>(code)});
  }
  if (at < until_) Note(device, {at, static_cast<std::int32_t>(samples.labels[i])});
}

void UsageFolder::Add(const SampleColumns& samples) {
  const std::size_t count = samples.device.size();
  PLIMSOLL_CHECK(samples.labels.size() == count && samples.at_ms.size() == count &&
                 samples.value.size() == count);
  const bool is_wide = Index(static_cast<std::int64_t>(samples.signal)) >= kNarrowSignals;
  const std::int64_t first = window_.begin.base() - hold_ + 1;
  const std::int64_t ahead = samples.signal == UsageSignal::kEnergy ? hold_ : 0;
  const std::int64_t end = window_.until.base() + ahead;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t at_ms = samples.at_ms[i];
    if (at_ms < first || at_ms >= end) continue;
    const auto device = static_cast<std::int32_t>(samples.device[i]);
    if (device < 0 || Index(device) >= newest_.size()) Grow(device);
    if (is_wide) {
      AddWide(samples, i);
      continue;
    }
    Series& series = SeriesOf(device, samples.signal);
    if (series.samples.capacity() == 0) StartSeries(series);
    const auto at = static_cast<std::int32_t>(at_ms - base_);
    series.disordered |= at <= series.last;
    series.last = at;
    const std::int64_t value = std::clamp<std::int64_t>(samples.value[i], 0, kValueMax);
    series.samples.push_back({at, static_cast<std::int32_t>(value)});
    Note(device, {at, static_cast<std::int32_t>(samples.labels[i])});
  }
}

void UsageFolder::Mark(UsageMark mark, std::int32_t device, std::int32_t labels,
                       std::int64_t at_ms) {
  if (!window_.contains(AtMillis(at_ms))) return;
  if (device < 0 || Index(device) >= newest_.size()) Grow(device);
  const auto at = static_cast<std::int32_t>(at_ms - base_);
  marks_[Index(device) * hours_ + Index(at / kHourMs)] |= Bit(mark);
  if (labels >= 0) Note(device, {at, labels});
}

// Sorts by time and keeps the greatest value of each instant.
void UsageFolder::Settle(Series& series) {
  if (!series.disordered) return;
  std::sort(series.samples.begin(), series.samples.end(),
            [](Sample a, Sample b) { return a.at != b.at ? a.at < b.at : a.value > b.value; });
  std::size_t kept = 0;
  for (const Sample sample : series.samples) {
    if (kept > 0 && series.samples[kept - 1].at == sample.at) {
      if (sample.at >= begin_) ++duplicates_;
      continue;
    }
    series.samples[kept++] = sample;
  }
  series.samples.resize(kept);
  series.disordered = false;
}

// ---- UsageFolder: folding ----------------------------------------------------------------

struct UsageFolder::Hour {
  int signal = -1;  // index into the ladder
  bool clamped = false;
  Twelfths covered{};
  Twelfths active{};
  std::int64_t power_uj = 0;
  std::int64_t power_ms = 0;
  std::int64_t memory_mib_ms = 0;
  std::int64_t memory_ms = 0;
  std::int64_t counter_mj = 0;  // as power, of the energy counter
  std::int64_t counter_ms = 0;
  bool is_reset = false;
  bool is_jump = false;
  unsigned char marks = 0;
  std::int64_t stalled = 0;  // bit t: twelfth t
  std::vector<std::int32_t> xids;

  bool has_data() const { return signal >= 0 || power_ms > 0 || memory_ms > 0 || counter_ms > 0; }
  bool has_row() const { return has_data() || !xids.empty() || (marks & kLoneMarks) != 0; }
  bool is_coarse() const { return signal == static_cast<int>(UsageSignal::kGpuUtil); }

  // "clamped,xid-31,xid-79": each mark once, in the order of texts.
  Symbol Marks() const {
    if (!clamped && !is_reset && !is_jump && marks == 0 && xids.empty()) {
      static const Symbol kCoarse = kMarkCoarse;
      return is_coarse() ? kCoarse : Symbol();
    }
    std::set<std::string> names;
    if (clamped) names.insert("clamped");
    if (is_coarse()) names.insert(kMarkCoarse);
    if (is_reset) names.insert("energy-reset");
    if (is_jump) names.insert("energy-jump");
    for (const auto& [mark, name] : kMarkNames) {
      if ((marks & Bit(mark)) != 0) names.insert(name);
    }
    for (const std::int32_t code : xids) names.insert("xid-" + std::to_string(code));
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
  }
};

struct UsageFolder::Folded {
  std::int32_t device = 0;
  std::vector<Hour> hours;
};

namespace {

// Calls visit(slot, ms, value) for each piece of held time in a slot of slot_ms, in order.
struct HoldSpan {
  std::int32_t begin, until;
  std::int64_t hold;
};
template <std::int64_t slot_ms, class Samples, class Visit>
void HoldEach(const Samples& samples, const HoldSpan& span, Visit visit) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::int64_t end = std::min<std::int64_t>(samples[i].at + span.hold, span.until);
    if (i + 1 < samples.size()) end = std::min<std::int64_t>(end, samples[i + 1].at);
    std::int64_t from = std::max(samples[i].at, span.begin);
    while (from < end) {
      const std::int64_t slot = from / slot_ms;
      const std::int64_t to = std::min(end, (slot + 1) * slot_ms);
      visit(Index(slot), to - from, samples[i].value);
      from = to;
    }
  }
}

}  // namespace

void UsageFolder::FoldLadder(std::int32_t device, Folded& folded) {
  for (int rung = 0; rung < static_cast<int>(kLadderSignals); ++rung) {
    Series& series = SeriesOf(device, static_cast<UsageSignal>(rung));
    Settle(series);
    HoldEach<kTwelfthMs>(series.samples, {begin_, until_, hold_},
                         [&](std::size_t slot, std::int64_t ms, std::int32_t value) {
                           Hour& hour = folded.hours[slot / 12];
                           if (hour.signal < 0) hour.signal = rung;
                           if (hour.signal != rung) return;  // a better signal covers this hour
                           hour.clamped |= value > kPartsPerMillion;
                           hour.covered[slot % 12] += ms;
                           hour.active[slot % 12] +=
                               ms * std::min<std::int64_t>(value, kPartsPerMillion);
                         });
  }
}

// Busy by GPU_UTIL and dead by SM_ACTIVE: a kernel that waits for ever. Power tells it from one
// that only moves data: near the least that the device drew in any twelfth.
void UsageFolder::FoldStalls(std::int32_t device, Folded& folded) {
  struct Mean {
    int128 sum = 0;
    std::int64_t ms = 0;
  };
  constexpr UsageSignal kSignals[] = {UsageSignal::kGpuUtil, UsageSignal::kSmActive,
                                      UsageSignal::kPower};
  if (SeriesOf(device, kSignals[0]).samples.empty()) return;
  if (SeriesOf(device, kSignals[1]).samples.empty()) return;
  std::array<std::vector<Mean>, 3> means;
  for (std::size_t signal = 0; signal < means.size(); ++signal) {
    means[signal].resize(hours_ * 12);
    HoldEach<kTwelfthMs>(SeriesOf(device, kSignals[signal]).samples, {begin_, until_, hold_},
                         [&](std::size_t slot, std::int64_t ms, std::int32_t value) {
                           means[signal][slot].sum += int128{ms} * value;
                           means[signal][slot].ms += ms;
                         });
  }
  const auto& [util, sm, power] = means;
  Mean least;  // power
  for (const Mean& mean : power) {
    const bool is_less = least.ms == 0 || mean.sum * least.ms < least.sum * mean.ms;
    if (mean.ms > 0 && is_less) least = mean;
  }
  for (std::size_t slot = 0; slot < util.size(); ++slot) {
    if (util[slot].ms == 0 || sm[slot].ms == 0) continue;
    const bool is_busy = util[slot].sum * 10 >= int128{kPartsPerMillion} * 9 * util[slot].ms;
    const bool is_dead = sm[slot].sum * 100 < int128{kPartsPerMillion} * sm[slot].ms;
    const bool is_low =
        power[slot].ms == 0 || power[slot].sum * 10 * least.ms <= least.sum * 13 * power[slot].ms;
    if (is_busy && is_dead && is_low) folded.hours[slot / 12].stalled |= 1 << (slot % 12);
  }
}

void UsageFolder::FoldWhole(std::int32_t device, UsageSignal signal, Folded& folded) {
  Series& series = SeriesOf(device, signal);
  Settle(series);
  const bool power = signal == UsageSignal::kPower;
  HoldEach<kHourMs>(series.samples, {begin_, until_, hold_},
                    [&](std::size_t slot, std::int64_t ms, std::int32_t value) {
                      Hour& hour = folded.hours[slot];
                      (power ? hour.power_ms : hour.memory_ms) += ms;
                      (power ? hour.power_uj : hour.memory_mib_ms) += ms * value;
                    });
}

// The gauge keeps the last code for days: only a change of it is an event.
void UsageFolder::FoldXid(std::int32_t device, Folded& folded) {
  Series& series = SeriesOf(device, UsageSignal::kXid);
  Settle(series);
  for (std::size_t i = 1; i < series.samples.size(); ++i) {
    const Sample now = series.samples[i];
    if (now.at < begin_ || now.value == 0 || now.value == series.samples[i - 1].value) continue;
    folded.hours[Index(now.at / kHourMs)].xids.push_back(now.value);
  }
  auto event = xid_events_.lower_bound({device, 0, 0});
  for (; event != xid_events_.end() && event->device == device; ++event) {
    folded.hours[Index(event->hour)].xids.push_back(event->code);
  }
}

// The part of a rise before t is the same for every window, so parts always add up.
void UsageFolder::AddRise(Count from, Count to, Folded& folded) const {
  const int128 rise = to.millijoules - from.millijoules;
  const auto until = [&](std::int64_t t) {
    return static_cast<std::int64_t>(rise * (t - from.at) / (to.at - from.at));
  };
  const std::int64_t end = std::min(to.at, until_);
  for (std::int64_t at = std::max(from.at, begin_); at < end;) {
    const std::int64_t next = std::min<std::int64_t>(end, (at / kHourMs + 1) * kHourMs);
    Hour& hour = folded.hours[Index(at / kHourMs)];
    hour.counter_mj += until(next) - until(at);
    hour.counter_ms += next - at;
    at = next;
  }
}

// Exporters read the driver at their own pace: a lower reading that was current within the
// hold is another exporter's older one, and one that rises too fast may be its newer one.
// Neither counts, and neither ends the run.
void UsageFolder::FoldEnergy(std::int32_t device, Folded& folded) {
  std::vector<Count>& counts = counters_[Index(device)];
  std::sort(counts.begin(), counts.end(), [](Count a, Count b) {
    return a.at != b.at ? a.at < b.at : a.millijoules > b.millijoules;
  });
  std::vector<Count> run;
  std::size_t oldest = 0;  // of the run, within the hold
  std::int32_t before = INT32_MIN;
  for (const Count now : counts) {
    if (now.at == before) {
      if (now.at >= begin_ && now.at < until_) ++duplicates_;
      continue;
    }
    before = now.at;
    const bool is_inside = now.at >= begin_ && now.at < until_;
    const std::size_t hour = is_inside ? Index(now.at / kHourMs) : 0;
    const bool is_new = run.empty() || now.at - run.back().at > hold_;
    if (!is_new) {
      const std::int64_t rise = now.millijoules - run.back().millijoules;
      while (now.at - run[oldest].at > hold_) ++oldest;
      if (rise < 0 && now.millijoules >= run[oldest].millijoules) continue;
      if (rise >= 0) {
        if (rise > kCardWattsMax * (now.at - run.back().at)) {
          if (is_inside) folded.hours[hour].is_jump = true;
          continue;
        }
        AddRise(run.back(), now, folded);
        run.push_back(now);
        continue;
      }
      if (is_inside) folded.hours[hour].is_reset = true;
    }
    run.assign(1, now);
    oldest = 0;
  }
}

void UsageFolder::FoldDevice(std::int32_t device, Folded& folded) {
  folded.device = device;
  folded.hours.assign(hours_, Hour());
  FoldLadder(device, folded);
  FoldWhole(device, UsageSignal::kPower, folded);
  FoldWhole(device, UsageSignal::kMemory, folded);
  FoldXid(device, folded);
  FoldStalls(device, folded);  // after the others have put the samples in order
  FoldEnergy(device, folded);
  for (std::size_t h = 0; h < hours_; ++h) {
    folded.hours[h].marks = marks_[Index(device) * hours_ + h];
  }
}

// The labels of the hour's last sample, else of the last sample before it.
std::int32_t UsageFolder::LabelsAt(std::int32_t device, std::size_t hour) const {
  const std::size_t first = Index(device) * (hours_ + 1);
  for (std::size_t slot = first + 1 + hour + 1; slot-- > first;) {
    if (labels_[slot].labels >= 0) return labels_[slot].labels;
  }
  return -1;
}

void UsageFolder::Emit(const Folded& folded, Symbol cluster, UsageBatch& rows) const {
  static const std::array<Symbol, kLadderSignals> kLadder = {kSignalSmActive, kSignalGrEngineActive,
                                                             kSignalGpuUtil};
  const auto if_any = [](std::int64_t ms, std::int64_t value) {
    return ms > 0 ? std::optional(value) : std::nullopt;
  };
  const DeviceTable::Device& device = devices_->device(folded.device);
  for (std::size_t h = 0; h < hours_; ++h) {
    const Hour& hour = folded.hours[h];
    if (!hour.has_row()) continue;
    const DeviceLabels& labels = devices_->labels(LabelsAt(folded.device, h));
    rows.snapshot_id.push_back(0);
    rows.cluster.push_back(cluster);
    rows.node.push_back(labels.node);
    rows.device.push_back(device.uuid);
    rows.instance.push_back(device.instance);
    rows.profile.push_back(labels.profile);
    rows.gpu_index.push_back(labels.gpu_index);
    rows.gpu_model.push_back(labels.gpu_model);
    rows.hour.push_back(AtMillis(base_ + static_cast<std::int64_t>(h) * kHourMs));
    rows.signal.push_back(hour.signal < 0 ? Symbol() : kLadder[Index(hour.signal)]);
    rows.covered.push_back(hour.covered);
    rows.active.push_back(hour.active);
    // As MergeUsage joins them: so it is the same whether both came together or not.
    const auto [power_ms, energy_mj] =
        std::max(std::pair(hour.power_ms, Millijoules(hour.power_uj)),
                 std::pair(hour.counter_ms, hour.counter_mj));
    rows.energy_mj.push_back(if_any(power_ms, energy_mj));
    rows.power_ms.push_back(if_any(power_ms, power_ms));
    rows.memory_mib_ms.push_back(if_any(hour.memory_ms, hour.memory_mib_ms));
    rows.memory_ms.push_back(if_any(hour.memory_ms, hour.memory_ms));
    rows.quality.push_back(hour.Marks());
    rows.stalled.push_back(hour.stalled);
  }
}

void UsageFolder::Fold(Symbol cluster, UsageBatch& rows) {
  std::vector<std::int32_t> order(newest_.size());
  std::iota(order.begin(), order.end(), 0);
  for (const std::int32_t device : order) {
    const LabelSlot newest = newest_[Index(device)].seen;
    if (newest.labels >= 0) KeepLabels(device, newest);
  }
  ReserveRows(rows, order.size() * hours_);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return devices_->device(a) < devices_->device(b);
  });
  std::vector<Folded> kept;  // from card to card, for their memory
  for (std::size_t first = 0; first < order.size();) {
    const Symbol uuid = devices_->device(order[first]).uuid;
    std::size_t next = first;
    for (; next < order.size() && devices_->device(order[next]).uuid == uuid; ++next) {
      if (kept.size() == next - first) kept.emplace_back();
      FoldDevice(order[next], kept[next - first]);
    }
    // The whole card, if it has series, sorts before its instances.
    const std::span<Folded> card = std::span(kept).first(next - first);
    const bool has_whole = devices_->device(card.front().device).instance.empty();
    for (std::size_t h = 0; has_whole && h < hours_; ++h) {
      const bool split = std::any_of(card.begin() + 1, card.end(), [&](const Folded& instance) {
        return instance.hours[h].has_data();
      });
      if (!split) continue;
      Hour& whole = card.front().hours[h];
      whole.signal = -1;
      whole.clamped = false;
      whole.covered = whole.active = Twelfths{};
    }
    for (const Folded& folded : card) Emit(folded, cluster, rows);
    first = next;
  }
  series_ = {};
  counters_ = {};
}

}  // namespace plimsoll
