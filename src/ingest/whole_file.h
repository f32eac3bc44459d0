// A file of moderate size as one text, unpacked if its first bytes say that it is gzip.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace plimsoll {

// Unpacked texts beyond this are refused: a few kilobytes of gzip can hold terabytes.
inline constexpr std::size_t kWholeFileBytesMax = std::size_t{8} << 30;

// Fails with kNotFound or kUnavailable, naming the file, and kBadData on damaged gzip.
Result<std::string> ReadWholeOrGzip(const std::string& path);

}  // namespace plimsoll
