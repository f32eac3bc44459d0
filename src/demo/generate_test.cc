#include <gtest/gtest.h>

#include "demo/demo.h"

namespace plimsoll {
namespace {
TEST(GenerateTest, X) {
  for (std::int64_t gpus : {16, 17, 23, 40, 64, 64, 136}) {
    for (std::int64_t days : {1, 2, 3, 5, 7, 16}) {
      for (std::uint64_t seed : {1U, 2U, 3U}) {
        DemoOptions o;
        o.gpus = gpus;
        o.days = days;
        o.seed = seed;
        auto f = GenerateDemo(o);
        ASSERT_TRUE(f.has_value());
        TruthOf(*f);
      }
    }
  }
}
}  // namespace
}  // namespace plimsoll
