#include "sim/fingerprint.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Fingerprint Of(std::initializer_list<std::int64_t> numbers) {
  Fingerprint fingerprint;
  for (const std::int64_t number : numbers) fingerprint.Add(number);
  return fingerprint;
}

TEST(FingerprintTest, OrderNumberAndLengthMatter) {
  EXPECT_EQ(Of({1, 2, 3}), Of({1, 2, 3}));
  EXPECT_NE(Of({1, 2, 3}), Of({1, 3, 2}));
  EXPECT_NE(Of({1, 2, 3}), Of({1, 2, 3, 0}));
  EXPECT_NE(Of({0}), Of({}));
  EXPECT_EQ(Of({}).ToHex(), "0000000000000000");
  EXPECT_EQ(Of({1, 2, 3}).ToHex().size(), 16U);
}

TEST(FingerprintTest, PartsGatherIntoAWhole) {
  Fingerprint whole;
  whole.Add(Of({1, 2}));
  whole.Add(Of({3}));
  Fingerprint other;
  other.Add(Of({1}));
  other.Add(Of({2, 3}));
  EXPECT_NE(whole, other);
}

}  // namespace
}  // namespace plimsoll
