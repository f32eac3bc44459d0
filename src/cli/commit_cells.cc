#include "cli/commit_cells.h"

#include <algorithm>

#include "cli/render.h"
#include "cli/text.h"
#include "model/commitment.h"
#include "purchase/commit/term_cost.h"
#include "units/decimal.h"

namespace plimsoll {

Cell ShareCell(std::optional<std::int64_t> billionths) {
  return billionths ? Cell(Money::FromNanos(*billionths).ToString()) : std::nullopt;
}

std::string PercentText(std::int64_t billionths) {
  const Money percent = Money::FromNanos(int128{billionths} * 100);
  std::string text = DisplayDecimal(percent.ToString(), 2);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text + " %";
}

std::string UnitsCell(std::int64_t unit_millis) {
  const Money units =
      Money::FromNanos(DivideHalfEven(int128{unit_millis} * Money::kNanosPerUnit, kUnitHour));
  return ExactDecimal::FromMoney(units).ToString();
}

std::string Rounded(Money money, int places) { return DisplayDecimal(money.ToString(), places); }

std::string MonthDate(Instant start, std::int64_t month) {
  return ToDateString(start + Hours(kHoursPerMonth * month));
}

void KeepColumns(Table& table, const std::vector<std::string>& names) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    if (std::find(names.begin(), names.end(), table.columns[column].name) != names.end()) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + at);
    for (Row& row : table.rows) row.erase(row.begin() + at);
    if (table.total) table.total->erase(table.total->begin() + at);
  }
}

}  // namespace plimsoll
