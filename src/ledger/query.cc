#include "ledger/query.h"

#include <algorithm>

#include "ledger/filter.h"
#include "model/cost_line.h"

namespace plimsoll {
namespace {

std::string SumOf(CostClass cost_class) {
  return "coalesce(sum(l.gpu_time) FILTER (l.cost_class = " +
         std::to_string(static_cast<std::int64_t>(cost_class)) + "), 0)::BIGINT";
}

// A result with any number of key columns before the sums.
struct Groups {
  std::vector<std::vector<std::string>> keys;
  std::vector<GpuHours> gpu_time, gpu_used, gpu_unknown;
  std::array<std::vector<MoneyTotal>, kCostKindCount> cost;

  BatchRef Refs() {
    BatchRef refs;
    for (auto& key : keys) refs.push_back({"key", ColumnType::kText, &key});
    refs.push_back({"gpu_time", ColumnType::kGpuHours, &gpu_time});
    refs.push_back({"gpu_used", ColumnType::kGpuHours, &gpu_used});
    refs.push_back({"gpu_unknown", ColumnType::kGpuHours, &gpu_unknown});
    for (std::size_t kind = 0; kind < kCostKindCount; ++kind) {
      refs.push_back({kCostKindNames[kind], ColumnType::kMoneyTotal, &cost[kind]});
    }
    return refs;
  }

  LedgerRow Row(std::size_t row) const {
    LedgerRow out;
    for (const auto& key : keys) out.keys.push_back(key[row]);
    out.gpu_time = gpu_time[row];
    if (gpu_time[row] > gpu_unknown[row]) out.gpu_used = gpu_used[row];
    for (std::size_t kind = 0; kind < kCostKindCount; ++kind) {
      out.cost_by_kind[kind] = cost[kind][row].value;
      out.cost += cost[kind][row].value;
    }
    return out;
  }
};

Result<std::string> SelectSql(const std::vector<std::string>& by, Window window,
                              const std::string& condition) {
  std::string keys;
  for (const std::string& name : by) {
    PLIMSOLL_TRY(const LedgerField* field, FindLedgerField(name));
    keys += SqlOf(*field) + ", ";
  }
  std::string sql = "SELECT " + keys + "sum(l.gpu_time)::BIGINT, " + SumOf(CostClass::kUsed) +
                    ", " + SumOf(CostClass::kUsageUnknown);
  for (const char* kind : kCostKindNames) sql += std::string(", sum(l.") + kind + ")";
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

Status CheckWholeHours(Window window) {
  if (FloorTo(window.begin, Hours(1)) == window.begin &&
      FloorTo(window.until, Hours(1)) == window.until) {
    return Ok();
  }
  return Error{ErrorCode::kInvalidArgument,
               "window " + ToString(window) + " is not whole hours of UTC"};
}

Result<LedgerTable> RunQuery(Store& store, const LedgerQuery& query) {
  PLIMSOLL_RETURN_IF_ERROR(CheckWholeHours(query.window));
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
    for (std::size_t row = 0; row < groups.gpu_time.size(); ++row) {
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
