// Facts for tests of the ledger: one GPU node with two billed hours, a tax and a holding,
// loaded as snapshots into a store in memory. Round numbers throughout.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ledger/ledger.h"
#include "store/duckdb/duckdb_store.h"
#include "store/snapshot.h"

namespace plimsoll {

inline constexpr Instant kFactsDay = AtSeconds(1'777'852'800);  // 2026-05-04T00:00:00Z

template <class Batch>
std::size_t AddBlankRow(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  return RowsOf(batch) - 1;
}

// A charge of `cost` on `resource` for [begin, until), minutes of the day.
inline void AddCharge(ChargeBatch& charges, const std::string& resource, std::int64_t begin,
                      std::int64_t until, Money cost) {
  const std::size_t i = AddBlankRow(charges);
  charges.line[i] = static_cast<std::int64_t>(i) + 2;
  charges.provider[i] = charges.issuer[i] = "AWS";
  charges.account[i] = "1";
  charges.currency[i] = "USD";
  const Window month = MonthOf(kFactsDay);
  charges.billing_begin[i] = month.begin;
  charges.billing_until[i] = month.until;
  charges.charge_begin[i] = kFactsDay + Minutes(begin);
  charges.charge_until[i] = kFactsDay + Minutes(until);
  charges.category[i] = resource.empty() ? "Tax" : "Usage";
  charges.service_name[i] = "EC2";
  charges.service_category[i] = "Compute";
  charges.resource_id[i] = resource;
  charges.tags[i] = "{}";
  charges.billed_cost[i] = charges.effective_cost[i] = cost;
}

class LedgerFixture : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenDuckDb({});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    NodeBatch nodes;
    const std::size_t n = AddBlankRow(nodes);
    nodes.cluster[n] = "c";
    nodes.node[n] = "gpu-1";
    nodes.provider_id[n] = "aws:///us-east-1a/i-1";
    nodes.gpu_count[n] = 2;
    nodes.labels[n] = "{}";
    HoldingBatch holdings;
    const std::size_t h = AddBlankRow(holdings);
    holdings.cluster[h] = "c";
    holdings.node[h] = "gpu-1";
    holdings.source[h] = "kubernetes";
    holdings.name[h] = holdings.uid[h] = holdings.workload[h] = "train";
    holdings.workload_kind[h] = "Job";
    holdings.labels[h] = R"({"team":"nlp"})";
    holdings.devices[h] = holdings.share_num[h] = holdings.share_den[h] = 1;
    holdings.device_kind[h] = "gpu";
    holdings.begin[h] = kFactsDay;
    holdings.until[h] = kFactsDay + Hours(1);
    LoadFleet(nodes, holdings);
    ChargeBatch charges;
    AddCharge(charges, "i-1", 0, 60, Money::Units(10));
    AddCharge(charges, "i-1", 60, 120, Money::Units(10));
    AddCharge(charges, "", 0, 24 * 60, Money::Units(24));
    LoadCharges(charges);
  }

  void LoadFleet(NodeBatch nodes, HoldingBatch holdings) {
    auto load = SnapshotLoad::Begin(*store_);
    ASSERT_TRUE(load);
    const auto id = load->Open({"kubernetes", "c", {}});
    ASSERT_TRUE(id);
    for (auto& snapshot : nodes.snapshot_id) snapshot = *id;
    for (auto& snapshot : holdings.snapshot_id) snapshot = *id;
    ASSERT_TRUE(load->Append("node", nodes));
    ASSERT_TRUE(load->Append("holding", holdings));
    load->CoverTime(*id, {kFactsDay, kFactsDay + Hours(2)});
    ImportReport report;
    ASSERT_TRUE(load->Commit(report));
  }

  void LoadCharges(ChargeBatch charges) {
    auto load = SnapshotLoad::Begin(*store_);
    ASSERT_TRUE(load);
    const auto id = load->Open({"charge", "AWS|1|USD", MonthOf(kFactsDay)});
    ASSERT_TRUE(id);
    for (auto& snapshot : charges.snapshot_id) snapshot = *id;
    ASSERT_TRUE(load->Append("charge", charges));
    load->CoverTime(*id, {kFactsDay, kFactsDay + Days(1)});
    ImportReport report;
    const Status committed = load->Commit(report);
    ASSERT_TRUE(committed) << committed.error().message;
  }

  Ledger OpenLedger() {
    LedgerOptions options;
    options.allocation.split = {1, 0, 0};
    auto ledger = Ledger::Open(*store_, catalog_, std::move(options));
    EXPECT_TRUE(ledger) << ledger.error().message;
    return *std::move(ledger);
  }

  Window Day() const { return {kFactsDay, kFactsDay + Days(1)}; }

  std::unique_ptr<Store> store_;
  Catalog catalog_;
};

}  // namespace plimsoll
