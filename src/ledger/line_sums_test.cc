#include "ledger/line_sums.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

TEST(LineSumsTest, UsedTimeIsUnknownOnlyWhereNoTimeHasASignal) {
  SharingAmounts amounts;
  amounts.cost[0] = Money::Units(2);
  amounts.cost[6] = Money::Units(3);
  amounts.gpu_time = amounts.gpu_unknown = WholeGpuHours(4);
  EXPECT_FALSE(RowOf({"a"}, amounts).gpu_used.has_value());
  amounts.gpu_unknown = WholeGpuHours(3);
  const LedgerRow row = RowOf({"a"}, amounts);
  EXPECT_EQ(row.gpu_used, GpuHours());
  EXPECT_EQ(row.cost, Money::Units(5));
  EXPECT_EQ(row.keys, std::vector<std::string>{"a"});
}

// A column that is asked for and not bound, or bound and not asked for, would shift all others.
TEST(LineSumsTest, AsManyColumnsAreBoundAsAreAskedFor) {
  LineSums sums;
  BatchRef refs;
  sums.AppendTo(refs);
  const std::string sql = LineSumsSql();
  std::size_t depth = 0;
  std::size_t columns = 1;
  for (const char c : sql) {
    depth += c == '(' ? 1 : 0;
    depth -= c == ')' ? 1 : 0;
    columns += c == ',' && depth == 0 ? 1 : 0;
  }
  EXPECT_EQ(refs.size(), columns);
  EXPECT_EQ(columns, 3 + kCostKindCount);
}

}  // namespace
}  // namespace plimsoll
