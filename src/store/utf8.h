// UTF-8: the only text a store takes. Checks it, and mends what is shown but not counted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// True for well-formed UTF-8 (Unicode 15, table 3-7): no overlong form, surrogate or cut
// character. NUL is a character like any other.
bool IsUtf8(std::string_view text);

// Replaces every byte that is not part of a well-formed character by U+FFFD. For texts that
// only people read, as a refused row's raw bytes.
std::string ToUtf8(std::string_view text);

}  // namespace plimsoll
