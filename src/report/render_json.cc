#include <nlohmann/json.hpp>

#include "report/display.h"
#include "report/render.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCountDigitsMax = 15;  // every reader of JSON keeps that many

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Counts and seconds are numbers; every other value stays the exact text.
Json ToJson(ValueKind kind, const Value& value) {
  if (!value) return Json();
  const bool is_whole = kind == ValueKind::kCount || kind == ValueKind::kSeconds;
  const bool is_count = is_whole && !value->empty() && value->size() <= kCountDigitsMax &&
                        value->find_first_not_of("0123456789") == std::string::npos;
  if (is_count) return Json(std::stoll(*value));
  return Json(*value);
}

Json ToJson(const std::vector<ReportFact>& facts) {
  Json out = Json::object();
  for (const ReportFact& fact : facts) {
    Json& item = out[fact.key];
    item["label"] = fact.label;
    item["value"] = ToJson(fact.kind, fact.value);
    item["unit"] = TextOrNull(fact.unit);
    item["figure"] = TextOrNull(fact.figure);
    item["note"] = TextOrNull(fact.note);
  }
  return out;
}

Json ToJson(const ReportChart& chart) {
  Json out = Json::object();
  out["caption"] = chart.caption;
  out["unit"] = TextOrNull(chart.unit);
  out["categories"] = chart.categories;
  out["series"] = Json::array();
  for (const ReportChart::Series& series : chart.series) {
    Json item = Json::object();
    item["name"] = series.name;
    item["values"] = series.values;
    out["series"].push_back(std::move(item));
  }
  return out;
}

Json ToJson(const ReportTable& table) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Json row = Json::object();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Value& value = c < table.rows[r].size() ? table.rows[r][c] : std::nullopt;
      row[table.columns[c].key] = ToJson(table.columns[c].kind, value);
    }
    if (r < table.figures.size()) row["figure"] = TextOrNull(table.figures[r]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json ToJson(const ReportSection& section) {
  Json out = Json::object();
  out["title"] = section.title;
  out["sentences"] = section.sentences;
  out["facts"] = ToJson(section.facts);
  out["tables"] = Json::object();
  for (const ReportTable& table : section.tables) out["tables"][table.key] = ToJson(table);
  out["charts"] = Json::object();
  for (const ReportChart& chart : section.charts) out["charts"][chart.key] = ToJson(chart);
  out["connect"] = section.connect;
  return out;
}

Json ToJson(const std::vector<ReportSection>& sections) {
  Json out = Json::object();
  for (const ReportSection& section : sections) out[section.key] = ToJson(section);
  return out;
}

}  // namespace

std::string RenderJson(const ReportDocument& document) {
  Json out = Json::object();
  out["title"] = document.title;
  out["subtitle"] = document.subtitle;
  out["header"] = ToJson(document.header);
  out["summary"] = ToJson(document.summary);
  out["dimensions"] = ToJson(document.dimensions);
  out["appendix"] = ToJson(document.appendix);
  // Text that is not UTF-8 is shown with the replacement character, never refused.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plimsoll
