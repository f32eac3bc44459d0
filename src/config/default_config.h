// The plimsoll.yaml that `plimsoll init` writes: every key, with a comment that says what for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace plimsoll {

// What is known of the place; keys that are not known are written as commented examples.
struct ConfigDraft {
  std::string time_zone = "UTC";
  std::string currency = "USD";
  std::vector<SourceConfig> sources;
};

// The text loads with LoadConfig and gives back the draft.
std::string ConfigText(const ConfigDraft& draft);

// ConfigText of an empty draft: the documented defaults.
std::string DefaultConfigText();

}  // namespace plimsoll
