#include "config/slo_config.h"

#include <gtest/gtest.h>

#include "config/config.h"

namespace plimsoll {
namespace {

Result<Config> Load(const std::string& services) {
  return LoadConfig("plimsoll.yaml", "time_zone: Europe/Berlin\nservices:\n" + services);
}

TEST(SloConfigTest, AServiceIsWhatItSays) {
  const Result<Config> config = Load(
      "  - name: chat\n"
      "    match: {service: chat-*, model: [llama*, qwen*]}\n"
      "    quantization: fp8\n"
      "    slo: {ttft: 800ms, tpot: 40ms, e2e: 1.5m}\n"
      "    gpus: 8\n"
      "    gpu_price: 2.10\n"
      "    reserve_gpus: 2\n"
      "    release_gpu_hours: 1.5\n"
      "    safe_tokens_per_second: 12000\n"
      "    peak: {hours: 09:00-18:00, days: [mon, tue]}\n"
      "    token_weights: {input: 1, cached_input: 0.25, output: 5}\n"
      "  - name: batch\n"
      "    cost: 'workload:\"batch\"'\n");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->services.size(), 2U);
  const ServiceDeclaration& chat = config->services[0];
  EXPECT_EQ(chat.match_services, std::vector<std::string>{"chat-*"});
  EXPECT_EQ(chat.match_models, (std::vector<std::string>{"llama*", "qwen*"}));
  EXPECT_EQ(FormatSlo(chat.slo), "ttft=800ms,tpot=40ms,e2e=90s");
  EXPECT_EQ(chat.gpus, 8);
  EXPECT_EQ(*chat.gpu_price, *Money::Parse("2.1"));
  EXPECT_EQ(chat.reserve_gpus, 2);
  EXPECT_EQ(chat.release_time, GpuSeconds(5'400));
  EXPECT_EQ(chat.safe_tokens_per_second, 12'000);
  EXPECT_EQ(chat.weights, (TokenWeights{1'000, 250, 5'000}));
  EXPECT_EQ(chat.peak->time_zone, "Europe/Berlin");
  EXPECT_TRUE(chat.peak->days[1]);
  EXPECT_FALSE(chat.peak->days[2]);
  // Without a match, the requests that bear its name.
  EXPECT_EQ(config->services[1].match_services, std::vector<std::string>{"batch"});
  EXPECT_EQ(config->services[1].cost_filter, "workload:\"batch\"");
}

TEST(SloConfigTest, EveryErrorIsTold) {
  const Result<Config> config = Load(
      "  - name: a\n"
      "    slo: {ttft: 40, itl: 5ms}\n"
      "    gpus: 0\n"
      "    gpu_price: cheap\n"
      "    peak: {hours: 18:00-09:00, days: [someday]}\n"
      "    token_weights: {input: -1}\n"
      "  - name: a\n"
      "    gpus: 2\n"
      "    reserve_gpus: 2\n");
  ASSERT_FALSE(config);
  for (const char* where :
       {"services[0].slo.ttft", "services[0].slo.itl", "services[0].gpus", "services[0].gpu_price",
        "services[0].peak.hours", "services[0].peak.days", "services[0].token_weights.input",
        "services[1].name", "services[1].reserve_gpus"}) {
    EXPECT_NE(config.error().message.find(where), std::string::npos) << where << " in\n"
                                                                     << config.error().message;
  }
}

TEST(SloConfigTest, PeakIsByTheClockOnTheWallOnDaysOfAChangedClock) {
  PeakHours hours;
  ASSERT_TRUE(ParseHours("01:30-04:00", hours));
  const Zone zone = *Zone::Find("Europe/Berlin");
  // On 2026-03-29 the clock goes from 02:00 to 03:00: the peak is an hour and a half long.
  const PeakSpan spring = PeakSpanAt(hours, zone, *ParseInstant("2026-03-29T01:00:00Z"));
  EXPECT_TRUE(spring.peak);
  EXPECT_EQ(spring.window.length(), Minutes(90));
  // On 2026-10-25 it goes from 03:00 back to 02:00: three hours and a half.
  const PeakSpan autumn = PeakSpanAt(hours, zone, *ParseInstant("2026-10-25T01:00:00Z"));
  EXPECT_TRUE(autumn.peak);
  EXPECT_EQ(autumn.window.length(), Minutes(210));
}

TEST(SloConfigTest, StretchesFollowEachOtherAndHoldTheirInstant) {
  PeakHours hours;
  ASSERT_TRUE(ParseHours("09:00-18:00", hours));
  hours.days = {true, true, true, true, true, false, false};
  const Zone zone = *Zone::Find("America/New_York");
  Instant t = *ParseInstant("2026-03-01T00:00:00Z");
  std::int64_t peak_ms = 0;
  const Instant end = *ParseInstant("2026-03-29T04:00:00Z");
  while (t < end) {
    const PeakSpan span = PeakSpanAt(hours, zone, t);
    ASSERT_TRUE(span.window.contains(t)) << ToString(t);
    if (span.peak) peak_ms += span.window.length().base();
    t = span.window.until;
  }
  EXPECT_EQ(peak_ms, 20 * Hours(9).base());  // four weeks of five days
}

TEST(SloConfigTest, HoursThatAreNoneAreRefused) {
  PeakHours hours;
  EXPECT_TRUE(ParseHours("00:00-24:00", hours));
  for (const char* text :
       {"", "9-18", "09:00-09:00", "09:00-24:01", "09:60-10:00", "09:00/18:00"}) {
    EXPECT_FALSE(ParseHours(text, hours)) << text;
  }
}

}  // namespace
}  // namespace plimsoll
