#include "model/charge.h"

namespace plimsoll {

std::optional<ChargeCategory> ParseChargeCategory(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kChargeCategoryNames); ++i) {
    if (text == kChargeCategoryNames[i]) return static_cast<ChargeCategory>(i);
  }
  return std::nullopt;
}

}  // namespace plimsoll
