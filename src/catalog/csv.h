// CSV as the catalog and price files use it: a header line, then one record a line.
//
// Fields may be quoted with '"' ('""' is a quote); a quoted field ends on its own line.
// Lines that start with '#' and blank lines are skipped; CRLF and a byte order mark are
// accepted. A record that cannot be read is reported with its line, and the rest is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/import.h"

namespace plimsoll {

struct CsvRecord {
  std::int64_t line = 0;  // 1-based
  std::vector<std::string> fields;
  std::string_view raw;  // within the text that was read
};

struct CsvError {
  std::int64_t line = 0;
  std::string reason;
  std::string_view raw;
};

struct CsvTable {
  CsvRecord header;                // line 0 if the text has none
  std::vector<CsvRecord> records;  // each with as many fields as the header
  std::vector<CsvError> errors;

  // The index of a column, compared exactly.
  std::optional<std::size_t> Column(std::string_view name) const;
  // The field of `name`, or "" if there is no such column.
  std::string_view Field(const CsvRecord& record, std::string_view name) const;
};

CsvTable ReadCsv(std::string_view text);

// Of a file that may be CSV or YAML: its first line that says anything names columns, without a
// colon.
bool IsCsv(std::string_view text);

// False, with the reasons added to `problems`, if a column is missing or a record is damaged.
bool CheckTable(const CsvTable& table, std::span<const char* const> columns,
                const std::string& file, std::vector<Rejection>& problems);

}  // namespace plimsoll
