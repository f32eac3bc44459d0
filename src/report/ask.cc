#include "report/ask.h"

#include "ledger/explain.h"

namespace plimsoll {

void Sum::Add(const LedgerRow& row) {
  gpu_time += row.gpu_time;
  if (row.gpu_used) gpu_used = gpu_used.value_or(GpuHours()) + *row.gpu_used;
  cost += row.cost;
}

std::string Is(const std::string& field, const std::string& value) {
  if (value.find('"') != std::string::npos) return "";
  return field + ":\"" + value + "\"";
}

std::string And(const std::string& a, const std::string& b) {
  if (a.empty()) return b;
  return b.empty() ? a : a + "+" + b;
}

Value PercentOf(int128 part, int128 whole) {
  if (whole <= 0) return std::nullopt;
  const int128 scaled = part * 1'000;
  const int128 half = scaled < 0 ? -whole / 2 : whole / 2;
  const auto tenths = static_cast<std::int64_t>((scaled + half) / whole);
  const std::string sign = tenths < 0 ? "-" : "";
  const std::int64_t magnitude = tenths < 0 ? -tenths : tenths;
  return sign + std::to_string(magnitude / 10) + "." + std::to_string(magnitude % 10);
}

Value UsedShare(const std::optional<GpuHours>& used, GpuHours whole) {
  return used ? PercentOf(used->base(), whole.base()) : std::nullopt;
}

std::string Ask::WithCurrency(const std::string& filter) const {
  const std::string currency = Is("currency", currency_);
  if (filter.empty()) return currency;
  return filter.find('|') == std::string::npos ? filter + "+" + currency
                                               : "(" + filter + ")+" + currency;
}

Result<std::vector<LedgerRow>> Ask::Rows(std::vector<std::string> by,
                                         const std::string& filter) const {
  PLIMSOLL_TRY(LedgerTable table,
               RunQuery(store(), {window_, std::move(by), WithCurrency(filter)}));
  return std::move(table.rows);
}

Result<Sum> Ask::Total(const std::string& filter) const {
  PLIMSOLL_TRY(const std::vector<LedgerRow> rows, Rows({}, filter));
  Sum sum;
  for (const LedgerRow& row : rows) sum.Add(row);
  return sum;
}

std::string Ask::FigureOf(const std::string& filter) const {
  return ToId({window_, WithCurrency(filter)});
}

}  // namespace plimsoll
