#include "store/schema.h"

#include <array>
#include <span>
#include <tuple>

#include "store/schema_versions.h"

namespace plimsoll {
namespace {

struct NumberRow {
  std::vector<std::int64_t> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &NumberRow::value)};
};

Result<std::int64_t> QueryNumber(Store& store, const std::string& sql) {
  PLIMSOLL_TRY(const NumberRow rows, Query<NumberRow>(store, sql));
  return rows.value.empty() ? 0 : rows.value[0];
}

const char* SqlTypeOf(ColumnType type) {
  switch (type) {
    case ColumnType::kInt128:
      return "HUGEINT NOT NULL";
    case ColumnType::kText:
    case ColumnType::kSymbol:
      return "VARCHAR NOT NULL";
    case ColumnType::kOptText:
      return "VARCHAR";
    case ColumnType::kMoney:
      return "DECIMAL(18,9) NOT NULL";
    case ColumnType::kOptMoney:
      return "DECIMAL(18,9)";
    case ColumnType::kMoneyTotal:
      return "DECIMAL(38,9) NOT NULL";
    case ColumnType::kTwelfths:
      return "BIGINT[12] NOT NULL";
    case ColumnType::kOptInt64:
    case ColumnType::kOptInstant:
      return "BIGINT";
    case ColumnType::kInt64:
    case ColumnType::kInstant:
    case ColumnType::kGpuHours:
      return "BIGINT NOT NULL";
  }
  return "";
}

// The version the database was written with; 0 if it is empty.
Result<std::int64_t> VersionOf(Store& store) {
  PLIMSOLL_TRY(const std::int64_t versioned,
               QueryNumber(store,
                           "SELECT count(*) FROM information_schema.tables "
                           "WHERE table_name = 'schema_version'"));
  if (versioned != 0) return QueryNumber(store, "SELECT version FROM schema_version");
  PLIMSOLL_TRY(const std::int64_t tables,
               QueryNumber(store, "SELECT count(*) FROM information_schema.tables"));
  if (tables != 0) {
    return Error{ErrorCode::kBadData,
                 "the database holds another program's tables; name another file"};
  }
  return 0;
}

Status RunStep(Store& store, const SchemaStep& step) {
  PLIMSOLL_RETURN_IF_ERROR(store.Execute(step.sql, {}));
  PLIMSOLL_RETURN_IF_ERROR(store.Execute("DELETE FROM schema_version", {}));
  return store.Execute("INSERT INTO schema_version VALUES (?)", {step.version});
}

Status ApplyStep(Store& store, const SchemaStep& step) {
  PLIMSOLL_RETURN_IF_ERROR(store.Begin());
  const Status applied = RunStep(store, step);
  if (applied) return store.Commit();
  static_cast<void>(store.Rollback());
  return applied;
}

}  // namespace

std::string CreateTableSql(const std::string& table, const BatchRef& columns) {
  std::string sql = "CREATE TABLE " + table + " (";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sql += i == 0 ? "\n  " : ",\n  ";
    sql += std::string(columns[i].name) + " " + SqlTypeOf(columns[i].type);
  }
  return sql + "\n);\n";
}

std::string CreateActiveViewSql(const std::string& table) {
  const std::string also = table == "rejection" ? "snapshot_id = 0 OR " : "";
  return "CREATE VIEW active_" + table + " AS SELECT * FROM " + table + "\n  WHERE " + also +
         "snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);\n";
}

Status Migrate(Store& store) { return MigrateWith(store, SchemaSteps()); }

Status MigrateWith(Store& store, std::span<const SchemaStep> steps) {
  PLIMSOLL_TRY(const std::int64_t found, VersionOf(store));
  const std::int64_t newest = steps.back().version;
  if (found > newest) {
    return Error{ErrorCode::kFailedPrecondition,
                 "the database has schema version " + std::to_string(found) +
                     ", but this program knows only up to " + std::to_string(newest) +
                     "; use the newer program"};
  }
  for (const SchemaStep& step : steps) {
    if (step.version > found) PLIMSOLL_RETURN_IF_ERROR(ApplyStep(store, step));
  }
  return Ok();
}

}  // namespace plimsoll
