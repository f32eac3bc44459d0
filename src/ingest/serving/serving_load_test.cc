#include "ingest/serving/serving_load.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

const Instant kDay = AtSeconds(1'764'288'000);

void Append(ServingBatch& batch, const std::string& target, std::optional<std::int64_t> le,
            const std::vector<std::pair<std::int64_t, std::int64_t>>& slots,
            const std::string& quality = "") {
  batch.snapshot_id.push_back(0);
  batch.cluster.emplace_back("c");
  batch.ns.emplace_back("ns");
  batch.target.push_back(target);
  batch.engine.emplace_back("vllm");
  batch.model.emplace_back("m");
  batch.quantity.emplace_back(kTtft);
  batch.part.emplace_back(kPartBucket);
  batch.le_ns.push_back(le);
  batch.hour.push_back(kDay);
  batch.covered.emplace_back();
  batch.amount.emplace_back();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    batch.covered.back()[i] = slots[i].first;
    batch.amount.back()[i] = slots[i].second;
  }
  batch.quality.push_back(quality);
}

bool Same(const ServingBatch& a, const ServingBatch& b) {
  bool same = true;
  std::apply(
      [&](auto... column) { ((same = same && a.*(column.values) == b.*(column.values)), ...); },
      ServingBatch::kColumns);
  return same;
}

TEST(ServingLoadTest, EachTwelfthKeepsWhatCoversMore) {
  ServingBatch a;
  ServingBatch b;
  Append(a, "p", 5, {{300'000, 10}, {100'000, 9}, {0, 0}}, "reset");
  Append(b, "p", 5, {{200'000, 99}, {300'000, 3}, {300'000, 1}}, "nan");
  const ServingBatch merged = MergeServing(a, b);
  ASSERT_EQ(RowsOf(merged), 1U);
  EXPECT_EQ(merged.amount[0][0], 10);
  EXPECT_EQ(merged.amount[0][1], 3);
  EXPECT_EQ(merged.amount[0][2], 1);
  EXPECT_EQ(merged.quality[0], "nan,reset");
}

TEST(ServingLoadTest, MergingIsAJoin) {
  constexpr unsigned kSeed = 4;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const auto pick = [&](std::int64_t below) {
    return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random);
  };
  const auto make = [&] {
    ServingBatch batch;
    for (std::int64_t n = 1 + pick(6); n > 0; --n) {
      std::vector<std::pair<std::int64_t, std::int64_t>> slots;
      for (int i = 0; i < 12; ++i) slots.emplace_back(pick(4), pick(4));
      Append(batch, pick(2) == 0 ? "p" : "q",
             pick(2) == 0 ? std::optional<std::int64_t>(pick(2)) : std::nullopt, slots,
             pick(2) == 0 ? "reset" : "");
    }
    return MergeServing(batch, {});
  };
  for (int round = 0; round < 500; ++round) {
    const ServingBatch a = make();
    const ServingBatch b = make();
    const ServingBatch c = make();
    EXPECT_TRUE(Same(MergeServing(a, b), MergeServing(b, a)));
    EXPECT_TRUE(Same(MergeServing(MergeServing(a, b), c), MergeServing(a, MergeServing(b, c))));
    EXPECT_TRUE(Same(MergeServing(a, a), a));
  }
}

TEST(ServingLoadTest, ADayLoadedInPartsIsOneSnapshot) {
  const auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  const SnapshotKey key{kServingKind, "c", {kDay, kDay + Days(1)}};
  const auto load = [&](const ServingBatch& rows) {
    ImportReport report;
    auto snapshot = SnapshotLoad::Begin(**store);
    EXPECT_TRUE(snapshot.has_value());
    const Status stored = StoreServingDay(**store, *snapshot, key, rows);
    EXPECT_TRUE(stored.has_value()) << stored.error().message;
    EXPECT_TRUE(snapshot->Commit(report).has_value());
    return report.loads.empty() ? "" : report.loads[0].outcome;
  };
  ServingBatch first;
  ServingBatch second;
  Append(first, "p", kLeInfinite, {{300'000, 10}});
  Append(second, "p", kLeInfinite, {{0, 0}, {300'000, 5}});
  Append(second, "q", std::nullopt, {{300'000, 7}});
  EXPECT_EQ(load(first), "loaded");
  EXPECT_EQ(load(second), "restated");
  EXPECT_EQ(load(first), "unchanged");
  const auto rows = Query<ServingBatch>(**store, "SELECT * FROM active_serving ORDER BY target");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(RowsOf(*rows), 2U);
  EXPECT_EQ(rows->amount[0][0], 10);
  EXPECT_EQ(rows->amount[0][1], 5);
  EXPECT_EQ(rows->le_ns[0], kLeInfinite);
  EXPECT_FALSE(rows->le_ns[1].has_value());
}

}  // namespace
}  // namespace plimsoll
