// SPDX-License-Identifier: Apache-2.0
#include "ingest/cluster/openb_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/limits.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

std::string Quoted(std::string_view text) { return "'" + std::string(text.substr(0, 40)) + "'"; }

std::string NamesOf(const OpenbColumn& column) {
  std::string names;
  for (const OpenbColumn::Name& name : column.names) {
    names += (names.empty() ? "" : " or ") + std::string(name.text);
  }
  return names;
}

// Which field of a row each column is, -1 for none, and the cells' names and scales.
struct Header {
  std::vector<std::ptrdiff_t> fields;
  OpenbRow row;
  std::size_t width = 0;
};

Result<Header> HeaderOf(const std::string& file, const std::vector<std::string>& names,
                        std::span<const OpenbColumn> columns) {
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    return Error{ErrorCode::kBadData, file + ":1: column " + Quoted(name) + " is twice"};
  }
  Header header{std::vector<std::ptrdiff_t>(columns.size(), -1), OpenbRow(columns.size()),
                names.size()};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const OpenbColumn::Name& name : columns[i].names) {
      const auto found = std::ranges::find(names, name.text);
      if (found == names.end()) continue;
      header.fields[i] = found - names.begin();
      header.row.cells[i] = {"", name.text, name.scale};
      break;
    }
    if (header.fields[i] >= 0 || !columns[i].required) continue;
    return Error{ErrorCode::kBadData, file + ":1: the header has no column " + NamesOf(columns[i]) +
                                          " for " + std::string(columns[i].role)};
  }
  return header;
}

std::vector<std::string> TextsOf(const CsvRow& row) {
  std::vector<std::string> texts;
  for (const CsvField& field : row.fields) texts.emplace_back(field.text);
  return texts;
}

std::vector<std::string> Split(std::string_view line) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = line.find(',');
    parts.emplace_back(line.substr(0, comma));
    if (comma == line.npos) return parts;
    line.remove_prefix(comma + 1);
  }
}

// A row of data where a header should be: its third field is a number.
bool IsData(const CsvRow& row) {
  return row.fields.size() > 2 && ExactDecimal::Parse(row.fields[2].text).has_value();
}

class RowErrors {
 public:
  explicit RowErrors(std::string file) : file_(std::move(file)) {}
  void Add(std::int64_t line, const std::string& what) {
    if (++count_ > kRejectionsShownMax) return;
    text_ += (text_.empty() ? "" : "\n") + file_ + ":" + std::to_string(line) + ": " + what;
  }
  Status ToStatus() const {
    if (count_ == 0) return Ok();
    std::string text = text_;
    if (count_ > kRejectionsShownMax) {
      text += "\n" + file_ + ": and " + std::to_string(count_ - kRejectionsShownMax) + " more";
    }
    return Error{ErrorCode::kBadData, text};
  }

 private:
  std::string file_, text_;
  std::size_t count_ = 0;
};

std::string DefectOf(const CsvRow& csv, std::size_t width) {
  if (csv.defect != CsvDefect::kNone) return "a quoted field is not closed, or text follows it";
  if (csv.fields.size() == width) return "";
  return "has " + std::to_string(csv.fields.size()) + " fields, the header has " +
         std::to_string(width);
}

}  // namespace

std::optional<std::int64_t> OpenbRow::Amount(std::size_t column, std::int64_t most) {
  const Cell& cell = cells[column];
  const Result<ExactDecimal> amount = ExactDecimal::Parse(cell.text);
  if (!amount || amount->floor() < Money()) {
    Fail(column, "is no number from 0 on");
    return std::nullopt;
  }
  const Money floor = amount->floor();
  if (floor > Money::Units(most / cell.scale)) {
    Fail(column, "is more than " + std::to_string(most / cell.scale));
    return std::nullopt;
  }
  return static_cast<std::int64_t>(floor.nanos() * cell.scale / Money::kNanosPerUnit);
}

void OpenbRow::Fail(std::size_t column, std::string_view what) {
  Fail(std::string(cells[column].name) + " " + Quoted(cells[column].text) + " " +
       std::string(what));
}

void OpenbRow::Fail(std::string what) {
  if (wrong_.empty()) wrong_ = std::move(what);
}

Status ReadOpenbRows(const std::string& file, std::string_view text,
                     std::span<const OpenbColumn> columns, std::string_view known,
                     const std::function<void(OpenbRow&)>& take) {
  // The text is in memory already: no larger a block than it needs.
  CsvOptions options;
  options.block_bytes = std::clamp<std::size_t>(text.size() + 1, 4'096, options.block_bytes);
  CsvReader reader(
      [rest = text](char* to, std::size_t size) mutable -> Result<std::size_t> {
        const std::size_t count = rest.copy(to, size);
        rest.remove_prefix(count);
        return count;
      },
      options);
  CsvRow csv;
  PLIMSOLL_TRY(const bool any, reader.Next(csv));
  if (!any) return Error{ErrorCode::kBadData, file + ": is empty"};
  const bool bare = !known.empty() && IsData(csv);
  PLIMSOLL_TRY(const Header header, HeaderOf(file, bare ? Split(known) : TextsOf(csv), columns));
  RowErrors errors(file);
  bool more = true;
  if (!bare) {
    PLIMSOLL_TRY(more, reader.Next(csv));
  }
  while (more) {
    std::string wrong = DefectOf(csv, header.width);
    if (wrong.empty()) {
      OpenbRow row = header.row;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (header.fields[i] < 0) continue;
        row.cells[i].text = csv.fields[static_cast<std::size_t>(header.fields[i])].text;
      }
      take(row);
      wrong = row.wrong();
    }
    if (!wrong.empty()) errors.Add(csv.line, wrong);
    PLIMSOLL_TRY(more, reader.Next(csv));
  }
  return errors.ToStatus();
}

}  // namespace plimsoll
