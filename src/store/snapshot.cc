#include "store/snapshot.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "model/row_hash.h"
#include "store/schema.h"
#include "store/snapshot_diff.h"
#include "store/utf8.h"

namespace plimsoll {
namespace {

constexpr const char* kRejectionTable = "rejection";
constexpr const char* kTotalTable = "charge_total";

// Kinds whose every snapshot is kept: they are money. Of the others, samples and telemetry,
// only the active snapshot and the one before it are.
constexpr const char* kChargeKind = "charge";
constexpr const char* kPriceKind = "price";

struct IdBatch {
  std::vector<std::int64_t> snapshot_id;
  static constexpr std::tuple kColumns{MakeColumn("snapshot_id", &IdBatch::snapshot_id)};
};

bool IsFactTable(const std::string& table) {
  return std::find(kFactTables.begin(), kFactTables.end(), table) != kFactTables.end();
}

// "(1, 2, 3)"
std::string ListOf(const std::vector<std::int64_t>& ids) {
  std::string list = "(";
  for (const std::int64_t id : ids) list += (list.size() == 1 ? "" : ", ") + std::to_string(id);
  return list + ")";
}

std::optional<Window> SpanOf(std::optional<Instant> begin, std::optional<Instant> until) {
  if (!begin || !until) return std::nullopt;
  return Window{*begin, *until};
}

// Both spans together, if `after` reaches beyond `before`.
std::optional<Window> Widened(const std::optional<Window>& before,
                              const std::optional<Window>& after) {
  if (!after || before == after) return std::nullopt;
  if (!before) return after;
  const Window both{std::min(before->begin, after->begin), std::max(before->until, after->until)};
  return both == *before ? std::nullopt : std::optional(both);
}

// The row's hash under its table's name: equal rows of two tables are not the same content.
Hash128 InTable(const std::string& table, const Hash128& row) {
  RowHasher hasher;
  hasher.Add(table);
  hasher.Add(static_cast<std::int64_t>(row.low));
  hasher.Add(static_cast<std::int64_t>(row.high));
  return hasher.Finish();
}

// A rejection's own content, its place in the file included.
Hash128 HashOfRejection(const RejectionBatch& batch, std::size_t row) {
  RowHasher hasher;
  hasher.Add(batch.file[row]);
  hasher.Add(batch.line[row]);
  for (const auto* column : {&batch.field, &batch.reason, &batch.cost, &batch.raw}) {
    hasher.Add((*column)[row]);
  }
  return hasher.Finish();
}

RejectionBatch Mended(const RejectionBatch& rejections) {
  RejectionBatch mended = rejections;
  for (auto* column : {&mended.file, &mended.field, &mended.reason, &mended.cost, &mended.raw}) {
    for (std::string& text : *column) {
      if (!IsUtf8(text)) text = ToUtf8(text);
    }
  }
  return mended;
}

Error Shrinks(const SnapshotKey& key, const std::optional<Window>& before,
              const std::optional<Window>& after) {
  return {
      ErrorCode::kFailedPrecondition,
      "charges of " + ScopeText(key) + " are loaded for " + SpanText(before) +
          ", but this load covers " + SpanText(after) +
          ", so days would be lost; load the whole period, or say that it is partial (--partial)"};
}

}  // namespace

struct SnapshotLoad::Change {
  std::int64_t id = 0;
  const Scope* scope = nullptr;
  const Active* previous = nullptr;  // the active snapshot, null if none
  bool is_unchanged = false;         // its content is the active snapshot's
  bool has_new_rejections = false;   // of an unchanged scope
  std::optional<Window> wider;       // what an unchanged scope covers now, if more than before
  std::vector<std::string> differences;
};

Result<SnapshotLoad> SnapshotLoad::Begin(Store& store) {
  PLIMSOLL_RETURN_IF_ERROR(store.Begin());
  SnapshotLoad load(store);
  PLIMSOLL_RETURN_IF_ERROR(load.ReadActive());
  return load;
}

SnapshotLoad::SnapshotLoad(SnapshotLoad&& other) noexcept
    : store_(std::exchange(other.store_, nullptr)),
      allow_shrink_(other.allow_shrink_),
      next_id_(other.next_id_),
      active_(std::move(other.active_)),
      scopes_(std::move(other.scopes_)),
      ids_(std::move(other.ids_)),
      tables_(std::move(other.tables_)),
      unscoped_files_(std::move(other.unscoped_files_)) {}

SnapshotLoad::~SnapshotLoad() {
  // Nothing is left to tell a failed rollback to; the store ends the transaction anyway.
  if (store_ != nullptr) static_cast<void>(store_->Rollback());
}

Status SnapshotLoad::ReadActive() {
  PLIMSOLL_TRY(const IdBatch newest,
               Query<IdBatch>(*store_, "SELECT coalesce(max(snapshot_id), 0) FROM snapshot"));
  next_id_ = newest.snapshot_id[0] + 1;
  PLIMSOLL_TRY(const SnapshotBatch rows,
               Query<SnapshotBatch>(*store_, "SELECT * FROM snapshot WHERE active = 1"));
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    const SnapshotKey key{
        rows.kind[row], rows.scope[row], {rows.period_begin[row], rows.period_until[row]}};
    active_[key] = {rows.snapshot_id[row], rows.content_hash[row], rows.rows[row],
                    rows.rejected[row], SpanOf(rows.data_begin[row], rows.data_until[row])};
  }
  return Ok();
}

Result<std::int64_t> SnapshotLoad::Open(const SnapshotKey& key) {
  if (!IsUtf8(key.kind) || !IsUtf8(key.scope)) {
    return Error{ErrorCode::kBadData, "scope " + ToUtf8(key.scope) + " is not UTF-8 text"};
  }
  const auto [entry, is_new] = ids_.try_emplace(key, next_id_);
  if (is_new) scopes_[next_id_++].key = key;
  return entry->second;
}

Result<std::optional<std::int64_t>> SnapshotLoad::ActiveOf(const SnapshotKey& key) {
  const auto found = active_.find(key);
  if (found == active_.end()) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(found->second.id);
}

Result<SnapshotLoad::Scope*> SnapshotLoad::ScopeOf(std::int64_t snapshot_id) {
  const auto found = scopes_.find(snapshot_id);
  if (found != scopes_.end()) return &found->second;
  return Error{ErrorCode::kInternal,
               "snapshot " + std::to_string(snapshot_id) + " was not opened by this load"};
}

Status SnapshotLoad::AppendRows(const std::string& table, const BatchRef& rows,
                                std::span<const Hash128> row_hashes) {
  if (!IsFactTable(table) || table == kRejectionTable) {
    return Error{ErrorCode::kInternal, table + " is not a table of facts"};
  }
  PLIMSOLL_CHECK(std::string_view(rows[0].name) == "snapshot_id");
  const auto& ids = *static_cast<const std::vector<std::int64_t>*>(rows[0].vector);
  PLIMSOLL_CHECK(row_hashes.empty() || row_hashes.size() == ids.size());
  PLIMSOLL_RETURN_IF_ERROR(store_->Append(table, rows));
  tables_.insert(table);
  Scope* scope = nullptr;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (row == 0 || ids[row] != ids[row - 1]) {
      PLIMSOLL_TRY(scope, ScopeOf(ids[row]));
    }
    scope->hash += InTable(table, row_hashes.empty() ? HashOfRow(rows, row) : row_hashes[row]);
    if (table != kTotalTable) ++scope->rows;
  }
  return Ok();
}

void SnapshotLoad::CoverTime(std::int64_t snapshot_id, Window window) {
  const auto found = scopes_.find(snapshot_id);
  PLIMSOLL_CHECK(found != scopes_.end());
  std::optional<Window>& data = found->second.data;
  data = data ? Window{std::min(data->begin, window.begin), std::max(data->until, window.until)}
              : window;
}

Status SnapshotLoad::Reject(const RejectionBatch& rejections) {
  const RejectionBatch mended = Mended(rejections);
  for (std::size_t row = 0; row < RowsOf(mended); ++row) {
    if (mended.snapshot_id[row] == 0) {
      PLIMSOLL_RETURN_IF_ERROR(ForgetUnscoped(mended.file[row]));
      continue;
    }
    PLIMSOLL_TRY(Scope* const scope, ScopeOf(mended.snapshot_id[row]));
    scope->rejection_hash += HashOfRejection(mended, row);
    ++scope->rejected;
  }
  return store_->Append(kRejectionTable, RefTo(mended));
}

// Drops what an earlier load kept of `file`, the first time that this load meets it.
Status SnapshotLoad::ForgetUnscoped(const std::string& file) {
  if (!unscoped_files_.insert(file).second) return Ok();
  return store_->Execute("DELETE FROM rejection WHERE snapshot_id = 0 AND file = ?", {file});
}

Status SnapshotLoad::Commit(ImportReport& report) {
  if (store_ == nullptr) {
    return Error{ErrorCode::kFailedPrecondition, "this load is over; begin another"};
  }
  const Status finished = Finish(report);
  if (!finished) static_cast<void>(store_->Rollback());
  store_ = nullptr;
  return finished;
}

Status SnapshotLoad::Finish(ImportReport& report) {
  std::vector<Change> changes;
  bool is_noop = unscoped_files_.empty() && !ids_.empty();
  for (const auto& [key, id] : ids_) {
    PLIMSOLL_TRY(Change change, Decide(id, scopes_.at(id)));
    is_noop =
        is_noop && change.is_unchanged && !change.has_new_rejections && !change.wider.has_value();
    changes.push_back(std::move(change));
  }
  if (is_noop) {
    PLIMSOLL_RETURN_IF_ERROR(store_->Rollback());
  } else {
    PLIMSOLL_RETURN_IF_ERROR(Apply(changes));
    PLIMSOLL_RETURN_IF_ERROR(store_->Commit());
  }
  for (Change& change : changes) {
    const char* outcome = change.is_unchanged          ? "unchanged"
                          : change.previous == nullptr ? "loaded"
                                                       : "restated";
    report.loads.push_back(
        {ScopeText(change.scope->key), outcome, change.scope->rows, std::move(change.differences)});
  }
  return Ok();
}

Result<SnapshotLoad::Change> SnapshotLoad::Decide(std::int64_t snapshot_id, const Scope& scope) {
  Change change{snapshot_id, &scope, nullptr, false, false, std::nullopt, {}};
  const auto found = active_.find(scope.key);
  if (found == active_.end()) return change;
  const Active& previous = found->second;
  change.previous = &previous;
  change.is_unchanged = previous.content_hash == scope.hash.ToHex();
  if (change.is_unchanged) {
    PLIMSOLL_TRY(const Hash128 stored, StoredRejections(previous.id));
    change.has_new_rejections = stored != scope.rejection_hash;
    change.wider = Widened(previous.data, scope.data);
    return change;
  }
  const bool is_charge = scope.key.kind == kChargeKind;
  if (is_charge && !allow_shrink_ && LosesDays(previous.data, scope.data)) {
    return Shrinks(scope.key, previous.data, scope.data);
  }
  if (previous.rows != scope.rows) {
    change.differences.push_back("rows " + std::to_string(previous.rows) + " -> " +
                                 std::to_string(scope.rows));
  }
  if (previous.data != scope.data) {
    change.differences.push_back("data " + SpanText(previous.data) + " -> " + SpanText(scope.data));
  }
  if (is_charge) {
    PLIMSOLL_TRY(const std::vector<std::string> money,
                 ChargeDifferences(*store_, previous.id, snapshot_id));
    change.differences.insert(change.differences.end(), money.begin(), money.end());
  }
  if (change.differences.empty()) {
    change.differences.push_back("same rows and sums; other columns differ");
  }
  return change;
}

Result<Hash128> SnapshotLoad::StoredRejections(std::int64_t snapshot_id) {
  RejectionBatch chunk;
  Hash128 sum;
  PLIMSOLL_RETURN_IF_ERROR(store_->Stream("SELECT * FROM rejection WHERE snapshot_id = ?",
                                          {snapshot_id}, RefTo(chunk), [&] {
                                            for (std::size_t row = 0; row < RowsOf(chunk); ++row)
                                              sum += HashOfRejection(chunk, row);
                                            return Ok();
                                          }));
  return sum;
}

Status SnapshotLoad::Apply(const std::vector<Change>& changes) {
  std::vector<std::int64_t> unchanged;
  for (const Change& change : changes) {
    if (!change.is_unchanged) continue;
    unchanged.push_back(change.id);
    if (change.has_new_rejections) PLIMSOLL_RETURN_IF_ERROR(KeepNewRejections(change));
    // The same rows seen later: what is held without an end was held for longer.
    if (change.wider) {
      PLIMSOLL_RETURN_IF_ERROR(store_->Execute(
          "UPDATE snapshot SET data_begin = ?, data_until = ? WHERE snapshot_id = ?",
          {change.wider->begin, change.wider->until, change.previous->id}));
    }
  }
  if (!unchanged.empty()) {
    std::set<std::string> tables = tables_;
    tables.insert(kRejectionTable);
    for (const std::string& table : tables) {
      PLIMSOLL_RETURN_IF_ERROR(store_->Execute(
          "DELETE FROM " + table + " WHERE snapshot_id IN " + ListOf(unchanged), {}));
    }
  }
  PLIMSOLL_RETURN_IF_ERROR(WriteSnapshots(changes));
  return PruneTelemetry();
}

// The accepted rows are the same, but what was refused is not: the newest refusals count.
Status SnapshotLoad::KeepNewRejections(const Change& change) {
  const std::int64_t kept = change.previous->id;
  PLIMSOLL_RETURN_IF_ERROR(store_->Execute("DELETE FROM rejection WHERE snapshot_id = ?", {kept}));
  PLIMSOLL_RETURN_IF_ERROR(store_->Execute(
      "UPDATE rejection SET snapshot_id = ? WHERE snapshot_id = ?", {kept, change.id}));
  return store_->Execute("UPDATE snapshot SET rejected = ? WHERE snapshot_id = ?",
                         {change.scope->rejected, kept});
}

Status SnapshotLoad::WriteSnapshots(const std::vector<Change>& changes) {
  SnapshotBatch rows;
  std::vector<std::int64_t> replaced;
  for (const Change& change : changes) {
    if (change.is_unchanged) continue;
    if (change.previous != nullptr) replaced.push_back(change.previous->id);
    const Scope& scope = *change.scope;
    rows.snapshot_id.push_back(change.id);
    rows.kind.push_back(scope.key.kind);
    rows.scope.push_back(scope.key.scope);
    rows.period_begin.push_back(scope.key.period.begin);
    rows.period_until.push_back(scope.key.period.until);
    rows.content_hash.push_back(scope.hash.ToHex());
    rows.rows.push_back(scope.rows);
    rows.rejected.push_back(scope.rejected);
    rows.data_begin.push_back(scope.data ? std::optional(scope.data->begin) : std::nullopt);
    rows.data_until.push_back(scope.data ? std::optional(scope.data->until) : std::nullopt);
    rows.previous_id.push_back(change.previous == nullptr ? 0 : change.previous->id);
    rows.active.push_back(1);
  }
  if (!replaced.empty()) {
    PLIMSOLL_RETURN_IF_ERROR(store_->Execute(
        "UPDATE snapshot SET active = 0 WHERE snapshot_id IN " + ListOf(replaced), {}));
  }
  return plimsoll::Append(*store_, "snapshot", rows);
}

Status SnapshotLoad::PruneTelemetry() {
  PLIMSOLL_TRY(const IdBatch old,
               Query<IdBatch>(*store_,
                              "SELECT snapshot_id FROM snapshot WHERE active = 0 AND kind <> ? AND "
                              "kind <> ? AND snapshot_id NOT IN "
                              "(SELECT previous_id FROM snapshot WHERE active = 1)",
                              {std::string(kChargeKind), std::string(kPriceKind)}));
  if (old.snapshot_id.empty()) return Ok();
  const std::string where = " WHERE snapshot_id IN " + ListOf(old.snapshot_id);
  for (const char* table : kFactTables) {
    PLIMSOLL_RETURN_IF_ERROR(store_->Execute("DELETE FROM " + std::string(table) + where, {}));
  }
  return store_->Execute("DELETE FROM snapshot" + where, {});
}

}  // namespace plimsoll
