// Display: exact text made readable: rounded half to even, grouped by thousands. Only for the
// eye; every rendering keeps the exact text beside it or in JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/document.h"

namespace plimsoll {

// "-1234.565" with 2 places -> "-1,234.56"; "-0.001" -> "0.00". nullopt if `text` is no plain
// decimal (E-notation is none). Any length: no number is ever formed.
std::optional<std::string> RoundAndGroup(std::string_view text, std::size_t places);

// "40" -> "40 s", "5400" -> "90 min", "7500" -> "2 h 05 min"; what is no count of seconds stays.
std::string DisplaySeconds(const std::string& text);

// True for the kinds that are set flush right.
bool IsNumeric(ValueKind kind);

// How the values of a chart in `unit` are shown: hours for "GPU-hours", percent for "%", money for
// a currency code, else as they are.
ValueKind KindOfUnit(std::string_view unit);

// Display() and the unit of a chart's value.
std::string DisplayInUnit(std::string_view value, std::string_view unit);

// The class of GPU time that a label names, whatever its spelling: "Usage unknown" ->
// "usage_unknown", "waste (idle)" -> "waste". "" if it names none.
std::string_view GpuTimeClass(std::string_view label);

// plimsoll explain 'ID', quoted for a POSIX shell.
std::string ExplainCommand(std::string_view figure);

}  // namespace plimsoll
