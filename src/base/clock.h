// Clock: the only reader of real time. Everything else is handed an Instant.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plimsoll {

// Milliseconds since 1970-01-01T00:00:00Z. Callers outside base make an Instant of it with
// AtMillis (units/time.h), which this layer does not know.
std::int64_t NowMillis();

// Milliseconds that never step back, from an arbitrary start: for intervals on the screen.
std::int64_t SteadyMillis();

}  // namespace plimsoll
