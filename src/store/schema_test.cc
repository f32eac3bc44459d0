#include "store/schema.h"

#include <gtest/gtest.h>

#include "model/column.h"
#include "store/duckdb/duckdb_store.h"
#include "store/schema_versions.h"

namespace plimsoll {
namespace {

struct EveryTypeBatch {
  std::vector<std::int64_t> a;
  std::vector<std::optional<std::int64_t>> b;
  std::vector<int128> c;
  std::vector<std::string> d;
  std::vector<std::optional<std::string>> e;
  std::vector<Instant> f;
  std::vector<std::optional<Instant>> g;
  std::vector<Money> h;
  std::vector<std::optional<Money>> i;
  std::vector<MoneyTotal> j;
  std::vector<GpuHours> k;
  std::vector<Twelfths> l;

  static constexpr std::tuple kColumns{
      MakeColumn("a", &EveryTypeBatch::a), MakeColumn("b", &EveryTypeBatch::b),
      MakeColumn("c", &EveryTypeBatch::c), MakeColumn("d", &EveryTypeBatch::d),
      MakeColumn("e", &EveryTypeBatch::e), MakeColumn("f", &EveryTypeBatch::f),
      MakeColumn("g", &EveryTypeBatch::g), MakeColumn("h", &EveryTypeBatch::h),
      MakeColumn("i", &EveryTypeBatch::i), MakeColumn("j", &EveryTypeBatch::j),
      MakeColumn("k", &EveryTypeBatch::k), MakeColumn("l", &EveryTypeBatch::l),
  };
};

struct NumberBatch {
  std::vector<std::int64_t> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &NumberBatch::value)};
};

std::int64_t Number(Store& store, const std::string& sql) {
  const auto rows = Query<NumberBatch>(store, sql);
  EXPECT_TRUE(rows) << (rows ? "" : rows.error().message);
  return rows && !rows->value.empty() ? rows->value[0] : -1;
}

TEST(SchemaTest, ColumnsAreNotNullUnlessOptional) {
  EveryTypeBatch columns;
  EXPECT_EQ(CreateTableSql("t", RefTo(columns)),
            "CREATE TABLE t (\n"
            "  a BIGINT NOT NULL,\n"
            "  b BIGINT,\n"
            "  c HUGEINT NOT NULL,\n"
            "  d VARCHAR NOT NULL,\n"
            "  e VARCHAR,\n"
            "  f BIGINT NOT NULL,\n"
            "  g BIGINT,\n"
            "  h DECIMAL(18,9) NOT NULL,\n"
            "  i DECIMAL(18,9),\n"
            "  j DECIMAL(38,9) NOT NULL,\n"
            "  k BIGINT NOT NULL,\n"
            "  l BIGINT[12] NOT NULL\n"
            ");\n");
}

TEST(SchemaTest, TheCreatedTableTakesTheBatch) {
  auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  EveryTypeBatch columns;
  ASSERT_TRUE((*store)->Execute(CreateTableSql("t", RefTo(columns)), {}));
  const Status appended = Append(**store, "t", columns);
  EXPECT_TRUE(appended) << appended.error().message;
}

TEST(SchemaTest, ViewsShowActiveRowsAndRejectionsWithoutAScope) {
  auto opened = OpenDuckDb({});
  ASSERT_TRUE(opened) << opened.error().message;
  Store& store = **opened;
  ASSERT_TRUE(
      store.Execute("INSERT INTO snapshot VALUES (1, 'k', 's', 0, 0, 'h', 1, 0, NULL, NULL, 0, 0),"
                    " (2, 'k', 's', 0, 0, 'h', 1, 0, NULL, NULL, 1, 1)",
                    {}));
  ASSERT_TRUE(store.Execute(
      "INSERT INTO binding SELECT s, 'c', 'n', 'd', '', '', '', 0, 1 FROM range(3) r(s)", {}));
  ASSERT_TRUE(
      store.Execute("INSERT INTO rejection SELECT s, 'f', 1, '', 'r', '', '' "
                    "FROM range(3) r(s)",
                    {}));
  EXPECT_EQ(Number(store, "SELECT sum(snapshot_id)::BIGINT FROM active_binding"), 2);
  EXPECT_EQ(Number(store, "SELECT count(*) FROM active_rejection"), 2);
}

TEST(SchemaTest, MigratingTwiceChangesNothing) {
  auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  const Status again = Migrate(**store);
  EXPECT_TRUE(again) << again.error().message;
  EXPECT_EQ(Number(**store, "SELECT count(*) FROM schema_version"), 1);
  EXPECT_EQ(Number(**store, "SELECT version FROM schema_version"), SchemaSteps().back().version);
}

TEST(SchemaTest, RefusesADatabaseOfANewerVersion) {
  auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->Execute("UPDATE schema_version SET version = 99", {}));
  const Status migrated = Migrate(**store);
  ASSERT_FALSE(migrated);
  EXPECT_EQ(migrated.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(migrated.error().message,
            "the database has schema version 99, but this program knows only up to " +
                std::to_string(SchemaSteps().back().version) + "; use the newer program");
}

TEST(SchemaTest, RefusesAnotherProgramsTables) {
  auto store = OpenDuckDb({});
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->Execute("DROP TABLE schema_version", {}));
  EXPECT_EQ(Migrate(**store).error().code, ErrorCode::kBadData);
}

TEST(SchemaTest, StepsRunOnceInOrderAndAFailedStepLeavesTheVersionBefore) {
  auto opened = OpenDuckDb({});
  ASSERT_TRUE(opened) << opened.error().message;
  Store& store = **opened;
  const std::int64_t first = SchemaSteps().back().version;
  const SchemaStep steps[] = {
      {first, "SELECT error('must not run again')"},
      {first + 1, "CREATE TABLE extra (a BIGINT); ALTER TABLE charge ADD COLUMN note VARCHAR;"},
      {first + 2, "CREATE TABLE half (a BIGINT); CREATE TABLE extra (a BIGINT);"},
  };
  EXPECT_FALSE(MigrateWith(store, steps));
  EXPECT_EQ(Number(store, "SELECT version FROM schema_version"), first + 1);
  EXPECT_EQ(Number(store, "SELECT count(*) FROM extra"), 0);
  EXPECT_EQ(
      Number(store, "SELECT count(*) FROM information_schema.tables WHERE table_name = 'half'"), 0);
}

}  // namespace
}  // namespace plimsoll
