#include "ledger/facts.h"

#include <set>

#include "model/row_hash.h"

namespace plimsoll {
namespace {

// "a, b, c" of a batch's columns: a query names its columns, so that a table may gain more.
template <class Batch>
std::string ColumnList() {
  std::string list;
  const Batch batch;
  for (const ColumnRef& column : RefTo(batch)) {
    if (!list.empty()) list += ", ";
    list += column.name;
  }
  return list;
}

template <class Batch>
Result<Batch> ReadActive(Store& store, const std::string& table, const std::string& condition,
                         const SqlParams& params) {
  return Query<Batch>(
      store, "SELECT " + ColumnList<Batch>() + " FROM active_" + table + " WHERE " + condition,
      params);
}

struct ActiveSnapshots {
  std::vector<std::int64_t> id;
  std::vector<std::string> name, hash;
  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &ActiveSnapshots::id),
      MakeColumn("name", &ActiveSnapshots::name),
      MakeColumn("content_hash", &ActiveSnapshots::hash),
  };
};

bool Touches(const NodeBatch& nodes, std::size_t row, Window window) {
  return (!nodes.begin[row] || *nodes.begin[row] < window.until) &&
         (!nodes.until[row] || *nodes.until[row] > window.begin);
}

bool Touches(const HoldingBatch& holdings, std::size_t row, Window window) {
  return holdings.begin[row] < window.until &&
         (!holdings.until[row] || *holdings.until[row] > window.begin);
}

bool Touches(const BindingBatch& bindings, std::size_t row, Window window) {
  return bindings.begin[row] < window.until && bindings.until[row] > window.begin;
}

template <class Batch>
Batch RowsTouching(const Batch& batch, Window window) {
  Batch out;
  for (std::size_t row = 0; row < RowsOf(batch); ++row) {
    if (Touches(batch, row, window)) AppendRow(out, batch, row);
  }
  return out;
}

}  // namespace

Result<OccupancyFacts> ReadOccupancy(Store& store, Window window) {
  const SqlParams span{window.until, window.begin};
  const std::string open_ended =
      "(begin_at IS NULL OR begin_at < ?) AND (until_at IS NULL OR until_at > ?)";
  OccupancyFacts facts;
  PLIMSOLL_TRY(facts.nodes, ReadActive<NodeBatch>(store, "node", open_ended, span));
  PLIMSOLL_TRY(facts.holdings, ReadActive<HoldingBatch>(store, "holding", open_ended, span));
  PLIMSOLL_TRY(facts.bindings, ReadActive<BindingBatch>(store, "binding", open_ended, span));
  return facts;
}

OccupancyFacts Touching(const OccupancyFacts& facts, Window window) {
  return {RowsTouching(facts.nodes, window), RowsTouching(facts.holdings, window),
          RowsTouching(facts.bindings, window)};
}

Hash128 HashOf(const OccupancyFacts& facts) {
  Hash128 sum = HashOfRows(facts.nodes);
  sum += HashOfRows(facts.holdings);
  sum += HashOfRows(facts.bindings);
  return sum;
}

Result<ChargeBatch> ReadCharges(Store& store, Window window) {
  // An instant charge (begin = until) belongs to its hour.
  return ReadActive<ChargeBatch>(
      store, "charge",
      "charge_begin < ? AND (charge_until > ? OR (charge_until = charge_begin AND "
      "charge_begin >= ?))",
      {window.until, window.begin, window.begin});
}

Result<UsageBatch> ReadUsage(Store& store, Window window) {
  return ReadActive<UsageBatch>(store, "usage", "hour >= ? AND hour < ?",
                                {window.begin, window.until});
}

Result<PriceBatch> ReadPrices(Store& store) {
  return ReadActive<PriceBatch>(store, "price", "true", {});
}

Result<Provenance> ReadProvenance(Store& store, Window window) {
  PLIMSOLL_TRY(const ActiveSnapshots rows,
               Query<ActiveSnapshots>(
                   store,
                   "SELECT snapshot_id, kind || '/' || scope || '/' || period_begin AS name, "
                   "content_hash FROM snapshot WHERE active = 1 AND kind IN "
                   "('charge', 'price', 'usage') AND (kind = 'price' OR data_begin IS NULL OR "
                   "(data_begin < ? AND data_until > ?)) ORDER BY name",
                   {window.until, window.begin}));
  Provenance out;
  std::set<std::int64_t> ids;
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    out.hashes += rows.name[row] + "=" + rows.hash[row] + "\n";
    ids.insert(rows.id[row]);
  }
  for (const std::int64_t id : ids) {
    out.snapshot_ids += (out.snapshot_ids.empty() ? "" : ",") + std::to_string(id);
  }
  return out;
}

}  // namespace plimsoll
