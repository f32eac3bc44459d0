#include "allocation/declared_costs.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

// 74,400 a month of 744 hours is 100 an hour, while it is declared, in its column.
TEST(DeclaredCostsTest, AMonthsAmountIsItsHoursParts) {
  TestFleet fleet;
  fleet.options.window.until = T(180);
  fleet.options.declared = {
      {"on-call", "people", Money::Units(74'400), "platform", std::nullopt, std::nullopt},
      {"bucket", "storage", Money::Units(744), "", T(60), T(120)}};
  const auto out = fleet.Allocate();
  EXPECT_EQ(Lines(out), (Texts{"none on-call 0 0 0 0 0 0 100", "none on-call 0 0 0 0 0 0 100",
                               "none bucket 0 0 0 0 1", "none on-call 0 0 0 0 0 0 100"}));
  EXPECT_EQ(out.workloads.team, (Texts{"platform", ""}));
  EXPECT_EQ(out.workloads.reason, (Texts{"", "no-owner"}));
}

}  // namespace
}  // namespace plimsoll
