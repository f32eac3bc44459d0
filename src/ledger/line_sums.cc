#include "ledger/line_sums.h"

#include <initializer_list>
#include <utility>

#include "model/cost_line.h"

namespace plimsoll {
namespace {

static_assert(kCostKindCount == kSharingKindCount);

std::string SumOf(std::initializer_list<CostClass> classes) {
  std::string list;
  for (const CostClass one : classes) {
    list += (list.empty() ? "" : ", ") + std::to_string(static_cast<std::int64_t>(one));
  }
  return "coalesce(sum(l.gpu_time) FILTER (l.cost_class IN (" + list + ")), 0)::BIGINT";
}

// Where held time has no signal at all, idle time beside it must not make a 0 of what is unknown.
std::string UnknownSql() {
  const std::string unknown = SumOf({CostClass::kUsageUnknown});
  return "CASE WHEN " + unknown + " > 0 AND " +
         SumOf({CostClass::kUsed, CostClass::kUnused, CostClass::kHung}) +
         " = 0 THEN sum(l.gpu_time)::BIGINT ELSE " + unknown + " END";
}

}  // namespace

void LineSums::AppendTo(BatchRef& refs) {
  refs.push_back({"gpu_time", ColumnType::kGpuHours, &gpu_time});
  refs.push_back({"gpu_used", ColumnType::kGpuHours, &gpu_used});
  refs.push_back({"gpu_unknown", ColumnType::kGpuHours, &gpu_unknown});
  for (std::size_t kind = 0; kind < kCostKindCount; ++kind) {
    refs.push_back({kCostKindNames[kind], ColumnType::kMoneyTotal, &cost[kind]});
  }
}

SharingAmounts LineSums::At(std::size_t row) const {
  SharingAmounts amounts;
  for (std::size_t kind = 0; kind < kCostKindCount; ++kind) {
    amounts.cost[kind] = cost[kind][row].value;
  }
  amounts.gpu_time = gpu_time[row];
  amounts.gpu_used = gpu_used[row];
  amounts.gpu_unknown = gpu_unknown[row];
  return amounts;
}

std::string LineSumsSql() {
  std::string sql = "sum(l.gpu_time)::BIGINT, " + SumOf({CostClass::kUsed}) + ", " + UnknownSql();
  for (const char* kind : kCostKindNames) sql += std::string(", sum(l.") + kind + ")";
  return sql;
}

LedgerRow RowOf(std::vector<std::string> keys, const SharingAmounts& amounts) {
  LedgerRow row;
  row.keys = std::move(keys);
  row.gpu_time = amounts.gpu_time;
  if (amounts.gpu_time > amounts.gpu_unknown) row.gpu_used = amounts.gpu_used;
  row.cost_by_kind = amounts.cost;
  row.cost = amounts.Total();
  return row;
}

}  // namespace plimsoll
