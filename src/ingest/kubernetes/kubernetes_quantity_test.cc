#include "ingest/kubernetes/kubernetes_quantity.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::int64_t Parse(std::string_view text, std::int64_t scale = 1) {
  const auto value = ParseKubernetesQuantity(text, scale);
  return value ? *value : -1;
}

TEST(QuantityTest, SuffixesAreExact) {
  EXPECT_EQ(Parse("7910m", 1'000), 7'910);
  EXPECT_EQ(Parse("8", 1'000), 8'000);
  EXPECT_EQ(Parse("0.5", 1'000), 500);
  EXPECT_EQ(Parse(".5", 1'000), 500);
  EXPECT_EQ(Parse("16Gi"), 17'179'869'184);
  EXPECT_EQ(Parse("1e3"), 1'000);
  EXPECT_EQ(Parse("1E3"), 1'000);
  EXPECT_EQ(Parse("12e-1", 10), 12);
  EXPECT_EQ(Parse("1E"), 1'000'000'000'000'000'000);
  EXPECT_EQ(Parse("2k"), 2'000);
  EXPECT_EQ(Parse("1.5Gi"), 1'610'612'736);
  EXPECT_EQ(Parse("2113576724Ki"), 2'113'576'724LL * 1'024);
  EXPECT_EQ(Parse("0"), 0);
}

TEST(QuantityTest, FractionsRoundUp) {
  EXPECT_EQ(Parse("100m"), 1);
  EXPECT_EQ(Parse("1u", 1'000), 1);
  EXPECT_EQ(Parse("128974848000m"), 128'974'848);
}

TEST(QuantityTest, OtherTextIsRefused) {
  for (const char* bad : {"", ".", "Gi", "-1", "1.2.3", "1Ki2", "1ki", "1e", "1e99", "1i", "0x10",
                          "99999999999999999999", "9E99", "9999999999999999999E", " 1", "+"}) {
    EXPECT_EQ(Parse(bad), -1) << bad;
  }
}

}  // namespace
}  // namespace plimsoll
