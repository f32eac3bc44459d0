#include "ledger/query.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "ledger/filter.h"
#include "ledger/line_sums.h"

namespace plimsoll {
namespace {

// A result with any number of key columns before the sums.
struct Groups {
  std::vector<std::vector<std::string>> keys;
  LineSums sums;

  BatchRef Refs() {
    BatchRef refs;
    for (auto& key : keys) refs.push_back({"key", ColumnType::kText, &key});
    sums.AppendTo(refs);
    return refs;
  }

  LedgerRow Row(std::size_t row) const {
    std::vector<std::string> texts;
    for (const auto& key : keys) texts.push_back(key[row]);
    return RowOf(std::move(texts), sums.At(row));
  }
};

Result<std::string> SelectSql(const std::vector<std::string>& by, Window window,
                              const std::string& condition) {
  std::string keys;
  for (const std::string& name : by) {
    PLIMSOLL_TRY(const LedgerField* field, FindLedgerField(name));
    keys += SqlOf(*field) + ", ";
  }
  std::string sql = "SELECT " + keys + LineSumsSql();
  sql += LedgerFrom(AsksForDays(window, sql + condition));
  sql += "WHERE l.hour >= ? AND l.hour < ? AND " + condition;
  sql += " GROUP BY ";
  for (std::size_t i = 0; i < by.size(); ++i) sql += (i ? ", " : "") + std::to_string(i + 1);
  return sql;
}

void SortRows(std::vector<LedgerRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const LedgerRow& a, const LedgerRow& b) {
    return a.cost != b.cost ? a.cost > b.cost : a.keys < b.keys;
  });
}

}  // namespace

Status CheckQuestion(const LedgerQuery& query) {
  if (FloorTo(query.window.begin, Hours(1)) != query.window.begin ||
      FloorTo(query.window.until, Hours(1)) != query.window.until) {
    return Error{ErrorCode::kInvalidArgument,
                 "window " + ToString(query.window) + " is not whole hours of UTC"};
  }
  std::set<std::string_view> seen;
  for (const std::string& field : query.by) {
    if (seen.insert(field).second) continue;
    return Error{ErrorCode::kInvalidArgument,
                 "field '" + field + "' is asked for twice: name each field once"};
  }
  return Ok();
}

Result<LedgerTable> RunQuery(Store& store, const LedgerQuery& query) {
  PLIMSOLL_RETURN_IF_ERROR(CheckQuestion(query));
  PLIMSOLL_TRY(const SqlCondition filter, ParseFilter(query.filter));
  LedgerTable table{query.by, {}};
  // Always grouped by currency, so that a mix shows instead of being added up.
  std::vector<std::string> by = query.by;
  const bool asked = std::find(by.begin(), by.end(), "currency") != by.end();
  if (!asked) by.push_back("currency");

  PLIMSOLL_TRY(const std::string sql, SelectSql(by, query.window, filter.sql));
  SqlParams params{query.window.begin, query.window.until};
  params.insert(params.end(), filter.params.begin(), filter.params.end());
  Groups groups;
  groups.keys.resize(by.size());
  PLIMSOLL_RETURN_IF_ERROR(store.Stream(sql, params, groups.Refs(), [&] {
    for (std::size_t row = 0; row < groups.sums.gpu_time.size(); ++row) {
      table.rows.push_back(groups.Row(row));
    }
    return Ok();
  }));
  SortRows(table.rows);
  if (asked) return table;

  const auto currency = [](const LedgerRow& row) { return row.keys.back(); };
  const bool one_currency = std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return currency(row) == currency(table.rows.front());
  });
  if (one_currency) {
    for (LedgerRow& row : table.rows) row.keys.pop_back();
  } else {
    table.by = by;
  }
  return table;
}

}  // namespace plimsoll
