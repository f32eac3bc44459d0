// OpenbTable: rows of the CSV files of GPU cluster traces, by the columns that they have.
//
// A column is known by any of several names, each with what its unit is in ours ("cpu_milli"
// 1, "cap_cpu" 1,000). What is wrong with rows is gathered, so that one run shows all of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/csv.h"

namespace plimsoll {

struct OpenbColumn {
  struct Name {
    std::string_view text;
    std::int64_t scale = 1;
  };
  std::string_view role;    // "CPU", for messages
  std::vector<Name> names;  // the usual one first
  bool required = true;
};

// One row; cells by the order of the columns that were asked for.
class OpenbRow {
 public:
  struct Cell {
    std::string_view text;
    std::string_view name;  // of the column; empty if the file has none
    std::int64_t scale = 1;
  };
  explicit OpenbRow(std::size_t columns) : cells(columns) {}

  bool has(std::size_t column) const { return !cells[column].name.empty(); }
  std::string_view text(std::size_t column) const { return cells[column].text; }
  // The cell in our unit: a decimal from 0 on, rounded down. Null, and Fail says why, where it is
  // none or more than `most`.
  std::optional<std::int64_t> Amount(std::size_t column, std::int64_t most);
  // Notes the first thing that is wrong: "memory_mib 'x' is no number ...".
  void Fail(std::size_t column, std::string_view what);
  void Fail(std::string what);
  const std::string& wrong() const { return wrong_; }

  std::vector<Cell> cells;  // filled by the reader

 private:
  std::string wrong_;
};

// Calls take(row) for each row; it tells what is wrong by row.Fail. Fails with kBadData: a header
// that lacks a column, or "file:line: sentence" for the first twenty rows that are wrong. `known`
// is a header for files without one, or empty.
Status ReadOpenbRows(const std::string& file, std::string_view text,
                     std::span<const OpenbColumn> columns, std::string_view known,
                     const std::function<void(OpenbRow&)>& take);

}  // namespace plimsoll
