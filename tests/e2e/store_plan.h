// The plan of the store's robustness tests: a few small loads whose every state is known.
//
// Version 1 of the facts is loaded first, version 2 restates them scope by scope. Loading a
// version again is a no-op, so a plan that was killed anywhere may be run again from its
// start, and must end with the same rows and ids as one that was never disturbed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "model/charge.h"
#include "model/fleet.h"
#include "store/schema.h"
#include "store/snapshot.h"
#include "store/store.h"

namespace plimsoll::e2e {

inline constexpr int kMonths = 3;              // bills, each a load of its own
inline constexpr std::int64_t kCharges = 400;  // a month

// One row of default values, to be filled in by the caller.
template <class Batch>
void AddRow(Batch& batch, std::int64_t snapshot_id) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  batch.snapshot_id.back() = snapshot_id;
}

inline Window Month(int month) {
  Window window = MonthOf(AtSeconds(1'704'067'200));  // 2024-01
  for (; month > 0; --month) window = MonthOf(window.until);
  return window;
}

// Row `i` of a month costs `version` units and `i` nanos.
inline ChargeBatch Charges(std::int64_t snapshot_id, Window month, std::int64_t version,
                           std::int64_t count) {
  ChargeBatch batch;
  for (std::int64_t i = 0; i < count; ++i) {
    AddRow(batch, snapshot_id);
    batch.line.back() = i + 2;
    batch.provider.back() = "Provider of Accelerators";
    batch.resource_id.back() = "instance/i-" + std::to_string(1'000'000 + i % 97);
    batch.billing_begin.back() = month.begin;
    batch.billing_until.back() = month.until;
    batch.charge_begin.back() = month.begin + Hours(i % 600);
    batch.charge_until.back() = month.begin + Hours(i % 600 + 1);
    batch.tags.back() = "{\"team\":\"" + std::to_string(i % 7) + "\"}";
    batch.effective_cost.back() = Money::Units(version) + Money::FromNanos(i);
    if (i % 3 == 0) batch.list_cost.back() = Money::Units(i);
  }
  return batch;
}

// One load of one bill, with a refused row.
inline Status LoadMonth(Store& store, int index, std::int64_t version) {
  const Window month = Month(index);
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  PLIMSOLL_TRY(const std::int64_t id, load.Open({"charge", "Issuer|1|USD", month}));
  load.CoverTime(id, month);
  PLIMSOLL_RETURN_IF_ERROR(load.Append("charge", Charges(id, month, version, kCharges)));
  RejectionBatch refused;
  AddRow(refused, id);
  refused.reason.back() = "not a number in version " + std::to_string(version);
  PLIMSOLL_RETURN_IF_ERROR(load.Reject(refused));
  ImportReport report;
  return load.Commit(report);
}

// One load of two clusters at once.
inline Status LoadClusters(Store& store, std::int64_t version) {
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  for (const char* cluster : {"prod", "test"}) {
    PLIMSOLL_TRY(const std::int64_t id, load.Open({"kubernetes", cluster, {}}));
    NodeBatch nodes;
    for (int i = 0; i < 50; ++i) {
      AddRow(nodes, id);
      nodes.cluster.back() = cluster;
      nodes.node.back() = "node-" + std::to_string(i);
      nodes.gpu_count.back() = version;
    }
    PLIMSOLL_RETURN_IF_ERROR(load.Append("node", nodes));
  }
  ImportReport report;
  return load.Commit(report);
}

inline Status LoadVersion(Store& store, std::int64_t version) {
  for (int month = 0; month < kMonths; ++month) {
    PLIMSOLL_RETURN_IF_ERROR(LoadMonth(store, month, version));
  }
  return LoadClusters(store, version);
}

struct DumpBatch {
  std::vector<std::string> row;
  static constexpr std::tuple kColumns{MakeColumn("row", &DumpBatch::row)};
};

// Every row of every table as text, in order.
inline Result<std::string> Dump(Store& store) {
  std::vector<std::string> tables(kFactTables.begin(), kFactTables.end());
  tables.emplace_back("snapshot");
  tables.emplace_back("schema_version");
  std::string dump;
  for (const std::string& table : tables) {
    PLIMSOLL_TRY(const DumpBatch rows, Query<DumpBatch>(store, "SELECT t::VARCHAR AS row FROM " +
                                                                   table + " t ORDER BY ALL"));
    dump += table + "\n";
    for (const std::string& row : rows.row) dump += row + "\n";
  }
  return dump;
}

// What one scope's readers see: its rows and the versions among them.
struct SeenBatch {
  std::vector<std::string> scope;
  std::vector<std::int64_t> rows, least, most;
  static constexpr std::tuple kColumns{
      MakeColumn("scope", &SeenBatch::scope), MakeColumn("rows", &SeenBatch::rows),
      MakeColumn("least", &SeenBatch::least), MakeColumn("most", &SeenBatch::most)};
};

// Through the active views: for every scope that has rows. No rounding: nanos are cut by the
// integer part's text.
inline Result<SeenBatch> Seen(Store& store) {
  const std::string version = "split_part(effective_cost::VARCHAR, '.', 1)::BIGINT";
  return Query<SeenBatch>(store, "SELECT billing_begin::VARCHAR, count(*), min(" + version +
                                     "), max(" + version +
                                     ") FROM active_charge GROUP BY 1 UNION ALL "
                                     "SELECT cluster, count(*), min(gpu_count), max(gpu_count) "
                                     "FROM active_node GROUP BY 1 ORDER BY ALL");
}

}  // namespace plimsoll::e2e
