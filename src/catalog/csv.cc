#include "catalog/csv.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.h"

namespace plimsoll {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Reads one quoted field that starts at `pos`; leaves `pos` after its closing quote.
// Returns null if there is none.
std::optional<std::string> QuotedField(std::string_view line, std::size_t& pos) {
  std::string field;
  for (++pos; pos < line.size(); ++pos) {
    if (line[pos] != '"') {
      field.push_back(line[pos]);
    } else if (pos + 1 < line.size() && line[pos + 1] == '"') {
      field.push_back('"');
      ++pos;
    } else {
      ++pos;
      return field;
    }
  }
  return std::nullopt;
}

// Returns why the line cannot be split, or "".
std::string SplitLine(std::string_view line, std::vector<std::string>& fields) {
  std::size_t pos = 0;
  while (true) {
    if (pos < line.size() && line[pos] == '"') {
      std::optional<std::string> field = QuotedField(line, pos);
      if (!field) return "a quoted field is not closed on its line";
      if (pos < line.size() && line[pos] != ',') return "text follows a closing quote";
      fields.push_back(*std::move(field));
    } else {
      const std::size_t comma = std::min(line.find(',', pos), line.size());
      fields.emplace_back(line.substr(pos, comma - pos));
      pos = comma;
    }
    if (pos >= line.size()) return "";
    ++pos;
  }
}

void ReadLine(std::string_view line, std::int64_t number, CsvTable& table) {
  CsvRecord record{number, {}, line};
  std::string reason = line.size() > kLineBytesMax
                           ? fmt::format("the line has more than {} bytes", kLineBytesMax)
                           : SplitLine(line, record.fields);
  const std::size_t columns = table.header.fields.size();
  if (reason.empty() && table.header.line != 0 && record.fields.size() != columns) {
    reason = fmt::format("has {} fields, the header has {}", record.fields.size(), columns);
  }
  if (!reason.empty()) {
    table.errors.push_back({number, std::move(reason), line});
  } else if (table.header.line == 0) {
    table.header = std::move(record);
  } else {
    table.records.push_back(std::move(record));
  }
}

}  // namespace

std::optional<std::size_t> CsvTable::Column(std::string_view name) const {
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    if (header.fields[i] == name) return i;
  }
  return std::nullopt;
}

std::string_view CsvTable::Field(const CsvRecord& record, std::string_view name) const {
  const std::optional<std::size_t> column = Column(name);
  return column ? std::string_view(record.fields[*column]) : std::string_view();
}

CsvTable ReadCsv(std::string_view text) {
  CsvTable table;
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  std::int64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    ReadLine(line, number, table);
  }
  return table;
}

bool IsCsv(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(" \t\r") != line.npos && !line.starts_with('#')) {
      return line.find(',') != line.npos && line.find(':') == line.npos;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

bool CheckTable(const CsvTable& table, std::span<const char* const> columns,
                const std::string& file, std::vector<Rejection>& problems) {
  const std::size_t before = problems.size();
  for (const char* column : columns) {
    if (!table.Column(column)) {
      problems.push_back({file, table.header.line, column, "the column is missing", "", ""});
    }
  }
  for (const CsvError& error : table.errors) {
    problems.push_back({file, error.line, "", error.reason, "", std::string(error.raw)});
  }
  return problems.size() == before;
}

}  // namespace plimsoll
