#include "ingest/requests/request_sql.h"

#include <string_view>

namespace plimsoll {
namespace {

using F = RequestField;

std::string Quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += c;
    out += c;
  }
  return out + "\"";
}

bool IsWhole(std::string_view type) {
  for (const char* each : {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT",
                           "UINTEGER", "UBIGINT", "HUGEINT"}) {
    if (type == each) return true;
  }
  return false;
}

const char* FactorOf(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds:
      return "1000000000";
    case TimeUnit::kMillis:
      return "1000000";
    case TimeUnit::kMicros:
      return "1000";
    case TimeUnit::kNanos:
      break;
  }
  return "1";
}

// The number times `factor` as BIGINT, null if it is not told or not finite.
std::string NumberSql(const std::string& column, std::string_view type, const std::string& factor) {
  if (type == "BIGINT" && factor == "1") return column;
  const std::string bad = std::to_string(kUnreadable + 1) + " - 1";
  if (IsWhole(type)) {
    return "CASE WHEN " + column + " IS NULL THEN NULL WHEN " + column + " BETWEEN " +
           (type.starts_with('U') ? "0" : "-9200000000000000000 // " + factor) +
           " AND 9200000000000000000 // " + factor + " THEN CAST(" + column + " AS BIGINT) * " +
           factor + " ELSE " + bad + " END";
  }
  const std::string real = "CAST(" + column + " AS DOUBLE)";
  return "CASE WHEN " + column + " IS NULL OR NOT isfinite(" + real + ") THEN NULL WHEN abs(" +
         real + ") <= 9.2e18 / " + factor + " THEN CAST(round(" + real + " * " + factor +
         ") AS BIGINT) ELSE " + bad + " END";
}

Result<std::string> FieldSql(const RequestFieldSpec& spec, const ParquetColumn& column) {
  const std::string name = Quoted(column.name);
  if (spec.field <= F::kRequest || spec.field >= F::kStatus) {
    return "CAST(" + name + " AS VARCHAR)";
  }
  const bool is_time = spec.field >= F::kArrival && spec.field <= F::kEnd;
  if (is_time && column.type == "TIMESTAMP WITH TIME ZONE") return "epoch_us(" + name + ") * 1000";
  if (is_time && column.type.starts_with("TIMESTAMP")) return "epoch_ns(" + name + ")";
  const bool is_real =
      column.type == "DOUBLE" || column.type == "FLOAT" || column.type.starts_with("DECIMAL");
  if (!is_real && !IsWhole(column.type)) {
    return Error{ErrorCode::kBadData, "column " + column.name + " is of type " + column.type +
                                          ", which is no number" +
                                          (is_time ? " or timestamp" : "") +
                                          "; convert it, or give the log as CSV or JSON"};
  }
  const bool is_count = spec.field >= F::kInputTokens;
  return NumberSql(name, column.type, is_count ? "1" : FactorOf(spec.unit));
}

}  // namespace

Result<std::map<RequestField, std::string>> RequestFieldsSql(
    const ParquetFile& file, const std::vector<RequestFieldSpec>& specs) {
  std::map<RequestField, std::vector<std::string>> found;
  for (const RequestFieldSpec& spec : specs) {
    for (const ParquetColumn& column : file.columns) {
      if (column.name != spec.source) continue;
      const Result<std::string> sql = FieldSql(spec, column);
      if (!sql) return Error{sql.error().code, file.path + ": " + sql.error().message};
      found[spec.field].push_back(*sql);
    }
  }
  std::map<RequestField, std::string> fields;
  for (const auto& [field, values] : found) {
    std::string sql;
    for (const std::string& value : values) sql += (sql.empty() ? "" : ", ") + value;
    if (field <= F::kRequest || field >= F::kStatus) sql += ", ''";
    fields[field] = values.size() == 1 && sql == values[0] ? sql : "coalesce(" + sql + ")";
  }
  return fields;
}

}  // namespace plimsoll
