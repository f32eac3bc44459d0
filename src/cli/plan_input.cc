#include "cli/plan_input.h"

#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
const Money kHourlyMost = Money::Units(1'000'000);

}  // namespace

Error OptionError(const std::string& option, const std::string& what) {
  return {ErrorCode::kInvalidArgument, option + ": " + what};
}

Result<Duration> SpanOption(const std::string& option, const std::string& text) {
  const Result<Duration> span = ParseSpan(text);
  if (!span) return OptionError(option, span.error().message);
  return *span;
}

Result<std::int64_t> ShareOption(const std::string& option, const std::string& text) {
  const Result<std::int64_t> share = ParseShare(text);
  if (!share) return OptionError(option, share.error().message);
  return *share;
}

Result<Money> AmountOption(const std::string& option, const std::string& text) {
  const Result<Money> amount = Money::Parse(text);
  if (amount && *amount >= Money()) return *amount;
  return OptionError(option, "'" + text +
                                 "' is not an amount, such as 11.47; an empty or unknown price "
                                 "is not 0");
}

Result<Money> HourlyPriceOption(const std::string& option, const std::string& text) {
  const Result<Money> price = Money::Parse(text);
  if (price && *price >= Money() && *price <= kHourlyMost) return *price;
  return OptionError(option, "'" + text + "' is no price for an hour, such as 0.9731");
}

Result<std::int64_t> CountOption(const std::string& option, const std::string& text) {
  const Result<Money> value = Money::Parse(text);
  if (!value || value->nanos() % Money::kNanosPerUnit != 0 || *value < Money::Units(1) ||
      *value > Money::Units(kBillion)) {
    return OptionError(option, "'" + text + "' must be a whole number from 1");
  }
  return static_cast<std::int64_t>(value->nanos() / Money::kNanosPerUnit);
}

Result<std::int64_t> GigabytesOption(const std::string& option, const std::string& text) {
  const Result<Money> value = Money::Parse(text);
  if (!value || *value < Money() || *value > Money::Units(kBillion)) {
    return OptionError(option, "'" + text + "' is not a number of gigabytes");
  }
  return static_cast<std::int64_t>(DivideHalfEven(value->nanos(), Money::kNanosPerUnit / 1'000));
}

std::string BillionthsText(std::int64_t billionths) {
  return Money::FromNanos(billionths).ToString();
}

std::string HoursText(Duration duration) { return ToDecimalHours(GpuMillis(duration.base())); }

}  // namespace plimsoll
