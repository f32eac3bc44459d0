// NumberText: the decimals of training logs, kept as text so that none is rounded twice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "units/time.h"

namespace plimsoll {

// A decimal as it is written ("0.10", "1e-05"), or "nan", "inf" or "-inf" for any spelling of
// these. Null if the text is no number.
std::optional<std::string> NumberText(std::string_view text);

// The whole number that a decimal is: 12 of "12", "12.0" and "1.2e1". Null if it is none, or
// beyond 64 bits.
std::optional<std::int64_t> WholeNumber(std::string_view text);

// The time of "1732999999.123456" seconds since the epoch, cut to milliseconds. Null if the
// text is no decimal or the time lies outside the years 1 to 9999.
std::optional<Instant> EpochSeconds(std::string_view text);

// As EpochSeconds of a count of milliseconds.
std::optional<Instant> EpochMillis(std::string_view text);

}  // namespace plimsoll
