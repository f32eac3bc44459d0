// Table and Answer: what a command says, before it is rendered as text, JSON or CSV.
//
// Cells are exact text; a missing value is null, never 0 or "". Names are stable: scripts
// read them in JSON and CSV (docs/formats/output.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

enum class CellKind : unsigned char {
  kText,     // left-aligned, cut to fit; JSON string
  kNumber,   // an integer or a ratio, written as JSON writes numbers; JSON number
  kDecimal,  // hours and other exact decimals; JSON string
  kMoney,    // JSON string
  kList,     // texts joined by '\n'; JSON array of strings
  kBoolean,  // "true" or "false"; left-aligned; JSON true or false
};

struct TableColumn {
  // snake_case; the text rendering shows '_' as a blank. Neighbours named group.member are
  // one object in JSON: "group": {"member": ...}.
  std::string name;
  CellKind kind = CellKind::kText;
  // Decimals shown in text, rounded half to even; -1 shows all. JSON and CSV are always exact.
  int places = -1;
};

using Cell = std::optional<std::string>;
using Row = std::vector<Cell>;

struct Table {
  std::string name;   // of its JSON array in an Answer
  std::string title;  // text only; "" for none
  std::vector<TableColumn> columns;
  std::vector<Row> rows;     // each as long as columns
  std::optional<Row> total;  // text only: JSON and CSV rows add up to it
};

struct Fact {
  std::string name;  // neighbours named group.member are one object in JSON, as of columns
  CellKind kind = CellKind::kText;
  Cell value;
};

// Several tables with what is said about them. JSON: one object of the facts and tables by
// name, in order. CSV: the first table. Text: lines, tables, then notes; no facts.
struct Answer {
  std::vector<std::string> lines;
  std::vector<Fact> facts;
  std::vector<Table> tables;
  std::vector<std::string> notes;
};

}  // namespace plimsoll
