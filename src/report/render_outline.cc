#include "report/render_outline.h"

#include <set>

#include "report/display.h"

namespace plimsoll {
namespace {

class FigureList {
 public:
  void Add(const std::string& name, const std::string& figure) {
    if (figure.empty() || !seen_.insert(figure).second) return;
    figures_.push_back({name, figure});
  }

  void Add(const std::string& title, const std::vector<ReportFact>& facts) {
    for (const ReportFact& fact : facts) Add(title + ": " + fact.label, fact.figure);
  }

  void Add(const ReportTable& table) {
    for (std::size_t r = 0; r < table.figures.size() && r < table.rows.size(); ++r) {
      Add(table.caption + ": " + NameOfRow(table, table.rows[r]), table.figures[r]);
    }
  }

  void Add(const ReportSection& section) {
    Add(section.title, section.facts);
    for (const ReportTable& table : section.tables) Add(table);
  }

  std::vector<NamedFigure> Take() && { return std::move(figures_); }

 private:
  // The row's texts: "research / llm-70b".
  static std::string NameOfRow(const ReportTable& table, const std::vector<Value>& row) {
    std::string name;
    for (std::size_t c = 0; c < row.size() && c < table.columns.size(); ++c) {
      if (IsNumeric(table.columns[c].kind) || !row[c] || row[c]->empty()) continue;
      if (!name.empty()) name += " / ";
      name += *row[c];
    }
    return name;
  }

  std::set<std::string> seen_;
  std::vector<NamedFigure> figures_;
};

}  // namespace

const ReportTable* TableOfChart(const ReportSection& section, const ReportChart& chart) {
  for (const ReportTable& table : section.tables) {
    if (table.key == chart.key) return &table;
  }
  return nullptr;
}

ReportTable ToTable(const ReportChart& chart) {
  ReportTable table;
  table.key = chart.key;
  table.caption = chart.unit.empty() ? chart.caption : chart.caption + " (" + chart.unit + ")";
  table.columns.push_back({"category", "", ValueKind::kText});
  for (const ReportChart::Series& series : chart.series) {
    table.columns.push_back({series.name, series.name, KindOfUnit(chart.unit)});
  }
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    std::vector<Value> row = {chart.categories[c]};
    for (const ReportChart::Series& series : chart.series) {
      const bool has = c < series.values.size() && !series.values[c].empty();
      row.push_back(has ? Value(series.values[c]) : std::nullopt);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<NamedFigure> FiguresOf(const ReportDocument& document) {
  FigureList list;
  list.Add(document.title, document.header);
  list.Add(document.summary);
  for (const ReportSection& section : document.dimensions) list.Add(section);
  for (const ReportSection& section : document.appendix) list.Add(section);
  return std::move(list).Take();
}

}  // namespace plimsoll
