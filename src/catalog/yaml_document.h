// Checks that a YAML text holds one document and nothing after it.
//
// YAML::LoadAll does not end on text such as "," and YAML::Load ignores what follows its
// first document, so neither can tell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace plimsoll {

// The line, from 1, where something follows the first document; nullopt if nothing does.
// Throws YAML::Exception if the text is not YAML.
std::optional<int> LineAfterDocument(const std::string& text);

}  // namespace plimsoll
