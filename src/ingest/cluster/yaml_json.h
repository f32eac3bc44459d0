// YamlJson: YAML documents as JSON, so that one reader reads both.
//
// Plain numbers, true, false and null become what they are in JSON, everything else a text. The
// values below `requests`, `limits` and `overhead` stay texts, as an API server writes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

// Calls `take` with each document ("---" separates them; empty ones are passed over). Fails with
// kBadData, naming file and line, on text that is no YAML or nests deeper than kNestingMax.
Status ReadYamlDocuments(const std::string& file, std::string_view text,
                         const std::function<void(const nlohmann::json&)>& take);

}  // namespace plimsoll
