#include "store/duckdb/duckdb_undo.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/hash.h"
#include "store/duckdb/duckdb_file.h"

namespace plimsoll::duck {
namespace {

// Three headers of 4 KiB: of the file, and two of the database, used in turn. Block 0 follows.
constexpr std::int64_t kHeaderBytes = 3 * 4096;
constexpr std::string_view kMagic = "plimsoll undo 1\n";
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;  // of an undo file; more is damage

struct FileCloser {
  explicit FileCloser(int opened) : descriptor(opened) {}
  FileCloser(const FileCloser&) = delete;
  FileCloser& operator=(const FileCloser&) = delete;
  ~FileCloser() {
    if (descriptor >= 0) ::close(descriptor);
  }
  int descriptor;
};

bool ReadAt(int descriptor, std::int64_t offset, std::int64_t bytes, std::string& into) {
  into.resize(static_cast<std::size_t>(bytes));
  std::int64_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(descriptor, into.data() + done,
                                static_cast<std::size_t>(bytes - done), offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += got;
  }
  return true;
}

bool WriteAt(int descriptor, std::int64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(descriptor, bytes.data(), bytes.size(), offset);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    offset += put;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

// Takes the lock that DuckDB takes. False if another process holds it.
bool Lock(int descriptor) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_SETLK, &lock) == 0;
}

std::string UndoPath(const std::string& path) { return path + ".undo"; }

Error CannotSave(const std::string& path, int failure) {
  return {ErrorCode::kUnavailable, "database " + path + ": its undo file " + UndoPath(path) +
                                       " cannot be written (" +
                                       std::generic_category().message(failure) + ")"};
}

void AppendNumber(std::string& to, std::int64_t number) {
  std::array<char, sizeof number> bytes{};
  std::memcpy(bytes.data(), &number, sizeof number);
  to.append(bytes.data(), bytes.size());
}

std::int64_t NumberAt(std::string_view bytes, std::size_t at) {
  std::int64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// An undo file in memory: magic, block size, headers, {id, block}..., checksum of it all.
struct Undo {
  std::int64_t block_size = 0;
  std::string_view headers;
  std::vector<std::pair<std::int64_t, std::string_view>> blocks;
};

// False if it is cut or damaged.
bool Parse(std::string_view bytes, Undo& undo) {
  constexpr std::size_t kFixed = kMagic.size() + sizeof(std::int64_t) + kHeaderBytes;
  constexpr std::size_t kChecksum = 32;
  if (bytes.size() < kFixed + kChecksum || !bytes.starts_with(kMagic)) return false;
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksum);
  if (HashOf(content).ToHex() != bytes.substr(content.size())) return false;
  undo.block_size = NumberAt(content, kMagic.size());
  if (undo.block_size <= 0 || undo.block_size > kMostBytes) return false;
  undo.headers = content.substr(kMagic.size() + sizeof(std::int64_t), kHeaderBytes);
  const std::size_t entry = sizeof(std::int64_t) + static_cast<std::size_t>(undo.block_size);
  if ((content.size() - kFixed) % entry != 0) return false;
  for (std::size_t at = kFixed; at < content.size(); at += entry) {
    undo.blocks.emplace_back(NumberAt(content, at), content.substr(at + sizeof(std::int64_t),
                                                                   entry - sizeof(std::int64_t)));
  }
  return true;
}

}  // namespace

Result<DatabaseFile> DatabaseFile::Open(const std::string& path) {
  DatabaseFile file(path, ::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.descriptor_ >= 0 && Lock(file.descriptor_) && FileExists(UndoPath(path))) {
    PLIMSOLL_RETURN_IF_ERROR(file.PutBack());
  }
  return Result<DatabaseFile>(std::move(file));
}

DatabaseFile::DatabaseFile(DatabaseFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

DatabaseFile::~DatabaseFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status DatabaseFile::SaveUndo(const std::vector<std::int64_t>& blocks,
                              std::int64_t block_size) const {
  if (FileExists(UndoPath(path_))) return CannotSave(path_, EEXIST);  // of one that failed
  std::string undo(kMagic);
  AppendNumber(undo, block_size);
  std::string part;
  if (!ReadAt(descriptor_, 0, kHeaderBytes, part)) return CannotSave(path_, EIO);
  undo += part;
  for (const std::int64_t block : blocks) {
    if (!ReadAt(descriptor_, kHeaderBytes + block * block_size, block_size, part)) {
      return CannotSave(path_, EIO);
    }
    AppendNumber(undo, block);
    undo += part;
  }
  undo += HashOf(undo).ToHex();

  const std::string unfinished = UndoPath(path_) + ".new";
  const FileCloser file(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.descriptor < 0 || !WriteAt(file.descriptor, 0, undo) || ::fsync(file.descriptor) != 0 ||
      ::rename(unfinished.c_str(), UndoPath(path_).c_str()) != 0) {
    const int failure = errno;
    ::unlink(unfinished.c_str());
    return CannotSave(path_, failure);
  }
  SyncFolderOf(path_);
  return Ok();
}

void DatabaseFile::DropUndo() const { ::unlink(UndoPath(path_).c_str()); }

// The headers tell whether the checkpoint came to its end: then its blocks are the right ones.
Status DatabaseFile::PutBack() const {
  const FileCloser file(::open(UndoPath(path_).c_str(), O_RDONLY | O_CLOEXEC));
  const off_t size = file.descriptor < 0 ? -1 : ::lseek(file.descriptor, 0, SEEK_END);
  std::string bytes;
  std::string headers;
  if (size < 0 || size > kMostBytes || !ReadAt(file.descriptor, 0, size, bytes) ||
      !ReadAt(descriptor_, 0, kHeaderBytes, headers)) {
    return Error{ErrorCode::kUnavailable,
                 "database " + path_ + ": its undo file " + UndoPath(path_) + " cannot be read"};
  }
  Undo undo;
  if (!Parse(bytes, undo)) {
    return Error{ErrorCode::kBadData,
                 UndoPath(path_) + " is damaged; restore " + path_ +
                     " from a copy, or move that file away to open the database as it is"};
  }
  if (undo.headers == headers) {
    bool written = true;
    for (const auto& [id, block] : undo.blocks) {
      written = written && WriteAt(descriptor_, kHeaderBytes + id * undo.block_size, block);
    }
    if (!written || ::fsync(descriptor_) != 0) {
      return Error{ErrorCode::kUnavailable, "database " + path_ + " cannot be put back from " +
                                                UndoPath(path_) + " (" +
                                                std::generic_category().message(errno) + ")"};
    }
  }
  DropUndo();
  return Ok();
}

}  // namespace plimsoll::duck
