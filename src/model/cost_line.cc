#include "model/cost_line.h"

namespace plimsoll {

std::string_view NameOf(CostClass cost_class) {
  return kCostClassNames[static_cast<std::size_t>(cost_class)];
}

std::optional<CostClass> ParseCostClass(std::string_view name) {
  for (std::size_t i = 0; i < kCostClassCount; ++i) {
    if (name == kCostClassNames[i]) return static_cast<CostClass>(i);
  }
  return std::nullopt;
}

}  // namespace plimsoll
