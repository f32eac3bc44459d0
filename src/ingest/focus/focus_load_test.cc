#include "ingest/focus/focus_load.h"

#include <gtest/gtest.h>

#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

TEST(FocusLoadTest, KeyNamesIssuerAccountAndCurrency) {
  const Window september = MonthOf(AtSeconds(1'726'000'000));
  const SnapshotKey key = KeyOf({"Acme", "001", "USD", september});
  EXPECT_EQ(key.kind, "charge");
  EXPECT_EQ(key.scope, "Acme|001|USD");
  EXPECT_EQ(key.period, september);
}

TEST(FocusLoadTest, RefusedRowsFindTheirBillThoughTheyComeFirst) {
  const auto store = *OpenDuckDb({});
  const FocusOptions options;
  Result<FocusLoad> load = FocusLoad::Begin(*store, options);
  ASSERT_TRUE(load);
  const BillingScope scope{"Acme", "001", "USD", MonthOf(AtSeconds(1'726'000'000))};
  FocusBlock refused;
  refused.new_scopes = {scope};
  Append(refused.rejections, {"a.csv", 2, "", "", "", ""});
  refused.rejections.snapshot_id = {0};
  Append(refused.rejections, {"a.csv", 3, "", "", "", ""});
  refused.rejections.snapshot_id[1] = -1;
  ASSERT_TRUE(load->Take(refused));
  FocusBlock charges;
  std::apply([&](auto... column) { ((charges.charges.*(column.values)).resize(1), ...); },
             ChargeBatch::kColumns);
  charges.hashes.resize(1);
  charges.rows = 1;
  ASSERT_TRUE(load->Take(charges));
  ScopeBook book;
  book.NumberOf(scope);
  ImportReport report;
  ASSERT_TRUE(load->Finish(book, report));
  const auto rejections = Query<RejectionBatch>(*store, "SELECT * FROM rejection ORDER BY line");
  EXPECT_EQ(rejections->snapshot_id, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(report.rejected, 2);
}

}  // namespace
}  // namespace plimsoll
