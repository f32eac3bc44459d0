#include "ingest/cluster/row_fields.h"

#include "base/check.h"
#include "base/limits.h"
#include "config/duration.h"
#include "units/decimal.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kCenturyMs = std::int64_t{36'525} * 24 * 3'600'000;
constexpr std::int64_t kThousandthsMax = std::int64_t{1'000'000'000'000} * 1'000;
constexpr std::size_t kShown = 40;  // characters of a wrong text

bool SaysAbsent(std::string_view text) {
  for (const char* absent : {"", "None", "null", "NULL", "NaN", "nan", "Unknown", "N/A"}) {
    if (text == absent) return true;
  }
  return false;
}

std::string_view WithoutZeros(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return text;
  return text.find_first_not_of('0', dot + 1) == std::string_view::npos ? text.substr(0, dot)
                                                                        : text;
}

}  // namespace

std::optional<std::int64_t> ParseThousandths(std::string_view text) {
  const Result<ExactDecimal> decimal = ExactDecimal::Parse(text);
  if (!decimal) return std::nullopt;
  const Money value = decimal->RoundHalfEven();
  if (value < Money() || value > Money::Units(kThousandthsMax / 1'000)) return std::nullopt;
  return static_cast<std::int64_t>(DivideHalfEven(value.nanos() * 1'000, Money::kNanosPerUnit));
}

std::optional<Duration> ParseSeconds(std::string_view text) {
  const auto millis = ParseThousandths(text);
  if (!millis || *millis > kCenturyMs) return std::nullopt;
  return Millis(*millis);
}

std::string_view RowFields::Text(std::string_view name) const {
  std::string_view text = lookup_(name);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return SaysAbsent(text) ? std::string_view() : text;
}

std::string RowFields::Required(std::string_view name) {
  const std::string_view text = Text(name);
  if (text.empty()) Fail(name, "is missing");
  return std::string(text);
}

std::optional<std::int64_t> RowFields::Whole(std::string_view name, WholeLimits limits) {
  const std::string_view text = Text(name);
  if (text.empty()) return std::nullopt;
  const auto value = ParseWhole(WithoutZeros(text), limits.least, limits.most);
  if (value) return value;
  Fail(name, "is no whole number from " + std::to_string(limits.least) +
                 (limits.most == INT64_MAX ? "" : " to " + std::to_string(limits.most)));
  return std::nullopt;
}

std::int64_t RowFields::RequiredWhole(std::string_view name, WholeLimits limits) {
  if (Text(name).empty()) Fail(name, "is missing");
  return Whole(name, limits).value_or(limits.least);
}

std::optional<Duration> RowFields::Seconds(std::string_view name) {
  const std::string_view text = Text(name);
  if (text.empty()) return std::nullopt;
  const std::optional<Duration> seconds = ParseSeconds(text);
  if (!seconds) Fail(name, "is no number of seconds from 0 to a century");
  return seconds;
}

std::optional<std::int64_t> RowFields::Thousandths(std::string_view name) {
  const std::string_view text = Text(name);
  if (text.empty()) return std::nullopt;
  const auto thousandths = ParseThousandths(text);
  if (!thousandths) Fail(name, "is no number from 0 to a trillion");
  return thousandths;
}

Duration RowFields::RequiredSeconds(std::string_view name) {
  if (Text(name).empty()) Fail(name, "is missing");
  return Seconds(name).value_or(Duration());
}

std::optional<Duration> RowFields::Length(std::string_view name) {
  const std::string_view text = Text(name);
  if (text.empty()) return std::nullopt;
  if (const auto seconds = ParseSeconds(text)) return seconds;
  const Result<Duration> length = ParseDuration(text);
  if (length) return *length;
  Fail(name, "is no length; write 1h30m, 45m, or seconds");
  return std::nullopt;
}

std::optional<Instant> RowFields::Time(std::string_view name) {
  const std::string_view text = Text(name);
  if (text.empty()) return std::nullopt;
  const Result<Instant> time = ParseInstant(text);
  if (time) return *time;
  Fail(name, "is no time; write 2026-11-23T08:00:00Z");
  return std::nullopt;
}

Instant RowFields::RequiredTime(std::string_view name) {
  if (Text(name).empty()) Fail(name, "is missing");
  return Time(name).value_or(Instant());
}

std::optional<Instant> RowFields::Moment(std::string_view name) {
  if (const auto seconds = ParseSeconds(Text(name))) return AtMillis(seconds->base());
  return Time(name);
}

bool RowFields::Flag(std::string_view name, bool fallback) {
  const std::string_view text = Text(name);
  if (text.empty()) return fallback;
  if (text == "true" || text == "yes" || text == "1") return true;
  if (text != "false" && text != "no" && text != "0") Fail(name, "is neither true nor false");
  return false;
}

void RowFields::Fail(std::string_view name, const std::string& what) {
  if (problem_) return;
  const std::string text(Text(name).substr(0, kShown));
  problem_ = Problem{std::string(name), (text.empty() ? "" : "'" + text + "' ") + what};
}

void RowFields::WouldTake(std::int64_t gpus, std::optional<Duration> run) {
  std::int64_t time = 0;
  if (!run || gpus < 0 || __builtin_mul_overflow(gpus, run->base(), &time)) return;
  gpu_time_ = GpuMillis(time);
}

void RowFields::Reset() {
  problem_.reset();
  gpu_time_.reset();
}

RefusedJob RowFields::Refusal(std::int64_t line, std::string_view raw) const {
  PLIMSOLL_CHECK(problem_);
  return {line, problem_->field, problem_->reason, std::string(raw.substr(0, kRawBytesMax)),
          gpu_time_};
}

}  // namespace plimsoll
