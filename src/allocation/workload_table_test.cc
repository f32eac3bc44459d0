#include "allocation/workload_table.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(WorkloadTableTest, NumbersFollowTheColumnsNotTheOrderOfSight) {
  WorkloadTable table(DefaultAttributionRules());
  const Attribution nobody{.reason = kReasonNoLabel};
  const auto b = table.Of({"c", "kubernetes", "ns", "Job", "b", "", "", ""}, nobody);
  const auto a = table.Of({"c", "kubernetes", "ns", "Job", "a", "", "", ""}, nobody);
  EXPECT_EQ(table.Of({"c", "kubernetes", "ns", "Job", "b", "", "", ""}, nobody), b);
  const auto final_id = table.Number();
  EXPECT_EQ(final_id[static_cast<std::size_t>(a)], 0);
  EXPECT_EQ(final_id[static_cast<std::size_t>(b)], 1);
  EXPECT_EQ(table.Take({false, true}).workload, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace plimsoll
