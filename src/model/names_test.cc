#include <gtest/gtest.h>

#include "model/attribution.h"
#include "model/charge.h"
#include "model/cost_line.h"

namespace plimsoll {
namespace {

TEST(NamesTest, CostClassesReadBackAsWritten) {
  for (std::size_t i = 0; i < kCostClassCount; ++i) {
    const auto cost_class = static_cast<CostClass>(i);
    EXPECT_EQ(ParseCostClass(NameOf(cost_class)), cost_class);
  }
  EXPECT_EQ(ParseCostClass("idle"), std::nullopt);
}

TEST(NamesTest, ChargeCategoriesAreFocusWords) {
  EXPECT_EQ(ParseChargeCategory("Tax"), ChargeCategory::kTax);
  EXPECT_EQ(ParseChargeCategory("tax"), std::nullopt);
}

TEST(NamesTest, DefaultRulesKnowTheLabelStandardUnderItsPrefix) {
  const AttributionRules rules = DefaultAttributionRules();
  EXPECT_EQ(rules.dimensions[static_cast<std::size_t>(Dimension::kWorkloadType)].keys[0],
            "platform.example.com/workload-type");
}

}  // namespace
}  // namespace plimsoll
