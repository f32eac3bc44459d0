// UnitAlertConfig: when the move of a unit cost is worth a sentence in the weekly report.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plimsoll {

struct UnitAlertConfig {
  std::int64_t band_percent = 20;  // up or down
  std::int64_t weeks = 4;          // before, that it is compared with
};

}  // namespace plimsoll
