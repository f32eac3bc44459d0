#include "store/select.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

struct TwoColumns {
  std::vector<std::int64_t> first;
  std::vector<std::string> second;
  static constexpr std::tuple kColumns{MakeColumn("first", &TwoColumns::first),
                                       MakeColumn("second", &TwoColumns::second)};
};

TEST(SelectTest, ColumnsAreNamedInOrder) { EXPECT_EQ(ColumnsSql<TwoColumns>(), "first, second"); }

}  // namespace
}  // namespace plimsoll
