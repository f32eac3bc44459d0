// PLIMSOLL_CHECK: an invariant that holds in every build, or the process ends.
//
// For our own mistakes only. Input, files and servers are never checked this way:
// they fail through Result.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plimsoll {

// Writes "file:line: check failed: what" to stderr and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* what);

}  // namespace plimsoll

#define PLIMSOLL_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::plimsoll::CheckFailed(__FILE__, __LINE__, #condition))
