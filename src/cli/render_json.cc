#include <nlohmann/json.hpp>

#include "cli/render.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

// Broken UTF-8 of the data becomes U+FFFD: the output is always valid JSON.
std::string Dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ListJson(const std::string& joined) {
  Json list = Json::array();
  std::size_t begin = 0;
  while (!joined.empty() && begin <= joined.size()) {
    const std::size_t end = std::min(joined.find('\n', begin), joined.size());
    list.push_back(joined.substr(begin, end - begin));
    begin = end + 1;
  }
  return Dump(list);
}

// A number is passed on as written, so that no digit is lost; text that is none is a string.
std::string CellJson(CellKind kind, const Cell& cell) {
  if (!cell) return kind == CellKind::kList ? "[]" : "null";
  if (kind == CellKind::kList) return ListJson(*cell);
  if (kind == CellKind::kBoolean) return *cell == "true" ? "true" : "false";
  if (kind == CellKind::kNumber && Json::accept(*cell) &&
      cell->find_first_not_of("0123456789-+.eE") == std::string::npos) {
    return *cell;
  }
  return Dump(Json(*cell));
}

// "categories" of "categories.Tax", "" of a name without a point.
std::string GroupOf(const std::string& name) {
  const std::size_t point = name.find('.');
  return point == std::string::npos ? "" : name.substr(0, point);
}

// Neighbours named group.member become one object: "group": {"member": ...}.
std::string RowJson(const Table& table, const Row& row) {
  std::string text = "{";
  std::string group;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i].name;
    const std::string next = GroupOf(name);
    const bool opens = next != group;
    if (opens && !group.empty()) text += "}";
    if (i > 0) text += ", ";
    if (opens && !next.empty()) text += Dump(Json(next)) + ": {";
    group = next;
    const Cell cell = i < row.size() ? row[i] : std::nullopt;
    text += Dump(Json(next.empty() ? name : name.substr(next.size() + 1))) + ": " +
            CellJson(table.columns[i].kind, cell);
  }
  return text + (group.empty() ? "}" : "}}");
}

std::string RowsJson(const Table& table, const std::string& indent) {
  if (table.rows.empty()) return "[]";
  std::string text;
  for (const Row& row : table.rows) {
    text += (text.empty() ? "[\n" : ",\n") + indent + "  " + RowJson(table, row);
  }
  return text + "\n" + indent + "]";
}

}  // namespace

std::string RenderJson(const Table& table) { return RowsJson(table, "") + "\n"; }

std::string RenderJson(const Answer& answer) {
  std::string text = "{";
  const auto add = [&](const std::string& name, const std::string& value) {
    text += (text.size() > 1 ? ",\n  " : "\n  ") + Dump(Json(name)) + ": " + value;
  };
  for (std::size_t i = 0; i < answer.facts.size();) {
    const std::string group = GroupOf(answer.facts[i].name);
    if (group.empty()) {
      add(answer.facts[i].name, CellJson(answer.facts[i].kind, answer.facts[i].value));
      ++i;
      continue;
    }
    std::string members;
    for (; i < answer.facts.size() && GroupOf(answer.facts[i].name) == group; ++i) {
      const Fact& fact = answer.facts[i];
      members += (members.empty() ? "" : ", ") + Dump(Json(fact.name.substr(group.size() + 1))) +
                 ": " + CellJson(fact.kind, fact.value);
    }
    add(group, "{" + members + "}");
  }
  for (const Table& table : answer.tables) add(table.name, RowsJson(table, "  "));
  return text + "\n}\n";
}

}  // namespace plimsoll
