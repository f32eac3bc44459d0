#include "ledger/tables.h"

#include <gtest/gtest.h>

#include "ledger/query.h"
#include "ledger/test_ledger.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

TEST(TablesTest, AnotherLayoutEmptiesTheLedgerInsteadOfMisreadingIt) {
  auto store = OpenDuckDb({});
  ASSERT_TRUE(store);
  ASSERT_TRUE(PrepareLedgerTables(**store));
  ASSERT_TRUE((*store)->Begin());
  ASSERT_TRUE(WriteLedgerDay(**store, 1, TestOutput()));
  ASSERT_TRUE((*store)->Commit());
  const LedgerQuery query{{kTestHour, kTestHour + Hours(1)}, {}, ""};
  EXPECT_FALSE(RunQuery(**store, query)->rows.empty());

  ASSERT_TRUE((*store)->Execute("UPDATE ledger_layout SET layout = 'older'", {}));
  ASSERT_TRUE(PrepareLedgerTables(**store));
  EXPECT_TRUE(RunQuery(**store, query)->rows.empty());
}

}  // namespace
}  // namespace plimsoll
