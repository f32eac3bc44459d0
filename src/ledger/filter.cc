#include "ledger/filter.h"

#include <array>
#include <vector>

#include "base/limits.h"
#include "ledger/fields.h"

namespace plimsoll {
namespace {

struct Operator {
  std::string_view text;
  bool negated;
  const char* pattern;  // SQL with %F for the field and ? for the value
};
// Longest first, so that "!<~:" is not read as something shorter.
constexpr std::array<Operator, 8> kOperators{{
    {"!<~:", true, "starts_with(%F, ?)"},
    {"!~>:", true, "ends_with(%F, ?)"},
    {"!~:", true, "contains(%F, ?)"},
    {"<~:", false, "starts_with(%F, ?)"},
    {"~>:", false, "ends_with(%F, ?)"},
    {"!:", true, "%F = ?"},
    {"~:", false, "contains(%F, ?)"},
    {":", false, "%F = ?"},
}};

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool IsBareValueChar(char c) {
  return IsNameChar(c) || c == '-' || c == '.' || c == '/' || c == '@';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<SqlCondition> Parse() {
    SkipSpaces();
    if (AtEnd()) return SqlCondition{"true", {}};
    PLIMSOLL_TRY(const std::string sql, Group(0));
    if (!AtEnd()) return Expected("'+', '|' or the end");
    return SqlCondition{sql, params_};
  }

 private:
  // element (('+' | '|') element)*, with one kind of operator a group.
  Result<std::string> Group(int depth) {
    if (depth > kNestingMax) return Expected("fewer parentheses");
    PLIMSOLL_TRY(std::string sql, Element(depth));
    char joined_by = 0;
    while (!AtEnd() && (Peek() == '+' || Peek() == '|')) {
      if (joined_by != 0 && Peek() != joined_by) {
        return Expected("parentheses: '+' and '|' may not be mixed on one level");
      }
      joined_by = Peek();
      Advance();
      PLIMSOLL_TRY(const std::string next, Element(depth));
      sql += (joined_by == '+' ? " AND " : " OR ") + next;
    }
    return "(" + sql + ")";
  }

  Result<std::string> Element(int depth) {
    if (!AtEnd() && Peek() == '(') {
      Advance();
      PLIMSOLL_TRY(std::string inner, Group(depth + 1));
      if (AtEnd() || Peek() != ')') return Expected("')'");
      Advance();
      return inner;
    }
    return Comparison();
  }

  Result<std::string> Comparison() {
    std::string name;
    while (at_ < text_.size() && IsNameChar(text_[at_])) name += text_[at_++];
    if (name.empty()) return Expected("a field name or '('");
    PLIMSOLL_TRY(const LedgerField* field, FindLedgerField(name));
    SkipSpaces();
    for (const Operator& op : kOperators) {
      if (text_.substr(at_).starts_with(op.text)) {
        at_ += op.text.size();
        SkipSpaces();
        return Values(SqlOf(*field), op);
      }
    }
    return Expected("an operator such as ':' or '!:' after '" + name + "'");
  }

  Result<std::string> Values(const std::string& field_sql, const Operator& op) {
    std::string sql;
    do {
      PLIMSOLL_TRY(std::string value, Value());
      params_.push_back(std::move(value));
      std::string one = op.pattern;
      one.replace(one.find("%F"), 2, field_sql);
      sql += (sql.empty() ? "" : " OR ") + one;
    } while (TakeComma());
    return op.negated ? "(NOT (" + sql + "))" : "(" + sql + ")";
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
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek() const { return text_[at_]; }
  Error Expected(const std::string& what) const {
    return {ErrorCode::kInvalidArgument, "filter '" + std::string(text_) + "', character " +
                                             std::to_string(at_ + 1) + ": expected " + what};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  SqlParams params_;
};

}  // namespace

Result<SqlCondition> ParseFilter(std::string_view text) { return Parser(text).Parse(); }

}  // namespace plimsoll
