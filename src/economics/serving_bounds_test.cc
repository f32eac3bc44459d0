#include "economics/serving_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::int64_t kMs = 1'000'000;
const Instant kHour = AtSeconds(1'764'288'000);
constexpr std::int64_t kSlot = 300'000;

struct Row {
  std::string engine = "vllm", model = "m", target = "pod-0", quantity{}, part{};
  std::optional<std::int64_t> le_ns{};
  Instant hour = kHour;
  std::vector<std::int64_t> amounts{};  // by twelfth, each covered whole
  std::string quality{};
};

class Rows {
 public:
  Rows& Add(const Row& row) {
    batch_.snapshot_id.push_back(1);
    batch_.cluster.emplace_back("c");
    batch_.ns.emplace_back("prod");
    batch_.target.push_back(row.target);
    batch_.engine.push_back(row.engine);
    batch_.model.push_back(row.model);
    batch_.quantity.push_back(row.quantity);
    batch_.part.push_back(row.part);
    batch_.le_ns.push_back(row.le_ns);
    batch_.hour.push_back(row.hour);
    batch_.covered.emplace_back();
    batch_.amount.emplace_back();
    for (std::size_t i = 0; i < row.amounts.size(); ++i) {
      if (row.amounts[i] < 0) continue;  // not covered
      batch_.covered.back()[i] = kSlot;
      batch_.amount.back()[i] = row.amounts[i];
    }
    batch_.quality.push_back(row.quality);
    return *this;
  }
  Rows& Count(const std::string& quantity, std::int64_t amount) {
    Row row;
    row.quantity = quantity;
    row.amounts = {amount};
    return Add(row);
  }
  Rows& Buckets(const std::string& quantity,
                const std::vector<std::pair<std::int64_t, std::int64_t>>& buckets,
                Row row = Row()) {
    row.quantity = quantity;
    row.part = kPartBucket;
    for (const auto& [le, count] : buckets) {
      row.le_ns = le;
      row.amounts = {count};
      Add(row);
    }
    return *this;
  }
  operator const ServingBatch&() const { return batch_; }  // NOLINT: it is that batch

 private:
  ServingBatch batch_;
};

ServingQuestion Question() {
  ServingQuestion question;
  question.window = {kHour, kHour + Hours(1)};
  return question;
}

bool HasNote(const ServingSummary& summary, const std::string& part) {
  return std::any_of(summary.notes.begin(), summary.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

Money Amount(const char* text) { return *Money::Parse(text); }

// A published figure: 2.00 an hour at 85 tokens a second is 6.54 per 1M tokens.
TEST(ServingBoundsTest, CostPerMillionIsThatOfTheWholeWindow) {
  ServingQuestion question = Question();
  question.cost = Amount("2.00");
  const ServingSummary summary =
      SummarizeServing(Rows().Count(kTokensOutput, 85 * 3'600).Count(kRequestsOk, 10), question);
  EXPECT_EQ(summary.cost_per_million_output_tokens, Amount("6.535947712"));
}

TEST(ServingBoundsTest, GoodTokensBoundTheirCost) {
  ServingQuestion question = Question();
  question.cost = Amount("8");
  question.slo.tpot_ns = 40 * kMs;
  question.tokens_even = true;
  Rows rows;
  rows.Count(kRequestsOk, 100).Count(kTokensOutput, 4'000'000);
  rows.Buckets(kTpot, {{25 * kMs, 25}, {50 * kMs, 80}, {kLeInfinite, 100}});
  const ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_good, (CountBounds{25, 80}));
  EXPECT_EQ(summary.tokens_good, (CountBounds{1'000'000, 3'200'000}));
  EXPECT_EQ(summary.cost_per_million_output_tokens, Amount("2"));
  EXPECT_EQ(summary.cost_per_million_good_low, Amount("2.5"));
  EXPECT_EQ(summary.cost_per_million_good_high, Amount("8"));
  EXPECT_TRUE(HasNote(summary, "40ms lies inside the bucket 25ms to 50ms"));
}

TEST(ServingBoundsTest, NothingGoodHasNoCost) {
  ServingQuestion question = Question();
  question.cost = Amount("8");
  question.slo.ttft_ns = 10 * kMs;
  Rows rows;
  rows.Count(kRequestsOk, 100).Count(kTokensOutput, 4'000'000);
  rows.Buckets(kTtft, {{10 * kMs, 0}, {kLeInfinite, 100}});
  const ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_good, (CountBounds{0, 0}));
  EXPECT_EQ(summary.tokens_good, (CountBounds{0, 0}));
  EXPECT_FALSE(summary.cost_per_million_good_low.has_value());
  EXPECT_FALSE(summary.cost_per_million_good_high.has_value());
  EXPECT_EQ(summary.cost_per_million_output_tokens, Amount("2"));
}

TEST(ServingBoundsTest, GoodTokensAreUnknownUnlessDeclared) {
  ServingQuestion question = Question();
  question.cost = Amount("8");
  question.slo.e2e_ns = 1'000 * kMs;
  Rows rows;
  rows.Count(kRequestsOk, 10).Count(kTokensOutput, 100);
  rows.Buckets(kE2e, {{1'000 * kMs, 9}, {kLeInfinite, 10}});
  ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_good, (CountBounds{9, 9}));
  EXPECT_FALSE(summary.tokens_good.has_value());
  EXPECT_FALSE(summary.cost_per_million_good_low.has_value());
  EXPECT_TRUE(HasNote(summary, "how many tokens the good requests have is unknown"));
  // All are good: so are all tokens.
  question.slo.e2e_ns.reset();
  summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.tokens_good, (CountBounds{100, 100}));
}

TEST(ServingBoundsTest, SeveralLimitsTogetherAreFrechetBounds) {
  ServingQuestion question = Question();
  question.slo = {20 * kMs, 50 * kMs, 1'000 * kMs};
  Rows rows;
  rows.Count(kRequestsOk, 100);
  rows.Buckets(kTtft, {{20 * kMs, 90}, {kLeInfinite, 100}});
  rows.Buckets(kTpot, {{50 * kMs, 80}, {kLeInfinite, 100}});
  rows.Buckets(kE2e, {{1'000 * kMs, 95}, {kLeInfinite, 100}});
  EXPECT_EQ(SummarizeServing(rows, question).requests_good, (CountBounds{65, 80}));
}

// vllm issue 8115: 8060 requests with a first token, 3918 that succeeded.
TEST(ServingBoundsTest, FirstTokensOfAbortedRequestsAreExplained) {
  ServingQuestion question = Question();
  question.slo.ttft_ns = 1'000 * kMs;
  Rows rows;
  rows.Count(kRequestsOk, 3'918);
  rows.Buckets(kTtft, {{1'000 * kMs, 6'000}, {kLeInfinite, 8'060}});
  const ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_TRUE(HasNote(summary, "4142 were aborted or failed after it was measured"));
  // At best none of the 6000 within the limit was aborted, at worst 4142 of them were.
  EXPECT_EQ(summary.requests_good, (CountBounds{1'858, 3'918}));
}

TEST(ServingBoundsTest, RequestsWithoutAMeasureAreNotGood) {
  ServingQuestion question = Question();
  question.slo.ttft_ns = 1'000 * kMs;
  Rows rows;
  rows.Count(kRequestsOk, 100);
  rows.Buckets(kTtft, {{1'000 * kMs, 70}, {kLeInfinite, 70}});
  const ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_good, (CountBounds{70, 70}));
  EXPECT_TRUE(HasNote(summary, "30 of 100 ok requests have no ttft"));
}

TEST(ServingBoundsTest, GapsBetweenTokensAreNoTimePerToken) {
  ServingQuestion question = Question();
  question.slo.tpot_ns = 50 * kMs;
  Rows rows;
  rows.Count(kRequestsOk, 100);
  rows.Buckets(kItl, {{50 * kMs, 9'900}, {kLeInfinite, 10'000}});
  const ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_good, (CountBounds{0, 100}));
  EXPECT_EQ(summary.gaps_within_tpot, (CountBounds{9'900, 9'900}));
  EXPECT_EQ(summary.gaps, 10'000);
  ASSERT_EQ(summary.slo.size(), 1U);
  EXPECT_FALSE(summary.slo[0].within.has_value());
  EXPECT_TRUE(HasNote(summary, "gaps between tokens (itl)"));
}

// dynamo issue 6985: NaN where there was no traffic is no demand, but NaN with traffic is unknown.
TEST(ServingBoundsTest, NotANumberIsNoTrafficOnlyWithoutTraffic) {
  Row nan;
  nan.quantity = kTokensOutput;
  nan.quality = "nan";
  const ServingSummary idle = SummarizeServing(Rows().Count(kRequestsOk, 0).Add(nan), Question());
  EXPECT_EQ(idle.tokens_state, ServingState::kNoTraffic);
  EXPECT_EQ(idle.requests_state, ServingState::kNoTraffic);
  EXPECT_FALSE(idle.tokens_output.has_value());
  const ServingSummary busy = SummarizeServing(Rows().Count(kRequestsOk, 5).Add(nan), Question());
  EXPECT_EQ(busy.tokens_state, ServingState::kUnknown);
  EXPECT_FALSE(busy.tokens_output.has_value());
  const ServingSummary silent = SummarizeServing(Rows().Add(nan), Question());
  EXPECT_EQ(silent.tokens_state, ServingState::kUnknown);
}

TEST(ServingBoundsTest, FrontEndsAreNotAddedToTheirEngines) {
  Row front;
  front.engine = "gie";
  front.quantity = kRequestsAll;
  front.amounts = {105};
  Rows rows;
  rows.Count(kRequestsOk, 100).Add(front);
  ServingQuestion question = Question();
  ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_ok, 100);
  EXPECT_EQ(summary.engines, std::vector<std::string>{"vllm"});
  EXPECT_TRUE(HasNote(summary, "front ends"));
  question.engine = "gie";
  summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_ok, 105);
  EXPECT_TRUE(HasNote(summary, "counts neither successes nor failures"));
}

TEST(ServingBoundsTest, OkRequestsAreAllLessTheRestWhereTheyAreNotCounted) {
  Row row;
  row.engine = "sglang";
  row.quantity = kRequestsAll;
  row.amounts = {50};
  Row aborted = row;
  aborted.quantity = kRequestsAborted;
  aborted.amounts = {8};
  Rows rows;
  rows.Add(row).Add(aborted).Count(kRequestsOk, 100);  // and a vLLM beside it
  const ServingSummary summary = SummarizeServing(rows, Question());
  EXPECT_EQ(summary.requests_ok, 142);
  EXPECT_FALSE(summary.requests_aborted.has_value());  // vLLM's are not known
}

TEST(ServingBoundsTest, WhatOneEngineDoesNotTellIsNotKnownOfAll) {
  Row sglang;
  sglang.engine = "sglang";
  sglang.quantity = kRequestsAll;
  sglang.amounts = {50};
  Rows rows;
  rows.Count(kRequestsOk, 100).Count(kTokensOutput, 1'000).Add(sglang);
  EXPECT_FALSE(SummarizeServing(rows, Question()).tokens_output.has_value());
}

TEST(ServingBoundsTest, ModelsOfATritonEnsembleAreNotAddedUp) {
  Row step;
  step.engine = "triton";
  step.quantity = kRequestsOk;
  step.amounts = {10};
  Row other = step;
  other.model = "ensemble";
  Rows rows;
  rows.Add(step).Add(other);
  ServingQuestion question = Question();
  EXPECT_FALSE(SummarizeServing(rows, question).requests_ok.has_value());
  question.model = "ensemble";
  EXPECT_EQ(SummarizeServing(rows, question).requests_ok, 10);
}

// Two releases with other edges: summed edge by edge, the values of the second would all seem
// slower than 30 ms.
TEST(ServingBoundsTest, HistogramsWithOtherEdgesAddUpAsBounds) {
  ServingQuestion question = Question();
  question.slo.tpot_ns = 30 * kMs;
  Row second;
  second.target = "pod-1";
  Rows rows;
  rows.Count(kRequestsOk, 200);
  rows.Buckets(kTpot, {{30 * kMs, 60}, {kLeInfinite, 100}});
  rows.Buckets(kTpot, {{25 * kMs, 50}, {50 * kMs, 90}, {kLeInfinite, 100}}, second);
  const ServingSummary summary = SummarizeServing(rows, question);
  EXPECT_EQ(summary.requests_good, (CountBounds{110, 150}));
  ASSERT_EQ(summary.slo.size(), 1U);
  EXPECT_FALSE(summary.slo[0].edges.is_edge);
}

TEST(ServingBoundsTest, MissingScrapesAreTold) {
  Row row;
  row.quantity = kRequestsOk;
  row.amounts = {1, -1, -1, 1};
  const ServingSummary summary = SummarizeServing(Rows().Add(row), Question());
  EXPECT_EQ(summary.covered_ms, 2 * kSlot);
  EXPECT_EQ(summary.missing_ms, 2 * kSlot);
  EXPECT_TRUE(HasNote(summary, "scrapes are missing for 10 minutes"));
}

TEST(ServingBoundsTest, OnlyTheWindowCounts) {
  Row row;
  row.quantity = kRequestsOk;
  row.amounts = {1, 2, 4, 8};
  ServingQuestion question = Question();
  question.window = {kHour + Minutes(5), kHour + Minutes(15)};
  EXPECT_EQ(SummarizeServing(Rows().Add(row), question).requests_ok, 6);
  row.hour = kHour + Hours(1);
  EXPECT_FALSE(SummarizeServing(Rows().Add(row), question).requests_ok.has_value());
}

TEST(ServingBoundsTest, LevelsAddUpAndSharesAreMeans) {
  Row row;
  row.quantity = kRunning;
  row.amounts = {3'000 * kSlot};
  Row kv = row;
  kv.quantity = kKvCacheUsed;
  kv.amounts = {400'000 * kSlot};
  Rows rows;
  rows.Add(row).Add(kv);
  row.target = kv.target = "pod-1";
  kv.amounts = {600'000 * kSlot};
  rows.Add(row).Add(kv);
  const ServingSummary summary = SummarizeServing(rows, Question());
  EXPECT_EQ(summary.running_milli, 6'000);
  EXPECT_EQ(summary.kv_cache_used_ppm, 500'000);
  EXPECT_FALSE(summary.waiting_milli.has_value());
}

TEST(ServingBoundsTest, CachedTokensAreNoMoreThanTheInput) {
  const ServingSummary summary = SummarizeServing(
      Rows().Count(kTokensInput, 100).Count(kTokensCached, 132).Count(kRequestsOk, 1), Question());
  EXPECT_EQ(summary.tokens_cached, 100);
  EXPECT_TRUE(HasNote(summary, "preempted"));
}

TEST(ServingBoundsTest, MeansOfHistogramsAndOfTimeAlone) {
  Row sum;
  sum.quantity = kE2e;
  sum.part = kPartSum;
  sum.amounts = {1'000};
  Rows with_buckets;
  with_buckets.Add(sum).Buckets(kE2e, {{100, 3}, {kLeInfinite, 4}});
  ServingSummary summary = SummarizeServing(with_buckets, Question());
  ASSERT_EQ(summary.latencies.size(), 1U);
  EXPECT_EQ(summary.latencies[0].mean_ns, 250);
  EXPECT_EQ(summary.latencies[0].p50->at_most_ns, 100);
  EXPECT_FALSE(summary.latencies[0].p99->at_most_ns.has_value());
  summary = SummarizeServing(Rows().Add(sum).Count(kRequestsOk, 10), Question());
  EXPECT_EQ(summary.latencies[0].mean_ns, 100);
  EXPECT_FALSE(summary.latencies[0].p50.has_value());
}

TEST(ServingBoundsTest, NoRowsAreNothingKnown) {
  const ServingSummary summary = SummarizeServing(ServingBatch(), Question());
  EXPECT_FALSE(summary.requests_ok.has_value());
  EXPECT_FALSE(summary.tokens_output.has_value());
  EXPECT_FALSE(summary.requests_good.has_value());
  EXPECT_EQ(summary.requests_state, ServingState::kUnknown);
}

}  // namespace
}  // namespace plimsoll
