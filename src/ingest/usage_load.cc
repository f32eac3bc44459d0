#include "ingest/usage_load.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "ingest/usage_fold.h"
#include "store/select.h"

namespace plimsoll {
namespace {

int RankOf(Symbol signal) {  // greater is better
  if (signal == kSignalSmActive) return 3;
  if (signal == kSignalGrEngineActive) return 2;
  if (signal == kSignalGpuUtil) return 1;
  return 0;
}

auto KeyOf(const UsageBatch& batch, std::size_t row) {
  return std::tie(batch.cluster[row], batch.device[row], batch.instance[row], batch.hour[row]);
}

// Two marks are of the busy fraction: they go where a better signal has taken its place.
bool IsOfSignal(std::string_view mark) { return mark == "clamped" || mark == kMarkCoarse; }

struct Marks {
  const std::string& text;
  bool has_signal;  // the row's signal is the joined row's
};

std::string UnionOfMarks(const Marks& a, const Marks& b) {
  std::set<std::string> marks;
  for (const Marks* of : {&a, &b}) {
    for (std::size_t from = 0; from < of->text.size();) {
      const std::size_t comma = std::min(of->text.find(',', from), of->text.size());
      std::string mark = of->text.substr(from, comma - from);
      if (of->has_signal || !IsOfSignal(mark)) marks.insert(std::move(mark));
      from = comma + 1;
    }
  }
  std::string all;
  for (const std::string& mark : marks) all += (all.empty() ? "" : ",") + mark;
  return all;
}

void JoinBusy(UsageBatch& into, std::size_t row, const UsageBatch& from, std::size_t other) {
  const int here = RankOf(into.signal[row]);
  const int there = RankOf(from.signal[other]);
  if (here > there) return;
  if (here < there) {
    into.signal[row] = from.signal[other];
    into.covered[row] = from.covered[other];
    into.active[row] = from.active[other];
    return;
  }
  for (std::size_t i = 0; i < into.covered[row].size(); ++i) {
    const auto best = std::max(std::pair(into.covered[row][i], into.active[row][i]),
                               std::pair(from.covered[other][i], from.active[other][i]));
    std::tie(into.covered[row][i], into.active[row][i]) = best;
  }
}

// Null sorts before every value, so an integral that exists wins over none.
template <class Value>
void JoinIntegral(Value& ms, Value& sum, const Value& other_ms, const Value& other_sum) {
  std::tie(ms, sum) = std::max(std::pair(ms, sum), std::pair(other_ms, other_sum));
}

void JoinRow(UsageBatch& into, std::size_t row, const UsageBatch& from, std::size_t other) {
  if (into.quality[row] != from.quality[other] || into.signal[row] != from.signal[other]) {
    const int here = RankOf(into.signal[row]);
    const int there = RankOf(from.signal[other]);
    into.quality[row] =
        UnionOfMarks({into.quality[row], here >= there}, {from.quality[other], there >= here});
  }
  JoinBusy(into, row, from, other);
  JoinIntegral(into.power_ms[row], into.energy_mj[row], from.power_ms[other],
               from.energy_mj[other]);
  JoinIntegral(into.memory_ms[row], into.memory_mib_ms[row], from.memory_ms[other],
               from.memory_mib_ms[other]);
  into.stalled[row] |= from.stalled[other];
  into.node[row] = std::max(into.node[row], from.node[other]);
  into.profile[row] = std::max(into.profile[row], from.profile[other]);
  into.gpu_model[row] = std::max(into.gpu_model[row], from.gpu_model[other]);
  into.gpu_index[row] = std::max(into.gpu_index[row], from.gpu_index[other]);
}

}  // namespace

UsageBatch MergeUsage(UsageBatch a, const UsageBatch& b) {
  for (std::size_t row = 0; row < RowsOf(b); ++row) AppendRow(a, b, row);
  std::vector<std::size_t> order(RowsOf(a));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return KeyOf(a, x) < KeyOf(a, y); });
  UsageBatch merged;
  for (const std::size_t row : order) {
    const std::size_t rows = RowsOf(merged);
    if (rows > 0 && KeyOf(merged, rows - 1) == KeyOf(a, row)) {
      JoinRow(merged, rows - 1, a, row);
    } else {
      AppendRow(merged, a, row);
    }
  }
  return merged;
}

namespace {

struct SpanBatch {
  std::vector<std::optional<Instant>> begin, until;
  static constexpr std::tuple kColumns{MakeColumn("data_begin", &SpanBatch::begin),
                                       MakeColumn("data_until", &SpanBatch::until)};
};

SnapshotKey KeyFor(const std::string& cluster, Window day) { return {"usage", cluster, day}; }

Result<std::optional<Window>> ActiveSpan(Store& store, const std::string& cluster, Window day) {
  PLIMSOLL_TRY(const SpanBatch spans,
               Query<SpanBatch>(store,
                                "SELECT data_begin, data_until FROM snapshot WHERE kind = 'usage' "
                                "AND scope = ? AND period_begin = ? AND period_until = ? "
                                "AND active = 1",
                                {cluster, day.begin, day.until}));
  if (RowsOf(spans) == 0 || !spans.begin[0] || !spans.until[0]) return std::optional<Window>();
  return std::optional(Window{*spans.begin[0], *spans.until[0]});
}

Result<UsageBatch> RowsOfSnapshot(Store& store, std::int64_t snapshot_id) {
  return Query<UsageBatch>(
      store, "SELECT " + ColumnsSql<UsageBatch>() + " FROM usage WHERE snapshot_id = ?",
      {snapshot_id});
}

}  // namespace

Status StoreUsageDay(Store& store, SnapshotLoad& load, const UsageDay& day, UsageBatch rows) {
  const SnapshotKey key = KeyFor(day.cluster, day.day);
  Window covered = day.covered;
  PLIMSOLL_TRY(const std::optional<std::int64_t> active, load.ActiveOf(key));
  UsageBatch previous;
  if (active) {
    PLIMSOLL_TRY(previous, RowsOfSnapshot(store, *active));
    PLIMSOLL_TRY(const std::optional<Window> span, ActiveSpan(store, day.cluster, day.day));
    // Two parts with a gap between them are recorded as the new part alone: the day is then
    // read again rather than taken for complete.
    if (span && span->begin <= covered.until && covered.begin <= span->until) {
      covered = {std::min(span->begin, covered.begin), std::max(span->until, covered.until)};
    }
  }
  PLIMSOLL_TRY(const std::int64_t snapshot_id, load.Open(key));
  UsageBatch merged = MergeUsage(std::move(rows), previous);
  merged.snapshot_id.assign(RowsOf(merged), snapshot_id);
  load.CoverTime(snapshot_id, covered);
  return load.Append("usage", merged);
}

Result<bool> IsUsageDayLoaded(Store& store, const std::string& cluster, Window day) {
  PLIMSOLL_TRY(const std::optional<Window> span, ActiveSpan(store, cluster, day));
  return span && span->begin <= day.begin && span->until >= day.until;
}

}  // namespace plimsoll
