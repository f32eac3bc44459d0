// Discover: what `plimsoll init` can see by itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io.h"
#include "config/config.h"

namespace plimsoll {

struct Discovered {
  std::string time_zone;              // of this machine; "" if unknown
  std::vector<SourceConfig> sources;  // what can be read as it is, names unique
  std::vector<std::string> found;     // a sentence each: what was seen
  std::vector<std::string> to_do;     // a sentence each: what is there but needs a step first
};

struct DiscoverOptions {
  const Io* io = nullptr;
  std::string folder = ".";  // looked into with its subfolder bills/
  // True if a Prometheus answers at the URL. Null: nothing is asked.
  std::function<bool(const std::string& url)> answers;
};

Discovered Discover(const DiscoverOptions& options);

// The kind of source that a file is, by how it begins; null if none is known.
std::optional<std::string> KindOfFile(std::string_view head);

}  // namespace plimsoll
