#include "purchase/spot/lifetime_text.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(LifetimeTextTest, LawsAreReadWithTheirParameters) {
  EXPECT_EQ(ParseLifetime("exponential", Hours(4))->ToString(), "exponential, mean 4 h");
  EXPECT_EQ(ParseLifetime("weibull:k=0.56,scale=2.09h", {})->ToString(),
            "weibull, shape 0.56, scale 2.09 h");
  EXPECT_EQ(ParseLifetime("weibull:scale=2.09,k=0.56", {})->ToString(),
            "weibull, shape 0.56, scale 2.09 h");
  EXPECT_NEAR(ParseLifetime("weibull:k=0.56", Hours(4))->Mean(), 4 * 3.6e6, 1e-3);
  EXPECT_EQ(ParseLifetime("bathtub", {})->ToString(),
            "bathtub, a 0.5, tau1 1 h, tau2 0.8 h, b 24 h, cap 24 h");
  EXPECT_EQ(ParseLifetime("bathtub:a=0.4,tau1=90m,tau2=1,b=20h,cap=23h", {})->ToString(),
            "bathtub, a 0.4, tau1 1.5 h, tau2 1 h, b 20 h, cap 23 h");
}

TEST(LifetimeTextTest, WrongLawsSayWhatThereIs) {
  const std::pair<Result<Lifetime>, const char*> cases[] = {
      {ParseLifetime("gamma", Hours(1)), "there are exponential"},
      {ParseLifetime("", Hours(1)), "there are exponential"},
      {ParseLifetime("exponential", {}), "needs an MTBF"},
      {ParseLifetime("exponential:mean=3", Hours(1)), "no parameter"},
      {ParseLifetime("exponential", Duration()), "above 0"},
      {ParseLifetime("weibull", Hours(1)), "needs its shape"},
      {ParseLifetime("weibull:k=0.5", {}), "scale or an MTBF"},
      {ParseLifetime("weibull:k=0.5,scale=1h", Hours(1)), "leave out the MTBF"},
      {ParseLifetime("weibull:k=0,scale=1h", {}), "k must be"},
      {ParseLifetime("weibull:k", {}), "not a parameter"},
      {ParseLifetime("weibull:k=x,scale=1h", {}), "not a number"},
      {ParseLifetime("weibull:b=1", {}), "it has k and scale"},
      {ParseLifetime("bathtub:c=1", {}), "it has a, tau1"},
      {ParseLifetime("bathtub", Hours(1)), "leave out the MTBF"},
      {ParseLifetime("bathtub:tau1=0", {}), "tau1 must be"}};
  for (const auto& [law, what] : cases) {
    ASSERT_FALSE(law) << what;
    EXPECT_NE(law.error().message.find(what), std::string::npos) << law.error().message;
  }
}

}  // namespace
}  // namespace plimsoll
