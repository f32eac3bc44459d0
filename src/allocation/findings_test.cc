#include "allocation/findings.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(FindingLogTest, EqualFindingsAddUpAndComeSorted) {
  FindingLog log;
  log.Add("no-price", "b", "why", {3, Money::Units(1)});
  log.Add("no-price", "a", "why");
  log.Add("no-price", "b", "why", {4, Money::Units(2)});
  const FindingBatch batch = log.Take();
  ASSERT_EQ(RowsOf(batch), 2u);
  EXPECT_EQ(batch.subject[0], "a");
  EXPECT_EQ(batch.gpu_time[1], GpuMillis(7));
  EXPECT_EQ(batch.cost[1], Money::Units(3));
}

}  // namespace
}  // namespace plimsoll
