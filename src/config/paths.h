// Paths written in a configuration file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace plimsoll {

// `path` as the program opens it: "~" and "~/x" begin at `home` (kept as written if home is
// ""), an absolute path stays, anything else begins at the folder of `config_path`.
std::string ResolvePath(const std::string& path, const std::string& config_path,
                        const std::string& home);

}  // namespace plimsoll
