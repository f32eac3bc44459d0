#include "ingest/requests/request_value.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using State = ParsedValue::State;

TEST(RequestValueTest, LengthsAreNanosecondsRoundedOnce) {
  const auto ns = [](const char* text, TimeUnit unit) {
    return ParseNanoseconds(text, unit).value;
  };
  EXPECT_EQ(ns("1.5", TimeUnit::kSeconds), 1'500'000'000);
  EXPECT_EQ(ns("255.886568", TimeUnit::kMillis), 255'886'568);
  EXPECT_EQ(ns("255.88656799999998", TimeUnit::kMillis), 255'886'568);
  EXPECT_EQ(ns("0.0000000005", TimeUnit::kSeconds), 0);  // half to even
  EXPECT_EQ(ns("0.0000000015", TimeUnit::kSeconds), 2);
  EXPECT_EQ(ns("0.00000000050000000000000000001", TimeUnit::kSeconds), 1);
  EXPECT_EQ(ns("1e-3", TimeUnit::kSeconds), 1'000'000);
  EXPECT_EQ(ns("7", TimeUnit::kNanos), 7);
  EXPECT_EQ(ns("-2", TimeUnit::kMicros), -2'000);
}

TEST(RequestValueTest, NothingIsMissingAndNeverANumber) {
  for (const char* text : {"", "-", "null", "None", "NaN", "nan", "inf", "-Infinity", "N/A"}) {
    EXPECT_EQ(ParseNanoseconds(text, TimeUnit::kSeconds).state, State::kMissing) << text;
    EXPECT_EQ(ParseTokenCount(text).state, State::kMissing) << text;
  }
  for (const char* text : {"x", "1s", "1,5", "--1", "1e999", "9999999999999999999999"}) {
    EXPECT_EQ(ParseNanoseconds(text, TimeUnit::kSeconds).state, State::kBad) << text;
  }
}

TEST(RequestValueTest, CountsAreWhole) {
  EXPECT_EQ(ParseTokenCount("12").value, 12);
  EXPECT_EQ(ParseTokenCount("12.0").value, 12);
  EXPECT_EQ(ParseTokenCount("1e3").value, 1'000);
  EXPECT_EQ(ParseTokenCount("12.5").state, State::kBad);
  EXPECT_EQ(ParseTokenCount("1000000001").state, State::kBad);
  EXPECT_EQ(ParseTokenCount("-3").value, -3);
}

TEST(RequestValueTest, TimesAreReadToTheNanosecond) {
  TimeReader times;
  const auto ns = [&](const char* text) { return times.Read(text, TimeUnit::kSeconds).value; };
  constexpr std::int64_t kStart = 1'764'547'200'000'000'000;  // 2025-12-01T00:00:00Z
  EXPECT_EQ(ns("2025-12-01T00:00:00Z"), kStart);
  EXPECT_EQ(ns("2025-12-01T00:00:00.123456789Z"), kStart + 123'456'789);
  EXPECT_EQ(ns("2025-12-01 00:00:00.5"), kStart + 500'000'000);
  EXPECT_EQ(ns("2025-12-01 00:00:00.5 UTC"), kStart + 500'000'000);
  EXPECT_EQ(ns("2025-12-01T01:00:00+01:00"), kStart);
  EXPECT_EQ(ns("2025-11-30 19:00:59.25-05"), kStart + 59'250'000'000);
  EXPECT_EQ(ns("2025-12-01"), kStart);
  EXPECT_EQ(ns("1764547200.0000005"), kStart + 500);
  EXPECT_EQ(times.Read("1764547200001", TimeUnit::kMillis).value, kStart + 1'000'000);
  for (const char* text : {"2025-13-01T00:00:00Z", "2025-12-01T25:00:00Z", "2025-12-01T00:00:61Z",
                           "2025-12-01T00:00:0Z", "2025-12-01T00:00:00+1", "yesterday"}) {
    EXPECT_EQ(times.Read(text, TimeUnit::kSeconds).state, State::kBad) << text;
  }
}

TEST(RequestValueTest, MemoGivesTheSymbolItself) {
  SymbolMemo memo;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2'000; ++i) {
      const std::string text = "tenant-" + std::to_string(i);
      ASSERT_EQ(memo.Of(text), Symbol(text));
    }
  }
  EXPECT_TRUE(memo.Of("").empty());
}

}  // namespace
}  // namespace plimsoll
