#include "ingest/serving/serving_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/prometheus/sample_value.h"
#include "ingest/serving/serving_load.h"

namespace plimsoll {
namespace {

// Labels that tell by whom a target was scraped, or where it ran, but not what was counted.
constexpr std::array<std::string_view, 19> kScrapeLabels{
    "job",          "endpoint", "service",   "container",
    "prometheus",   "monitor",  "replica",   "prometheus_replica",
    "__replica__",  "receive",  "tenant_id", "cluster",
    "metrics_path", "node",     "host",      "host_ip",
    "pod_ip",       "uid",      "le"};

// Spellings of the labels that name a target, in the order in which they are tried.
constexpr std::array<std::string_view, 4> kPodLabels{"pod", "kubernetes_pod_name", "pod_name",
                                                     "k8s_pod_name"};
constexpr std::array<std::string_view, 3> kNamespaceLabels{"namespace", "kubernetes_namespace",
                                                           "k8s_namespace_name"};

template <class Names>
std::string_view FirstOf(const SeriesLabels& series, const Names& names) {
  for (const auto& name : names) {
    const std::string_view value = series.Get(name);
    if (!value.empty()) return value;
  }
  return {};
}

template <class Names>
bool Contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The labels in one order, each part closed by a zero byte.
std::string TextOf(const SeriesLabels& series, bool without_scrape) {
  const bool has_pod = !FirstOf(series, kPodLabels).empty();
  std::vector<std::pair<std::string_view, std::string_view>> labels;
  for (const auto& [key, label] : series.labels) {
    std::string_view value = label;
    if (value.empty() || (without_scrape && Contains(kScrapeLabels, key))) continue;
    // A pod keeps its name and port when its address changes.
    if (without_scrape && has_pod && key == "instance") {
      value.remove_prefix(std::min(value.rfind(':'), value.size()));
    }
    labels.emplace_back(key, value);
  }
  std::sort(labels.begin(), labels.end());
  std::string text;
  for (const auto& [key, value] : labels) {
    text += key;
    text += '\0';
    text += value;
    text += '\0';
  }
  return text;
}

void AddTo(DayFold& sum, const DayFold& one, bool adds_time) {
  for (std::size_t i = 0; i < kSlots; ++i) {
    sum.amount[i] = AddSaturating(sum.amount[i], one.amount[i]);
    sum.covered[i] = adds_time ? AddSaturating(sum.covered[i], one.covered[i])
                               : std::max(sum.covered[i], one.covered[i]);
  }
  sum.resets |= one.resets;
  sum.doubled |= one.doubled;
}

const char* NameOf(SamplePart part) {
  if (part == SamplePart::kBucket) return kPartBucket;
  return part == SamplePart::kSum ? kPartSum : "";
}

}  // namespace

std::string ServingReader::kind() const { return kServingKind; }

// ---- series ------------------------------------------------------------------------------

void ServingReader::RefuseOnce(const std::string& name, std::string_view reason) {
  if (!refused_names_.insert(name).second || !scope_.refuse) return;
  scope_.refuse(name.c_str(), reason, name);
}

std::int32_t ServingReader::OpenSeries(const SeriesLabels& series) {
  const NameMatch match = table_.Find(series.name);
  if (match.kind == NameKind::kForeign) return -1;
  const auto [at, added] = series_index_.try_emplace(series.name + '\0' + TextOf(series, false),
                                                     static_cast<std::int32_t>(series_.size()));
  if (added) {
    series_.emplace_back();
    series_.back().source = NewSeries(series, match);
  }
  return at->second;
}

std::int32_t ServingReader::NewSeries(const SeriesLabels& series, const NameMatch& match) {
  if (match.kind == NameKind::kUnknown) {
    RefuseOnce(series.name, table_.UnknownReason(series.name));
  }
  if (match.kind != NameKind::kRead) return -1;
  for (const LabelRule& rule : match.engine->copies) {
    if (!series.Get(rule.label).empty() && !rule.Holds(series)) return -1;
  }
  const NameUse* use = UseOf(series, match);
  return use == nullptr ? -1 : SourceOf(series, match, *use);
}

// The row whose label values the series has; null, and a refusal, if the table knows of none.
const NameUse* ServingReader::UseOf(const SeriesLabels& series, const NameMatch& match) {
  const auto holds = [&](const AliasRow& row) {
    return std::all_of(row.where.begin(), row.where.end(),
                       [&](const LabelRule& rule) { return rule.Holds(series); });
  };
  for (const NameUse& use : *match.uses) {
    if (holds(*use.row)) return &use;
  }
  for (const AliasRow& other : match.engine->other_values) {
    if (other.metric == match.uses->front().row->metric && holds(other)) return nullptr;
  }
  std::string values;
  for (const LabelRule& rule : match.uses->front().row->where) {
    values += (values.empty() ? "" : ", ") + rule.label + "=\"" +
              std::string(series.Get(rule.label)) + "\"";
  }
  RefuseOnce(series.name + "{" + values + "}",
             "no known version of " + match.engine->name +
                 " has these label values; the series is not used: say in a catalog file of your "
                 "own what it is (list serving_engines)");
  return nullptr;
}

std::int32_t ServingReader::SourceOf(const SeriesLabels& series, const NameMatch& match,
                                     const NameUse& use) {
  const AliasRow& row = *use.row;
  Source source;
  source.part = use.part;
  if (use.part == SamplePart::kBucket) {
    const std::string_view le = series.Get("le");
    source.le_ns = le == "+Inf" ? std::optional(kLeInfinite) : ParseScaled(le, row.scale);
    if (!source.le_ns) {
      RefuseOnce(series.name, "a bucket's label le is missing or no number; it is not used");
      return -1;
    }
  }
  std::string target(FirstOf(series, kPodLabels));
  if (target.empty()) target = std::string(series.Get("instance"));
  const Group group{std::string(FirstOf(series, kNamespaceLabels)), std::move(target),
                    match.engine->name, std::string(FirstOf(series, match.engine->model_labels)),
                    row.quantity};
  source.group =
      group_index_.try_emplace(group, static_cast<std::int32_t>(groups_.size())).first->second;
  if (static_cast<std::size_t>(source.group) == groups_.size()) groups_.push_back(group);
  source.rank = row.rank;
  source.scale = use.part == SamplePart::kBucket ? 0 : row.scale;
  source.is_level = row.type == MetricType::kGauge;
  const std::string target_key = group.ns + '\0' + group.target + '\0' + match.engine->name + '\0';
  const auto number = [](auto& index, const std::string& key, auto& list) {
    const auto at = index.try_emplace(key, static_cast<std::int32_t>(list.size())).first->second;
    if (static_cast<std::size_t>(at) == list.size()) list.emplace_back();
    return at;
  };
  source.seen = number(seen_index_, target_key + row.metric, seen_);
  source.names = number(names_index_, target_key + row.quantity, names_);
  names_[static_cast<std::size_t>(source.names)].insert(source.seen);
  // Two servers in one pod restart each for itself.
  std::string_view port = series.Get("instance");
  if (!FirstOf(series, kPodLabels).empty()) {
    port.remove_prefix(std::min(port.rfind(':'), port.size()));
  }
  source.process = number(process_index_, target_key + std::string(port), restarts_);
  std::string key = row.metric + '\0' + row.quantity + '\0' + NameOf(use.part) + '\0';
  if (source.le_ns) key += std::to_string(*source.le_ns);
  key += '\0' + TextOf(series, true);
  const auto [at, added] =
      source_index_.try_emplace(key, static_cast<std::int32_t>(sources_.size()));
  if (added) sources_.push_back(std::move(source));
  return at->second;
}

// ---- samples -----------------------------------------------------------------------------

SampleOutcome ServingReader::OnSample(std::int32_t id, std::int64_t at_ms, std::string_view value) {
  Series& series = series_[static_cast<std::size_t>(id)];
  if (series.source < 0) return SampleOutcome::kPassed;
  Source& source = sources_[static_cast<std::size_t>(series.source)];
  seen_[static_cast<std::size_t>(source.seen)].Add(at_ms);
  const bool inside = scope_.window.contains(AtMillis(at_ms));
  if (inside) days_.insert(FloorTo(AtMillis(at_ms), plimsoll::Days(1)).base());
  if (IsNotANumber(value)) {
    if (inside) source.absent.insert(FloorTo(AtMillis(at_ms), Hours(1)).base());
    return SampleOutcome::kAbsent;
  }
  const std::optional<std::int64_t> scaled = ParseScaled(value, source.scale);
  if (!scaled || *scaled < 0 || *scaled > (source.is_level ? kLevelMax : kCounterMax)) {
    if (std::exchange(series.refused, true) || !scope_.refuse) return SampleOutcome::kRefused;
    const Group& group = groups_[static_cast<std::size_t>(source.group)];
    scope_.refuse(group.quantity.c_str(),
                  "no engine can have counted this; it is not used (later ones of this series are "
                  "counted only)",
                  value);
    return SampleOutcome::kPassed;
  }
  source.samples.push_back({at_ms, *scaled, id});
  return SampleOutcome::kTaken;
}

std::vector<std::vector<std::string>> ServingReader::NamesToRead(
    const std::vector<std::string>& there) {
  std::map<std::string, std::vector<std::string>> by_metric;
  for (const std::string& name : there) {
    const NameMatch match = table_.Find(name);
    if (match.kind == NameKind::kUnknown) RefuseOnce(name, table_.UnknownReason(name));
    if (match.kind == NameKind::kRead) {
      by_metric[match.uses->front().row->metric].push_back(name);
    }
  }
  std::vector<std::vector<std::string>> groups;
  for (auto& [metric, names] : by_metric) groups.push_back(std::move(names));
  return groups;
}

void ServingReader::Settle(Instant until) {
  FindRestarts();
  for (Source& source : sources_) {
    Compress(source.samples, {until.base(), scope_.hold.base(), source.is_level,
                              restarts_[static_cast<std::size_t>(source.process)]});
  }
}

// Where two metrics of a process fall in one scrape all of it began anew: a counter alone may
// only be odd, and one that is soon back above where it was shows nothing.
void ServingReader::FindRestarts() {
  std::map<std::pair<std::int32_t, std::int64_t>, std::set<std::int32_t>> falls;  // metrics
  for (Source& source : sources_) {
    if (source.is_level) continue;
    SortSamples(source.samples);
    for (const std::int64_t at_ms : FallsOf(source.samples, scope_.hold.base())) {
      falls[{source.process, at_ms}].insert(source.seen);
    }
  }
  for (std::set<std::int64_t>& restarts : restarts_) restarts.clear();
  for (const auto& [where, metrics] : falls) {
    if (metrics.size() > 1) restarts_[static_cast<std::size_t>(where.first)].insert(where.second);
  }
}

// ---- facts -------------------------------------------------------------------------------

std::vector<Window> ServingReader::Days() const {
  std::vector<Window> days;
  for (const std::int64_t day : days_) {
    days.push_back({AtMillis(day), AtMillis(day) + plimsoll::Days(1)});
  }
  return days;
}

void ServingReader::Emit(const Group& group, const Cells& cells, Window day,
                         const std::set<std::int64_t>& absent, ServingBatch& rows) {
  for (const auto& [key, fold] : cells) {
    for (std::size_t hour = 0; hour < 24; ++hour) {
      const Instant begin = day.begin + Hours(static_cast<std::int64_t>(hour));
      Twelfths covered{};
      Twelfths amount{};
      for (std::size_t t = 0; t < covered.size(); ++t) {
        covered[t] = fold.covered[hour * covered.size() + t];
        amount[t] = fold.amount[hour * covered.size() + t];
      }
      const bool is_absent = absent.contains(begin.base());
      const bool is_reset = fold.resets.test(hour);
      const bool is_doubled = fold.doubled.test(hour);
      const bool has_data =
          std::any_of(covered.begin(), covered.end(), [](std::int64_t ms) { return ms > 0; });
      if (!has_data && !is_absent) continue;
      if (is_doubled) doubled_.insert(group.ns + "/" + group.target);
      std::string marks = is_absent ? "nan" : "";
      if (is_reset) marks += std::string(marks.empty() ? "" : ",") + "reset";
      if (is_doubled) marks += std::string(marks.empty() ? "" : ",") + "two-scrapes";
      rows.snapshot_id.push_back(0);
      rows.cluster.push_back(scope_.cluster);
      rows.ns.push_back(group.ns);
      rows.target.push_back(group.target);
      rows.engine.push_back(group.engine);
      rows.model.push_back(group.model);
      rows.quantity.push_back(group.quantity);
      rows.part.push_back(key.first);
      rows.le_ns.push_back(key.second);
      rows.hour.push_back(begin);
      rows.covered.push_back(covered);
      rows.amount.push_back(amount);
      rows.quality.push_back(marks);
    }
  }
}

// A new series of a metric that was there before, or of a new name of a quantity whose old name
// went when it came, has counted from 0.
std::optional<std::int64_t> ServingReader::BirthOf(const Source& source, std::int64_t at_ms) const {
  const std::int64_t hold = scope_.hold.base();
  std::optional<std::int64_t> birth;
  for (const std::int32_t name : names_[static_cast<std::size_t>(source.names)]) {
    const SeenTimes& seen = seen_[static_cast<std::size_t>(name)];
    if (name != source.seen && !seen.IsGone(at_ms, hold)) continue;
    birth = std::max(birth, seen.BirthAfter(at_ms, hold));
  }
  return birth;
}

void ServingReader::FoldGroup(const Group& group, std::vector<Source*>& sources, Window day,
                              ServingBatch& rows) {
  const FoldWindow window{day.begin, scope_.window, scope_.hold.base()};
  std::stable_sort(sources.begin(), sources.end(),
                   [](const Source* a, const Source* b) { return a->rank < b->rank; });
  Cells cells;
  std::set<std::int64_t> absent;
  TimeSet taken;  // what a better name has told
  for (std::size_t first = 0; first < sources.size();) {
    const int rank = sources[first]->rank;
    TimeSet told;
    Cells of_rank;
    for (; first < sources.size() && sources[first]->rank == rank; ++first) {
      Source& source = *sources[first];
      SortSamples(source.samples);
      absent.insert(source.absent.begin(), source.absent.end());
      DayFold fold;
      if (source.is_level) {
        FoldLevel(source.samples, window, {fold, taken, told});
      } else {
        const auto birth_of = [&](std::int64_t at_ms) { return BirthOf(source, at_ms); };
        FoldCounter(source.samples, {birth_of, restarts_[static_cast<std::size_t>(source.process)]},
                    window, {fold, taken, told});
      }
      // The parts of one engine each have a cache: its use is the mean over them.
      AddTo(of_rank[{NameOf(source.part), source.le_ns}], fold, group.quantity == kKvCacheUsed);
    }
    for (const auto& [key, fold] : of_rank) AddTo(cells[key], fold, true);
    if (first < sources.size()) taken.Add(told);
  }
  Emit(group, cells, day, absent, rows);
}

ServingBatch ServingReader::TakeDay(Window day) {
  for (SeenTimes& seen : seen_) seen.Settle();
  FindRestarts();
  std::vector<std::vector<Source*>> by_group(groups_.size());
  for (Source& source : sources_) {
    by_group[static_cast<std::size_t>(source.group)].push_back(&source);
  }
  ServingBatch rows;
  for (const auto& [group, index] : group_index_) {
    FoldGroup(group, by_group[static_cast<std::size_t>(index)], day, rows);
  }
  // The first samples of a day rise from the last of the day before.
  const std::int64_t kept_from = (day.until - scope_.hold).base();
  for (Source& source : sources_) {
    std::erase_if(source.samples, [&](const ServingSample& s) { return s.at_ms < kept_from; });
    source.absent.erase(source.absent.begin(), source.absent.lower_bound(day.until.base()));
  }
  for (SeenTimes& seen : seen_) seen.ForgetBefore(kept_from);
  days_.erase(days_.begin(), days_.lower_bound(day.until.base()));
  return rows;
}

Result<bool> ServingReader::StoreDay(Store& store, SnapshotLoad& load, Window day) {
  ServingBatch rows = TakeDay(day);
  if (RowsOf(rows) == 0) return false;
  PLIMSOLL_RETURN_IF_ERROR(
      StoreServingDay(store, load, {kServingKind, scope_.cluster, day}, std::move(rows)));
  return true;
}

void ServingReader::Report(ImportReport& report) const {
  if (doubled_.empty()) return;
  report.warnings.push_back(std::to_string(doubled_.size()) +
                            " serving targets are scraped twice, as " + *doubled_.begin() +
                            "; they count once");
}

}  // namespace plimsoll
