#include "ingest/requests/json_value.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/limits.h"

namespace plimsoll {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<JsonValue> Take() {
    JsonValue value;
    PLIMSOLL_RETURN_IF_ERROR(Value(value, 0));
    return value;
  }
  std::size_t at() const { return at_; }
  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

 private:
  Error Bad(const std::string& what) const {
    return {ErrorCode::kBadData,
            "is not JSON at character " + std::to_string(at_ + 1) + ": " + what};
  }
  Error CutShort() const { return {ErrorCode::kOutOfRange, "is not JSON: it ends within a value"}; }
  bool Ends() const { return at_ == text_.size(); }

  Status Value(JsonValue& value, int depth) {
    if (depth > kNestingMax) return Bad("it is nested too deep");
    SkipBlanks();
    if (Ends()) return CutShort();
    switch (text_[at_]) {
      case '{':
        return Object(value, depth);
      case '[':
        return Array(value, depth);
      case '"':
        value.kind = JsonValue::Kind::kText;
        return Text(value.text);
      default:
        return Word(value);
    }
  }

  Status Object(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::kObject;
    ++at_;
    SkipBlanks();
    if (!Ends() && text_[at_] == '}') return ++at_, Ok();
    for (;;) {
      SkipBlanks();
      if (Ends()) return CutShort();
      if (text_[at_] != '"') return Bad("a key in quotes is missing");
      auto& [key, member] = value.members.emplace_back();
      PLIMSOLL_RETURN_IF_ERROR(Text(key));
      SkipBlanks();
      if (Ends()) return CutShort();
      if (text_[at_++] != ':') return --at_, Bad("a colon is missing");
      PLIMSOLL_RETURN_IF_ERROR(Value(member, depth + 1));
      PLIMSOLL_TRY(const bool more, More('}'));
      if (!more) return Ok();
    }
  }

  Status Array(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::kArray;
    ++at_;
    SkipBlanks();
    if (!Ends() && text_[at_] == ']') return ++at_, Ok();
    for (;;) {
      PLIMSOLL_RETURN_IF_ERROR(Value(value.items.emplace_back(), depth + 1));
      PLIMSOLL_TRY(const bool more, More(']'));
      if (!more) return Ok();
    }
  }

  // Takes the comma before another element, or the bracket at the end.
  Result<bool> More(char end) {
    SkipBlanks();
    if (Ends()) return CutShort();
    const char c = text_[at_];
    if (c != ',' && c != end) return Bad(std::string("a comma or ") + end + " is missing");
    ++at_;
    return c == ',';
  }

  // A number, true, false, null, or Python's NaN, Infinity and -Infinity, which are null.
  Status Word(JsonValue& value) {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]}:\"[{", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    if (word == "true" || word == "false") {
      value.kind = JsonValue::Kind::kBoolean;
    } else if (IsNumber(word)) {
      value.kind = JsonValue::Kind::kNumber;
    } else if (word == "null" || word == "NaN" || word == "Infinity" || word == "-Infinity") {
      at_ = end;
      return Ok();
    } else {
      return end == text_.size() ? Status(CutShort()) : Status(Bad("a value is expected"));
    }
    value.text = word;
    at_ = end;
    return Ok();
  }

  static bool IsNumber(std::string_view word) {
    if (word.starts_with('-')) word.remove_prefix(1);
    if (word.empty() || word.front() < '0' || word.front() > '9') return false;
    return word.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  }

  Status Text(std::string& out) {
    ++at_;
    for (;;) {
      const std::size_t stop = text_.find_first_of("\"\\", at_);
      if (stop == std::string_view::npos) return at_ = text_.size(), CutShort();
      out.append(text_.substr(at_, stop - at_));
      at_ = stop + 1;
      if (text_[stop] == '"') return Ok();
      if (Ends()) return CutShort();
      PLIMSOLL_RETURN_IF_ERROR(Escape(out));
    }
  }

  Status Escape(std::string& out) {
    const char c = text_[at_++];
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t i = kNames.find(c); i != std::string_view::npos) {
      out += kMeanings[i];
      return Ok();
    }
    if (c != 'u') return Bad("an escape that does not exist");
    std::optional<std::uint32_t> code = Hex();
    if (!code) return Ends() ? Status(CutShort()) : Status(Bad("four hex digits are missing"));
    if (*code >= 0xD800 && *code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      const std::optional<std::uint32_t> low = Hex();
      if (!low) return Ends() ? Status(CutShort()) : Status(Bad("four hex digits are missing"));
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low & 0x3FF);
    }
    // Half of a pair is no character.
    if (*code >= 0xD800 && *code < 0xE000) code = 0xFFFD;
    AppendUtf8(*code, out);
    return Ok();
  }

  std::optional<std::uint32_t> Hex() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      if (Ends()) return std::nullopt;
      const char c = text_[at_];
      const std::size_t digit =
          std::string_view("0123456789abcdef")
              .find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
      if (digit == std::string_view::npos) return std::nullopt;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return code;
  }

  static void AppendUtf8(std::uint32_t code, std::string& out) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
      put(0xC0 | (code >> 6));
    } else {
      if (code < 0x10000) {
        put(0xE0 | (code >> 12));
      } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
      }
      put(0x80 | ((code >> 6) & 0x3F));
    }
    put(0x80 | (code & 0x3F));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonValue* JsonValue::Find(std::string_view key) const {
  const JsonValue* found = nullptr;
  for (const auto& [name, value] : members) {
    if (name == key) found = &value;
  }
  return found == nullptr || found->kind == Kind::kNull ? nullptr : found;
}

const JsonValue* JsonValue::FindPath(std::string_view path) const {
  const JsonValue* value = this;
  for (std::size_t from = 0; value != nullptr && from <= path.size();) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    if (value->kind == Kind::kText && value->text.starts_with('{')) {
      if (value->parsed_.empty()) {
        Result<JsonValue> inner = ParseJson(value->text);
        value->parsed_.push_back(inner ? *std::move(inner) : JsonValue());
      }
      value = &value->parsed_.front();
    }
    value = value->Find(path.substr(from, slash - from));
    from = slash + 1;
  }
  return value;
}

std::string_view JsonValue::Scalar() const {
  const bool is_scalar = kind == Kind::kBoolean || kind == Kind::kNumber || kind == Kind::kText;
  return is_scalar ? std::string_view(text) : std::string_view();
}

Result<JsonValue> TakeJson(std::string_view& text) {
  Parser parser(text);
  PLIMSOLL_TRY(JsonValue value, parser.Take());
  text.remove_prefix(parser.at());
  return value;
}

Result<JsonValue> ParseJson(std::string_view text) {
  PLIMSOLL_TRY(JsonValue value, TakeJson(text));
  if (text.find_first_not_of(kBlanks) != std::string_view::npos) {
    return Error{ErrorCode::kBadData, "is not JSON: text follows the value"};
  }
  return value;
}

}  // namespace plimsoll
