// Every limit of the program in one place, with its reason.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace plimsoll {

// Rows held in memory before they are appended to the store: 16 store vectors, so that an
// import's memory does not grow with its file.
inline constexpr std::size_t kBatchRows = 32'768;

// Bytes of a refused row kept in the quarantine: enough to recognise it.
inline constexpr std::size_t kRawBytesMax = 512;

// Rejections printed in full; all of them are in the quarantine table.
inline constexpr std::size_t kRejectionsShownMax = 20;

// One CSV field or exposition line; longer is a broken file, not data.
inline constexpr std::size_t kLineBytesMax = 16 * 1024 * 1024;

// Nesting of JSON or YAML input; deeper is an attack on the stack.
inline constexpr int kNestingMax = 64;

// One HTTP response body from Prometheus; a window that needs more is split in two.
inline constexpr std::size_t kHttpBodyBytesMax = 64 * 1024 * 1024;

}  // namespace plimsoll
