#include <string>

#include "report/display.h"
#include "report/render.h"
#include "report/render_assets.h"
#include "report/render_html_parts.h"
#include "report/render_outline.h"

namespace plimsoll {
namespace {

// Nothing may be fetched, whatever the data says.
constexpr char kPolicy[] =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'";

// The load line: a circle and the line through it.
constexpr char kMark[] =
    "<svg class=\"mark\" viewBox=\"0 0 32 32\" aria-hidden=\"true\" focusable=\"false\">"
    "<circle cx=\"16\" cy=\"16\" r=\"9.5\"/><path d=\"M2 16h28\"/></svg>";

// An id of its own for a section, whatever its key is made of.
std::string IdOf(const ReportSection& section) {
  std::string id = "section-";
  for (const char c : section.key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_';
    id += plain ? c : '-';
  }
  return id;
}

std::string Head(const ReportDocument& document) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         std::string(kPolicy) +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         EscapeHtml(document.title + (document.subtitle.empty() ? "" : ", " + document.subtitle)) +
         "</title>\n<style>\n" + std::string(StyleSheet()) + "</style>\n</head>\n<body>\n";
}

std::string Link(std::string_view id, std::string_view text) {
  return "<li><a href=\"#" + std::string(id) + "\">" + EscapeHtml(text) + "</a></li>";
}

std::string Navigation(const ReportDocument& document, bool has_figures) {
  std::string out = "<nav aria-label=\"Sections of the report\"><ul>";
  out += Link(IdOf(document.summary), document.summary.title);
  for (const ReportSection& section : document.dimensions) {
    out += Link(IdOf(section), section.title);
  }
  if (!document.appendix.empty()) out += Link("appendix", "Appendix");
  if (has_figures) out += Link("explain", "Explain a figure");
  return out + "</ul></nav>\n";
}

std::string Connect(const ReportSection& section) {
  if (section.connect.empty()) return "";
  std::string out = "<div class=\"connect\"><p>To complete this section:</p>\n<ul>";
  for (const std::string& item : section.connect) out += "<li>" + EscapeHtml(item) + "</li>";
  return out + "</ul></div>\n";
}

// Charts stand before the table with the same numbers; a chart that has none gets its own.
std::string ChartsAndTables(const ReportSection& section, ChartData& data) {
  std::string out;
  for (const ReportChart& chart : section.charts) {
    if (TableOfChart(section, chart) != nullptr) continue;
    out += HtmlChart(chart, data.Add(chart)) + HtmlTable(ToTable(chart));
  }
  for (const ReportTable& table : section.tables) {
    for (const ReportChart& chart : section.charts) {
      if (TableOfChart(section, chart) == &table) out += HtmlChart(chart, data.Add(chart));
    }
    out += HtmlTable(table);
  }
  return out;
}

std::string Body(const ReportSection& section, std::string_view fact_style, ChartData& data) {
  std::string out;
  for (std::size_t i = 0; i < section.sentences.size(); ++i) {
    out += "<p class=\"" + std::string(i == 0 ? "lead" : "say") + "\">" +
           EscapeHtml(section.sentences[i]) + "</p>\n";
  }
  out += HtmlFacts(section.facts, fact_style);
  return out + ChartsAndTables(section, data) + Connect(section);
}

std::string Section(const ReportSection& section, std::string_view fact_style, ChartData& data) {
  const std::string id = IdOf(section);
  return "<section id=\"" + id + "\" aria-labelledby=\"" + id + "-title\">\n<h2 id=\"" + id +
         "-title\">" + EscapeHtml(section.title) + "</h2>\n" + Body(section, fact_style, data) +
         "</section>\n";
}

std::string Appendix(const ReportDocument& document, ChartData& data) {
  if (document.appendix.empty()) return "";
  std::string out =
      "<section id=\"appendix\" aria-labelledby=\"appendix-title\">\n"
      "<h2 id=\"appendix-title\">Appendix</h2>\n";
  for (const ReportSection& section : document.appendix) {
    out += "<details id=\"" + IdOf(section) + "\" data-print=\"open\"><summary><h3>" +
           EscapeHtml(section.title) + "</h3></summary>\n" + Body(section, "facts", data) +
           "</details>\n";
  }
  return out + "</section>\n";
}

std::string Explain(const std::vector<NamedFigure>& figures) {
  if (figures.empty()) return "";
  std::string out =
      "<section id=\"explain\" aria-labelledby=\"explain-title\">\n"
      "<h2 id=\"explain-title\">How to explain a figure</h2>\n"
      "<p class=\"say\">Each figure that is a sum of cost lines carries the command that lists the "
      "charges, hours, prices and rules behind it. Point at the figure to see the command, or "
      "take it from this list. Run it against the database that made this report.</p>\n"
      "<p class=\"example\"><code>" +
      EscapeHtml(ExplainCommand(figures[0].figure)) +
      "</code></p>\n<details class=\"commands\"><summary>All commands (" +
      std::to_string(figures.size()) + ")</summary>\n<dl class=\"list\">\n";
  for (const NamedFigure& named : figures) {
    out += "<div><dt>" + EscapeHtml(named.name) + "</dt><dd><code>" +
           EscapeHtml(ExplainCommand(named.figure)) + "</code></dd></div>\n";
  }
  return out + "</dl></details>\n</section>\n";
}

std::string Scripts(const ChartData& data) {
  return "<script type=\"application/json\" id=\"report-data\">" + data.ToScriptJson() +
         "</script>\n<script>" + std::string(ChartLibrary()) + "</script>\n<script>" +
         std::string(ChartScript()) + "</script>\n";
}

}  // namespace

std::string RenderHtml(const ReportDocument& document) {
  const std::vector<NamedFigure> figures = FiguresOf(document);
  ChartData data;
  std::string out = Head(document);
  out += "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header>\n<h1>" +
         std::string(kMark) + EscapeHtml(document.title) + "</h1>\n";
  if (!document.subtitle.empty()) {
    out += "<p class=\"subtitle\">" + EscapeHtml(document.subtitle) + "</p>\n";
  }
  out += HtmlFacts(document.header, "header") + "</header>\n";
  out += Navigation(document, !figures.empty()) + "<main id=\"main\" tabindex=\"-1\">\n";
  out += Section(document.summary, "cards", data);
  for (const ReportSection& section : document.dimensions) out += Section(section, "facts", data);
  out += Appendix(document, data) + Explain(figures) + "</main>\n";
  out +=
      "<footer><p>Money is shown to two places and hours to one; the JSON rendering has the exact "
      "text. A missing value is no data, never zero. Charts by Apache ECharts (Apache-2.0).</p>"
      "</footer>\n";
  return out + Scripts(data) + "</body>\n</html>\n";
}

}  // namespace plimsoll
