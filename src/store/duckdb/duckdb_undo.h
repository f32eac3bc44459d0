// The undo file of a checkpoint: "<database>.undo", gone again when the checkpoint is done.
//
// DuckDB's checkpoint writes data to free blocks, but rewrites blocks of metadata where they
// are: a kill, a power cut or a full disk in the middle of such a write leaves a block that
// fails its checksum, and a database that cannot be opened. So the blocks it may rewrite are
// saved first, and put back at the next opening unless the checkpoint got as far as its new
// database header, which is the last thing that it writes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll::duck {

// A database file's descriptor, open as long as DuckDB has the file: closing any descriptor
// of a file drops all locks that the process holds on it.
class DatabaseFile {
 public:
  // Opens the file, and if no other process has it, puts back what an undo file holds. A file
  // that is in use, or may not be written, is left as it is for DuckDB to refuse.
  static Result<DatabaseFile> Open(const std::string& path);
  DatabaseFile(DatabaseFile&& other) noexcept;
  DatabaseFile& operator=(DatabaseFile&&) = delete;
  ~DatabaseFile();

  // Makes the undo file: the headers and `blocks` (ids, of `block_size` bytes each) as they are.
  // It outlives a power cut once this returns. Fails with kUnavailable, and leaves none.
  Status SaveUndo(const std::vector<std::int64_t>& blocks, std::int64_t block_size) const;
  // The checkpoint is done: there is nothing to undo.
  void DropUndo() const;

 private:
  DatabaseFile(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  Status PutBack() const;

  std::string path_;
  int descriptor_ = -1;  // -1: moved from, or not to be opened for writing
};

}  // namespace plimsoll::duck
