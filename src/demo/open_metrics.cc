#include "demo/open_metrics.h"

#include <fmt/format.h>

namespace plimsoll {

namespace {
constexpr std::size_t kBufferBytes = 1U << 20U;
}  // namespace

OpenMetricsWriter::OpenMetricsWriter(const std::string& path)
    : path_(path), out_(path, std::ios::binary | std::ios::trunc) {
  buffer_.reserve(kBufferBytes + 4096);
}

void OpenMetricsWriter::Flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void OpenMetricsWriter::Family(std::string_view name, std::string_view help) {
  family_ = name;
  fmt::format_to(std::back_inserter(buffer_), "# HELP {0} {1}\n# TYPE {0} gauge\n", name, help);
}

void OpenMetricsWriter::Series(std::string_view labels) {
  prefix_ = family_;
  prefix_ += '{';
  prefix_ += labels;
  prefix_ += "} ";
}

void OpenMetricsWriter::Sample(Instant at, std::string_view value) {
  buffer_ += prefix_;
  buffer_ += value;
  buffer_ += ' ';
  const fmt::format_int seconds(at.base() / 1'000);
  buffer_.append(seconds.data(), seconds.size());
  buffer_ += '\n';
  if (buffer_.size() >= kBufferBytes) Flush();
}

Status OpenMetricsWriter::Finish() {
  buffer_ += "# EOF\n";
  Flush();
  out_.close();
  if (out_) return Ok();
  return Error{ErrorCode::kUnavailable,
               fmt::format("{}: cannot be written; check the folder and its free space", path_)};
}

void AppendLabel(std::string& labels, std::string_view name, std::string_view value) {
  if (!labels.empty()) labels += ',';
  labels += name;
  labels += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      labels += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') labels += '\\';
    labels += c;
  }
  labels += '"';
}

std::string GoNumber(std::int64_t value) {
  const bool negative = value < 0;
  std::string digits = fmt::format("{}", negative ? -value : value);
  const std::size_t exponent = digits.size() - 1;
  std::string text = digits;
  if (exponent >= 6) {
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
    text = digits.substr(0, 1);
    if (digits.size() > 1) text += "." + digits.substr(1);
    text += fmt::format("e+{:02}", exponent);
  }
  return negative ? "-" + text : text;
}

}  // namespace plimsoll
