#include "model/attribution.h"

namespace plimsoll {

AttributionRules DefaultAttributionRules() {
  const auto keys = [](const std::string& name) {
    return std::vector<std::string>{"platform.example.com/" + name, "plimsoll.io/" + name, name};
  };
  AttributionRules rules;
  for (std::size_t i = 0; i < kDimensionCount; ++i) {
    std::string name = kDimensionNames[i];
    for (char& c : name) {
      if (c == '_') c = '-';
    }
    rules.dimensions[i].keys = keys(name);
  }
  rules.dimensions[static_cast<std::size_t>(Dimension::kEnvironment)].keys.push_back("env");
  rules.dimensions[static_cast<std::size_t>(Dimension::kCostCenter)].keys.push_back("costCenter");
  return rules;
}

}  // namespace plimsoll
