#include "demo/request_story.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "demo/builder.h"
#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

const DemoService& Service() { return *Week().service; }

std::int64_t HourOf(const DemoRequest& request) {
  return Between(Week().window.begin, request.arrival).base() / Hours(1).base();
}

bool IsGood(const DemoRequest& request) {
  return std::string_view(request.status) == "ok" && *request.ttft_ms <= kDemoTtftMillis &&
         request.e2e_ms - *request.ttft_ms <= kDemoTpotMillis * (request.output - 1);
}

// In the hour, of a hundred: requests that were not answered within the limits.
std::int64_t BadShareOf(std::int64_t hour) {
  std::int64_t all = 0, bad = 0;
  for (const DemoRequest& request : Service().requests) {
    if (HourOf(request) != hour) continue;
    ++all;
    bad += IsGood(request) ? 0 : 1;
  }
  return bad * 100 / std::max<std::int64_t>(1, all);
}

TEST(RequestStoryTest, EveryRequestIsWholeAndHasAnIdOfItsOwn) {
  std::set<std::string> ids;
  Instant last = Week().window.begin;
  for (const DemoRequest& request : Service().requests) {
    EXPECT_TRUE(ids.insert(request.id).second) << request.id;
    EXPECT_TRUE(Week().window.contains(request.arrival));
    EXPECT_LT(request.end(), Week().window.until);
    EXPECT_GE(request.end(), last);
    last = request.end();
    EXPECT_LE(request.cached, request.input);
    EXPECT_LE(request.reasoning, request.output);
    EXPECT_LE(request.ttft_ms.value_or(0), request.e2e_ms) << request.id;
    if (std::string_view(request.status) == "ok") {
      ASSERT_TRUE(request.ttft_ms.has_value()) << request.id;
      EXPECT_GT(request.output, 1);
    }
  }
}

TEST(RequestStoryTest, TruthIsTheSumOfTheRequests) {
  DemoServiceTruth sum;
  for (const DemoRequest& request : Service().requests) {
    ++sum.requests;
    sum.input_tokens += request.input;
    sum.cached_tokens += request.cached;
    sum.tokens += request.output;
    if (!IsGood(request)) continue;
    ++sum.good;
    sum.tokens_good += request.output;
  }
  EXPECT_EQ(Service().truth, sum);
  EXPECT_GT(sum.good * 100, sum.requests * 90);
  EXPECT_LT(sum.good * 100, sum.requests * 99);
}

TEST(RequestStoryTest, ArrivalsFollowTheTraffic) {
  std::map<std::int64_t, std::int64_t> by_hour;
  for (const DemoRequest& request : Service().requests) ++by_hour[HourOf(request)];
  // Tuesday at 15:00 is the peak, 03:00 a tenth of it, Saturday at 15:00 somewhat more than half.
  EXPECT_GT(by_hour[24 + 15], 6 * by_hour[24 + 3]);
  EXPECT_GT(by_hour[24 + 15], by_hour[5 * 24 + 15] * 3 / 2);
  EXPECT_GT(by_hour[5 * 24 + 15], by_hour[24 + 3]);
}

TEST(RequestStoryTest, TheRolloutBringsANewVersionErrorsAndMisses) {
  const Instant rollout = Week().window.begin + Days(2) + Hours(11);
  std::int64_t errors = 0;
  for (const DemoRequest& request : Service().requests) {
    const std::string_view version = request.version;
    EXPECT_TRUE(request.arrival >= rollout || version == "2.0") << request.id;
    EXPECT_TRUE(request.arrival < rollout + Hours(1) || version == "2.1") << request.id;
    const bool is_error = std::string_view(request.status) == "error";
    errors += is_error && request.arrival >= rollout && request.arrival < rollout + Hours(1);
  }
  EXPECT_GT(errors, 0);
  EXPECT_GT(BadShareOf(2 * 24 + 11), 15);
  EXPECT_LT(BadShareOf(2 * 24 + 3), 15);
}

TEST(RequestStoryTest, OnlyAFleetWithServingNodesHasALog) {
  EXPECT_FALSE(TwoDays().service.has_value());
}

}  // namespace
}  // namespace plimsoll
