#include "config/unit_config.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace plimsoll {
namespace {

TEST(UnitConfigTest, ReadsATargetForEachExperiment) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", R"(targets:
  - {experiment: tiny-lm, metric: eval/loss, at_most: 2.5, window: 3}
  - {metric: accuracy, at_least: 0.90, window_steps: 500}
)");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->targets.size(), 2U);
  EXPECT_EQ(config->targets[0],
            (QualityTarget{"tiny-lm", "eval/loss", *ExactDecimal::Parse("2.5"), true, 3, false}));
  EXPECT_EQ(config->targets[1],
            (QualityTarget{"", "accuracy", *ExactDecimal::Parse("0.9"), false, 500, true}));
}

TEST(UnitConfigTest, EveryErrorHasItsLineAndRemedy) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", R"(targets:
  - {experiment: a, metric: loss, at_most: low}
  - {experiment: a, metric: loss, at_most: 1, window: 0}
  - {experiment: b, at_most: 1, at_least: 2}
  - {metric: loss}
  - {metric: loss, at_most: 1, window: 3, window_steps: 3}
)");
  ASSERT_FALSE(config);
  for (const char* part :
       {"plimsoll.yaml:2: targets[0].at_most: 'low' is not a decimal",
        "plimsoll.yaml:3: targets[1].window: '0' must be a whole number",
        "targets[1].experiment: 'a' has a target already", "targets[2].metric: is missing",
        "plimsoll.yaml:4: targets[2].at_most: needs one of at_most",
        "plimsoll.yaml:5: targets[3].metric: needs one of at_most",
        "targets[4].window_steps: give window", "targets[4].metric: a target without"}) {
    EXPECT_NE(config.error().message.find(part), std::string::npos) << part << "\nis not in\n"
                                                                    << config.error().message;
  }
}

}  // namespace
}  // namespace plimsoll
