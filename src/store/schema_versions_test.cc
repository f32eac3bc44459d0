#include "store/schema_versions.h"

#include <gtest/gtest.h>

#include "model/charge.h"
#include "model/conditions.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/import.h"
#include "model/price.h"
#include "model/request.h"
#include "model/run.h"
#include "model/serving.h"
#include "model/usage.h"
#include "store/duckdb/duckdb_store.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

struct ColumnBatch {
  std::vector<std::string> name, type, nullable;
  static constexpr std::tuple kColumns{MakeColumn("name", &ColumnBatch::name),
                                       MakeColumn("type", &ColumnBatch::type),
                                       MakeColumn("nullable", &ColumnBatch::nullable)};
};

std::string ColumnsOf(Store& store, const std::string& table) {
  const auto columns = Query<ColumnBatch>(
      store,
      "SELECT column_name, data_type, is_nullable || coalesce(column_default, '') FROM "
      "information_schema.columns WHERE table_name = ? ORDER BY ordinal_position",
      {table});
  EXPECT_TRUE(columns) << columns.error().message;
  std::string text;
  for (std::size_t i = 0; columns && i < RowsOf(*columns); ++i) {
    text += columns->name[i] + " " + columns->type[i] + " " + columns->nullable[i] + "\n";
  }
  return text;
}

// The steps leave the table that the batch would create today, and the view shows all of it.
template <class Batch>
void ExpectStepsMake(Store& store, const std::string& table) {
  Batch batch;
  const Status made = store.Execute(CreateTableSql(table + "_today", RefTo(batch)), {});
  ASSERT_TRUE(made) << made.error().message;
  const std::string today = ColumnsOf(store, table + "_today");
  ASSERT_FALSE(today.empty()) << table;
  EXPECT_EQ(ColumnsOf(store, table), today) << table;
  for (const char* fact : kFactTables) {
    if (table != fact) continue;
    const auto shown = Query<Batch>(store, "SELECT * FROM active_" + table);
    EXPECT_TRUE(shown) << table << ": " << shown.error().message;
  }
}

// A batch that gains, loses or retypes a column fails here: add a step for it instead of
// changing a released text.
TEST(SchemaVersionsTest, TheStepsMakeTheBatchesOfToday) {
  const auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  ExpectStepsMake<SnapshotBatch>(**store, "snapshot");
  ExpectStepsMake<ChargeBatch>(**store, "charge");
  ExpectStepsMake<ChargeTotalBatch>(**store, "charge_total");
  ExpectStepsMake<PriceBatch>(**store, "price");
  ExpectStepsMake<NodeBatch>(**store, "node");
  ExpectStepsMake<BindingBatch>(**store, "binding");
  ExpectStepsMake<HoldingBatch>(**store, "holding");
  ExpectStepsMake<PendingBatch>(**store, "pending");
  ExpectStepsMake<UsageBatch>(**store, "usage");
  ExpectStepsMake<RejectionBatch>(**store, "rejection");
  ExpectStepsMake<NodeStateBatch>(**store, "node_state");
  ExpectStepsMake<SetAsideBatch>(**store, "set_aside");
  ExpectStepsMake<VolumeBatch>(**store, "volume");
  ExpectStepsMake<RunBatch>(**store, "run");
  ExpectStepsMake<RunEventBatch>(**store, "run_event");
  ExpectStepsMake<RequestBatch>(**store, "request");
  ExpectStepsMake<ServingBatch>(**store, "serving");
}

// The database that stood at version 1 keeps its rows and reads them with what is new empty.
TEST(SchemaVersionsTest, RowsOfTheFirstVersionAreKept) {
  const auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  for (const char* table : kFactTables) {
    ASSERT_TRUE((*store)->Execute(std::string("DROP VIEW active_") + table, {}));
    ASSERT_TRUE((*store)->Execute(std::string("DROP TABLE ") + table, {}));
  }
  for (const char* table : {"snapshot", "schema_version"}) {
    ASSERT_TRUE((*store)->Execute(std::string("DROP TABLE ") + table, {}));
  }
  ASSERT_TRUE(MigrateWith(**store, SchemaSteps().first(1)));
  const Status inserted = (*store)->Execute(
      "INSERT INTO pending VALUES (1, 'c', 'slurm', '', '7', 'SlurmJob', 'j', 'q', '{}', 8, 0, "
      "'')",
      {});
  ASSERT_TRUE(inserted) << inserted.error().message;
  const Status migrated = Migrate(**store);
  ASSERT_TRUE(migrated) << migrated.error().message;
  const auto kept = Query<PendingBatch>(**store, "SELECT * FROM pending");
  ASSERT_TRUE(kept) << kept.error().message;
  ASSERT_EQ(RowsOf(*kept), 1U);
  EXPECT_EQ(kept->devices[0], 8);
  EXPECT_EQ(kept->unit_devices[0], 0);
  EXPECT_EQ(kept->device_kind[0], "");
}

TEST(SchemaVersionsTest, VersionsCountUpFromOne) {
  std::int64_t expected = 1;
  for (const SchemaStep& step : SchemaSteps()) EXPECT_EQ(step.version, expected++);
}

}  // namespace
}  // namespace plimsoll
