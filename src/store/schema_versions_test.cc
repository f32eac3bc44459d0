#include "store/schema_versions.h"

#include <gtest/gtest.h>

#include "model/charge.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/import.h"
#include "model/price.h"
#include "model/usage.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

template <class Batch>
std::string TableSql(const char* table) {
  Batch batch;
  return CreateTableSql(table, RefTo(batch));
}

// What version 1 creates, from the batches as they are today.
std::string Version1OfToday() {
  std::string sql = "\nCREATE TABLE schema_version (version BIGINT NOT NULL);\n";
  sql += TableSql<SnapshotBatch>("snapshot");
  sql += TableSql<ChargeBatch>("charge");
  sql += TableSql<ChargeTotalBatch>("charge_total");
  sql += TableSql<PriceBatch>("price");
  sql += TableSql<NodeBatch>("node");
  sql += TableSql<BindingBatch>("binding");
  sql += TableSql<HoldingBatch>("holding");
  sql += TableSql<PendingBatch>("pending");
  sql += TableSql<UsageBatch>("usage");
  sql += TableSql<RejectionBatch>("rejection");
  for (const char* table : kFactTables) sql += CreateActiveViewSql(table);
  return sql;
}

// A batch that gains, loses or retypes a column fails here: add a step for it (and extend
// this test by what the step adds) instead of changing a released text.
TEST(SchemaVersionsTest, FrozenTextsCreateTheBatchesOfToday) {
  EXPECT_EQ(std::string(SchemaSteps()[0].sql), Version1OfToday());
}

TEST(SchemaVersionsTest, VersionsCountUpFromOne) {
  std::int64_t expected = 1;
  for (const SchemaStep& step : SchemaSteps()) EXPECT_EQ(step.version, expected++);
}

}  // namespace
}  // namespace plimsoll
