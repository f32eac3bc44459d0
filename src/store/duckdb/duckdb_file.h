// The database file: opened by one process, once, and created whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace plimsoll::duck {

// Claims `path` for this process until destroyed. Locks on files are a process's, so that
// DuckDB would let the same process open a file twice, and closing one would unlock both.
class PathClaim {
 public:
  // Fails with kFailedPrecondition if this process has the file open.
  static Result<PathClaim> Take(const std::string& path);
  PathClaim(PathClaim&& other) noexcept;
  PathClaim& operator=(PathClaim&&) = delete;
  ~PathClaim();

 private:
  explicit PathClaim(std::string path) : path_(std::move(path)) {}
  std::string path_;  // "" if moved from
};

bool FileExists(const std::string& path);

// The file's size in bytes; 0 if there is none.
std::int64_t FileBytes(const std::string& path);

// Makes a new or changed name in the file's folder outlive a power cut.
void SyncFolderOf(const std::string& path);

// If `path` does not exist: calls `make` on "<path>.new" and gives the closed file its name.
// A kill in between leaves no half-written `path`; what it leaves is used or replaced by the
// next call. `make` may report kBadData about such a remnant; it is then removed, once.
Status CreateWhole(const std::string& path,
                   const std::function<Status(const std::string& unfinished)>& make);

}  // namespace plimsoll::duck
