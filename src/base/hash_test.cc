#include "base/hash.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Hash128 RowOf(std::string_view a, std::string_view b) {
  RowHasher hasher;
  hasher.Add(a);
  hasher.Add(b);
  return hasher.Finish();
}

TEST(HashTest, FieldBordersCount) {
  EXPECT_NE(RowOf("ab", "c"), RowOf("a", "bc"));
  RowHasher null_field;
  null_field.AddNull();
  RowHasher empty_field;
  empty_field.Add("");
  EXPECT_NE(null_field.Finish(), empty_field.Finish());
}

TEST(HashTest, SumDoesNotDependOnOrderButOnCount) {
  const Hash128 x = RowOf("x", "1");
  const Hash128 y = RowOf("y", "2");
  Hash128 forward = x;
  forward += y;
  Hash128 backward = y;
  backward += x;
  EXPECT_EQ(forward, backward);
  backward += y;
  EXPECT_NE(forward, backward);
}

TEST(HashTest, CarriesIntoTheHighHalf) {
  Hash128 hash{~std::uint64_t{0}, 1};
  hash += Hash128{1, 0};
  EXPECT_EQ(hash, (Hash128{0, 2}));
  EXPECT_EQ(hash.ToHex(), "00000000000000020000000000000000");
}

}  // namespace
}  // namespace plimsoll
