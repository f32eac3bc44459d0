#include "ingest/cluster/wait_metrics.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "ingest/cluster/row_fields.h"
#include "ingest/prometheus/exposition.h"

namespace plimsoll {
namespace {

constexpr std::string_view kSuffix = "_bucket";
constexpr std::string_view kWait = "wait_time_seconds_bucket";
constexpr std::int64_t kNoLimitMs = INT64_MAX;
constexpr std::size_t kNotesMax = 50;

std::string QueueOf(const SeriesLabels& series) {
  for (const char* label : {"cluster_queue", "local_queue", "name", "queue", "partition"}) {
    if (const std::string_view value = series.Get(label); !value.empty()) return std::string(value);
  }
  return "";
}

class BucketSink : public SampleSink {
 public:
  struct Key {
    std::string metric, queue;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  // By upper bound in milliseconds, of each series that adds up to it.
  using Counts = std::map<std::int64_t, std::int64_t>;

  std::int32_t OpenSeries(const SeriesLabels& series) override {
    open_.push_back(series);
    return static_cast<std::int32_t>(open_.size()) - 1;
  }

  void OnSample(std::int32_t number, std::int64_t at_ms, std::string_view value) override {
    const SeriesLabels& series = open_[static_cast<std::size_t>(number)];
    if (!series.name.ends_with(kWait)) return;
    const std::string_view le = series.Get("le");
    const auto upper = ParseSeconds(le);
    if (!upper && le != "+Inf" && le != "Inf") {
      Note(series.name + ": le=\"" + std::string(le.substr(0, 40)) + "\" is no bound");
      return;
    }
    const auto count = ParseThousandths(value);
    if (!count || *count % 1'000 != 0) {
      Note(series.name + ": '" + std::string(value.substr(0, 40)) + "' is no count");
      return;
    }
    // Of a series with many samples the latest counts, for counters only grow.
    Latest& latest = samples_[IdentityOf(series, true)];
    if (latest.seen && at_ms < latest.at_ms) return;
    latest = {true,
              at_ms,
              *count / 1'000,
              {series.name.substr(0, series.name.size() - kSuffix.size()), QueueOf(series)},
              IdentityOf(series, false),
              upper ? upper->base() : kNoLimitMs};
  }

  void AtLine(std::int64_t) override {}
  void OnBadInput(std::int64_t line, std::string_view reason, std::string_view) override {
    Note("line " + std::to_string(line) + ": " + std::string(reason));
  }

  // Sums of the series of each key. Notes those whose bounds differ: cumulative counts of unlike
  // buckets are no sum.
  std::map<Key, Counts> Histograms() {
    std::map<Key, std::map<std::string, Counts>> of_key;
    for (const auto& [identity, latest] : samples_) {
      of_key[latest.key][latest.series][latest.upper_ms] += latest.count;
    }
    std::map<Key, Counts> histograms;
    for (const auto& [key, of_series] : of_key) {
      const Counts& first = of_series.begin()->second;
      bool alike = true;
      Counts sum;
      for (const auto& [series, counts] : of_series) {
        alike = alike && std::ranges::equal(counts | std::views::keys, first | std::views::keys);
        for (const auto& [upper_ms, count] : counts) sum[upper_ms] += count;
      }
      if (alike) {
        histograms.emplace(key, std::move(sum));
      } else {
        Note(
            key.metric + " of queue '" + key.queue +
            "' has series of different buckets (le), which cannot be added up; give one at a time");
      }
    }
    return histograms;
  }

  void Note(std::string note) {
    if (notes_.size() < kNotesMax) {
      notes_.insert(std::move(note));
    } else if (!notes_.contains(note)) {
      ++more_notes_;
    }
  }

  // Each once; of very many the first, and how many more there are.
  std::vector<std::string> Notes() const {
    std::vector<std::string> notes(notes_.begin(), notes_.end());
    if (more_notes_ > 0) notes.push_back("and " + std::to_string(more_notes_) + " more of such");
    return notes;
  }

 private:
  struct Latest {
    bool seen = false;
    std::int64_t at_ms = 0;
    std::int64_t count = 0;
    Key key;
    std::string series;  // its name and labels but le
    std::int64_t upper_ms = 0;
  };

  static std::string IdentityOf(const SeriesLabels& series, bool with_bound) {
    std::map<std::string, std::string> labels(series.labels.begin(), series.labels.end());
    if (!with_bound) labels.erase("le");
    std::string identity = series.name;
    for (const auto& [name, value] : labels) identity += '\n' + name + '\n' + value;
    return identity;
  }

  std::vector<SeriesLabels> open_;
  std::map<std::string, Latest> samples_;
  std::set<std::string> notes_;
  std::int64_t more_notes_ = 0;
};

// Buckets that rise to one without a limit; false if they do not.
bool ToBuckets(const BucketSink::Counts& counts, WaitHistogram& histogram) {
  std::int64_t before = 0;
  for (const auto& [upper_ms, count] : counts) {
    if (count < before) return false;
    before = count;
    histogram.buckets.push_back(
        {upper_ms == kNoLimitMs ? std::nullopt : std::optional(Millis(upper_ms)), count});
  }
  return !histogram.buckets.empty() && !histogram.buckets.back().upper;
}

}  // namespace

Result<WaitMetrics> ReadWaitMetrics(const std::string& file, std::string_view text) {
  BucketSink sink;
  const ExpositionFormat format{
      EndsLikeOpenMetrics(text.substr(text.size() - std::min<std::size_t>(text.size(), 64))),
      Instant()};
  ExpositionParser parser(format, sink);
  for (const Status& status : {parser.Feed(text), parser.Finish()}) {
    if (!status) return Error{ErrorCode::kBadData, file + ": " + status.error().message};
  }
  WaitMetrics metrics;
  for (const auto& [key, counts] : sink.Histograms()) {
    WaitHistogram histogram{key.metric, key.queue, {}};
    if (ToBuckets(counts, histogram)) {
      metrics.histograms.push_back(std::move(histogram));
    } else {
      sink.Note(key.metric + " of queue '" + key.queue +
                "' has no le=\"+Inf\", or counts that fall");
    }
  }
  metrics.notes = sink.Notes();
  if (metrics.histograms.empty()) {
    return Error{ErrorCode::kBadData,
                 file + " has no histogram of waits: no whole series *wait_time_seconds_bucket" +
                     (metrics.notes.empty() ? "" : " (" + metrics.notes.front() + ")")};
  }
  return metrics;
}

}  // namespace plimsoll
