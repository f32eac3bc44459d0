#include "ingest/focus/focus_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "base/hash.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kReadBytes = 256 * 1024;
constexpr std::size_t kFrontBytes = 64 * 1024;

// Before FOCUS data: what the first bytes mean.
struct Magic {
  std::string_view bytes;
  const char* meaning;  // null: Parquet
};
constexpr Magic kMagics[] = {
    {"PAR1", nullptr},
    {"PK\x03\x04", "a zip archive or spreadsheet; unpack it or save it as CSV"},
    {"\xFF\xFE", "UTF-16 text; export it as UTF-8"},
    {"\xFE\xFF", "UTF-16 text; export it as UTF-8"},
    {"\x28\xB5\x2F\xFD", "zstd; unpack it first"},
};

std::string Why() { return std::strerror(errno); }

Result<std::string> FrontOf(const FocusFile& file, std::size_t size) {
  PLIMSOLL_TRY(const ReadBytes read, ReadFrom(file));
  std::string front(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    PLIMSOLL_TRY(const std::size_t count, read(front.data() + have, size - have));
    if (count == 0) break;
    have += count;
  }
  front.resize(have);
  return front;
}

// The sum of the blocks' hashes, each with its place; the same for gzip and plain.
Result<std::string> ContentHash(const FocusFile& file) {
  PLIMSOLL_TRY(const ReadBytes read, ReadFrom(file));
  std::string block(kFrontBytes, '\0');
  RowHasher hasher;
  std::size_t have = 0;
  for (;;) {
    PLIMSOLL_TRY(const std::size_t count, read(block.data() + have, block.size() - have));
    have += count;
    if (count != 0 && have < block.size()) continue;
    const Hash128 hash = HashOf({block.data(), have});
    hasher.Add(static_cast<std::int64_t>(hash.low));
    hasher.Add(static_cast<std::int64_t>(hash.high));
    hasher.Add(hasher.Finish().ToHex());
    have = 0;
    if (count == 0) return hasher.Finish().ToHex();
  }
}

bool IsPart(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".csv") || name.ends_with(".csv.gz") || name.ends_with(".parquet");
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::Make() {
  std::error_code error;
  std::string pattern =
      (fs::temp_directory_path(error) / "plimsoll-").string() + std::string(6, 'X');
  if (error || mkdtemp(pattern.data()) == nullptr) {
    return Error{ErrorCode::kUnavailable,
                 "cannot make a temporary folder: " + (error ? error.message() : Why()) +
                     "; set TMPDIR to a folder that can be written"};
  }
  return TemporaryFolder(pattern);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, fs::path())) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<ReadBytes> ReadFrom(const FocusFile& file) {
  // zlib hands plain files through unchanged, without a copy for large reads.
  std::shared_ptr<gzFile_s> gz(gzopen(file.path.c_str(), "rb"), [](gzFile_s* handle) {
    if (handle != nullptr) gzclose(handle);
  });
  if (gz == nullptr) {
    return Error{ErrorCode::kUnavailable, "cannot read " + file.name + ": " + Why()};
  }
  gzbuffer(gz.get(), kReadBytes);
  const auto read = [gz, name = file.name](char* to, std::size_t size) -> Result<std::size_t> {
    const auto wanted = static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30U));
    const int count = gzread(gz.get(), to, wanted);
    int code = Z_OK;
    const char* message = gzerror(gz.get(), &code);
    if (count < 0 || (code != Z_OK && code != Z_STREAM_END)) {
      const bool is_damaged = code == Z_BUF_ERROR || code == Z_DATA_ERROR;
      return Error{is_damaged ? ErrorCode::kBadData : ErrorCode::kUnavailable,
                   "cannot read " + name + " to its end: " +
                       (code == Z_BUF_ERROR ? "the gzip file is cut short" : message)};
    }
    return static_cast<std::size_t>(count);
  };
  return ReadBytes(read);
}

std::int64_t FocusFiles::bytes() const {
  std::int64_t sum = 0;
  for (const FocusFile& file : files_) sum += file.bytes;
  return sum;
}

Result<FocusFiles> FocusFiles::Open(const FocusOptions& options) {
  if (options.files.empty()) {
    return Error{ErrorCode::kInvalidArgument, "no bill file is given; name one, or - for stdin"};
  }
  PLIMSOLL_TRY(TemporaryFolder folder, TemporaryFolder::Make());
  FocusFiles self(std::move(folder));
  for (const std::string& name : options.files) {
    PLIMSOLL_RETURN_IF_ERROR(self.Add(name, options));
  }
  PLIMSOLL_RETURN_IF_ERROR(self.DropDuplicates());
  return self;
}

Status FocusFiles::Add(const std::string& name, const FocusOptions& options) {
  std::error_code error;
  if (name == "-" || !fs::is_directory(name, error)) return AddFile(name, options);
  std::vector<std::string> parts;
  for (auto entry = fs::recursive_directory_iterator(name, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_regular_file() && IsPart(entry->path())) parts.push_back(entry->path().string());
  }
  if (error) {
    return Error{ErrorCode::kUnavailable, "cannot list " + name + ": " + error.message()};
  }
  if (parts.empty()) {
    return Error{ErrorCode::kNotFound, name + " holds no .csv, .csv.gz or .parquet file"};
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) PLIMSOLL_RETURN_IF_ERROR(AddFile(part, options));
  return Ok();
}

Status FocusFiles::AddFile(const std::string& name, const FocusOptions& options) {
  if (name.ends_with(".json")) {
    warnings_.push_back(name + ": skipped; an export's manifest holds no charges");
    return Ok();
  }
  FocusFile file{.name = name, .path = name, .bytes = 0};
  std::error_code error;
  if (name == "-") {
    file.name = "(stdin)";
    PLIMSOLL_RETURN_IF_ERROR(Spool(STDIN_FILENO, file));
  } else if (!fs::exists(name, error)) {
    return Error{ErrorCode::kNotFound, "no such file: " + name};
  } else if (!fs::is_regular_file(name, error)) {
    // A pipe is read once; bills are read twice.
    const int pipe = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (pipe < 0) return Error{ErrorCode::kUnavailable, "cannot read " + name + ": " + Why()};
    const Status spooled = Spool(pipe, file);
    close(pipe);
    PLIMSOLL_RETURN_IF_ERROR(spooled);
  }
  PLIMSOLL_TRY(const std::string front, FrontOf(file, 8));
  for (const Magic& magic : kMagics) {
    if (!front.starts_with(magic.bytes)) continue;
    if (magic.meaning != nullptr) {
      return Error{ErrorCode::kBadData, file.name + " is " + magic.meaning};
    }
    PLIMSOLL_RETURN_IF_ERROR(ConvertParquet(options, file));
  }
  file.bytes = static_cast<std::int64_t>(fs::file_size(file.path, error));
  files_.push_back(std::move(file));
  return Ok();
}

// Copies what comes from `pipe` to a file of ours.
Status FocusFiles::Spool(int pipe, FocusFile& file) const {
  file.path = folder_.path() / ("pipe-" + std::to_string(files_.size()));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.path.c_str(), "wb"),
                                                            &std::fclose);
  std::string block(kReadBytes, '\0');
  bool written = out != nullptr;
  while (written) {
    const ssize_t count = read(pipe, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{ErrorCode::kUnavailable, "cannot read " + file.name + ": " + Why()};
    if (count == 0) break;
    const auto size = static_cast<std::size_t>(count);
    written = std::fwrite(block.data(), 1, size, out.get()) == size;
  }
  if (written && std::fflush(out.get()) == 0) return Ok();
  return Error{ErrorCode::kUnavailable, "cannot write " + file.path.string() + ": " + Why()};
}

Status FocusFiles::ConvertParquet(const FocusOptions& options, FocusFile& file) const {
  if (!options.parquet_to_csv) {
    return Error{ErrorCode::kInvalidArgument,
                 file.name + " is a Parquet file, which is not read here; give it as CSV"};
  }
  // Under a name of ours, which has no character that a reader could take for a pattern.
  const std::string stem = "parquet-" + std::to_string(files_.size());
  const fs::path link = folder_.path() / (stem + ".parquet");
  std::error_code error;
  fs::create_symlink(fs::absolute(file.path), link, error);
  if (error) return Error{ErrorCode::kUnavailable, "cannot read " + file.name};
  file.path = folder_.path() / (stem + ".csv");
  Status converted = options.parquet_to_csv(link.string(), file.path.string());
  if (converted) return converted;
  return Error{converted.error().code, file.name + ": " + converted.error().message};
}

// Only files that begin alike are read whole for their hash.
Status FocusFiles::DropDuplicates() {
  if (files_.size() < 2) return Ok();
  std::map<std::string, std::vector<std::size_t>> by_front;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    PLIMSOLL_TRY(const std::string front, FrontOf(files_[i], kFrontBytes));
    by_front[HashOf(front).ToHex()].push_back(i);
  }
  std::vector<std::optional<std::size_t>> same_as(files_.size());
  for (const auto& [front, alike] : by_front) {
    std::map<std::string, std::size_t> first;
    for (const std::size_t i : alike) {
      if (alike.size() == 1) break;
      PLIMSOLL_TRY(const std::string hash, ContentHash(files_[i]));
      const auto [found, is_new] = first.try_emplace(hash, i);
      if (!is_new) same_as[i] = found->second;
    }
  }
  std::vector<FocusFile> kept;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (!same_as[i]) {
      kept.push_back(files_[i]);
      continue;
    }
    ++duplicates_;
    warnings_.push_back(files_[i].name + ": skipped; it has the same content as " +
                        files_[*same_as[i]].name);
  }
  files_ = std::move(kept);
  return Ok();
}

}  // namespace plimsoll
