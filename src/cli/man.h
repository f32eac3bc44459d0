// Man: the program's manual page (troff, man macros), made from the commands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/command.h"

namespace plimsoll {

// plimsoll(1). `version` is shown in the footer; no date, so that a build is reproducible.
std::string ManPage(const Command& root, const std::string& version);

}  // namespace plimsoll
