#include "report/display.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "report/render.h"

namespace plimsoll {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool AllDigits(std::string_view text) {
  for (const char c : text) {
    if (!IsDigit(c)) return false;
  }
  return true;
}

// True if the digits after the last kept one, `rest`, round `kept` away from zero.
bool RoundsUp(std::string_view kept, std::string_view rest) {
  if (rest.empty() || rest[0] < '5') return false;
  if (rest[0] > '5' || rest.find_first_not_of('0', 1) != std::string_view::npos) return true;
  return !kept.empty() && (kept.back() - '0') % 2 == 1;
}

// Adds one to a run of digits: "199" -> "200", "99" -> "100".
void Increment(std::string& digits) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i] != '9') {
      ++digits[i];
      return;
    }
    digits[i] = '0';
  }
  digits.insert(digits.begin(), '1');
}

std::string Grouped(std::string_view digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace

std::optional<std::string> RoundAndGroup(std::string_view text, std::size_t places) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  if (whole.empty() || !AllDigits(whole) || !AllDigits(fraction)) return std::nullopt;
  if (point != std::string_view::npos && fraction.empty()) return std::nullopt;
  while (whole.size() > 1 && whole[0] == '0') whole.remove_prefix(1);

  std::string digits(whole);
  digits += fraction.substr(0, places);
  digits.append(places - std::min(places, fraction.size()), '0');
  if (fraction.size() > places && RoundsUp(digits, fraction.substr(places))) Increment(digits);

  const std::size_t split = digits.size() - places;
  std::string out = Grouped(std::string_view(digits).substr(0, split));
  if (places > 0) out += "." + digits.substr(split);
  const bool is_zero = digits.find_first_not_of('0') == std::string::npos;
  return negative && !is_zero ? "-" + out : out;
}

std::string DisplaySeconds(const std::string& text) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) return text;
  if (seconds < 120) return std::to_string(seconds) + " s";
  const std::int64_t minutes = seconds / 60;
  if (minutes < 120) return std::to_string(minutes) + " min";
  const std::string rest = std::to_string(minutes % 60);
  return std::to_string(minutes / 60) + " h " + (rest.size() < 2 ? "0" : "") + rest + " min";
}

bool IsNumeric(ValueKind kind) { return kind != ValueKind::kText; }

ValueKind KindOfUnit(std::string_view unit) {
  if (unit.ends_with("hours") || unit == "h") return ValueKind::kHours;
  if (unit == "%" || unit == "percent") return ValueKind::kPercent;
  if (unit.size() != 3) return ValueKind::kDecimal;
  for (const char c : unit) {
    if (c < 'A' || c > 'Z') return ValueKind::kDecimal;
  }
  return ValueKind::kMoney;
}

std::string DisplayInUnit(std::string_view value, std::string_view unit) {
  const ValueKind kind = KindOfUnit(unit);
  std::string out = Display(kind, std::string(value));
  if (kind != ValueKind::kPercent && !unit.empty()) out += " " + std::string(unit);
  return out;
}

std::string_view GpuTimeClass(std::string_view label) {
  static constexpr std::array<std::string_view, 12> kClasses = {
      "used",    "unused",     "startup",          "hung",     "usage_unknown", "busy_unattributed",
      "reserve", "quota_held", "scale_down_delay", "stranded", "waste",         "unavailable"};
  std::string name(label.substr(0, label.find(" (")));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '-') c = '_';
  }
  if (name == "start_up") name = "startup";
  for (const std::string_view known : kClasses) {
    if (name == known) return known;
  }
  return "";
}

std::string ExplainCommand(std::string_view figure) {
  std::string out = "plimsoll explain '";
  for (const char c : figure) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string Display(ValueKind kind, const Value& value) {
  if (!value) return "no data";
  switch (kind) {
    case ValueKind::kMoney:
      return RoundAndGroup(*value, 2).value_or(*value);
    case ValueKind::kHours:
      return RoundAndGroup(*value, 1).value_or(*value);
    case ValueKind::kCount:
      return RoundAndGroup(*value, 0).value_or(*value);
    case ValueKind::kPercent:
      return *value + " %";
    case ValueKind::kSeconds:
      return DisplaySeconds(*value);
    case ValueKind::kText:
    case ValueKind::kDecimal:
      break;
  }
  return *value;
}

std::string DisplayWithUnit(const ReportFact& fact) {
  std::string out = Display(fact.kind, fact.value);
  if (!fact.value || fact.unit.empty()) return out;
  if (fact.kind == ValueKind::kPercent && fact.unit == "%") return out;
  return out + " " + fact.unit;
}

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        // Control characters are not legal in HTML, except tab and line feed.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' ? '?' : c;
    }
  }
  return out;
}

}  // namespace plimsoll
