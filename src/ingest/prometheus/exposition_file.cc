#include "ingest/prometheus/exposition_file.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "ingest/prometheus/exposition.h"
#include "ingest/prometheus/prom_json.h"

namespace plimsoll {
namespace {

constexpr std::size_t kReadBytes = 1 << 20;
constexpr std::size_t kTailBytes = 64;

// gzread passes plain files through, so one reader serves both.
class File {
 public:
  static Result<File> Open(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
      return Error{ErrorCode::kNotFound, path + ": no such file"};
    }
    File file(path, gzopen(path.c_str(), "rb"));
    if (!file.file_) return Error{ErrorCode::kNotFound, path + ": cannot be opened for reading"};
    gzbuffer(file.file_.get(), kReadBytes);
    return file;
  }

  // The next bytes, valid until the next call; empty at the end.
  Result<std::string_view> Next() {
    const int read = gzread(file_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
    int code = Z_OK;
    const char* message = gzerror(file_.get(), &code);
    if (read < 0 || code == Z_BUF_ERROR) {
      return Error{ErrorCode::kBadData, path_ + ": the file is damaged or cut short: " +
                                            (code == Z_BUF_ERROR ? "unexpected end" : message)};
    }
    return std::string_view(buffer_.data(), static_cast<std::size_t>(read));
  }

  bool is_plain() const { return gzdirect(file_.get()) == 1; }

  Status Rewind() {
    if (gzrewind(file_.get()) == 0) return Ok();
    return Error{ErrorCode::kBadData, path_ + ": cannot be read twice; give a file, not a pipe"};
  }

 private:
  File(std::string path, gzFile file)
      : path_(std::move(path)), file_(file, &gzclose), buffer_(kReadBytes) {}

  std::string path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
  std::vector<char> buffer_;
};

// The last bytes tell the format. A plain file is not read for them.
Result<std::string> TailOf(const std::string& path, File& file) {
  if (file.is_plain()) {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> plain(std::fopen(path.c_str(), "rb"),
                                                          &std::fclose);
    std::string tail(kTailBytes, '\0');
    if (!plain) return Error{ErrorCode::kNotFound, path + ": cannot be opened for reading"};
    if (std::fseek(plain.get(), -static_cast<long>(kTailBytes), SEEK_END) != 0) {
      std::rewind(plain.get());
    }
    tail.resize(std::fread(tail.data(), 1, tail.size(), plain.get()));
    return tail;
  }
  std::string tail;
  while (true) {
    PLIMSOLL_TRY(const std::string_view bytes, file.Next());
    if (bytes.empty()) break;
    tail.append(bytes.substr(bytes.size() - std::min(bytes.size(), kTailBytes)));
    if (tail.size() > kTailBytes) tail.erase(0, tail.size() - kTailBytes);
  }
  PLIMSOLL_RETURN_IF_ERROR(file.Rewind());
  return tail;
}

// `{"status": ...`: an API answer. A series with a quoted name has no colon there.
bool LooksLikeJson(std::string_view start) {
  const auto skip = [&] {
    const std::size_t at = start.find_first_not_of(" \t\r\n");
    start.remove_prefix(std::min(at, start.size()));
  };
  skip();
  if (!start.starts_with('{')) return false;
  start.remove_prefix(1);
  skip();
  const std::size_t close = start.starts_with('"') ? start.find('"', 1) : std::string_view::npos;
  if (close == std::string_view::npos) return start.starts_with('}');
  start.remove_prefix(close + 1);
  skip();
  return start.starts_with(':');
}

Status ReadJson(const std::string& path, File& file, std::string body, SampleSink& sink) {
  while (true) {
    PLIMSOLL_TRY(const std::string_view bytes, file.Next());
    if (bytes.empty()) break;
    body.append(bytes);
    if (body.size() > kHttpBodyBytesMax) {
      return Error{ErrorCode::kBadData,
                   path + ": an API answer of more than " + std::to_string(kHttpBodyBytesMax) +
                       " bytes: save a shorter window, or use exposition text"};
    }
  }
  const Result<PromAnswer> answer = ReadPromJson(body, sink);
  if (!answer) return Error{answer.error().code, path + ": " + answer.error().message};
  if (answer->status == "success") return Ok();
  return Error{ErrorCode::kBadData, path + ": the answer is an error: " + answer->error};
}

}  // namespace

Status ReadSamplesFile(const std::string& path, std::optional<Instant> at, SampleSink& sink,
                       const std::function<void(std::int64_t)>& on_bytes) {
  PLIMSOLL_TRY(File file, File::Open(path));
  PLIMSOLL_TRY(std::string_view bytes, file.Next());
  if (LooksLikeJson(bytes)) return ReadJson(path, file, std::string(bytes), sink);
  PLIMSOLL_RETURN_IF_ERROR(file.Rewind());
  PLIMSOLL_TRY(const std::string tail, TailOf(path, file));
  ExpositionParser parser({EndsLikeOpenMetrics(tail), at}, sink);
  const auto named = [&](const Error& error) {
    return Error{error.code, path + ": " + error.message};
  };
  std::int64_t done = 0;
  while (true) {
    PLIMSOLL_TRY(bytes, file.Next());
    if (bytes.empty()) break;
    if (Status fed = parser.Feed(bytes); !fed) return named(fed.error());
    done += static_cast<std::int64_t>(bytes.size());
    if (on_bytes) on_bytes(done);
  }
  if (Status end = parser.Finish(); !end) return named(end.error());
  return Ok();
}

}  // namespace plimsoll
