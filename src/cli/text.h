// Text on a screen: how wide it is, cut and wrapped to fit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// Columns that UTF-8 text takes: combining marks take none, East Asian wide characters two.
std::size_t WidthOf(std::string_view text);

// `text` with everything that could steer a terminal (control characters, escape sequences'
// first byte, broken UTF-8) replaced by '?'. Data is printed only through this.
std::string Printable(std::string_view text);
// The same of a text whose line breaks stay.
std::string PrintableLines(std::string_view text);

// At most `width` columns, cut with "…" at the end.
std::string Shorten(std::string_view text, std::size_t width);

// Lines of at most `width` columns, broken at blanks; "\n" stays a break. A longer word
// stands alone on its line.
std::vector<std::string> WrapText(std::string_view text, std::size_t width);

// "1234567.5" -> "1,234,567.5".
std::string GroupThousands(std::string_view number);

}  // namespace plimsoll
