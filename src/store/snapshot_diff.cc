#include "store/snapshot_diff.h"

#include <array>
#include <map>

#include "model/charge.h"

namespace plimsoll {
namespace {

// Names of the money columns of table charge, in order.
std::vector<std::string> MoneyColumns() {
  ChargeBatch columns;
  std::vector<std::string> names;
  for (const ColumnRef& column : RefTo(columns)) {
    if (column.type == ColumnType::kMoney || column.type == ColumnType::kOptMoney) {
      names.emplace_back(column.name);
    }
  }
  return names;
}

// Sums of one money column: of the snapshot before and of the one after.
struct Pair {
  Money before;
  Money after;
};
using Sums = std::vector<Pair>;  // one a money column

std::string DailySumsSql(const std::vector<std::string>& columns) {
  const std::string day_ms = std::to_string(Days(1).base());
  // The UTC day of charge_begin, rounded down also before 1970.
  std::string sql = "SELECT charge_begin - ((charge_begin % " + day_ms + " + " + day_ms + ") % " +
                    day_ms + ") AS day, snapshot_id";
  for (const std::string& column : columns) {
    sql += ", coalesce(sum(" + column + "), 0)::DECIMAL(38,9)";
  }
  return sql + " FROM charge WHERE snapshot_id IN (?, ?) GROUP BY day, snapshot_id ORDER BY ALL";
}

Result<std::map<Instant, Sums>> DailySums(Store& store, const std::vector<std::string>& columns,
                                          std::int64_t before, std::int64_t after) {
  std::vector<Instant> day;
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::vector<MoneyTotal>> sums(columns.size());
  BatchRef chunk{{"day", ColumnType::kInstant, &day},
                 {"snapshot_id", ColumnType::kInt64, &snapshot_id}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    chunk.push_back({columns[i].c_str(), ColumnType::kMoneyTotal, &sums[i]});
  }
  std::map<Instant, Sums> daily;
  const auto gather = [&] {
    for (std::size_t row = 0; row < day.size(); ++row) {
      Sums& of_day = daily.try_emplace(day[row], columns.size()).first->second;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        (snapshot_id[row] == before ? of_day[i].before : of_day[i].after) = sums[i][row].value;
      }
    }
    return Ok();
  };
  PLIMSOLL_RETURN_IF_ERROR(store.Stream(DailySumsSql(columns), {before, after}, chunk, gather));
  return daily;
}

// "billed_cost 1.000000000 -> 2.000000000", one text a changed column.
std::vector<std::string> ChangedColumns(const std::vector<std::string>& columns, const Sums& sums) {
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (sums[i].before == sums[i].after) continue;
    changed.push_back(columns[i] + " " + sums[i].before.ToString() + " -> " +
                      sums[i].after.ToString());
  }
  return changed;
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

std::string PeriodText(const Window& period) {
  if (period == Window{}) return "";
  if (period == MonthOf(period.begin)) return ToDateString(period.begin).substr(0, 7);
  const bool is_day = period.length() == Days(1) && FloorTo(period.begin, Days(1)) == period.begin;
  return is_day ? ToDateString(period.begin) : ToString(period);
}

}  // namespace

std::string ScopeText(const SnapshotKey& key) {
  std::string text;
  for (const char c : key.scope) {
    if (c == '|') {
      text += " / ";
    } else {
      text += c;
    }
  }
  const std::string period = PeriodText(key.period);
  return period.empty() ? text : text + " / " + period;
}

std::string SpanText(const std::optional<Window>& span) {
  return span ? ToString(*span) : "no time";
}

bool LosesDays(const std::optional<Window>& before, const std::optional<Window>& after) {
  if (!before || before->empty()) return false;
  if (!after || after->empty()) return true;
  return FloorTo(after->begin, Days(1)) > FloorTo(before->begin, Days(1)) ||
         CeilTo(after->until, Days(1)) < CeilTo(before->until, Days(1));
}

Result<std::vector<std::string>> ChargeDifferences(Store& store, std::int64_t before,
                                                   std::int64_t after) {
  const std::vector<std::string> columns = MoneyColumns();
  PLIMSOLL_TRY(const auto daily, DailySums(store, columns, before, after));
  Sums total(columns.size());
  std::vector<std::string> days;
  std::size_t changed_days = 0;
  for (const auto& [day, sums] : daily) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      total[i].before += sums[i].before;
      total[i].after += sums[i].after;
    }
    const std::vector<std::string> changed = ChangedColumns(columns, sums);
    if (changed.empty()) continue;
    if (++changed_days <= kChangedDaysShownMax) {
      days.push_back(ToDateString(day) + " " + Joined(changed));
    }
  }
  std::vector<std::string> differences = ChangedColumns(columns, total);
  differences.insert(differences.end(), days.begin(), days.end());
  if (changed_days > kChangedDaysShownMax) {
    differences.push_back("and " + std::to_string(changed_days - kChangedDaysShownMax) +
                          " more days");
  }
  return differences;
}

}  // namespace plimsoll
