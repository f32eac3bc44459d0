// DuckDbStore: the embedded store, one file (or memory), one process.
//
// A second process that opens the same file gets kUnavailable with the first one's pid; the
// file is never damaged by a kill or a full disk: a load is one transaction.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll {

struct DuckDbOptions {
  std::string path;            // "" is in memory
  int threads = 0;             // 0: one a core
  std::string memory_limit{};  // of the database engine; "": 256MB for a file, 1GB in memory
};

// Opens or creates the database and migrates it.
Result<std::unique_ptr<Store>> OpenDuckDb(const DuckDbOptions& options);

}  // namespace plimsoll
