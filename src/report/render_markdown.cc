#include <algorithm>
#include <string>

#include "report/display.h"
#include "report/render.h"
#include "report/render_outline.h"

namespace plimsoll {
namespace {

bool IsWordByte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Text that GitHub shows as it is: no markup, no HTML, no mention, one line.
std::string Escape(std::string_view text) {
  static constexpr std::string_view kMarkup = "\\`*[]{}|~$";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool inside_word =
        i > 0 && i + 1 < text.size() && IsWordByte(text[i - 1]) && IsWordByte(text[i + 1]);
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '@') {
      out += "&#64;";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
    } else if (kMarkup.find(c) != std::string_view::npos || (c == '_' && !inside_word) ||
               (c == '#' && !inside_word)) {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

// A paragraph must not begin as a list item or a numbered one.
std::string Paragraph(std::string_view text) {
  std::string out = Escape(text);
  const std::size_t first = out.find_first_not_of("0123456789");
  if (first == std::string::npos) return out;
  const bool bullet = first == 0 && (out[0] == '-' || out[0] == '+' || out[0] == '=');
  const bool numbered = first > 0 && (out[first] == '.' || out[first] == ')');
  if (bullet || numbered) out.insert(first, "\\");
  return out;
}

// A code span whose fence is longer than any run of backticks in it.
std::string Code(std::string_view text) {
  std::size_t longest = 0, run = 0;
  std::string line;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  const std::string fence(longest + 1, '`');
  return longest == 0 ? fence + line + fence : fence + " " + line + " " + fence;
}

std::string Row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string Cell(ValueKind kind, const Value& value) {
  return value ? Escape(Display(kind, value)) : "*no data*";
}

std::string FactsTable(const std::vector<ReportFact>& facts) {
  if (facts.empty()) return "";
  std::string out = "| Figure | Value | Note |\n|---|---:|---|\n";
  for (const ReportFact& fact : facts) {
    out += Row({Escape(fact.label), fact.value ? Escape(DisplayWithUnit(fact)) : "*no data*",
                Escape(fact.note)});
  }
  return out + "\n";
}

std::string Table(const ReportTable& table) {
  std::string out = "**" + Escape(table.caption) + "**\n\n";
  if (table.rows.empty()) return out + "*No rows.*\n\n";
  std::vector<std::string> labels;
  std::string rule = "|";
  for (const ReportColumn& column : table.columns) {
    labels.push_back(Escape(column.label));
    rule += IsNumeric(column.kind) ? "---:|" : "---|";
  }
  out += Row(labels) + rule + "\n";
  for (const std::vector<Value>& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      cells.push_back(Cell(table.columns[c].kind, c < row.size() ? row[c] : std::nullopt));
    }
    out += Row(cells);
  }
  return out + "\n";
}

std::string Section(const ReportSection& section, std::string_view heading) {
  std::string out = std::string(heading) + " " + Escape(section.title) + "\n\n";
  for (const std::string& sentence : section.sentences) out += Paragraph(sentence) + "\n\n";
  out += FactsTable(section.facts);
  for (const ReportChart& chart : section.charts) {
    if (!TableOfChart(section, chart)) out += Table(ToTable(chart));
  }
  for (const ReportTable& table : section.tables) out += Table(table);
  if (section.connect.empty()) return out;
  out += "To complete this section:\n\n";
  for (const std::string& item : section.connect) out += "- " + Paragraph(item) + "\n";
  return out + "\n";
}

std::string Figures(const ReportDocument& document) {
  std::string out;
  for (const NamedFigure& named : FiguresOf(document)) {
    out += "- " + Escape(named.name) + ": " + Code(ExplainCommand(named.figure)) + "\n";
  }
  if (out.empty()) return "";
  return "## How to explain a figure\n\nEach command lists the charges, hours, prices and rules "
         "behind one figure.\n\n<details><summary>Commands</summary>\n\n" +
         out + "\n</details>\n";
}

}  // namespace

std::string RenderMarkdown(const ReportDocument& document) {
  std::string out = "# " + Escape(document.title) + "\n\n";
  if (!document.subtitle.empty()) out += Paragraph(document.subtitle) + "\n\n";
  out += FactsTable(document.header);
  out += Section(document.summary, "##");
  for (const ReportSection& section : document.dimensions) out += Section(section, "##");
  if (!document.appendix.empty()) out += "## Appendix\n\n";
  for (const ReportSection& section : document.appendix) out += Section(section, "###");
  return out + Figures(document);
}

}  // namespace plimsoll
