#include "store/duckdb/duckdb_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

namespace plimsoll::duck {
namespace {

struct OpenPaths {
  std::mutex mutex;
  std::set<std::string> paths;
};
// The one thing that is a process's and not an object's: which files it has open.
OpenPaths& ProcessPaths() {
  static OpenPaths open;
  return open;
}

std::string Canonical(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : canonical.string();
}

}  // namespace

Result<PathClaim> PathClaim::Take(const std::string& path) {
  OpenPaths& open = ProcessPaths();
  std::string canonical = Canonical(path);
  const std::lock_guard lock(open.mutex);
  if (!open.paths.insert(canonical).second) {
    return Error{ErrorCode::kFailedPrecondition,
                 "database " + path + " is already open in this process; use that store"};
  }
  return PathClaim(std::move(canonical));
}

PathClaim::PathClaim(PathClaim&& other) noexcept : path_(std::move(other.path_)) {
  other.path_.clear();
}

PathClaim::~PathClaim() {
  if (path_.empty()) return;
  OpenPaths& open = ProcessPaths();
  const std::lock_guard lock(open.mutex);
  open.paths.erase(path_);
}

bool FileExists(const std::string& path) {
  std::error_code failure;
  return std::filesystem::exists(path, failure);
}

std::int64_t FileBytes(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
  return failure ? 0 : static_cast<std::int64_t>(bytes);
}

void SyncFolderOf(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
}

Status CreateWhole(const std::string& path,
                   const std::function<Status(const std::string& unfinished)>& make) {
  const std::string unfinished = path + ".new";
  Status made = make(unfinished);
  if (!made && made.error().code == ErrorCode::kBadData) {
    ::unlink(unfinished.c_str());
    ::unlink((unfinished + ".wal").c_str());
    made = make(unfinished);
  }
  PLIMSOLL_RETURN_IF_ERROR(std::move(made));
  // link(), unlike rename(), never replaces a database that another process made meanwhile.
  const int failure = ::link(unfinished.c_str(), path.c_str()) == 0 ? 0 : errno;
  if (failure == 0 || failure == EEXIST) {
    ::unlink(unfinished.c_str());
    SyncFolderOf(path);
    return Ok();
  }
  return Error{ErrorCode::kUnavailable, "database " + path + " cannot be created: " +
                                            std::generic_category().message(failure)};
}

}  // namespace plimsoll::duck
