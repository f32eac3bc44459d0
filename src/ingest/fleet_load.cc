#include "ingest/fleet_load.h"

#include <algorithm>
#include <optional>

#include "ingest/fleet_merge.h"

namespace plimsoll {
namespace {

// All rows of one snapshot in one fact table.
template <class Batch>
Result<Batch> ReadSnapshot(Store& store, const std::string& table, std::int64_t snapshot_id) {
  std::string columns;
  std::apply(
      [&](auto... column) {
        ((columns += (columns.empty() ? "\"" : ", \"") + std::string(column.name) + "\""), ...);
      },
      Batch::kColumns);
  return Query<Batch>(store, "SELECT " + columns + " FROM " + table + " WHERE snapshot_id = ?",
                      {snapshot_id});
}

struct Span {
  std::optional<Instant> begin, until;

  void Cover(std::optional<Instant> time) {
    if (!time) return;
    if (!begin || *time < *begin) begin = time;
    if (!until || *time > *until) until = time;
  }
};

// The times that the rows speak of. Nodes may be older than all data, so they do not count.
Span SpanOf(const FleetFacts& facts) {
  Span span;
  for (std::size_t i = 0; i < RowsOf(facts.holdings); ++i) {
    span.Cover(facts.holdings.begin[i]);
    span.Cover(facts.holdings.ready[i]);
    span.Cover(facts.holdings.until[i]);
  }
  for (const Instant queued : facts.pending.queued) span.Cover(queued);
  for (std::size_t i = 0; i < RowsOf(facts.bindings); ++i) {
    span.Cover(facts.bindings.begin[i]);
    span.Cover(facts.bindings.until[i]);
  }
  for (const Instant seen : facts.states.seen) span.Cover(seen);
  for (const Instant seen : facts.set_asides.seen) span.Cover(seen);
  return span;
}

// Adds the active snapshot's rows and its data span.
Status AddActive(Store& store, std::int64_t active, FleetFacts& facts, Span& span) {
  FleetFacts before;
  PLIMSOLL_TRY(before.nodes, ReadSnapshot<NodeBatch>(store, "node", active));
  PLIMSOLL_TRY(before.holdings, ReadSnapshot<HoldingBatch>(store, "holding", active));
  PLIMSOLL_TRY(before.pending, ReadSnapshot<PendingBatch>(store, "pending", active));
  PLIMSOLL_TRY(before.bindings, ReadSnapshot<BindingBatch>(store, "binding", active));
  PLIMSOLL_TRY(before.states, ReadSnapshot<NodeStateBatch>(store, "node_state", active));
  PLIMSOLL_TRY(before.set_asides, ReadSnapshot<SetAsideBatch>(store, "set_aside", active));
  PLIMSOLL_TRY(before.volumes, ReadSnapshot<VolumeBatch>(store, "volume", active));
  AppendFacts(facts, before);
  PLIMSOLL_TRY(const SnapshotBatch row, ReadSnapshot<SnapshotBatch>(store, "snapshot", active));
  for (std::size_t i = 0; i < RowsOf(row); ++i) {
    span.Cover(row.data_begin[i]);
    span.Cover(row.data_until[i]);
  }
  return Ok();
}

template <class Batch>
Status AppendAs(SnapshotLoad& load, const std::string& table, std::int64_t id, Batch& batch) {
  std::fill(batch.snapshot_id.begin(), batch.snapshot_id.end(), id);
  return load.Append(table, batch);
}

}  // namespace

Status StoreFleet(Store& store, SnapshotLoad& load, const SnapshotKey& key, FleetFacts facts) {
  PLIMSOLL_TRY(const std::optional<std::int64_t> active, load.ActiveOf(key));
  PLIMSOLL_TRY(const std::int64_t id, load.Open(key));
  Span span;
  if (active) PLIMSOLL_RETURN_IF_ERROR(AddActive(store, *active, facts, span));
  FleetFacts merged = MergeFacts(facts);
  const Span own = SpanOf(merged);
  span.Cover(own.begin);
  span.Cover(own.until);
  if (facts.covered && !facts.covered->empty()) {
    span.Cover(facts.covered->begin);
    span.Cover(facts.covered->until);
  }
  if (span.begin) load.CoverTime(id, {*span.begin, *span.until});
  PLIMSOLL_RETURN_IF_ERROR(AppendAs(load, "node", id, merged.nodes));
  PLIMSOLL_RETURN_IF_ERROR(AppendAs(load, "holding", id, merged.holdings));
  PLIMSOLL_RETURN_IF_ERROR(AppendAs(load, "pending", id, merged.pending));
  PLIMSOLL_RETURN_IF_ERROR(AppendAs(load, "binding", id, merged.bindings));
  PLIMSOLL_RETURN_IF_ERROR(AppendAs(load, "node_state", id, merged.states));
  PLIMSOLL_RETURN_IF_ERROR(AppendAs(load, "set_aside", id, merged.set_asides));
  return AppendAs(load, "volume", id, merged.volumes);
}

}  // namespace plimsoll
