#include "ledger/filter.h"

#include "base/check.h"
#include "ledger/fields.h"

namespace plimsoll {
namespace {

// SQL with %F for the field and ? for the value.
std::string PatternOf(FilterOperator op) {
  switch (op) {
    case FilterOperator::kEquals:
      return "%F = ?";
    case FilterOperator::kContains:
      return "contains(%F, ?)";
    case FilterOperator::kBeginsWith:
      return "starts_with(%F, ?)";
    case FilterOperator::kEndsWith:
      return "ends_with(%F, ?)";
  }
  return "";
}

std::string SqlOf(const FilterComparison& comparison, SqlParams& params) {
  const Result<const LedgerField*> field = FindLedgerField(comparison.field);
  PLIMSOLL_CHECK(field.has_value());  // CheckField let it pass
  std::string sql;
  for (const std::string& value : comparison.values) {
    params.push_back(value);
    std::string one = PatternOf(comparison.op);
    one.replace(one.find("%F"), 2, SqlOf(**field));
    sql += (sql.empty() ? "" : " OR ") + one;
  }
  return comparison.negated ? "(NOT (" + sql + "))" : "(" + sql + ")";
}

std::string SqlOf(const FilterTree& tree, SqlParams& params) {
  if (tree.kind == FilterTree::Kind::kAll) return "true";
  if (tree.kind == FilterTree::Kind::kComparison) return SqlOf(tree.comparison, params);
  std::string sql;
  for (const FilterTree& child : tree.children) {
    if (!sql.empty()) sql += tree.kind == FilterTree::Kind::kAnd ? " AND " : " OR ";
    sql += SqlOf(child, params);
  }
  return "(" + sql + ")";
}

Status CheckField(const std::string& name, const std::string& key) {
  PLIMSOLL_TRY(const LedgerField* field, FindLedgerField(name));
  if (key.empty()) return Ok();
  return Error{ErrorCode::kInvalidArgument, "field '" + std::string(field->name) +
                                                "' has no keys: write " + field->name +
                                                ":\"VALUE\" without [" + key + "]"};
}

}  // namespace

Result<FilterTree> ParseLedgerFilter(std::string_view text) {
  return ParseFilterTree(text, CheckField);
}

Result<SqlCondition> ParseFilter(std::string_view text) {
  PLIMSOLL_TRY(const FilterTree tree, ParseLedgerFilter(text));
  SqlCondition condition;
  condition.sql = SqlOf(tree, condition.params);
  return condition;
}

}  // namespace plimsoll
