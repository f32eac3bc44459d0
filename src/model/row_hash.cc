#include "model/row_hash.h"

#include <string_view>

namespace plimsoll {
namespace {

template <class T>
const T& At(const ColumnRef& column, std::size_t row) {
  return (*static_cast<const std::vector<T>*>(column.vector))[row];
}

void AddWide(RowHasher& hasher, int128 number) {
  hasher.Add(static_cast<std::int64_t>(number));
  hasher.Add(static_cast<std::int64_t>(number >> 64));
}

void AddValue(RowHasher& hasher, std::int64_t value) { hasher.Add(value); }
void AddValue(RowHasher& hasher, int128 value) { AddWide(hasher, value); }
void AddValue(RowHasher& hasher, const std::string& value) { hasher.Add(std::string_view(value)); }
void AddValue(RowHasher& hasher, Money value) { AddWide(hasher, value.nanos()); }
void AddValue(RowHasher& hasher, MoneyTotal value) { AddWide(hasher, value.value.nanos()); }
void AddValue(RowHasher& hasher, const Twelfths& values) {
  for (const std::int64_t value : values) hasher.Add(value);
}
template <class Tag>
void AddValue(RowHasher& hasher, Quantity<Tag> value) {
  hasher.Add(value.base());
}
template <class T>
void AddValue(RowHasher& hasher, const std::optional<T>& value) {
  hasher.Add(std::int64_t{value.has_value()});
  if (value) AddValue(hasher, *value);
}

void AddColumn(RowHasher& hasher, const ColumnRef& column, std::size_t row) {
  switch (column.type) {
    case ColumnType::kInt64:
      return AddValue(hasher, At<std::int64_t>(column, row));
    case ColumnType::kOptInt64:
      return AddValue(hasher, At<std::optional<std::int64_t>>(column, row));
    case ColumnType::kInt128:
      return AddValue(hasher, At<int128>(column, row));
    case ColumnType::kText:
      return AddValue(hasher, At<std::string>(column, row));
    case ColumnType::kSymbol:
      return AddValue(hasher, At<Symbol>(column, row).text());
    case ColumnType::kOptText:
      return AddValue(hasher, At<std::optional<std::string>>(column, row));
    case ColumnType::kInstant:
      return AddValue(hasher, At<Instant>(column, row));
    case ColumnType::kOptInstant:
      return AddValue(hasher, At<std::optional<Instant>>(column, row));
    case ColumnType::kMoney:
      return AddValue(hasher, At<Money>(column, row));
    case ColumnType::kOptMoney:
      return AddValue(hasher, At<std::optional<Money>>(column, row));
    case ColumnType::kMoneyTotal:
      return AddValue(hasher, At<MoneyTotal>(column, row));
    case ColumnType::kGpuHours:
      return AddValue(hasher, At<GpuHours>(column, row));
    case ColumnType::kTwelfths:
      return AddValue(hasher, At<Twelfths>(column, row));
  }
}

}  // namespace

bool IsPositional(const ColumnRef& column) {
  const std::string_view name = column.name;
  return name == "snapshot_id" || name == "line";
}

Hash128 HashOfRow(const BatchRef& columns, std::size_t row) {
  RowHasher hasher;
  for (const ColumnRef& column : columns) {
    if (!IsPositional(column)) AddColumn(hasher, column, row);
  }
  return hasher.Finish();
}

}  // namespace plimsoll
