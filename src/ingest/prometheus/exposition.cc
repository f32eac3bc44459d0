#include "ingest/prometheus/exposition.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/limits.h"
#include "ingest/prometheus/sample_value.h"

namespace plimsoll {
namespace {

constexpr std::size_t kCacheBytesMax = 64 * 1024 * 1024;

bool IsSpace(char c) { return c == ' ' || c == '\t'; }

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}
bool IsNameByte(char c) { return IsNameStart(c) || (c >= '0' && c <= '9'); }

// Seconds of 2001 to 5138 as milliseconds are the first weeks of 1970.
bool LooksLikeSeconds(std::string_view text, std::int64_t at) {
  return text.find('.') != std::string_view::npos || (at >= 1'000'000'000 && at < 100'000'000'000);
}

std::string_view TrimLeft(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  return text;
}

// Takes the next word off `text`.
std::string_view NextWord(std::string_view& text) {
  text = TrimLeft(text);
  std::size_t end = 0;
  while (end < text.size() && !IsSpace(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::size_t NameLength(std::string_view text) {
  if (text.empty() || !IsNameStart(text[0])) return 0;
  std::size_t end = 1;
  while (end < text.size() && IsNameByte(text[end])) ++end;
  return end;
}

// Reads a quoted text that starts at text[0] == '"'; returns its length, or 0 if it has no
// end. An unknown escape keeps its backslash, as Prometheus does.
std::size_t ReadQuoted(std::string_view text, std::string& out) {
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') {
    const std::size_t plain = std::min(text.find_first_of("\"\\", i), text.size());
    out.append(text, i, plain - i);
    i = plain;
    if (i + 1 >= text.size() || text[i] != '\\') continue;
    const char escaped = text[i + 1];
    if (escaped == 'n') {
      out += '\n';
    } else {
      if (escaped != '\\' && escaped != '"') out += '\\';
      out += escaped;
    }
    i += 2;
  }
  return i < text.size() ? i + 1 : 0;
}

// The length of a `{...}` at the start of `text`, quotes respected; 0 if it has no end.
std::size_t BracesLength(std::string_view text) {
  std::size_t i = 1;
  while (true) {
    i = text.find_first_of("\"}", i);
    if (i == std::string_view::npos) return 0;
    if (text[i] == '}') return i + 1;
    for (++i; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\') ++i;
    }
    ++i;
    if (i >= text.size()) return 0;
  }
}

// One element of the braces: `key="value"`, or a quoted metric name.
std::size_t ParseLabel(std::string_view text, SeriesLabels& series, std::string& reason) {
  std::string key;
  std::size_t used = NameLength(text);
  if (used > 0) {
    key = text.substr(0, used);
  } else if (!text.empty() && text[0] == '"') {
    used = ReadQuoted(text, key);
  }
  if (used == 0) {
    reason = "a label name is missing or not valid; quote and escape it as the format asks";
    return 0;
  }
  const auto skip = [&] {
    while (used < text.size() && IsSpace(text[used])) ++used;
  };
  skip();
  if (text[0] == '"' && used < text.size() && (text[used] == ',' || text[used] == '}')) {
    if (!series.name.empty()) reason = "the metric's name is given twice";
    series.name = std::move(key);
    return reason.empty() ? used : 0;
  }
  if (used >= text.size() || text[used] != '=') {
    reason = "label " + key + " has no \"=\"";
    return 0;
  }
  ++used;
  skip();
  std::string value;
  const std::size_t quoted =
      used < text.size() && text[used] == '"' ? ReadQuoted(text.substr(used), value) : 0;
  if (quoted == 0) {
    reason = "the value of label " + key + " is not a closed quoted text";
    return 0;
  }
  if (std::any_of(series.labels.begin(), series.labels.end(),
                  [&](const auto& label) { return label.first == key; })) {
    reason = "label " + key + " is given twice";
    return 0;
  }
  series.labels.emplace_back(std::move(key), std::move(value));
  return used + quoted;
}

}  // namespace

bool EndsLikeOpenMetrics(std::string_view tail) {
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r' || IsSpace(tail.back()))) {
    tail.remove_suffix(1);
  }
  constexpr std::string_view kMark = "# EOF";
  if (!tail.ends_with(kMark)) return false;
  return tail.size() == kMark.size() || tail[tail.size() - kMark.size() - 1] == '\n';
}

std::size_t ParseLabels(std::string_view text, SeriesLabels& series, std::string& reason) {
  std::size_t i = 1;
  const auto skip = [&] {
    while (i < text.size() && IsSpace(text[i])) ++i;
  };
  skip();
  while (i < text.size() && text[i] != '}') {
    const std::size_t used = ParseLabel(text.substr(i), series, reason);
    if (used == 0) return 0;
    i += used;
    skip();
    if (i < text.size() && text[i] == ',') {
      ++i;
      skip();
    } else if (i < text.size() && text[i] != '}') {
      reason = "labels are not separated by a comma";
      return 0;
    }
  }
  if (i >= text.size()) {
    reason = "the labels have no closing brace";
    return 0;
  }
  return i + 1;
}

Status ExpositionParser::Refuse(std::string_view reason, std::string_view line) {
  sink_->OnBadInput(line_, reason, line.substr(0, kRawBytesMax));
  return Ok();
}

std::optional<std::int32_t> ExpositionParser::ParseSeries(std::string_view text) {
  SeriesLabels series;
  const std::size_t name = NameLength(text);
  series.name = text.substr(0, name);
  std::string reason;
  const std::string_view braces = TrimLeft(text.substr(name));
  if (!braces.empty() && ParseLabels(braces, series, reason) == 0) {
    (void)Refuse(reason, text);
    return std::nullopt;
  }
  if (series.name.empty()) {
    (void)Refuse("no metric name", text);
    return std::nullopt;
  }
  const std::int32_t id = sink_->OpenSeries(series);
  if (cache_bytes_ > kCacheBytesMax) {
    cache_.clear();
    cache_bytes_ = 0;
  }
  cache_bytes_ += text.size() + 64;
  cache_.emplace(text, id);
  return id;
}

std::optional<std::pair<std::int32_t, std::size_t>> ExpositionParser::SeriesAt(
    std::string_view line) {
  if (!last_text_.empty() && line.size() > last_text_.size() && line.starts_with(last_text_) &&
      (last_text_.back() == '}' || (IsSpace(line[last_text_.size()]) &&
                                    !TrimLeft(line.substr(last_text_.size())).starts_with('{')))) {
    return std::pair(last_series_, last_text_.size());
  }
  std::size_t length = NameLength(line);
  std::size_t brace = length;
  while (brace < line.size() && IsSpace(line[brace])) ++brace;
  if (brace < line.size() && line[brace] == '{') {
    const std::size_t braces = BracesLength(line.substr(brace));
    if (braces == 0) {
      (void)Refuse("the labels have no closing brace", line);
      return std::nullopt;
    }
    length = brace + braces;
  }
  if (length == 0) {
    (void)Refuse("not a sample: a line starts with a metric name, a brace or #", line);
    return std::nullopt;
  }
  const std::string_view text = line.substr(0, length);
  const auto cached = cache_.find(text);
  const std::optional<std::int32_t> id =
      cached != cache_.end() ? std::optional(cached->second) : ParseSeries(text);
  if (!id) return std::nullopt;
  last_text_ = text;
  last_series_ = *id;
  return std::pair(*id, length);
}

Status ExpositionParser::TakeSample(std::string_view line) {
  sink_->AtLine(line_);
  const auto series = SeriesAt(line);
  if (!series) return Ok();
  std::string_view rest = line.substr(series->second);
  const std::string_view value = NextWord(rest);
  if (!IsSampleValue(value)) {
    return Refuse("the value is not a number: write a decimal, NaN, +Inf or -Inf", line);
  }
  const std::string_view time = NextWord(rest);
  const bool has_time = !time.empty() && time[0] != '#';
  rest = TrimLeft(rest);
  if (has_time && !rest.empty() && rest[0] != '#') {
    return Refuse("text after the timestamp", line);
  }
  if (!has_time) {
    if (format_.at) {
      sink_->OnSample(series->first, format_.at->base(), value);
      return Ok();
    }
    return Error{ErrorCode::kInvalidArgument,
                 "line " + std::to_string(line_) +
                     ": the sample has no timestamp; pass the time of the scrape (--at TIME)"};
  }
  const std::optional<std::int64_t> at = ParseScaled(time, format_.open_metrics ? 3 : 0);
  if (!at || !IsSampleTime(*at)) {
    return Refuse(format_.open_metrics ? "the timestamp is not seconds since 1970"
                                       : "the timestamp is not milliseconds since 1970",
                  line);
  }
  if (!format_.open_metrics && LooksLikeSeconds(time, *at)) {
    return Refuse(
        "the timestamp is in seconds, but the file does not end with \"# EOF\" as "
        "OpenMetrics does: complete the file",
        line);
  }
  sink_->OnSample(series->first, *at, value);
  return Ok();
}

Status ExpositionParser::TakeLine(std::string_view line) {
  ++line_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  line = TrimLeft(line);
  if (line.empty() || line[0] == '#') return Ok();
  return TakeSample(line);
}

Status ExpositionParser::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const void* found = std::memchr(bytes.data(), '\n', bytes.size());
    const std::size_t length =
        found == nullptr ? bytes.size()
                         : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    if (partial_.size() + length > kLineBytesMax) {
      return Error{ErrorCode::kBadData, "line " + std::to_string(line_ + 1) + " is longer than " +
                                            std::to_string(kLineBytesMax) +
                                            " bytes: this is no exposition text"};
    }
    if (found == nullptr) {
      partial_.append(bytes);
      return Ok();
    }
    if (partial_.empty()) {
      PLIMSOLL_RETURN_IF_ERROR(TakeLine(bytes.substr(0, length)));
    } else {
      partial_.append(bytes.substr(0, length));
      const std::string line = std::exchange(partial_, {});
      PLIMSOLL_RETURN_IF_ERROR(TakeLine(line));
    }
    bytes.remove_prefix(length + 1);
  }
  return Ok();
}

Status ExpositionParser::Finish() {
  if (partial_.empty()) return Ok();
  const std::string line = std::exchange(partial_, {});
  return TakeLine(line);
}

}  // namespace plimsoll
