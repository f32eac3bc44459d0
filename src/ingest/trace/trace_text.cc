#include "ingest/trace/trace_text.h"

#include <algorithm>
#include <charconv>

#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kPriceMost = 1'000'000;

constexpr std::int64_t kCenturyMs = std::int64_t{36'525} * 24 * 3'600'000;

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

std::string_view Unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

// The exact product, rounded half to even once; null where it does not fit.
std::optional<std::int64_t> Scaled(const ExactDecimal& decimal, std::int64_t unit_ms) {
  const Money nanos = decimal.RoundHalfEven();
  if (nanos < Money() || nanos > Money::Units(kCenturyMs)) return std::nullopt;
  const int128 ms = DivideHalfEven(nanos.nanos() * unit_ms, Money::kNanosPerUnit);
  if (ms > kCenturyMs) return std::nullopt;
  return static_cast<std::int64_t>(ms);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace

std::vector<TraceLine> TraceLines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<TraceLine> lines;
  std::int64_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view raw = Trimmed(text.substr(from, end - from));
    from = end + 1;
    ++number;
    if (raw.empty() || raw.front() == '#') continue;
    TraceLine& line = lines.emplace_back();
    line.number = number;
    for (std::size_t at = 0; at <= raw.size();) {
      const std::size_t comma = std::min(raw.find(',', at), raw.size());
      line.fields.push_back(Unquoted(Trimmed(raw.substr(at, comma - at))));
      at = comma + 1;
    }
  }
  return lines;
}

Error TraceError(const std::string& file, const TraceLine& line, std::size_t field,
                 const std::string& what) {
  const std::string text =
      field < line.fields.size() ? std::string(line.fields[field].substr(0, 40)) : "";
  return {ErrorCode::kBadData, file + ", line " + std::to_string(line.number) + ", field " +
                                   std::to_string(field + 1) + ": '" + text + "' " + what};
}

Status CheckWidth(const std::string& file, const TraceLine& header, const TraceLine& row) {
  if (row.fields.size() <= header.fields.size()) return Ok();
  return TraceError(file, row, header.fields.size(),
                    "is one field more than the header has; write decimals with a point");
}

bool IsWhole(std::string_view text) {
  return !text.empty() && text.size() <= 18 && std::all_of(text.begin(), text.end(), IsDigit);
}

Result<std::int64_t> WholeField(const std::string& file, const TraceLine& line, std::size_t field,
                                WholeRange range) {
  const std::string_view text = field < line.fields.size() ? line.fields[field] : "";
  std::int64_t value = 0;
  if (IsWhole(text)) {
    std::from_chars(text.data(), text.data() + text.size(), value);
    if (value >= range.least && value <= range.most) return value;
  }
  return TraceError(file, line, field,
                    "is no whole number from " + std::to_string(range.least) +
                        (range.most == INT64_MAX ? "" : " to " + std::to_string(range.most)) +
                        "; correct the file, or say what it is with --trace-format");
}

std::optional<Duration> DecimalDuration(std::string_view text, Duration unit) {
  const Result<ExactDecimal> decimal = ExactDecimal::Parse(text);
  if (!decimal) return std::nullopt;
  const std::optional<std::int64_t> ms = Scaled(*decimal, unit.base());
  return ms ? std::optional(Millis(*ms)) : std::nullopt;
}

bool ReadPrice(std::string_view text, std::optional<Money>& price) {
  price.reset();
  const std::string lower = Lower(text);
  for (const char* unknown : {"", "nan", "null", "none", "na", "n/a", "-"}) {
    if (lower == unknown) return true;
  }
  const Result<ExactDecimal> decimal = ExactDecimal::Parse(text);
  if (!decimal) return false;
  const Money money = decimal->RoundHalfEven();
  if (money > Money::Units(kPriceMost)) return false;
  if (money >= Money()) price = money;
  return true;
}

std::string TraceNameOf(const std::string& file) {
  const std::size_t slash = file.find_last_of('/');
  std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
  const std::size_t dot = name.find_last_of('.');
  if (dot != std::string::npos && dot > 0) name.resize(dot);
  return name;
}

std::string CloudOfZone(std::string_view zone) {
  const std::size_t dash = zone.find_last_of('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == zone.size()) return "";
  const std::string_view last = zone.substr(dash + 1);
  // aws: ...-2 and ...-2a; gcp: ...east1 and ...east1-c.
  if (IsDigit(last.front())) {
    const bool letter = last.size() == 2 && IsLower(last[1]);
    return letter || last.size() == 1 ? "aws" : "";
  }
  const bool zone_letter = last.size() == 1 && IsLower(last[0]) && IsDigit(zone[dash - 1]);
  return zone_letter || IsDigit(last.back()) ? "gcp" : "";
}

SpotPool PoolOfName(const std::string& name) {
  SpotPool pool;
  const std::size_t first = name.find('_');
  if (first == std::string::npos || CloudOfZone(name.substr(0, first)).empty()) {
    pool.sku = name;
    return pool;
  }
  pool.zone = name.substr(0, first);
  pool.cloud = CloudOfZone(pool.zone);
  pool.sku = name.substr(first + 1);
  const std::size_t last = pool.sku.find_last_of('_');
  if (last != std::string::npos && IsWhole(std::string_view(pool.sku).substr(last + 1))) {
    pool.sku[last] = 'x';
  }
  return pool;
}

}  // namespace plimsoll
