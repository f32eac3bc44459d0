// Snapshots: every load is an immutable set of rows, made visible by swapping one pointer.
//
// A scope (kind, name, period) has at most one active snapshot; readers use the views
// active_<table>, so they see the old rows or the new ones, never a mix. A crash leaves the
// old. Loading the same content again changes nothing; other content restates the scope:
// the previous rows stay, inactive, and the difference is reported.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "model/column.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

struct SnapshotKey {
  std::string kind;   // charge, price, kubernetes, kube-state-metrics, slurm, usage
  std::string scope;  // text key: "issuer|account|currency", a cluster's name
  Window period;      // billing period or day; {0, 0} if the kind has none

  friend auto operator<=>(const SnapshotKey&, const SnapshotKey&) = default;
};

// One row of table `snapshot`.
struct SnapshotBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::string> kind, scope;
  std::vector<Instant> period_begin, period_until;
  std::vector<std::string> content_hash;  // 32 hex digits
  std::vector<std::int64_t> rows, rejected;
  std::vector<std::optional<Instant>> data_begin, data_until;  // span of the rows' own times
  std::vector<std::int64_t> previous_id;                       // 0 if none
  std::vector<std::int64_t> active;                            // 1 or 0

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &SnapshotBatch::snapshot_id),
      MakeColumn("kind", &SnapshotBatch::kind),
      MakeColumn("scope", &SnapshotBatch::scope),
      MakeColumn("period_begin", &SnapshotBatch::period_begin),
      MakeColumn("period_until", &SnapshotBatch::period_until),
      MakeColumn("content_hash", &SnapshotBatch::content_hash),
      MakeColumn("rows", &SnapshotBatch::rows),
      MakeColumn("rejected", &SnapshotBatch::rejected),
      MakeColumn("data_begin", &SnapshotBatch::data_begin),
      MakeColumn("data_until", &SnapshotBatch::data_until),
      MakeColumn("previous_id", &SnapshotBatch::previous_id),
      MakeColumn("active", &SnapshotBatch::active),
  };
};

// One load: a transaction over any number of scopes. Rolled back unless committed.
class SnapshotLoad {
 public:
  // Fails with kFailedPrecondition if the store has a transaction open.
  static Result<SnapshotLoad> Begin(Store& store);
  SnapshotLoad(SnapshotLoad&&) noexcept;
  SnapshotLoad& operator=(SnapshotLoad&&) = delete;
  ~SnapshotLoad();

  // The id to write into the rows of `key`; the same key gives the same id within a load.
  Result<std::int64_t> Open(const SnapshotKey& key);

  // The active snapshot of `key`, if any; to merge with, or to compare against.
  Result<std::optional<std::int64_t>> ActiveOf(const SnapshotKey& key);

  // Appends rows to fact table `table`; their snapshot_id column says which scope each
  // belongs to. The rows' content goes into the scope's hash: all columns but snapshot_id
  // and line (positions are not content), or the given hashes, one a row.
  template <class Batch>
  Status Append(const std::string& table, const Batch& batch,
                std::span<const Hash128> row_hashes = {}) {
    return AppendRows(table, RefTo(batch), row_hashes);
  }

  // Widens the recorded span of the scope's own data (data_begin, data_until).
  void CoverTime(std::int64_t snapshot_id, Window window);

  // Stores the rejections (their snapshot_id set by the caller; 0 if no scope was reached)
  // and counts them; they are not part of the content hash. Bytes that are not UTF-8 become
  // U+FFFD. Those without a scope replace the ones that an earlier load kept of their file.
  Status Reject(const RejectionBatch& rejections);

  // Lets Commit restate a charge scope with fewer days than are loaded: a partial export.
  void AllowShrink() { allow_shrink_ = true; }

  // Swaps pointers for every opened scope, drops what is unchanged (but keeps its newest
  // rejections), and adds one Load an opened scope to `report`, in key order. Fails with
  // kFailedPrecondition, naming both spans, if a charge scope would lose days. After this,
  // failed or not, the load is over.
  Status Commit(ImportReport& report);

 private:
  struct Scope {
    SnapshotKey key;
    Hash128 hash;
    Hash128 rejection_hash;
    std::int64_t rows = 0;
    std::int64_t rejected = 0;
    std::optional<Window> data;
  };
  struct Active {
    std::int64_t id = 0;
    std::string content_hash;
    std::int64_t rows = 0;
    std::int64_t rejected = 0;
    std::optional<Window> data;
  };
  struct Change;  // what Commit decided about one scope

  explicit SnapshotLoad(Store& store) : store_(&store) {}
  Status ReadActive();
  Result<Scope*> ScopeOf(std::int64_t snapshot_id);
  Status AppendRows(const std::string& table, const BatchRef& rows,
                    std::span<const Hash128> row_hashes);
  Status ForgetUnscoped(const std::string& file);
  Result<Change> Decide(std::int64_t snapshot_id, const Scope& scope);
  Result<Hash128> StoredRejections(std::int64_t snapshot_id);
  Status Apply(const std::vector<Change>& changes);
  Status KeepNewRejections(const Change& change);
  Status WriteSnapshots(const std::vector<Change>& changes);
  Status PruneTelemetry();
  Status Finish(ImportReport& report);

  Store* store_;  // null once committed, rolled back or moved from
  bool allow_shrink_ = false;
  std::int64_t next_id_ = 1;
  std::map<SnapshotKey, Active> active_;
  std::map<std::int64_t, Scope> scopes_;
  std::map<SnapshotKey, std::int64_t> ids_;
  std::set<std::string> tables_;          // appended to, to clean up unchanged scopes
  std::set<std::string> unscoped_files_;  // with rejections that reached no scope
};

}  // namespace plimsoll
