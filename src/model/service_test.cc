#include "model/service.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(ServiceTest, LatenciesAreExactNanoseconds) {
  EXPECT_EQ(*ParseLatency("40ms"), 40'000'000);
  EXPECT_EQ(*ParseLatency("0.2s"), 200'000'000);
  EXPECT_EQ(*ParseLatency("1.5us"), 1'500);
  EXPECT_EQ(*ParseLatency("2m"), 120'000'000'000);
  EXPECT_EQ(*ParseLatency("24h"), 86'400'000'000'000);
}

TEST(ServiceTest, LatencyWithoutUnitOrBelowANanosecondIsRefused) {
  for (const char* text : {"", "40", "ms", "0s", "-1s", "0.5ns", "25h", "1 s", "1s2", "nan"}) {
    const Result<std::int64_t> latency = ParseLatency(text);
    ASSERT_FALSE(latency) << text;
    EXPECT_EQ(latency.error().code, ErrorCode::kInvalidArgument) << text;
  }
}

TEST(ServiceTest, LatenciesReadBackAsWritten) {
  for (const char* text : {"40ms", "1500us", "20s", "90s", "1h", "7ns"}) {
    EXPECT_EQ(FormatLatency(*ParseLatency(text)), text);
  }
}

TEST(ServiceTest, SloTakesAnyOfThreeLimitsOnce) {
  const Result<Slo> slo = ParseSlo("tpot=40ms,ttft=20s");
  ASSERT_TRUE(slo) << slo.error().message;
  EXPECT_EQ(*slo, (Slo{20'000'000'000, 40'000'000, std::nullopt}));
  EXPECT_EQ(FormatSlo(*slo), "ttft=20s,tpot=40ms");
  EXPECT_EQ(ParseSlo("ttft=1s,ttft=2s").error().message,
            "SLO 'ttft=1s,ttft=2s': ttft is given twice; keep one");
  for (const char* text : {"", "ttft", "ttft=", "itl=4ms", "ttft=1s,", "ttft:1s", "ttft=200"}) {
    EXPECT_FALSE(ParseSlo(text)) << text;
  }
}

TEST(ServiceTest, TokenWeightsAreThousandths) {
  EXPECT_EQ(*ParseTokenWeight("0.1"), 100);
  EXPECT_EQ(*ParseTokenWeight("4"), 4'000);
  EXPECT_EQ(*ParseTokenWeight("0"), 0);
  for (const char* text : {"", "-1", "0.0001", "1000001", "x", "inf"}) {
    EXPECT_FALSE(ParseTokenWeight(text)) << text;
  }
}

TEST(ServiceTest, GlobsMatchWholeNames) {
  EXPECT_TRUE(MatchesGlob("meta-llama/Llama-3.1-8B", "*Llama-3*"));
  EXPECT_TRUE(MatchesGlob("abc", "a?c"));
  EXPECT_TRUE(MatchesGlob("", "*"));
  EXPECT_TRUE(MatchesGlob("aXbXc", "a*b*c"));
  EXPECT_FALSE(MatchesGlob("abc", "a?"));
  EXPECT_FALSE(MatchesGlob("abc", "b*"));
  EXPECT_FALSE(MatchesGlob("ab", "abc"));
}

TEST(ServiceTest, DeclarationWithoutGlobsMatchesAll) {
  ServiceDeclaration chat;
  EXPECT_TRUE(Matches(chat, "", "anything"));
  chat.match_services = {"chat", "chat-*"};
  chat.match_models = {"qwen*"};
  EXPECT_TRUE(Matches(chat, "chat-eu", "qwen3"));
  EXPECT_FALSE(Matches(chat, "search", "qwen3"));
  EXPECT_FALSE(Matches(chat, "chat", "llama"));
}

}  // namespace
}  // namespace plimsoll
