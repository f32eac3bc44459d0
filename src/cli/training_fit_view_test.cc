#include "cli/training_fit_view.h"

#include <gtest/gtest.h>

#include "capacity/workload/workload_summary.h"
#include "cli/test_training_model.h"

namespace plimsoll {
namespace {

TEST(TrainingFitViewTest, QualityIsByQueueAndSize) {
  const TrainingWorkload history = TestModel().history;
  const WorkloadFit fit = FitWorkload(history, *WindowOf(history));
  Answer answer;
  AddFit(fit, false, answer);
  ASSERT_EQ(answer.tables.size(), 2U);
  ASSERT_EQ(answer.tables[0].rows.size(), 1U);
  EXPECT_EQ(answer.tables[0].rows[0][0], "research");
  EXPECT_EQ(answer.tables[0].rows[0][2], "200");
  ASSERT_EQ(answer.tables[1].rows.size(), 3U);
  EXPECT_EQ(answer.tables[1].rows[0][1], "1");
  EXPECT_EQ(answer.tables[1].rows[0][2], "150");
  EXPECT_EQ(answer.tables[1].columns[3].name, "mean_run_hours");
  EXPECT_EQ(answer.notes.size(), 1U);
  // Exponential runs: a squared coefficient of variation about 1.
  const auto cs2 = Money::Parse(*answer.tables[1].rows[0][5]);
  ASSERT_TRUE(cs2);
  EXPECT_GT(*cs2, Money::FromNanos(600'000'000));
  EXPECT_LT(*cs2, Money::FromNanos(1'600'000'000));
}

}  // namespace
}  // namespace plimsoll
