#include "report/facts_sql.h"

#include <gtest/gtest.h>

#include "ledger/ledger.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

TEST(FactsSqlTest, AnEmptyStoreHasNoDataRatherThanZeroes) {
  auto store = OpenDuckDb({});
  ASSERT_TRUE(store);
  const Catalog catalog;
  ASSERT_TRUE(Ledger::Open(**store, catalog, {}));
  const Window week{AtSeconds(0), AtSeconds(7 * 86'400)};
  const auto usage = ReadUsageSums(**store, week);
  ASSERT_TRUE(usage) << usage.error().message;
  EXPECT_EQ(usage->energy_mj, std::nullopt);
  EXPECT_EQ(usage->memory_ms, std::nullopt);
  EXPECT_TRUE(usage->covered_ms == 0);
  EXPECT_EQ(*ReadBillAsOf(**store), std::nullopt);
  EXPECT_EQ(*ReadMeasuredSince(**store), std::nullopt);
  EXPECT_EQ(ReadCoverage(**store, week)->node_hours, 0);
  EXPECT_TRUE(ReadWaits(**store, week)->count.empty());
  EXPECT_TRUE(ReadEnds(**store, week)->count.empty());
  EXPECT_TRUE(ReadPending(**store)->count.empty());
  EXPECT_TRUE(ReadRungs(**store, week, "USD")->cost.empty());
  EXPECT_TRUE(ReadFindings(**store, week)->kind.empty());
  EXPECT_TRUE(ReadFlavors(**store, week)->nodes.empty());
}

}  // namespace
}  // namespace plimsoll
