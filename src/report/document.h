// Document: a report as data. Every rendering (HTML, Markdown, JSON) is made from it, so that
// they cannot disagree; none of them computes anything.
//
// Values are exact text. A missing value is null and says what to connect; it is never 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

enum class ValueKind : unsigned char {
  kText,
  kCount,    // whole number
  kMoney,    // exact decimal; shown with two places
  kHours,    // exact decimal; shown with one place
  kPercent,  // decimal with one place, already rounded: "61.4"
  kDecimal,  // any other decimal, shown as it is
  kSeconds,  // whole seconds; shown as "40 s", "90 min", "2 h 05 min"
};

using Value = std::optional<std::string>;

// One named figure. `figure` is what `plimsoll explain` takes; "" if it is no sum of cost lines.
struct ReportFact {
  std::string key;    // stable name in JSON
  std::string label;  // for people
  ValueKind kind = ValueKind::kText;
  Value value;
  std::string unit;  // "USD", "GPU-hours", "W"; "" for none
  std::string figure;
  std::string note;  // beside the value: share, comparison, or what to connect
};

struct ReportColumn {
  std::string key;
  std::string label;
  ValueKind kind = ValueKind::kText;
};

struct ReportTable {
  std::string key;
  std::string caption;
  std::vector<ReportColumn> columns;
  std::vector<std::vector<Value>> rows;
  std::vector<std::string> figures;  // one a row, or empty
};

enum class ChartKind : unsigned char {
  kBars,   // stacked over the categories
  kLines,  // a line a series
  kHeat,   // a row a series, a cell a category, from 0 to the greatest; "" is no cell
};

// Numbers by category and series, drawn by script where there is one. The table with the same
// numbers stands beside it.
struct ReportChart {
  std::string key;
  std::string caption;
  std::string unit;
  std::vector<std::string> categories;
  struct Series {
    std::string name;
    std::vector<std::string> values;  // decimals, one a category
  };
  std::vector<Series> series;
  ChartKind kind = ChartKind::kBars;
};

struct ReportSection {
  std::string key;  // capacity, utilization, ...
  std::string title;
  std::vector<std::string> sentences;
  std::vector<ReportFact> facts;
  std::vector<ReportChart> charts;
  std::vector<ReportTable> tables;
  std::vector<std::string> connect;  // what is missing, and how to provide it
};

struct ReportDocument {
  std::string title;
  std::string subtitle;            // window and zone, for people
  std::vector<ReportFact> header;  // window, zone, data as of, completeness, tie-out
  ReportSection summary;
  std::vector<ReportSection> dimensions;
  std::vector<ReportSection> appendix;
};

}  // namespace plimsoll
