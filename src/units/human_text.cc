#include "units/human_text.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "units/money.h"

namespace plimsoll {
namespace {

struct Unit {
  std::string_view name;
  Duration length;
};
// Largest first.
constexpr Unit kUnits[] = {{"w", Days(7)},    {"d", Days(1)},    {"h", Hours(1)},
                           {"m", Minutes(1)}, {"s", Seconds(1)}, {"ms", Millis(1)}};
constexpr Duration kLongest = Days(36'525);
constexpr const char* kNumber = "0123456789.";
constexpr std::int64_t kBillion = 1'000'000'000;

std::string Quoted(std::string_view text) { return "'" + std::string(text.substr(0, 40)) + "'"; }

// A decimal from 0 to a billion, in billionths; -1 of anything else. Sums and text forms are
// those of Money.
int128 Billionths(std::string_view text) {
  const Result<Money> value = Money::Parse(text);
  const bool fits = value && *value >= Money() && *value <= Money::Units(kBillion);
  return fits ? value->nanos() : -1;
}

}  // namespace

Result<Duration> ParseSpan(std::string_view text) {
  const Error bad{ErrorCode::kInvalidArgument,
                  Quoted(text) +
                      " is not a length of time; write numbers with w, d, h, m, s or ms, such "
                      "as 45m, 1h30m or 4.5h"};
  if (text == "0") return Duration();
  int128 billionths = 0;  // of a millisecond
  std::size_t next_unit = 0;
  std::string_view rest = text;
  if (rest.empty()) return bad;
  while (!rest.empty()) {
    const std::size_t digits = std::min(rest.find_first_not_of(kNumber), rest.size());
    const std::size_t end = std::min(rest.find_first_of(kNumber, digits), rest.size());
    const int128 number = Billionths(rest.substr(0, digits));
    const std::string_view name = rest.substr(digits, end - digits);
    while (next_unit < std::size(kUnits) && kUnits[next_unit].name != name) ++next_unit;
    if (number < 0 || next_unit == std::size(kUnits)) return bad;
    billionths += number * kUnits[next_unit++].length.base();
    rest.remove_prefix(end);
  }
  if (billionths > int128{kLongest.base()} * Money::kNanosPerUnit) return bad;
  return Millis(static_cast<std::int64_t>(DivideHalfEven(billionths, Money::kNanosPerUnit)));
}

Result<std::int64_t> ParseShare(std::string_view text) {
  const Error bad{ErrorCode::kInvalidArgument,
                  Quoted(text) + " is no share; write 0.5, 50% or 3/6"};
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const int128 part = Billionths(text.substr(0, slash));
    const int128 whole = Billionths(text.substr(slash + 1));
    if (part < 0 || whole <= 0 || part > whole) return bad;
    return static_cast<std::int64_t>(DivideHalfEven(part * kBillion, whole));
  }
  const bool percent = text.ends_with('%');
  const std::int64_t most = percent ? 100 : 1;
  const int128 value = Billionths(text.substr(0, text.size() - (percent ? 1 : 0)));
  if (value < 0 || value > int128{most} * kBillion) return bad;
  return static_cast<std::int64_t>(DivideHalfEven(value, most));
}

std::optional<std::int64_t> ParseWhole(std::string_view text, std::int64_t least,
                                       std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = failure == std::errc() && end == text.data() + text.size();
  if (!is_whole || value < least || value > most) return std::nullopt;
  return value;
}

}  // namespace plimsoll
