// HourRows: CSV files of one number an hour and name, read row by row.
//
// An hour is a time with its offset (RFC 3339); one without is taken for UTC and counted. Nothing
// is read as 0: a field that is no number refuses its row, and a refused row refuses the file, as
// a sum that lacks a row would look like less use.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "units/time.h"

namespace plimsoll {

struct HourColumns {
  const char* name;    // "flavor", "instance"
  const char* value;   // "usage", "activity"
  bool name_required;  // else every row is of ""
};

struct HourRow {
  std::int64_t line = 0;
  std::string_view name;
  Instant hour;
  std::string_view value;
};

struct HourNotes {
  std::int64_t rows = 0;
  std::int64_t without_offset = 0;   // hours read as UTC
  std::vector<std::string> ignored;  // columns that were not used
};

// Gathers what is wrong with a file: "file:line: sentence", one a line, the first twenty.
class LineErrors {
 public:
  explicit LineErrors(std::string file) : file_(std::move(file)) {}
  void Add(std::int64_t line, const std::string& what);
  bool empty() const { return count_ == 0; }
  Error ToError() const;  // kBadData

 private:
  std::string file_, text_;
  std::int64_t count_ = 0;
};

// Hands over the rows of `text`; `take` returns what is wrong with one, or "". Hours must be
// whole hours apart. Fails with kBadData on a header that lacks a column; the rows' errors are
// added to `errors`.
Result<HourNotes> ReadHourRows(const std::string& file, std::string_view text,
                               const HourColumns& columns, LineErrors& errors,
                               const std::function<std::string(const HourRow&)>& take);

}  // namespace plimsoll
