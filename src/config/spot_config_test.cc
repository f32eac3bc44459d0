#include "config/spot_config.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace plimsoll {
namespace {

TEST(SpotConfigTest, ReadsSharesOfLinesAndMonthlyAmounts) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", R"(spot_costs:
  - {name: checkpoints, kind: storage, filter: 'workload:"Amazon S3"', share_percent: 12.5}
  - {name: restores, kind: traffic, filter: 'namespace:"restore"'}
  - {name: on-call, kind: operations, monthly: 720}
)");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->spot_costs.size(), 3U);
  EXPECT_EQ(config->spot_costs[0], (SpotCostRule{"checkpoints", "storage", "workload:\"Amazon S3\"",
                                                 Money::FromNanos(12'500'000'000), std::nullopt}));
  EXPECT_EQ(config->spot_costs[1].share, Money::Units(100));
  EXPECT_EQ(config->spot_costs[2].monthly, Money::Units(720));
}

TEST(SpotConfigTest, EveryErrorHasItsLineAndRemedy) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", R"(spot_costs:
  - {name: a, kind: storage}
  - {name: a, kind: disks, monthly: 1}
  - {name: b, kind: traffic, filter: x, share_percent: 101}
  - {name: c, kind: operations, monthly: -5}
  - {name: d, kind: operations, monthly: 5, share_percent: 5}
  - {kind: operations, monthly: 5, filter: x}
)");
  ASSERT_FALSE(config);
  for (const char* part :
       {"plimsoll.yaml:2: spot_costs[0].filter: give one of filter",
        "spot_costs[1].name: 'a' is taken",
        "spot_costs[1].kind:", "plimsoll.yaml:4: spot_costs[2].share_percent: '101' is not a share",
        "spot_costs[3].monthly: '-5' is not an amount", "spot_costs[4].share_percent: is of a",
        "spot_costs[5].name: is missing", "spot_costs[5].monthly: give one of filter"}) {
    EXPECT_NE(config.error().message.find(part), std::string::npos) << part << "\nis not in\n"
                                                                    << config.error().message;
  }
}

}  // namespace
}  // namespace plimsoll
