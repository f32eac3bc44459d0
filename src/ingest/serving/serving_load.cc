#include "ingest/serving/serving_load.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

auto KeyOf(const ServingBatch& batch, std::size_t row) {
  return std::tie(batch.cluster[row], batch.ns[row], batch.target[row], batch.engine[row],
                  batch.model[row], batch.quantity[row], batch.part[row], batch.le_ns[row],
                  batch.hour[row]);
}

std::string UnionOfMarks(const std::string& a, const std::string& b) {
  std::set<std::string> marks;
  for (const std::string* text : {&a, &b}) {
    for (std::size_t from = 0; from < text->size();) {
      const std::size_t comma = std::min(text->find(',', from), text->size());
      marks.insert(text->substr(from, comma - from));
      from = comma + 1;
    }
  }
  std::string all;
  for (const std::string& mark : marks) all += (all.empty() ? "" : ",") + mark;
  return all;
}

void JoinRow(ServingBatch& into, std::size_t row, const ServingBatch& from, std::size_t other) {
  for (std::size_t i = 0; i < into.covered[row].size(); ++i) {
    const auto best = std::max(std::pair(into.covered[row][i], into.amount[row][i]),
                               std::pair(from.covered[other][i], from.amount[other][i]));
    std::tie(into.covered[row][i], into.amount[row][i]) = best;
  }
  if (into.quality[row] != from.quality[other]) {
    into.quality[row] = UnionOfMarks(into.quality[row], from.quality[other]);
  }
}

}  // namespace

ServingBatch MergeServing(ServingBatch a, const ServingBatch& b) {
  for (std::size_t row = 0; row < RowsOf(b); ++row) AppendRow(a, b, row);
  std::vector<std::size_t> order(RowsOf(a));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return KeyOf(a, x) < KeyOf(a, y); });
  ServingBatch merged;
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

// The time from the first to the last covered twelfth of the rows.
std::optional<Window> SpanOf(const ServingBatch& rows) {
  std::optional<Window> span;
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    for (std::size_t i = 0; i < rows.covered[row].size(); ++i) {
      if (rows.covered[row][i] == 0) continue;
      const Instant begin =
          rows.hour[row] + Millis(static_cast<std::int64_t>(i) * Minutes(5).base());
      const Window slot{begin, begin + Minutes(5)};
      span = span ? Window{std::min(span->begin, slot.begin), std::max(span->until, slot.until)}
                  : slot;
    }
  }
  return span;
}

}  // namespace

Status StoreServingDay(Store& store, SnapshotLoad& load, const SnapshotKey& key,
                       ServingBatch rows) {
  PLIMSOLL_TRY(const std::optional<std::int64_t> active, load.ActiveOf(key));
  ServingBatch previous;
  if (active) {
    std::string columns;
    for (const ColumnRef& column : RefTo(ServingBatch{})) {
      columns += (columns.empty() ? "" : ", ") + std::string(column.name);
    }
    PLIMSOLL_TRY(previous, Query<ServingBatch>(
                               store, "SELECT " + columns + " FROM serving WHERE snapshot_id = ?",
                               {*active}));
  }
  PLIMSOLL_TRY(const std::int64_t snapshot_id, load.Open(key));
  ServingBatch merged = MergeServing(std::move(rows), previous);
  merged.snapshot_id.assign(RowsOf(merged), snapshot_id);
  if (const std::optional<Window> span = SpanOf(merged)) load.CoverTime(snapshot_id, *span);
  return load.Append("serving", merged);
}

}  // namespace plimsoll
