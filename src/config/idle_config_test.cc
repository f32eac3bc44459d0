#include "config/idle_config.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace plimsoll {
namespace {

std::string ErrorsOf(const std::string& text) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", text);
  return config ? "" : config.error().message;
}

TEST(IdleConfigTest, ReadsReservesMaintenanceAndRules) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", R"(reserves:
  - name: zone-b-spare
    kind: failure-domain
    zone: zone-b
    gpus: 16
    owner: platform
    reason: one zone may fail
    until: 2027-01-01
  - {name: warm, kind: warm-pool, node_label: pool, node_label_value: warm, gpus: 2, owner: search,
     reason: cold starts take ten minutes}
maintenance:
  - {cluster: prod, node: gpu-a*, from: 2026-12-01T08:00:00Z, until: 2026-12-01T12:00:00Z,
     reason: driver}
idle:
  scale_down_delay: 10m
  cordon_grace: 2h
  typical_gpus: [8, 4]
)");
  ASSERT_TRUE(config) << config.error().message;
  const IdlePolicy& idle = config->idle;
  ASSERT_EQ(idle.reserves.size(), 2U);
  EXPECT_EQ(idle.reserves[0].scope.zone, "zone-b");
  EXPECT_EQ(idle.reserves[0].gpus, 16);
  EXPECT_EQ(idle.reserves[0].until, *ParseInstant("2027-01-01T00:00:00Z"));
  EXPECT_EQ(idle.reserves[1].scope.label_value, "warm");
  ASSERT_EQ(idle.maintenance.size(), 1U);
  EXPECT_EQ(idle.maintenance[0].time.length(), Hours(4));
  EXPECT_EQ(idle.scale_down_delay, Minutes(10));
  EXPECT_EQ(idle.init_grace, Minutes(30));
  EXPECT_EQ(idle.cordon_grace, Hours(2));
  EXPECT_EQ(idle.typical_gpus, (std::vector<std::int64_t>{8, 4}));
}

TEST(IdleConfigTest, EveryErrorHasItsLineAndRemedy) {
  const std::string errors = ErrorsOf(R"(attribution:
  dimensions:
    team: {values: [search]}
reserves:
  - {name: a, kind: spare, gpus: 0, owner: serach, reason: x}
  - {name: a, kind: warm-pool, gpus: 1, owner: search, reason: x, from: 2026-02-01,
     until: 2026-01-01}
  - {kind: warm-pool, gpus: 1, owner: search, reason: x, node_label: pool}
maintenance:
  - {from: soon, until: 2026-01-01}
idle:
  typical_gpus: [many]
  init_grace: 90d
)");
  for (const char* part :
       {"plimsoll.yaml:5: reserves[0].kind: 'spare' is not one of",
        "gpus: '0' must be a whole number from 1 to 10000000",
        "owner: 'serach' is not in attribution.dimensions.team.values; did you mean 'search'",
        "plimsoll.yaml:6: reserves[1].name: 'a' is taken", "until: must be after from",
        "plimsoll.yaml:8: reserves[2].name: is missing", "needs both node_label",
        "plimsoll.yaml:10: maintenance[0].from:", "typical_gpus: 'many'",
        "init_grace: must be 30 days at most"}) {
    EXPECT_NE(errors.find(part), std::string::npos) << part << "\nis not in\n" << errors;
  }
}

}  // namespace
}  // namespace plimsoll
