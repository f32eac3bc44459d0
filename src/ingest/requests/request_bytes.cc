#include "ingest/requests/request_bytes.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace plimsoll {
namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::int64_t kRowsAReport = 65'536;
constexpr std::string_view kMark = "\xEF\xBB\xBF";

}  // namespace

struct RequestBytes::Source {
  std::string name;
  gzFile file = nullptr;
  std::int64_t bytes = 0;  // on disk; 0 if not known
  ~Source() {
    if (file != nullptr) gzclose(file);
  }
};

RequestBytes::RequestBytes(std::unique_ptr<Source> source) : source_(std::move(source)) {}
RequestBytes::RequestBytes(RequestBytes&&) noexcept = default;
RequestBytes::~RequestBytes() = default;

Result<RequestBytes> RequestBytes::Open(const std::string& path) {
  auto source = std::make_unique<Source>();
  source->name = path == "-" ? "standard input" : path;
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(path, error)) {
    return Error{ErrorCode::kInvalidArgument,
                 path + " is a folder; name its files, as in '" + path + "/*.jsonl'"};
  }
  if (path != "-" && !std::filesystem::exists(path, error)) {
    return Error{ErrorCode::kNotFound, "no such file: " + path};
  }
  source->file = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (source->file == nullptr) {
    return Error{ErrorCode::kUnavailable, "cannot read " + path + ": " + std::strerror(errno)};
  }
  gzbuffer(source->file, kReadBytes);
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error) source->bytes = static_cast<std::int64_t>(size);
  return RequestBytes(std::move(source));
}

Error RequestBytes::TooLong() const {
  return {ErrorCode::kBadData, source_->name + ": a line or document is above " +
                                   std::to_string(kDocumentBytesMax / (1024 * 1024)) +
                                   " MiB; split it into lines of one request each"};
}

Result<bool> RequestBytes::Fill() {
  if (at_end_) return false;
  if (at_ > 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kReadBytes);
  const int count = gzread(source_->file, buffer_.data() + had, kReadBytes);
  buffer_.resize(had + static_cast<std::size_t>(std::max(count, 0)));
  int code = Z_OK;
  const char* message = gzerror(source_->file, &code);
  if (count < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    const bool is_damaged = code == Z_BUF_ERROR || code == Z_DATA_ERROR;
    return Error{is_damaged ? ErrorCode::kBadData : ErrorCode::kUnavailable,
                 "cannot read " + source_->name + " to its end: " +
                     (code == Z_BUF_ERROR ? "the gzip file is cut short" : message)};
  }
  if (had == 0 && count > 0) SkipMark();
  at_end_ = count == 0;
  return count > 0;
}

void RequestBytes::SkipMark() {
  const bool is_first = gztell(source_->file) == static_cast<z_off_t>(buffer_.size());
  if (is_first && buffer_.starts_with(kMark)) at_ = kMark.size();
}

Result<std::string> RequestBytes::Peek() {
  while (buffer_.find_first_not_of(" \t\r\n", at_) == std::string::npos) {
    PLIMSOLL_TRY(const bool more, Fill());
    if (!more) break;
  }
  return buffer_.substr(at_);
}

Result<bool> RequestBytes::IsParquet() {
  PLIMSOLL_TRY(const std::string front, Peek());
  if (!front.starts_with("PAR1")) return false;
  if (source_->name == "standard input") {
    return Error{
        ErrorCode::kInvalidArgument,
        "Parquet cannot be read from standard input: its index is at its end; give a file"};
  }
  return true;
}

Result<std::string> RequestBytes::PeekLine() {
  PLIMSOLL_TRY(const std::string front, Peek());
  const std::size_t skipped = front.find_first_not_of(" \t\r\n");
  if (skipped == std::string::npos) return std::string();
  const std::size_t begin = at_ + skipped;
  std::size_t from = begin;
  for (;;) {
    const std::size_t end = buffer_.find('\n', from);
    if (end != std::string::npos) return buffer_.substr(begin, end - begin);
    if (buffer_.size() > kDocumentBytesMax) return TooLong();
    // Nothing is dropped from the front: at_ stays, so that the line can be read again.
    from = buffer_.size();
    const std::size_t kept = at_;
    at_ = 0;
    const Result<bool> more = Fill();
    at_ = kept;
    if (!more) return more.error();
    if (!*more) break;
  }
  one_line_ = true;
  return buffer_.substr(begin);
}

Result<RequestBytes::Line> RequestBytes::NextLine(std::string& line) {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = buffer_.find('\n', at_ + searched);
    if (end != std::string::npos) {
      line.assign(buffer_, at_, end - at_);
      at_ = end + 1;
      return Line::kWhole;
    }
    searched = buffer_.size() - at_;
    if (searched > kDocumentBytesMax) return TooLong();
    PLIMSOLL_TRY(const bool more, Fill());
    if (more) continue;
    if (searched == 0) return Line::kNone;
    line.assign(buffer_, at_);
    at_ = buffer_.size();
    return Line::kTorn;
  }
}

Result<std::string> RequestBytes::Whole() {
  for (;;) {
    if (buffer_.size() - at_ > kDocumentBytesMax) return TooLong();
    PLIMSOLL_TRY(const bool more, Fill());
    if (!more) break;
  }
  std::string whole = buffer_.substr(at_);
  at_ = buffer_.size();
  return whole;
}

ReadBytes RequestBytes::AsRead() {
  return [this](char* to, std::size_t size) -> Result<std::size_t> {
    if (at_ == buffer_.size()) {
      PLIMSOLL_TRY(const bool more, Fill());
      if (!more) return std::size_t{0};
    }
    const std::size_t count = std::min(size, buffer_.size() - at_);
    std::memcpy(to, buffer_.data() + at_, count);
    at_ += count;
    return count;
  };
}

void RequestBytes::Report(const Progress& progress) {
  if (rows_++ % kRowsAReport != 0) return;
  progress(source_->name, gzoffset(source_->file), source_->bytes);
}

}  // namespace plimsoll
