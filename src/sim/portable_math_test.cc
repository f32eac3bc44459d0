#include "sim/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sim/random.h"

namespace plimsoll {
namespace {

double Ulps(double a, double b) {
  return std::abs(a - b) / (std::nextafter(std::abs(b), INFINITY) - std::abs(b));
}

TEST(PortableMathTest, LogAndExpAreWithinFourUnitsOfTheLibrarys) {
  RandomStream random(7, "portable", 0);
  double worst_log = 0, worst_exp = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = std::ldexp(0.5 + random.Uniform(), static_cast<int>(random.Below(200)) - 100);
    const double y = (random.Uniform() - 0.5) * 1400;
    worst_log = std::max(worst_log, Ulps(portable::Log(x), std::log(x)));
    worst_exp = std::max(worst_exp, Ulps(portable::Exp(y), std::exp(y)));
  }
  EXPECT_LE(worst_log, 4);
  EXPECT_LE(worst_exp, 4);
}

TEST(PortableMathTest, EdgesAreExact) {
  EXPECT_EQ(portable::Log(1), 0);
  EXPECT_EQ(portable::Exp(0), 1);
  EXPECT_EQ(portable::Exp(-800), 0);
  EXPECT_EQ(portable::Exp(710), std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable::Power(0, 0.5), 0);
  EXPECT_EQ(portable::Power(3.25, 1), 3.25);
  EXPECT_NEAR(portable::Power(2, 0.5), std::sqrt(2), 1e-15);
  EXPECT_GT(portable::Log(std::numeric_limits<double>::denorm_min()), -745);
}

}  // namespace
}  // namespace plimsoll
