#include "ingest/runs/json_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/limits.h"
#include "store/utf8.h"

namespace plimsoll {
namespace {

// "null", "true" and "false" are no numbers; the others are Python's, and some are.
constexpr std::array<std::string_view, 6> kWords{"null", "true",     "false",
                                                 "NaN",  "Infinity", "-Infinity"};
constexpr std::uint32_t kReplacement = 0xFFFD;

void AppendUtf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

class Parser {
 public:
  Parser(std::string_view text, JsonFault& fault) : text_(text), fault_(fault) {}

  bool Document(JsonText& value) {
    SkipSpace();
    if (!Value(value, 0)) return false;
    SkipSpace();
    return at_ == text_.size() || Fail("something follows the value");
  }

 private:
  bool Fail(const char* reason) {
    if (!fault_.reason.empty()) return false;
    fault_ = {at_, at_ >= text_.size(), reason};
    if (fault_.cut) fault_.reason = "the text ends too early";
    return false;
  }

  void SkipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool Value(JsonText& value, int depth) {
    if (depth >= kNestingMax) return Fail("it nests too deep");
    if (at_ >= text_.size()) return Fail("a value is missing");
    switch (text_[at_]) {
      case '{':
        return Object(value, depth);
      case '[':
        return Array(value, depth);
      case '"':
        value.kind = JsonKind::kString;
        return String(value.text);
      default:
        return Scalar(value);
    }
  }

  bool Object(JsonText& value, int depth) {
    value.kind = JsonKind::kObject;
    ++at_;
    SkipSpace();
    if (Take('}')) return true;
    for (;;) {
      SkipSpace();
      auto& [name, member] = value.members.emplace_back();
      if (at_ >= text_.size() || text_[at_] != '"') return Fail("a name in quotes is missing");
      if (!String(name)) return false;
      SkipSpace();
      if (!Take(':')) return Fail("':' is missing after a name");
      SkipSpace();
      if (!Value(member, depth + 1)) return false;
      SkipSpace();
      if (Take('}')) return true;
      if (!Take(',')) return Fail("',' or '}' is missing after a value");
    }
  }

  bool Array(JsonText& value, int depth) {
    value.kind = JsonKind::kArray;
    ++at_;
    SkipSpace();
    if (Take(']')) return true;
    for (;;) {
      SkipSpace();
      if (!Value(value.items.emplace_back(), depth + 1)) return false;
      SkipSpace();
      if (Take(']')) return true;
      if (!Take(',')) return Fail("',' or ']' is missing after a value");
    }
  }

  bool String(std::string& out) {
    const std::size_t begin = ++at_;
    for (;;) {
      if (at_ >= text_.size()) return Fail("a text is not closed");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') break;
      if (c < 0x20) return Fail("a text holds a control character");
      ++at_;
      if (c != '\\') {
        out.push_back(static_cast<char>(c));
      } else if (!Escape(out)) {
        return false;
      }
    }
    ++at_;
    if (IsUtf8(out)) return true;
    at_ = begin;
    return Fail("a text is not UTF-8");
  }

  bool Escape(std::string& out) {
    if (at_ >= text_.size()) return Fail("a text is not closed");
    constexpr std::string_view kShort = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (const std::size_t found = kShort.find(text_[at_]); found != kShort.npos) {
      out.push_back(kMeant[found]);
      ++at_;
      return true;
    }
    if (!Take('u')) return Fail("a text holds an unknown escape");
    std::uint32_t code = 0;
    if (!Hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      const std::size_t before = at_;
      at_ += 2;
      std::uint32_t low = 0;
      if (!Hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = before;
      }
    }
    AppendUtf8(out, code >= 0xD800 && code < 0xE000 ? kReplacement : code);
    return true;
  }

  bool Hex(std::uint32_t& code) {
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ >= text_.size()) return Fail("a text is not closed");
      const char c = text_[at_];
      const bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!is_letter && (c < '0' || c > '9')) return Fail("a \\u escape needs four digits");
      const int digit = is_letter ? (c | 0x20) - 'a' + 10 : c - '0';
      code = code << 4 | static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  // True if the text ends within a number or a word that is right so far.
  bool IsBegun(std::string_view word) const {
    if (at_ < text_.size()) return false;
    if (word == "-" || word == "+") return true;
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](std::string_view whole) { return whole.starts_with(word); });
  }

  // A number, or a word. What of them is right is for whoever reads the value to say.
  bool Scalar(JsonText& value) {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n,:]}[{\"").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    value.text = word;
    if (word == "null") {
      value.kind = JsonKind::kNull;
      return true;
    }
    if (word == "true" || word == "false") {
      value.kind = JsonKind::kBool;
      return true;
    }
    value.kind = JsonKind::kNumber;
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
    const bool is_number = !word.empty() &&
                           word.find_first_not_of("+-.eE0123456789") == word.npos &&
                           word.find_first_of("0123456789") != word.npos;
    if (is_number) return true;
    if (!IsBegun(word)) at_ = begin;
    return Fail("a value is neither a number nor a text");
  }

  std::string_view text_;
  JsonFault& fault_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonText* JsonText::Find(std::string_view name) const {
  for (auto at = members.rbegin(); at != members.rend(); ++at) {
    if (at->name == name) return &at->value;
  }
  return nullptr;
}

bool ParseJsonText(std::string_view text, JsonText& value, JsonFault& fault) {
  value = {};
  fault = {};
  return Parser(text, fault).Document(value);
}

}  // namespace plimsoll
