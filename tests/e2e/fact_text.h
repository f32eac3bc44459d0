// Facts as text, for end-to-end programs: a line a row, "table|field|field...".
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <tuple>

#include "model/column.h"
#include "store/store.h"

namespace plimsoll {

inline std::string Text(std::int64_t value) { return std::to_string(value); }
inline std::string Text(const std::string& value) { return value; }
inline std::string Text(Instant value) { return ToString(value); }
inline std::string Text(const Twelfths& values) {
  std::string all;
  for (const std::int64_t value : values) all += " " + std::to_string(value);
  return all;
}
template <class T>
std::string Text(const std::optional<T>& value) {
  return value ? Text(*value) : "null";
}

// The active rows of a table, sorted by all columns but snapshot_id, which is not printed: it
// tells when facts were loaded and not what they are. Ends the program if the store fails.
template <class Batch>
void PrintFacts(Store& store, const std::string& table) {
  std::string columns;
  std::string order;
  int number = 0;
  for (const ColumnRef& column : RefTo(Batch{})) {
    columns += (columns.empty() ? "\"" : ", \"") + std::string(column.name) + "\"";
    if (++number > 1) order += (order.empty() ? "" : ", ") + std::to_string(number);
  }
  const auto rows =
      Query<Batch>(store, "SELECT " + columns + " FROM active_" + table + " ORDER BY " + order);
  if (!rows) {
    std::fprintf(stderr, "%s\n", rows.error().message.c_str());
    std::exit(70);
  }
  for (std::size_t row = 0; row < RowsOf(*rows); ++row) {
    std::string line = table;
    std::apply(
        [&](auto, auto... column) { ((line += "|" + Text(((*rows).*(column.values))[row])), ...); },
        Batch::kColumns);
    std::puts(line.c_str());
  }
}

}  // namespace plimsoll
