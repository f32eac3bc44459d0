#include "config/duration.h"

#include <string>

namespace plimsoll {
namespace {

struct Unit {
  std::string_view name;
  Duration length;
};
// Largest first. "ms" is told from "m" by taking all letters that follow the digits.
constexpr Unit kUnits[] = {{"w", Days(7)},    {"d", Days(1)},    {"h", Hours(1)},
                           {"m", Minutes(1)}, {"s", Seconds(1)}, {"ms", Millis(1)}};
constexpr Duration kLongest = Days(3660);

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Result<Duration> ParseDuration(std::string_view text) {
  const Error bad{ErrorCode::kInvalidArgument,
                  "'" + std::string(text.substr(0, 40)) +
                      "' is not a duration; write whole numbers with w, d, h, m, s or ms, such "
                      "as 5m, 1h30m or 7d"};
  Duration sum;
  std::string_view rest = text;
  std::size_t next_unit = 0;
  while (!rest.empty()) {
    std::int64_t count = 0;
    std::size_t digits = 0;
    while (digits < rest.size() && IsDigit(rest[digits])) {
      if (digits == 10) return bad;
      count = count * 10 + (rest[digits++] - '0');
    }
    std::size_t end = digits;
    while (end < rest.size() && !IsDigit(rest[end])) ++end;
    const std::string_view name = rest.substr(digits, end - digits);
    while (next_unit < std::size(kUnits) && kUnits[next_unit].name != name) ++next_unit;
    if (digits == 0 || next_unit == std::size(kUnits)) return bad;
    const Duration unit = kUnits[next_unit++].length;
    if (count > kLongest.base() / unit.base()) return bad;
    sum += Millis(count * unit.base());
    rest.remove_prefix(end);
  }
  if (sum <= Millis(0) || sum > kLongest) return bad;
  return sum;
}

std::string FormatDuration(Duration duration) {
  std::string text;
  std::int64_t rest = duration.base();
  for (const Unit& unit : kUnits) {
    const std::int64_t count = rest / unit.length.base();
    if (count == 0) continue;
    text += std::to_string(count) + std::string(unit.name);
    rest -= count * unit.length.base();
  }
  return text.empty() ? "0s" : text;
}

}  // namespace plimsoll
