#include "ledger/filter_tree.h"

#include <algorithm>
#include <array>

#include "base/limits.h"

namespace plimsoll {
namespace {

struct Spelling {
  std::string_view text;
  bool negated;
  FilterOperator op;
};
// Longest first, so that "!<~:" is not read as something shorter.
constexpr std::array<Spelling, 8> kOperators{{
    {"!<~:", true, FilterOperator::kBeginsWith},
    {"!~>:", true, FilterOperator::kEndsWith},
    {"!~:", true, FilterOperator::kContains},
    {"<~:", false, FilterOperator::kBeginsWith},
    {"~>:", false, FilterOperator::kEndsWith},
    {"!:", true, FilterOperator::kEquals},
    {"~:", false, FilterOperator::kContains},
    {":", false, FilterOperator::kEquals},
}};

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool IsBareValueChar(char c) {
  return IsNameChar(c) || c == '-' || c == '.' || c == '/' || c == '@';
}
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Parser {
 public:
  Parser(std::string_view text, const FilterFieldCheck& check) : text_(text), check_(check) {}

  Result<FilterTree> Parse() {
    SkipSpaces();
    if (AtEnd()) return FilterTree();
    PLIMSOLL_TRY(FilterTree tree, Group(0));
    if (!AtEnd()) return Expected("'+', '|' or the end");
    return tree;
  }

 private:
  // element (('+' | '|') element)*, with one kind of operator a group.
  Result<FilterTree> Group(int depth) {
    if (depth > kNestingMax) return Expected("fewer parentheses");
    FilterTree group;
    group.kind = FilterTree::Kind::kAnd;
    PLIMSOLL_TRY(FilterTree first, Element(depth));
    group.children.push_back(std::move(first));
    char joined_by = 0;
    while (!AtEnd() && (Peek() == '+' || Peek() == '|')) {
      if (joined_by != 0 && Peek() != joined_by) {
        return Expected("parentheses: '+' and '|' may not be mixed on one level");
      }
      joined_by = Peek();
      Advance();
      PLIMSOLL_TRY(FilterTree next, Element(depth));
      group.children.push_back(std::move(next));
    }
    if (joined_by == '|') group.kind = FilterTree::Kind::kOr;
    return group;
  }

  Result<FilterTree> Element(int depth) {
    if (!AtEnd() && Peek() == '(') {
      Advance();
      PLIMSOLL_TRY(FilterTree inner, Group(depth + 1));
      if (AtEnd() || Peek() != ')') return Expected("')'");
      Advance();
      return inner;
    }
    return Comparison();
  }

  Result<FilterTree> Comparison() {
    FilterTree tree;
    tree.kind = FilterTree::Kind::kComparison;
    FilterComparison& comparison = tree.comparison;
    while (at_ < text_.size() && IsNameChar(text_[at_])) comparison.field += text_[at_++];
    if (comparison.field.empty()) return Expected("a field name or '('");
    PLIMSOLL_RETURN_IF_ERROR(Key(comparison.key));
    PLIMSOLL_RETURN_IF_ERROR(check_(comparison.field, comparison.key));
    SkipSpaces();
    for (const Spelling& spelling : kOperators) {
      if (!text_.substr(at_).starts_with(spelling.text)) continue;
      at_ += spelling.text.size();
      SkipSpaces();
      comparison.op = spelling.op;
      comparison.negated = spelling.negated;
      PLIMSOLL_RETURN_IF_ERROR(Values(comparison.values));
      return tree;
    }
    return Expected("an operator such as ':' or '!:' after '" + comparison.field + "'");
  }

  // "[app]", or nothing.
  Status Key(std::string& key) {
    if (AtEnd() || Peek() != '[') return Ok();
    const std::size_t close = text_.find(']', at_);
    if (close == std::string_view::npos) return Expected("a closing ']'");
    key = text_.substr(at_ + 1, close - at_ - 1);
    if (key.empty()) return Expected("a key between '[' and ']'");
    at_ = close + 1;
    return Ok();
  }

  Status Values(std::vector<std::string>& values) {
    do {
      PLIMSOLL_TRY(std::string value, Value());
      values.push_back(std::move(value));
    } while (TakeComma());
    return Ok();
  }

  Result<std::string> Value() {
    std::string value;
    if (!AtEnd() && Peek() == '"') {
      const std::size_t close = text_.find('"', at_ + 1);
      if (close == std::string_view::npos) return Expected("a closing '\"'");
      value = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
    } else {
      while (at_ < text_.size() && IsBareValueChar(text_[at_])) value += text_[at_++];
      if (value.empty()) return Expected("a value, in double quotes");
    }
    SkipSpaces();
    return value;
  }

  bool TakeComma() {
    if (AtEnd() || Peek() != ',') return false;
    Advance();
    return true;
  }
  void Advance() {
    ++at_;
    SkipSpaces();
  }
  void SkipSpaces() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek() const { return text_[at_]; }
  Error Expected(const std::string& what) const {
    return {ErrorCode::kInvalidArgument, "filter '" + std::string(text_) + "', character " +
                                             std::to_string(at_ + 1) + ": expected " + what};
  }

  std::string_view text_;
  const FilterFieldCheck& check_;
  std::size_t at_ = 0;
};

bool Holds(FilterOperator op, std::string_view value, std::string_view wanted) {
  switch (op) {
    case FilterOperator::kEquals:
      return value == wanted;
    case FilterOperator::kContains:
      return value.find(wanted) != std::string_view::npos;
    case FilterOperator::kBeginsWith:
      return value.starts_with(wanted);
    case FilterOperator::kEndsWith:
      return value.ends_with(wanted);
  }
  return false;
}

}  // namespace

Result<FilterTree> ParseFilterTree(std::string_view text, const FilterFieldCheck& check) {
  return Parser(text, check).Parse();
}

bool Matches(const FilterTree& tree, const FilterTest& test) {
  const auto matches = [&](const FilterTree& child) { return Matches(child, test); };
  switch (tree.kind) {
    case FilterTree::Kind::kAll:
      return true;
    case FilterTree::Kind::kAnd:
      return std::all_of(tree.children.begin(), tree.children.end(), matches);
    case FilterTree::Kind::kOr:
      return std::any_of(tree.children.begin(), tree.children.end(), matches);
    case FilterTree::Kind::kComparison:
      return test(tree.comparison);
  }
  return false;
}

bool AnyHolds(const FilterComparison& comparison, std::string_view value) {
  return std::any_of(
      comparison.values.begin(), comparison.values.end(),
      [&](const std::string& wanted) { return Holds(comparison.op, value, wanted); });
}

}  // namespace plimsoll
