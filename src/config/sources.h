// Sources of plimsoll.yaml: what each kind takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/yaml_reader.h"

namespace plimsoll {

// The kinds of SourceConfig, in the order in which `sync` and --from load them: prices and
// bills first, then fleets, then usage.
std::span<const std::string> SourceKinds();

// Reads key `sources` of `top`; paths are resolved with `resolve`. Names are unique.
std::vector<SourceConfig> ReadSources(
    YamlMap& top, const std::function<std::string(const std::string&)>& resolve);

}  // namespace plimsoll
