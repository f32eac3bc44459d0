#include "allocation/scope_table.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(ScopeTableTest, NumbersFollowTheKeyNotTheOrderOfSight) {
  ScopeTable table;
  const Window may{AtMillis(0), AtMillis(0) + Days(31)};
  const auto b = table.Of("aws", {"AWS", "2", "USD", may});
  const auto a = table.Of("aws", {"AWS", "1", "USD", may});
  EXPECT_EQ(table.Of("aws", {"AWS", "2", "USD", may}), b);
  const auto final_id = table.Number();
  EXPECT_EQ(final_id[static_cast<std::size_t>(a)], 0);
  EXPECT_EQ(final_id[static_cast<std::size_t>(b)], 1);
  EXPECT_EQ(table.Take({false, true}).account, std::vector<std::string>{"2"});
}

}  // namespace
}  // namespace plimsoll
