// KubernetesQuantity: "7910m", "16Gi", "1e3" as exact integers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

// The quantity times `scale`, rounded up as Kubernetes does: ("100m", 1) is 1, ("7910m",
// 1'000) is 7'910, ("16Gi", 1) is 17'179'869'184. Suffixes n u m k M G T P E, Ki Mi Gi Ti Pi
// Ei, or a decimal exponent. Fails with kBadData on other text, a negative quantity, or one
// past 63 bits.
Result<std::int64_t> ParseKubernetesQuantity(std::string_view text, std::int64_t scale);

}  // namespace plimsoll
