#include "cli/plan_input.h"

#include "config/duration.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kPriceMost = 1'000'000;
constexpr std::int64_t kTimeMostDays = 3'660;  // ten years, as config/duration.h has it

struct Unit {
  const char* name;
  Duration length;
};
constexpr Unit kUnits[] = {{"ms", Millis(1)}, {"s", Seconds(1)}, {"m", Minutes(1)},
                           {"h", Hours(1)},   {"d", Days(1)},    {"w", Days(7)}};

Error NoTime(const std::string& option, const std::string& text) {
  return {ErrorCode::kInvalidArgument,
          option + ": '" + text + "' is no time such as 48h, 0.1h or 1h30m"};
}

}  // namespace

Result<Duration> ParsePlanTime(const std::string& option, const std::string& text) {
  if (text == "0") return Duration();
  if (const Result<Duration> whole = ParseDuration(text)) return *whole;
  const std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string::npos) return NoTime(option, text);
  const Result<Money> number = Money::Parse(text.substr(0, end));
  const std::string name = text.substr(end);
  for (const Unit& unit : kUnits) {
    if (name != unit.name || !number || *number > Money::Units(kTimeMostDays * 86'400'000)) {
      continue;
    }
    const int128 nanos = number->nanos() * unit.length.base();
    const int128 ms = nanos / Money::kNanosPerUnit;
    if (nanos % Money::kNanosPerUnit != 0 || ms > Days(kTimeMostDays).base()) break;
    return Millis(static_cast<std::int64_t>(ms));
  }
  return NoTime(option, text);
}

Result<Money> ParseHourlyPrice(const std::string& option, const std::string& text) {
  const Result<Money> price = Money::Parse(text);
  if (price && *price >= Money() && *price <= Money::Units(kPriceMost)) return *price;
  return Error{ErrorCode::kInvalidArgument,
               option + ": '" + text + "' is no price for an hour, such as 0.9731"};
}

std::string BillionthsText(std::int64_t billionths) {
  return Money::FromNanos(billionths).ToString();
}

std::string HoursText(Duration duration) { return ToDecimalHours(GpuMillis(duration.base())); }

}  // namespace plimsoll
