#include "cli/render.h"

#include <algorithm>

#include "cli/text.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::size_t kGap = 2;           // blanks between columns
constexpr std::size_t kTextWidthMin = 8;  // a text column is not cut below this
constexpr const char* kMissing = "-";
constexpr const char* kBold = "\033[1m";
constexpr const char* kPlain = "\033[0m";

bool IsRight(CellKind kind) {
  return kind != CellKind::kText && kind != CellKind::kList && kind != CellKind::kBoolean;
}

std::string CellText(const TableColumn& column, const Cell& cell) {
  if (!cell) return kMissing;
  switch (column.kind) {
    case CellKind::kNumber:
    case CellKind::kDecimal:
    case CellKind::kMoney:
      return Printable(DisplayDecimal(*cell, column.places));
    case CellKind::kList: {
      std::string joined;
      for (const char c : *cell) joined += c == '\n' ? "; " : std::string(1, c);
      return Printable(joined);
    }
    case CellKind::kText:
    case CellKind::kBoolean:
      break;
  }
  return Printable(*cell);
}

std::vector<std::string> TextsOf(const Table& table, const Row& row) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    texts.push_back(CellText(table.columns[i], i < row.size() ? row[i] : std::nullopt));
  }
  return texts;
}

std::string TitleOf(const std::string& name) {
  std::string title = name;
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

// Takes columns from the widest text column, one at a time, until all fit or none can give.
void Fit(const Table& table, std::size_t limit, std::vector<std::size_t>& widths) {
  std::size_t sum = kGap * (widths.size() - 1);
  for (const std::size_t width : widths) sum += width;
  while (sum > limit) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (IsRight(table.columns[i].kind) || widths[i] <= kTextWidthMin) continue;
      if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
    --sum;
  }
}

class TextTable {
 public:
  TextTable(const Table& table, const TextOptions& options) : table_(table), options_(options) {
    std::vector<std::string> head;
    for (const TableColumn& column : table.columns) head.push_back(TitleOf(column.name));
    lines_.push_back(std::move(head));
    for (const Row& row : table.rows) lines_.push_back(TextsOf(table, row));
    if (table.total) lines_.push_back(TextsOf(table, *table.total));
    widths_.assign(table.columns.size(), 0);
    for (const auto& line : lines_) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        widths_[i] = std::max(widths_[i], WidthOf(line[i]));
      }
    }
    if (options.columns > 0 && !widths_.empty()) Fit(table, options.columns, widths_);
  }

  std::string Render() const {
    if (table_.columns.empty()) return "";
    std::string text = Line(lines_.front(), true) + Rule();
    const std::size_t rows_end = lines_.size() - (table_.total ? 1 : 0);
    for (std::size_t i = 1; i < rows_end; ++i) text += Line(lines_[i], false);
    if (table_.total) text += Rule() + Line(lines_.back(), true);
    return text;
  }

 private:
  std::string Line(const std::vector<std::string>& cells, bool bold) const {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = Shorten(cells[i], widths_[i]);
      const std::string pad(widths_[i] - WidthOf(cell), ' ');
      if (i > 0) line += std::string(kGap, ' ');
      line += IsRight(table_.columns[i].kind) ? pad + cell : cell + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return (bold && options_.colour ? kBold + line + kPlain : line) + "\n";
  }

  std::string Rule() const {
    std::string rule;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      rule += (i > 0 ? std::string(kGap, ' ') : "") + std::string(widths_[i], '-');
    }
    return rule + "\n";
  }

  const Table& table_;
  TextOptions options_;
  std::vector<std::vector<std::string>> lines_;  // head, rows, total
  std::vector<std::size_t> widths_;
};

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string DisplayDecimal(std::string_view text, int places) {
  const Result<Money> value = Money::Parse(text);
  if (!value) return std::string(text);
  if (places < 0 || places >= Money::kScale) return GroupThousands(text);
  int128 block = 1;
  for (int i = places; i < Money::kScale; ++i) block *= 10;
  const std::string exact =
      Money::FromNanos(DivideHalfEven(value->nanos(), block) * block).ToString();
  const std::size_t drop = static_cast<std::size_t>(Money::kScale - places);
  return GroupThousands(exact.substr(0, exact.size() - drop - (places == 0 ? 1 : 0)));
}

std::string RenderText(const Table& table, const TextOptions& options) {
  const std::string title = table.title.empty() ? "" : Printable(table.title) + "\n";
  if (table.rows.empty() && !table.total) return title + "(no rows)\n";
  return title + TextTable(table, options).Render();
}

std::string RenderText(const Answer& answer, const TextOptions& options) {
  std::string text;
  for (const std::string& line : answer.lines) text += Printable(line) + "\n";
  for (const Table& table : answer.tables) {
    if (table.rows.empty() && !table.total) continue;
    text += (text.empty() ? "" : "\n") + RenderText(table, options);
  }
  if (!text.empty() && !answer.notes.empty()) text += "\n";
  for (const std::string& note : answer.notes) text += Printable(note) + "\n";
  return text;
}

std::string RenderCsv(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += (i > 0 ? "," : "") + CsvField(table.columns[i].name);
  }
  text += "\r\n";
  for (const Row& row : table.rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      text += (i > 0 ? "," : "") + CsvField(i < row.size() && row[i] ? *row[i] : "");
    }
    text += "\r\n";
  }
  return text;
}

std::string RenderCsv(const Answer& answer) {
  return answer.tables.empty() ? "" : RenderCsv(answer.tables.front());
}

}  // namespace plimsoll
