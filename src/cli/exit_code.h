// Exit codes of the program: the contract with scripts and cron.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

namespace plimsoll {

enum class ExitCode : unsigned char {
  kDone = 0,
  kCheckFailed = 1,  // a guard, a budget or a tie-out said no; the output says why
  kUsage = 2,        // the command line is wrong
  kBadData = 3,      // an input file, the configuration or the database's content is wrong
  kUnavailable = 4,  // a dependency did not answer, or a resource is busy or full
  kInternal = 70,    // our bug
};

ExitCode ExitCodeOf(ErrorCode code);

}  // namespace plimsoll
