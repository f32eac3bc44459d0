#include "economics/serving_bounds.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::int64_t kSlotMs = 300'000;  // a twelfth of an hour
constexpr int128 kMillion = 1'000'000;

std::int64_t Clipped(int128 value) {
  return static_cast<std::int64_t>(std::min<int128>(value, INT64_MAX));
}

// Front ends count requests that the engines behind them count again.
bool IsFrontEnd(const std::string& engine) {
  return engine == "dynamo" || engine == "gie" || engine == "llm-d-epp";
}

// One quantity of one engine over all its targets in the window.
struct Tally {
  int128 amount = 0;
  int128 covered_ms = 0;  // of all rows
  bool has_rows = false;
  bool has_nan = false;
  int128 sum_ns = 0;
  bool has_sum = false;
  std::map<std::int64_t, std::int64_t> slots;  // the most that one row covers, by twelfth

  bool is_measured() const { return has_rows && covered_ms > 0; }
};

// Who counted, and when: all buckets of one such were read together, with one set of edges.
using ShotKey = std::tuple<Symbol, Symbol, Symbol, Symbol, Symbol, Instant>;
using Buckets = std::map<std::int64_t, int128>;  // by edge

// Histograms of one quantity, one for each set of edges: targets and releases differ in them,
// and a sum over an edge that some lack would take their values for slower than they are.
class HistogramSet {
 public:
  explicit HistogramSet(const std::map<ShotKey, Buckets>& shots) {
    std::map<std::vector<std::int64_t>, Buckets> by_edges;
    for (const auto& [shot, buckets] : shots) {
      std::vector<std::int64_t> edges;
      for (const auto& [le, count] : buckets) edges.push_back(le);
      Buckets& sum = by_edges[edges];
      for (const auto& [le, count] : buckets) sum[le] += count;
    }
    Buckets common;
    for (const auto& [edges, sum] : by_edges) {
      parts_.push_back(HistogramOf(sum));
      if (parts_.size() == 1) common = sum;
      std::erase_if(common, [&](const auto& bucket) { return !sum.contains(bucket.first); });
      if (parts_.size() == 1) continue;
      for (auto& [le, count] : common) count += sum.at(le);
    }
    common_ = HistogramOf(common);
    for (const LatencyHistogram& part : parts_) total_ += part.total();
  }

  bool empty() const { return parts_.empty(); }
  std::int64_t total() const { return Clipped(total_); }
  bool was_raised() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& p) { return p.was_raised(); });
  }
  // On the edges that all have.
  const LatencyHistogram& common() const { return common_; }
  CountBounds CountWithin(std::int64_t limit_ns) const {
    int128 low = 0;
    int128 high = 0;
    for (const LatencyHistogram& part : parts_) {
      low += part.CountWithin(limit_ns).low;
      high += part.CountWithin(limit_ns).high;
    }
    return {Clipped(low), Clipped(high)};
  }
  // As the first part whose edge the limit is not, if there is one.
  EdgesBeside Beside(std::int64_t limit_ns) const {
    EdgesBeside edges;
    for (const LatencyHistogram& part : parts_) {
      edges = part.Beside(limit_ns);
      if (!edges.is_edge) break;
    }
    return edges;
  }

 private:
  static LatencyHistogram HistogramOf(const Buckets& sum) {
    std::vector<LatencyBucket> buckets;
    for (const auto& [le, count] : sum) buckets.push_back({le, Clipped(count)});
    return LatencyHistogram(std::move(buckets));
  }

  std::vector<LatencyHistogram> parts_;
  LatencyHistogram common_{std::vector<LatencyBucket>()};
  int128 total_ = 0;
};

class Gatherer {
 public:
  Gatherer(const ServingBatch& rows, const ServingQuestion& question)
      : rows_(rows), question_(question) {
    bool has_engine = false;
    for (std::size_t row = 0; row < RowsOf(rows); ++row) {
      if (!InWindow(row) || !IsAskedModel(row)) continue;
      has_engine = has_engine || !IsFrontEnd(rows.engine[row]);
      has_front_end_ = has_front_end_ || IsFrontEnd(rows.engine[row]);
    }
    leaves_front_ends_ = question.engine.empty() && has_engine;
  }

  void Gather(ServingSummary& summary) {
    std::set<std::string> models;
    for (std::size_t row = 0; row < RowsOf(rows_); ++row) {
      if (!InWindow(row) || !IsAskedModel(row) || !IsAskedEngine(row)) continue;
      engines_.insert(rows_.engine[row]);
      models.insert(rows_.model[row]);
      Take(row);
    }
    summary.engines.assign(engines_.begin(), engines_.end());
    summary.models.assign(models.begin(), models.end());
    summary.targets = static_cast<std::int64_t>(times_.size());
    for (const auto& [target, slots] : times_) AddTimes(slots, summary);
    if (has_front_end_ && leaves_front_ends_) {
      summary.notes.emplace_back(
          "front ends (dynamo, gie, llm-d-epp) count the same requests as the engines behind them "
          "and are left out: name one as engine to see it");
    }
  }

  const std::set<std::string>& engines() const { return engines_; }
  const Tally& Of(const std::string& engine, const std::string& quantity) const {
    static const Tally kNone;
    const auto found = tallies_.find({engine, quantity});
    return found == tallies_.end() ? kNone : found->second;
  }
  // All engines together; null unless every one of them measured it.
  std::optional<std::int64_t> AmountOf(const std::string& quantity) const {
    int128 amount = 0;
    for (const std::string& engine : engines_) {
      const Tally& tally = Of(engine, quantity);
      if (!tally.is_measured()) return std::nullopt;
      amount += tally.amount;
    }
    return engines_.empty() ? std::nullopt : std::optional(Clipped(amount));
  }
  HistogramSet HistogramsOf(const std::string& quantity) const {
    const auto found = shots_.find(quantity);
    return HistogramSet(found == shots_.end() ? std::map<ShotKey, Buckets>() : found->second);
  }

 private:
  Instant SlotAt(std::size_t row, std::size_t slot) const {
    return rows_.hour[row] + Millis(static_cast<std::int64_t>(slot) * kSlotMs);
  }
  bool InWindow(std::size_t row) const {
    return rows_.hour[row] < question_.window.until &&
           question_.window.begin < rows_.hour[row] + Hours(1);
  }
  bool IsAskedModel(std::size_t row) const {
    return question_.model.empty() || rows_.model[row] == question_.model;
  }
  bool IsAskedEngine(std::size_t row) const {
    if (!question_.engine.empty()) return rows_.engine[row] == question_.engine;
    return !leaves_front_ends_ || !IsFrontEnd(rows_.engine[row]);
  }

  // The first and the last twelfth may be covered in part because the target began or ended.
  static void AddTimes(const std::map<std::int64_t, std::int64_t>& slots, ServingSummary& summary) {
    if (slots.empty()) return;
    std::int64_t covered = 0;
    for (const auto& [at, ms] : slots) covered += ms;
    std::int64_t edges = kSlotMs - slots.begin()->second;
    if (slots.size() > 1) edges += kSlotMs - slots.rbegin()->second;
    const std::int64_t span = slots.rbegin()->first - slots.begin()->first + kSlotMs;
    summary.covered_ms += covered;
    summary.missing_ms += std::max<std::int64_t>(0, span - covered - edges);
  }

  void Take(std::size_t row) {
    const Symbol quantity = rows_.quantity[row];
    Tally& tally = tallies_[{rows_.engine[row].text(), quantity.text()}];
    tally.has_rows = true;
    tally.has_nan = tally.has_nan || rows_.quality[row].text().find("nan") != std::string::npos;
    // A level holds over a scrape that a counter misses.
    const bool is_level = quantity == kRunning || quantity == kWaiting || quantity == kKvCacheUsed;
    auto& times = times_[{rows_.cluster[row], rows_.ns[row], rows_.target[row], rows_.engine[row]}];
    int128 amount = 0;
    int128 covered = 0;
    for (std::size_t slot = 0; slot < rows_.covered[row].size(); ++slot) {
      const std::int64_t ms = rows_.covered[row][slot];
      const Instant at = SlotAt(row, slot);
      if (ms <= 0 || !question_.window.contains(at)) continue;
      amount += rows_.amount[row][slot];
      covered += ms;
      std::int64_t& known = is_level ? tally.slots[at.base()] : times[at.base()];
      known = std::max(known, std::min(ms, kSlotMs));
    }
    if (covered == 0) return;
    tally.covered_ms += covered;
    if (rows_.part[row] == kPartBucket && rows_.le_ns[row]) {
      const ShotKey shot{rows_.cluster[row], rows_.ns[row],    rows_.target[row],
                         rows_.engine[row],  rows_.model[row], rows_.hour[row]};
      shots_[quantity.text()][shot][*rows_.le_ns[row]] += amount;
    } else if (rows_.part[row] == kPartSum) {
      tally.sum_ns += amount;
      tally.has_sum = true;
    } else {
      tally.amount += amount;
    }
  }

  const ServingBatch& rows_;
  const ServingQuestion& question_;
  bool leaves_front_ends_ = false;
  bool has_front_end_ = false;
  std::set<std::string> engines_;
  std::map<std::pair<std::string, std::string>, Tally> tallies_;  // by engine and quantity
  std::map<std::string, std::map<ShotKey, Buckets>> shots_;       // by quantity
  std::map<std::tuple<Symbol, Symbol, Symbol, Symbol>, std::map<std::int64_t, std::int64_t>>
      times_;  // of a target: covered ms by twelfth
};

std::string PlaceOf(const SloBounds& slo) {
  const std::string limit = LatencyText(slo.limit_ns);
  if (slo.edges.below_ns && slo.edges.above_ns) {
    return limit + " lies inside the bucket " + LatencyText(*slo.edges.below_ns) + " to " +
           LatencyText(*slo.edges.above_ns);
  }
  if (slo.edges.above_ns) {
    return limit + " lies below the first edge, " + LatencyText(*slo.edges.above_ns);
  }
  if (slo.edges.below_ns) {
    return limit + " lies beyond the last edge, " + LatencyText(*slo.edges.below_ns);
  }
  return limit + ": the histogram has no edges";
}

class Summarizer {
 public:
  Summarizer(const Gatherer& tallies, const ServingQuestion& question, ServingSummary& summary)
      : tallies_(tallies), question_(question), summary_(summary) {}

  void Run() {
    CountRequests();
    CountTokens();
    CheckSlo(kTtft, question_.slo.ttft_ns);
    CheckSlo(kTpot, question_.slo.tpot_ns);
    CheckSlo(kE2e, question_.slo.e2e_ns);
    Judge();
    Price();
    for (const char* quantity : {kTtft, kTpot, kItl, kNtpot, kE2e, kQueueTime}) {
      Summarize(quantity);
    }
    summary_.running_milli = MeanOver(kRunning, false);
    summary_.waiting_milli = MeanOver(kWaiting, false);
    summary_.kv_cache_used_ppm = MeanOver(kKvCacheUsed, true);
    NoteGaps();
  }

 private:
  void Note(std::string text) { summary_.notes.push_back(std::move(text)); }

  bool IsEnsembleLikely() const {
    return summary_.models.size() > 1 && std::find(summary_.engines.begin(), summary_.engines.end(),
                                                   "triton") != summary_.engines.end();
  }

  void CountRequests() {
    if (IsEnsembleLikely()) {
      return Note(
          "Triton counts a request once for each model of an ensemble that it runs through: name "
          "one model to count requests");
    }
    summary_.requests_all = tallies_.AmountOf(kRequestsAll);
    summary_.requests_failed = tallies_.AmountOf(kRequestsFailed);
    summary_.requests_aborted = tallies_.AmountOf(kRequestsAborted);
    std::optional<int128> ok;
    if (!tallies_.engines().empty()) ok = 0;
    for (const std::string& engine : tallies_.engines()) {
      const std::optional<int128> one = OkOf(engine);
      ok = ok && one ? std::optional(*ok + *one) : std::nullopt;
    }
    if (!ok) return;
    summary_.requests_ok = Clipped(*ok);
    summary_.requests_state = *ok == 0 ? ServingState::kNoTraffic : ServingState::kKnown;
  }

  std::optional<int128> OkOf(const std::string& engine) {
    const Tally& ok = tallies_.Of(engine, kRequestsOk);
    if (ok.is_measured()) return ok.amount;
    const Tally& all = tallies_.Of(engine, kRequestsAll);
    if (!all.is_measured()) return std::nullopt;
    const Tally& failed = tallies_.Of(engine, kRequestsFailed);
    const Tally& aborted = tallies_.Of(engine, kRequestsAborted);
    const bool has_rest = failed.is_measured() || aborted.is_measured();
    Note(has_rest ? engine +
                        " does not count successes: ok requests are all less those that "
                        "failed or were aborted"
                  : engine +
                        " counts neither successes nor failures: all requests are taken for "
                        "ok");
    return std::max<int128>(0, all.amount - failed.amount - aborted.amount);
  }

  bool HadTraffic() const {
    return !summary_.requests_ok || *summary_.requests_ok > 0 ||
           summary_.requests_failed.value_or(0) > 0 || summary_.requests_aborted.value_or(0) > 0;
  }

  void CountTokens() {
    summary_.tokens_input = tallies_.AmountOf(kTokensInput);
    summary_.tokens_cached = tallies_.AmountOf(kTokensCached);
    summary_.tokens_output = tallies_.AmountOf(kTokensOutput);
    // NaN without traffic is no traffic; with traffic, or with nothing known of it, unknown.
    bool has_nan = false;
    for (const std::string& engine : tallies_.engines()) {
      has_nan = has_nan || tallies_.Of(engine, kTokensOutput).has_nan;
    }
    if (summary_.tokens_output) {
      summary_.tokens_state = ServingState::kKnown;
      if (has_nan && HadTraffic()) {
        Note("output tokens were NaN for some of the time: what was served then is not counted");
      }
    } else if (has_nan && !HadTraffic()) {
      summary_.tokens_state = ServingState::kNoTraffic;
    }
    if (summary_.tokens_cached && summary_.tokens_input &&
        *summary_.tokens_cached > *summary_.tokens_input) {
      Note(
          "more tokens came from the cache than were asked for: the engine counts a request's "
          "prefix again when it is preempted; cached tokens are cut to the input");
      summary_.tokens_cached = summary_.tokens_input;
    }
  }

  void CheckSlo(const char* quantity, const std::optional<std::int64_t>& limit_ns) {
    if (!limit_ns) return;
    SloBounds slo;
    slo.quantity = quantity;
    slo.limit_ns = *limit_ns;
    const HistogramSet histogram = tallies_.HistogramsOf(quantity);
    if (histogram.empty()) {
      ExplainMissing(quantity, *limit_ns);
      summary_.slo.push_back(std::move(slo));
      return;
    }
    slo.measured = histogram.total();
    slo.edges = histogram.Beside(*limit_ns);
    const CountBounds all = histogram.CountWithin(*limit_ns);
    const std::int64_t ok = summary_.requests_ok.value_or(slo.measured);
    // Values of requests that did not end well are among the quick ones, or none is.
    const std::int64_t others = std::max<std::int64_t>(0, slo.measured - ok);
    slo.within = CountBounds{std::max<std::int64_t>(0, std::min(all.low - others, ok)),
                             std::min(all.high, ok)};
    if (!slo.edges.is_edge) {
      Note(std::string(quantity) + " limit " + PlaceOf(slo) +
           ": how many keep it is known within bounds only; choose an edge, or load request logs");
    }
    if (others > 0 && summary_.requests_ok) {
      Note(std::to_string(slo.measured) + " requests have a " + quantity + ", " +
           std::to_string(ok) + " ended well: " + std::to_string(others) +
           " were aborted or failed after it was measured, or have not ended");
    }
    if (slo.measured < ok) {
      Note(std::to_string(ok - slo.measured) + " of " + std::to_string(ok) +
           " ok requests have no " + quantity + ": they are not good");
    }
    if (histogram.was_raised()) {
      Note(std::string(quantity) +
           ": counts fall from one bucket to the next and were raised to the one before");
    }
    summary_.slo.push_back(std::move(slo));
  }

  void ExplainMissing(const char* quantity, std::int64_t limit_ns) {
    const HistogramSet gaps = tallies_.HistogramsOf(kItl);
    if (std::string(quantity) == kTpot && !gaps.empty()) {
      summary_.gaps = gaps.total();
      summary_.gaps_within_tpot = gaps.CountWithin(limit_ns);
      return Note(
          "tpot: the engine measures gaps between tokens (itl), not a request's mean time per "
          "token; how many requests keep the limit is unknown");
    }
    if (std::string(quantity) == kTpot && !tallies_.HistogramsOf(kNtpot).empty()) {
      return Note(
          "tpot: the engine measures a request's whole time over all its tokens (ntpot), prefill "
          "included; how many requests keep the limit is unknown");
    }
    Note(std::string(quantity) +
         ": the engine has no such histogram; how many requests keep the limit is unknown");
  }

  void Judge() {
    if (!summary_.requests_ok) return;
    const std::int64_t ok = *summary_.requests_ok;
    std::vector<CountBounds> conditions;
    for (const SloBounds& slo : summary_.slo) {
      conditions.push_back(slo.within.value_or(CountBounds{0, ok}));
    }
    summary_.requests_good = MeetEvery(conditions, ok);
    if (!summary_.tokens_output) return;
    const std::int64_t tokens = *summary_.tokens_output;
    const CountBounds& good = *summary_.requests_good;
    if (good.high == 0) {
      summary_.tokens_good = CountBounds{0, 0};
    } else if (good.low == ok && summary_.requests_failed.value_or(0) == 0 &&
               summary_.requests_aborted.value_or(0) == 0) {
      summary_.tokens_good = CountBounds{tokens, tokens};
    } else if (question_.tokens_even) {
      const std::int64_t ended = Clipped(int128{ok} + summary_.requests_failed.value_or(0) +
                                         summary_.requests_aborted.value_or(0));
      summary_.tokens_good =
          CountBounds{static_cast<std::int64_t>(int128{tokens} * good.low / ended),
                      static_cast<std::int64_t>((int128{tokens} * good.high + ended - 1) / ended)};
    } else {
      Note(
          "how many tokens the good requests have is unknown: metrics do not tell; declare that "
          "they have as many as others, or load request logs");
    }
  }

  std::optional<Money> PerMillion(std::int64_t tokens) const {
    if (!question_.cost || tokens <= 0) return std::nullopt;
    return Money::FromNanos(DivideHalfEven(question_.cost->nanos() * kMillion, tokens));
  }

  void Price() {
    if (summary_.tokens_output) {
      summary_.cost_per_million_output_tokens = PerMillion(*summary_.tokens_output);
    }
    if (!summary_.tokens_good) return;
    summary_.cost_per_million_good_low = PerMillion(summary_.tokens_good->high);
    summary_.cost_per_million_good_high = PerMillion(summary_.tokens_good->low);
  }

  void Summarize(const char* quantity) {
    LatencySummary latency;
    latency.quantity = quantity;
    const HistogramSet histogram = tallies_.HistogramsOf(quantity);
    latency.count = histogram.total();
    int128 sum_ns = 0;
    bool has_sum = false;
    for (const std::string& engine : tallies_.engines()) {
      sum_ns += tallies_.Of(engine, quantity).sum_ns;
      has_sum = has_sum || tallies_.Of(engine, quantity).has_sum;
    }
    if (histogram.empty() && !has_sum) return;
    // An engine without buckets counts time alone: its requests are those that ended.
    const int128 divisor = histogram.empty() ? int128{summary_.requests_ok.value_or(0)} +
                                                   summary_.requests_failed.value_or(0)
                                             : int128{latency.count};
    if (has_sum && divisor > 0) latency.mean_ns = Clipped(DivideHalfEven(sum_ns, divisor));
    latency.p50 = histogram.common().Quantile(50, 100);
    latency.p90 = histogram.common().Quantile(90, 100);
    latency.p99 = histogram.common().Quantile(99, 100);
    summary_.latencies.push_back(std::move(latency));
  }

  // Of levels that add up over targets, the mean of the sum; of shares, the mean of the shares.
  std::optional<std::int64_t> MeanOver(const char* quantity, bool is_share) const {
    int128 amount = 0;
    int128 covered_ms = 0;
    std::map<std::int64_t, std::int64_t> slots;
    for (const std::string& engine : tallies_.engines()) {
      const Tally& tally = tallies_.Of(engine, quantity);
      amount += tally.amount;
      covered_ms += tally.covered_ms;
      for (const auto& [at, ms] : tally.slots) slots[at] = std::max(slots[at], ms);
    }
    int128 any_ms = 0;
    for (const auto& [at, ms] : slots) any_ms += ms;
    const int128 divisor = is_share ? covered_ms : any_ms;
    return divisor > 0 ? std::optional(Clipped(DivideHalfEven(amount, divisor))) : std::nullopt;
  }

  void NoteGaps() {
    if (summary_.missing_ms == 0) return;
    const std::int64_t minutes = (summary_.missing_ms + 59'999) / 60'000;
    Note("scrapes are missing for " + std::to_string(minutes) +
         " minutes of targets: what was served then is not counted, and cost per token is too "
         "high by as much");
  }

  const Gatherer& tallies_;
  const ServingQuestion& question_;
  ServingSummary& summary_;
};

}  // namespace

ServingSummary SummarizeServing(const ServingBatch& rows, const ServingQuestion& question) {
  ServingSummary summary;
  Gatherer gatherer(rows, question);
  gatherer.Gather(summary);
  Summarizer(gatherer, question, summary).Run();
  return summary;
}

}  // namespace plimsoll
