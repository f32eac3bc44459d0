#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

using WeeklyWorkTest = WeekFixture;

TEST_F(WeeklyWorkTest, UnlabelledWorkIsNeitherTrainingNorInference) {
  const auto training = TrainingSection(AskDay());
  ASSERT_TRUE(training) << training.error().message;
  EXPECT_EQ(Find(*training, "gpu_hours")->value, std::nullopt);
  const auto inference = InferenceSection(AskDay());
  ASSERT_TRUE(inference) << inference.error().message;
  EXPECT_EQ(Find(*inference, "cost")->value, std::nullopt);
  EXPECT_FALSE(inference->connect.empty());
}

TEST_F(WeeklyWorkTest, LabelledTrainingHasHoursButNoEffectiveOnes) {
  ASSERT_TRUE(
      store_->Execute("UPDATE ledger_workload SET workload_type = 'training' WHERE "
                      "workload = 'train'",
                      {}));
  ASSERT_TRUE(store_->Execute("UPDATE holding SET end_reason = 'Completed'", {}));
  const auto section = TrainingSection(AskDay());
  ASSERT_TRUE(section) << section.error().message;
  EXPECT_EQ(Find(*section, "gpu_hours")->value, "1.000000000");
  EXPECT_EQ(Find(*section, "success_rate")->value, "100.0");
  EXPECT_EQ(Find(*section, "gpu_hours_effective")->value, std::nullopt);
}

}  // namespace
}  // namespace plimsoll
