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
  // and counts them; they are not part of the content hash.
  Status Reject(const RejectionBatch& rejections);

  // Swaps pointers for every opened scope, drops what is unchanged, and adds one Load an
  // opened scope to `report`, in key order. After this the load is over.
  Status Commit(ImportReport& report);

 private:
  struct Scope {
    SnapshotKey key;
    Hash128 hash;
    std::int64_t rows = 0;
    std::int64_t rejected = 0;
    std::optional<Window> data;
  };
  explicit SnapshotLoad(Store& store) : store_(&store) {}
  Status AppendRows(const std::string& table, const BatchRef& rows,
                    std::span<const Hash128> row_hashes);
  Result<ImportReport::Load> Finish(std::int64_t snapshot_id, const Scope& scope);

  Store* store_;  // null once committed, rolled back or moved from
  std::int64_t next_id_ = 0;
  std::map<std::int64_t, Scope> scopes_;
  std::map<SnapshotKey, std::int64_t> ids_;
  std::vector<std::string> tables_;  // appended to, to clean up unchanged scopes
};

}  // namespace plimsoll
