#include "ingest/requests/request_value.h"

#include <algorithm>

#include "units/decimal.h"
#include "units/time.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kLengthMax = std::int64_t{30} * 365 * 24 * 3'600 * kNsPerSecond;
constexpr std::int64_t kTimeMax = 9'200'000'000 * kNsPerSecond;
// Nanos of 9.3 x 10^18, above every time and length: twice that times 10^9 fits 128 bits.
constexpr int128 kExactMax = int128{9'300'000'000'000'000'000U} * kNsPerSecond;
constexpr std::int64_t kCountMax = 1'000'000'000;
constexpr std::size_t kMinuteChars = 17;  // "2026-11-23T10:00:"

constexpr std::array<std::int64_t, 19> kPowers = [] {
  std::array<std::int64_t, 19> powers{};
  std::int64_t power = 1;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    powers[i] = power;
    if (i + 1 < powers.size()) power *= 10;
  }
  return powers;
}();

int DigitsOf(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds:
      return 9;
    case TimeUnit::kMillis:
      return 6;
    case TimeUnit::kMicros:
      return 3;
    case TimeUnit::kNanos:
      break;
  }
  return 0;
}

// At most 18 digits with a point among them, or a time in nanoseconds, which has 19: what nearly
// every value is.
bool ScanShort(std::string_view text, std::int64_t* digits, int* decimals) {
  if (text.empty() || text.size() > 19) return false;
  if (text.size() == 19 && text.front() >= '9') return false;
  std::int64_t value = 0;
  std::size_t point = text.size();
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      ++count;
      value = value * 10 + (c - '0');
    } else if (c == '.' && point == text.size()) {
      point = i;
    } else {
      return false;
    }
  }
  if (count == 0) return false;
  *digits = value;
  *decimals = point == text.size() ? 0 : static_cast<int>(text.size() - point - 1);
  return *decimals <= 18;
}

bool InRange(int128 value, std::int64_t max) { return -max <= value && value <= max; }

// The decimal times 10^places, rounded half to even.
ParsedValue Scale(std::string_view text, int places, std::int64_t max) {
  std::int64_t digits = 0;
  int decimals = 0;
  const bool negative = text.starts_with('-');
  if (ScanShort(negative ? text.substr(1) : text, &digits, &decimals)) {
    const int shift = places - decimals;
    const int128 value = shift >= 0
                             ? int128{digits} * kPowers[static_cast<std::size_t>(shift)]
                             : DivideHalfEven(digits, kPowers[static_cast<std::size_t>(-shift)]);
    if (!InRange(value, max)) return ParsedValue::Bad();
    return ParsedValue::Of(static_cast<std::int64_t>(negative ? -value : value));
  }
  if (IsNothing(text)) return {};
  const Result<ExactDecimal> exact = ExactDecimal::Parse(text);
  const int128 nanos = exact ? exact->floor().nanos() : 0;
  if (!exact || nanos > kExactMax || nanos < -kExactMax) return ParsedValue::Bad();
  // With nine places the rest decides; with fewer what lies below a nano only breaks ties.
  const int128 doubled = nanos * 2 + (exact->rest() != 0 ? 1 : 0);
  const std::int64_t scale = kPowers[static_cast<std::size_t>(places)];
  const int128 value = places == Money::kScale
                           ? exact->RoundHalfEven().nanos()
                           : DivideHalfEven(doubled * scale, int128{2} * Money::kNanosPerUnit);
  if (!InRange(value, max)) return ParsedValue::Bad();
  return ParsedValue::Of(static_cast<std::int64_t>(value));
}

}  // namespace

bool IsNothing(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 1 && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.size() > 8) return false;
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const char* word : {"-", "nan", "null", "none", "inf", "infinity", "n/a", "na", "<na>"}) {
    if (lower == word) return true;
  }
  return false;
}

ParsedValue ParseNanoseconds(std::string_view text, TimeUnit unit) {
  return Scale(text, DigitsOf(unit), kLengthMax);
}

ParsedValue ParseTokenCount(std::string_view text) {
  const ParsedValue nanos = Scale(text, 9, kCountMax * kNsPerSecond);
  if (nanos.state != ParsedValue::State::kValue) return nanos;
  if (nanos.value % kNsPerSecond != 0) return ParsedValue::Bad();
  return ParsedValue::Of(nanos.value / kNsPerSecond);
}

ParsedValue TimeReader::Read(std::string_view text, TimeUnit unit) {
  // A date has a dash behind its year; no number of ours has one there.
  if (text.size() >= 10 && text[4] == '-') return ReadText(text);
  return Scale(text, DigitsOf(unit), kTimeMax);
}

ParsedValue TimeReader::ReadText(std::string_view text) {
  if (text.size() < kMinuteChars || text[10] == ' ') {
    // The slow way, which also takes a bare date: the fraction is read apart, as an Instant
    // keeps milliseconds.
    std::string plain(text);
    if (plain.size() > 10) plain[10] = 'T';
    if (plain.size() >= kMinuteChars) return ReadText(plain);
    const Result<Instant> instant = ParseInstant(plain);
    if (!instant) return ParsedValue::Bad();
    return Scale(std::to_string(instant->base()), 6, kTimeMax);
  }
  if (minute_ != text.substr(0, kMinuteChars)) {
    const Result<Instant> instant = ParseInstant(std::string(text.substr(0, kMinuteChars - 1)));
    if (!instant || text[kMinuteChars - 1] != ':') return ParsedValue::Bad();
    const ParsedValue ns = Scale(std::to_string(instant->base()), 6, kTimeMax);
    if (ns.state != ParsedValue::State::kValue) return ns;
    minute_ = text.substr(0, kMinuteChars);
    minute_ns_ = ns.value;
  }
  std::string_view rest = text.substr(kMinuteChars);
  const std::size_t seconds = std::min(rest.find_first_not_of("0123456789."), rest.size());
  std::string_view zone = rest.substr(seconds);
  if (zone.starts_with(' ')) zone.remove_prefix(1);
  if (zone == "UTC") zone = "Z";
  std::string full_zone(zone);
  if (full_zone.size() == 3) full_zone += ":00";  // PostgreSQL writes +00
  rest = rest.substr(0, seconds);
  const ParsedValue second = Scale(rest, 9, 60 * kNsPerSecond);
  const bool is_second = rest.size() >= 2 && (rest.size() == 2 || rest[2] == '.');
  if (!is_second || second.state != ParsedValue::State::kValue ||
      second.value >= 60 * kNsPerSecond) {
    return ParsedValue::Bad();
  }
  std::int64_t offset_ns = 0;
  if (!zone.empty() && zone != "Z" && zone != "z") {
    const Result<Instant> shifted = ParseInstant("1970-01-02T00:00" + full_zone);
    if (!shifted) return ParsedValue::Bad();
    offset_ns = (Days(1).base() - shifted->base()) * 1'000'000;
  }
  return ParsedValue::Of(minute_ns_ + second.value - offset_ns);
}

Symbol SymbolMemo::Of(std::string_view text) {
  if (text.empty()) return {};
  std::size_t hash = text.size();
  const std::size_t step = text.size() / 8 + 1;
  for (std::size_t i = text.size(); i > 0; i -= std::min(step, i)) {
    hash = hash * 31 + static_cast<unsigned char>(text[i - 1]);
  }
  Symbol& slot = recent_[(hash ^ (hash >> 10)) % recent_.size()];
  if (slot != text) slot = Symbol(text);
  return slot;
}

}  // namespace plimsoll
