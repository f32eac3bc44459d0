// Files as the command line names them: read whole, written at once, found by pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// Fails with kNotFound or kUnavailable, naming the file.
Result<std::string> ReadWholeFile(const std::string& path);

// Writes beside `path` and renames, so that a reader sees the old or the new text; into a device
// or a pipe it writes. Fails with kUnavailable (no space, no right to write).
Status WriteWholeFile(const std::string& path, const std::string& text);

bool FileExists(const std::string& path);

// The files that a pattern (*, ?, [...]) names, sorted; a plain path is itself, there or
// not, and so are "-" and URLs. Fails with kNotFound if a pattern matches nothing.
Result<std::vector<std::string>> ExpandFiles(const std::vector<std::string>& patterns);

}  // namespace plimsoll
