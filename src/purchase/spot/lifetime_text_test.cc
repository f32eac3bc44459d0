#include "purchase/spot/lifetime_text.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(LifetimeTextTest, SpansMayHaveDecimals) {
  const std::pair<const char*, Duration> cases[] = {
      {"45m", Minutes(45)},         {"1h30m", Minutes(90)}, {"4.5h", Minutes(270)},
      {"2.09h", Millis(7'524'000)}, {"0", Duration()},      {"0.0004s", Millis(0)},
      {"0.0015s", Millis(2)},       {"0.0025s", Millis(2)}, {"1d2.5h", Minutes(26 * 60 + 30)},
      {"0.5ms", Millis(0)},         {"1.5ms", Millis(2)},   {"100w", Days(700)}};
  for (const auto& [text, span] : cases) {
    const auto parsed = ParseSpan(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, span) << text;
  }
  for (const char* text : {"", "h", "5", "1.5", "-1h", "1m1h", "1h1h", "1..5h", "1 h", "1e3h",
                           "9999999999h", "1000000h", "4h5", "nan"}) {
    const auto parsed = ParseSpan(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().message.find("1h30m"), std::string::npos);
  }
}

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
