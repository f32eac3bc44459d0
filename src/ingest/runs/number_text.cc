#include "ingest/runs/number_text.h"

#include <limits>

#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr std::size_t kDigitsMax = 100;  // longer is no figure of a training loop
constexpr std::int64_t kYear1Millis = -62'135'596'800'000;
constexpr std::int64_t kYear10000Millis = 253'402'300'800'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t TakeDigits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

bool IsDecimal(std::string_view text) {
  if (text.size() > kDigitsMax) return false;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  std::size_t digits = TakeDigits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += TakeDigits(text);
  }
  if (digits == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return TakeDigits(text) > 0 && text.empty();
}

std::optional<Instant> InYears(int128 millis) {
  if (millis < kYear1Millis || millis >= kYear10000Millis) return std::nullopt;
  return AtMillis(static_cast<std::int64_t>(millis));
}

int128 FloorDivide(int128 value, int128 by) { return value / by - (value % by < 0 ? 1 : 0); }

}  // namespace

std::optional<std::string> NumberText(std::string_view text) {
  if (IsDecimal(text)) return std::string(text);
  std::string lower;
  for (const char c : text.substr(0, kDigitsMax)) {
    lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  const bool negative = lower.starts_with('-');
  if (negative || lower.starts_with('+')) lower.erase(0, 1);
  if (lower == "nan") return lower;
  if (lower == "inf" || lower == "infinity") return std::string(negative ? "-inf" : "inf");
  return std::nullopt;
}

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  if (!IsDecimal(text)) return std::nullopt;
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  if (!value || !value->is_nano_exact()) return std::nullopt;
  const int128 nanos = value->floor().nanos();
  if (nanos % Money::kNanosPerUnit != 0) return std::nullopt;
  const int128 whole = nanos / Money::kNanosPerUnit;
  if (whole < std::numeric_limits<std::int64_t>::min() ||
      whole > std::numeric_limits<std::int64_t>::max()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(whole);
}

std::optional<Instant> EpochSeconds(std::string_view text) {
  if (!IsDecimal(text)) return std::nullopt;
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  if (!value) return std::nullopt;
  return InYears(FloorDivide(value->floor().nanos(), 1'000'000));
}

std::optional<Instant> EpochMillis(std::string_view text) {
  if (!IsDecimal(text)) return std::nullopt;
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  if (!value) return std::nullopt;
  return InYears(FloorDivide(value->floor().nanos(), Money::kNanosPerUnit));
}

}  // namespace plimsoll
