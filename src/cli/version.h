// Version of the program, from the build.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plimsoll {

const char* Version();  // "0.1.0"

}  // namespace plimsoll
