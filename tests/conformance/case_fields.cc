#include "conformance/case_fields.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace plimsoll {
namespace {

using Labels = std::map<std::string, std::string>;

// Prometheus has no other characters in label names: app.kubernetes.io/name is
// app_kubernetes_io_name there.
std::string Plain(std::string_view key) {
  std::string plain(key);
  for (char& c : plain) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return plain;
}

std::string Find(const Labels& labels, const std::string& key) {
  const auto exact = labels.find(key);
  if (exact != labels.end()) return exact->second;
  for (const auto& [name, value] : labels) {
    if (Plain(name) == Plain(key)) return value;
  }
  return "";
}

// The names that OpenCost's label configuration gives a meaning, and the label of each.
constexpr std::pair<const char*, const char*> kAliases[] = {{"department", "department"},
                                                            {"environment", "env"},
                                                            {"owner", "owner"},
                                                            {"product", "app"},
                                                            {"team", "team"}};

const char* AliasOf(const std::string& name) {
  const auto* const found = std::find_if(std::begin(kAliases), std::end(kAliases),
                                         [&](const auto& alias) { return name == alias.first; });
  return found == std::end(kAliases) ? nullptr : found->second;
}

std::string AliasValue(const CaseAllocation& row, const char* label) {
  const std::string value = Find(row.labels, label);
  return value.empty() ? Find(row.annotations, label) : value;
}

struct TextField {
  const char* name;
  std::string CaseAllocation::*text;
};
constexpr TextField kTextFields[] = {
    {"cluster", &CaseAllocation::cluster},
    {"node", &CaseAllocation::node},
    {"namespace", &CaseAllocation::ns},
    {"pod", &CaseAllocation::pod},
    {"container", &CaseAllocation::container},
    {"controllerKind", &CaseAllocation::controller_kind},
    {"providerID", &CaseAllocation::provider_id},
    // As filters call them.
    {"controllerName", &CaseAllocation::controller},
    {"provider", &CaseAllocation::provider_id},
};

const TextField* TextFieldOf(const std::string& name) {
  const auto* const found = std::find_if(std::begin(kTextFields), std::end(kTextFields),
                                         [&](const TextField& one) { return name == one.name; });
  return found == std::end(kTextFields) ? nullptr : found;
}

bool IsControllerKind(const std::string& name) {
  return name == "deployment" || name == "statefulset" || name == "daemonset" || name == "job";
}

bool IsMap(const std::string& field) { return field == "label" || field == "annotation"; }

Status CheckField(const std::string& field, const std::string& key) {
  const bool known = IsMap(field) || field == "services" || field == "controller" ||
                     TextFieldOf(field) != nullptr || AliasOf(field) != nullptr;
  if (known && (key.empty() || IsMap(field))) return Ok();
  return Error{ErrorCode::kInvalidArgument,
               "no field '" + field + (key.empty() ? "" : "[" + key + "]") + "' to filter by"};
}

// One text: "" is a value like another, and is also called __unallocated__.
bool TextHolds(const FilterComparison& comparison, const std::string& value) {
  return AnyHolds(comparison, value) || (value.empty() && AnyHolds(comparison, kUnallocated));
}

// A list, or the keys of a map: `:` and `~:` both ask for an element of that name.
bool ListHolds(FilterComparison comparison, const std::vector<std::string>& list) {
  if (comparison.op == FilterOperator::kContains) comparison.op = FilterOperator::kEquals;
  if (list.empty()) return AnyHolds(comparison, kUnallocated);
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& element) { return AnyHolds(comparison, element); });
}

bool Holds(const FilterComparison& comparison, const CaseAllocation& row) {
  if (const TextField* field = TextFieldOf(comparison.field)) {
    return TextHolds(comparison, row.*(field->text));
  }
  if (comparison.field == "controller") return TextHolds(comparison, row.controller);
  if (comparison.field == "services") return ListHolds(comparison, row.services);
  if (const char* label = AliasOf(comparison.field)) {
    return TextHolds(comparison, AliasValue(row, label));
  }
  const Labels& labels = comparison.field == "label" ? row.labels : row.annotations;
  if (!comparison.key.empty()) return TextHolds(comparison, Find(labels, comparison.key));
  std::vector<std::string> keys;
  for (const auto& [key, value] : labels) keys.push_back(key);
  return ListHolds(comparison, keys);
}

}  // namespace

Result<std::string> AggregateValue(const CaseAllocation& row, const std::string& aggregate) {
  std::string value;
  if (aggregate.starts_with("label:")) {
    value = Find(row.labels, aggregate.substr(6));
  } else if (aggregate.starts_with("annotation:")) {
    value = Find(row.annotations, aggregate.substr(11));
  } else if (aggregate == "controller") {
    value = row.controller;
    if (!value.empty() && !row.controller_kind.empty()) value = row.controller_kind + ":" + value;
  } else if (aggregate == "service") {
    if (!row.services.empty()) value = row.services.front();
  } else if (IsControllerKind(aggregate)) {
    if (row.controller_kind == aggregate) value = row.controller;
  } else if (const TextField* field = TextFieldOf(aggregate)) {
    value = row.*(field->text);
  } else if (const char* label = AliasOf(aggregate)) {
    value = AliasValue(row, label);
  } else {
    return Error{ErrorCode::kBadData, "no aggregate '" + aggregate + "'"};
  }
  return value.empty() ? kUnallocated : value;
}

Result<FilterTree> ParseCaseFilter(const std::string& text) {
  return ParseFilterTree(text, CheckField);
}

bool MatchesCase(const FilterTree& filter, const CaseAllocation& row) {
  return Matches(filter, [&](const FilterComparison& comparison) {
    return Holds(comparison, row) != comparison.negated;
  });
}

}  // namespace plimsoll
