#include "report/render_html_parts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/display.h"
#include "report/render.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongTableRows = 20;    // longer ones may break over printed pages
constexpr std::size_t kWideTableColumns = 8;  // wider ones are printed smaller
constexpr const char* kChartKindNames[] = {"bars", "lines", "heat"};

// ` data-figure="..." title="plimsoll explain '...'"`, or nothing.
std::string FigureAttributes(const std::string& figure) {
  if (figure.empty()) return "";
  return " data-figure=\"" + EscapeHtml(figure) + "\" title=\"" +
         EscapeHtml(ExplainCommand(figure)) + "\"";
}

// What is shown; the exact text stays in the element's value where rounding hid some of it.
std::string HtmlValue(ValueKind kind, const Value& value) {
  if (!value) return "<span class=\"none\">no data</span>";
  const std::string shown = Display(kind, value);
  const bool rounded =
      kind == ValueKind::kMoney || kind == ValueKind::kHours || kind == ValueKind::kSeconds;
  if (!rounded) return EscapeHtml(shown);
  return "<data value=\"" + EscapeHtml(*value) + "\">" + EscapeHtml(shown) + "</data>";
}

// The unit, unless the value brings it ("61.4 %").
std::string HtmlUnit(const ReportFact& fact) {
  const bool brought = fact.kind == ValueKind::kPercent && fact.unit == "%";
  if (!fact.value || fact.unit.empty() || brought) return "";
  return " <span class=\"unit\">" + EscapeHtml(fact.unit) + "</span>";
}

std::string Swatch(std::string_view color_class) {
  return "<span class=\"swatch c-" + std::string(color_class) + "\" aria-hidden=\"true\"></span>";
}

// "used" for the classes of GPU time, else "1" to "6" in turn.
std::vector<std::string> ColorsOf(const ReportChart& chart) {
  constexpr int kPlainColors = 6;
  std::vector<std::string> colors;
  int plain = 0;
  for (const ReportChart::Series& series : chart.series) {
    const std::string_view known = GpuTimeClass(series.name);
    colors.push_back(known.empty() ? std::to_string(plain++ % kPlainColors + 1)
                                   : std::string(known));
  }
  return colors;
}

// True for a plain decimal from 0 to 100.
bool IsShare(const std::string& value) {
  const std::size_t point = std::min(value.find('.'), value.size());
  const bool plain = !value.empty() && value.size() <= 6 &&
                     value.find_first_not_of("0123456789.") == std::string::npos;
  return plain && (point < 3 || value == "100" || value == "100.0");
}

// A column of shares has a bar behind each; one of changes, which may be negative, has none.
bool HasBars(const ReportTable& table, std::size_t column) {
  if (table.columns[column].kind != ValueKind::kPercent) return false;
  for (const std::vector<Value>& row : table.rows) {
    if (column < row.size() && row[column] && !IsShare(*row[column])) return false;
  }
  return true;
}

// The first cell, if it is text, names its row.
std::string HtmlCell(const ReportTable& table, std::size_t row, std::size_t column) {
  const std::vector<Value>& values = table.rows[row];
  const Value& value = column < values.size() ? values[column] : std::nullopt;
  const ReportColumn& head = table.columns[column];
  const std::string content = HtmlValue(head.kind, value);
  if (IsNumeric(head.kind)) {
    if (!value || !HasBars(table, column)) return "<td class=\"n\">" + content + "</td>";
    return "<td class=\"n share\" style=\"--share:" + *value + "%\">" + content + "</td>";
  }
  const std::string_view known = head.key == "class" && value ? GpuTimeClass(*value) : "";
  const std::string text = (known.empty() ? "" : Swatch(known)) + content;
  return column == 0 ? "<th scope=\"row\">" + text + "</th>" : "<td>" + text + "</td>";
}

std::string HtmlRow(const ReportTable& table, std::size_t row) {
  const bool has_figure = row < table.figures.size();
  std::string out = "<tr" + (has_figure ? FigureAttributes(table.figures[row]) : "") + ">";
  for (std::size_t c = 0; c < table.columns.size(); ++c) out += HtmlCell(table, row, c);
  return out + "</tr>\n";
}

Json SeriesData(const ReportChart& chart, std::size_t index, const std::string& color) {
  const ReportChart::Series& series = chart.series[index];
  Json item = Json::object();
  item["name"] = series.name;
  item["color"] = color;
  item["values"] = series.values;
  Json shown = Json::array();
  for (const std::string& value : series.values) shown.push_back(DisplayInUnit(value, chart.unit));
  item["shown"] = std::move(shown);
  return item;
}

}  // namespace

std::string HtmlFacts(const std::vector<ReportFact>& facts, std::string_view style) {
  if (facts.empty()) return "";
  std::string out = "<dl class=\"" + std::string(style) + "\">\n";
  for (const ReportFact& fact : facts) {
    out += "<div" + FigureAttributes(fact.figure) + "><dt>" + EscapeHtml(fact.label) +
           "</dt><dd class=\"value" + (fact.kind == ValueKind::kText ? " text" : "") + "\">" +
           HtmlValue(fact.kind, fact.value) + HtmlUnit(fact) + "</dd>";
    if (!fact.note.empty()) out += "<dd class=\"note\">" + EscapeHtml(fact.note) + "</dd>";
    out += "</div>\n";
  }
  return out + "</dl>\n";
}

std::string HtmlTable(const ReportTable& table) {
  std::string names = "scroll";
  if (table.rows.size() > kLongTableRows) names += " long";
  if (table.columns.size() > kWideTableColumns) names += " wide";
  std::string out = "<div class=\"" + names + "\" role=\"region\" tabindex=\"0\" aria-label=\"" +
                    EscapeHtml(table.caption) + "\"><table>\n<caption>" +
                    EscapeHtml(table.caption) + "</caption>\n<thead><tr>";
  for (const ReportColumn& column : table.columns) {
    if (column.label.empty()) {
      out += "<td></td>";
      continue;
    }
    out += std::string("<th scope=\"col\"") + (IsNumeric(column.kind) ? " class=\"n\">" : ">") +
           EscapeHtml(column.label) + "</th>";
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) out += HtmlRow(table, r);
  if (table.rows.empty()) {
    out += "<tr><td class=\"none\" colspan=\"" + std::to_string(table.columns.size()) +
           "\">No rows.</td></tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string HtmlChart(const ReportChart& chart, std::string_view id) {
  const std::string caption =
      EscapeHtml(chart.unit.empty() ? chart.caption : chart.caption + ", in " + chart.unit);
  std::string out =
      "<figure class=\"chart\"><figcaption>" + caption + "</figcaption>\n<ul class=\"legend\">";
  const std::vector<std::string> colors = ColorsOf(chart);
  // The rows of a heat map bear their names.
  for (std::size_t s = 0; s < chart.series.size() && chart.kind != ChartKind::kHeat; ++s) {
    out += "<li>" + Swatch(colors[s]) + EscapeHtml(chart.series[s].name) + "</li>";
  }
  return out + "</ul>\n<div class=\"plot\" id=\"" + std::string(id) +
         "\" role=\"img\" aria-label=\"" + caption +
         "; the table below has the same numbers\"></div></figure>\n";
}

std::string ChartData::Add(const ReportChart& chart) {
  charts_.push_back(&chart);
  return "chart-" + std::to_string(charts_.size());
}

std::string ChartData::ToScriptJson() const {
  Json charts = Json::array();
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    const ReportChart& chart = *charts_[i];
    Json item = Json::object();
    item["id"] = "chart-" + std::to_string(i + 1);
    item["kind"] = kChartKindNames[static_cast<std::size_t>(chart.kind)];
    item["categories"] = chart.categories;
    item["series"] = Json::array();
    const std::vector<std::string> colors = ColorsOf(chart);
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      item["series"].push_back(SeriesData(chart, s, colors[s]));
    }
    charts.push_back(std::move(item));
  }
  // ASCII only, so no line separator ends a script; and no markup can begin.
  const std::string json = charts.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace plimsoll
