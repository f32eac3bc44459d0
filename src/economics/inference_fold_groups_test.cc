#include <gtest/gtest.h>

#include "economics/inference_fold.h"
#include "economics/test_requests.h"

namespace plimsoll {
namespace {

void AppendGroup(RequestGroupBatch& groups, const std::string& model, SloVerdict verdict,
                 std::int64_t requests) {
  groups.service.push_back(Symbol("chat"));
  groups.model.push_back(Symbol(model));
  for (auto* text : {&groups.version, &groups.quantization, &groups.tenant, &groups.priority}) {
    text->push_back(Symbol());
  }
  groups.status.push_back(Symbol("ok"));
  groups.verdict.push_back(static_cast<std::int64_t>(verdict));
  groups.inside.push_back(1);
  for (auto* number : {&groups.input_bucket, &groups.output_bucket, &groups.cache, &groups.undated,
                       &groups.reasoning, &groups.tokens_unknown}) {
    number->push_back(0);
  }
  groups.requests.push_back(requests);
  groups.phases_unknown.push_back(requests);
  groups.input.push_back(100 * requests);
  groups.cached.push_back(0);
  groups.output.push_back(10 * requests);
  groups.prefill_ns.push_back(0);
  groups.decode_ns.push_back(0);
}

TEST(InferenceFoldGroupsTest, GroupsAndSpansAreTheSumsOfTheirRows) {
  InferenceFoldOptions options;
  options.fallback.slo.ttft_ns = 200'000'000;
  options.by = {RequestKey::kModel};
  InferenceFold rows(options);
  RequestBatch batch;
  RequestSpanBatch spans;
  for (int i = 0; i < 5; ++i) {
    TestRequest request{.service = "chat", .model = i < 3 ? "a" : "b"};
    request.arrival_ms += 2'000 * i;
    request.ttft_ms = i == 4 ? 300 : 100;
    Append(batch, request);
    spans.service.push_back(Symbol("chat"));
    spans.model.push_back(Symbol());
    spans.begin_ns.push_back(request.arrival_ms * 1'000'000);
    spans.until_ns.push_back((request.arrival_ms + 1'000) * 1'000'000);
  }
  ASSERT_TRUE(rows.Add(batch, {}));
  RequestGroupBatch groups;
  AppendGroup(groups, "a", SloVerdict::kMet, 3);
  AppendGroup(groups, "b", SloVerdict::kMet, 1);
  AppendGroup(groups, "b", SloVerdict::kMissed, 1);
  InferenceFold grouped(options);
  ASSERT_TRUE(grouped.AddGroups(groups));
  ASSERT_TRUE(grouped.AddSpans(spans));
  const FoldedRequests one = rows.Finish(), other = grouped.Finish();
  ASSERT_EQ(other.groups.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one.groups[i].keys, other.groups[i].keys);
    EXPECT_EQ(one.groups[i].outcome, other.groups[i].outcome);
    EXPECT_EQ(one.groups[i].sums.requests, other.groups[i].sums.requests);
    EXPECT_EQ(one.groups[i].sums.output, other.groups[i].sums.output);
    EXPECT_EQ(one.groups[i].sums.phases_unknown, other.groups[i].sums.phases_unknown);
  }
  EXPECT_EQ(other.services[0].requests, 5);
  EXPECT_EQ(other.services[0].busy_ns, 5'000'000'000);
  EXPECT_EQ(other.services[0].begin_ns, one.services[0].begin_ns);
  EXPECT_EQ(other.services[0].until_ns, one.services[0].until_ns);
}

TEST(InferenceFoldGroupsTest, GroupingAsksForWhatTheQuestionKeepsApart) {
  InferenceFoldOptions options;
  options.by = {RequestKey::kTenant, RequestKey::kInput, RequestKey::kOutcome};
  const auto plain = InferenceFold(options).Grouping();
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->tenant && plain->input);
  EXPECT_FALSE(plain->model || plain->output || plain->cache || plain->slo_of);
  ServiceDeclaration chat;
  chat.name = "chat";
  chat.match_models = {"a*"};
  chat.slo.ttft_ns = 5;
  options.services = {chat};
  const auto declared = InferenceFold(options).Grouping();
  ASSERT_TRUE(declared && declared->slo_of);
  EXPECT_TRUE(declared->model && declared->span_model);
  EXPECT_EQ(declared->slo_of(Symbol(), Symbol("abc")).ttft_ns, 5);
  EXPECT_TRUE(declared->slo_of(Symbol(), Symbol("b")).empty());
}

TEST(InferenceFoldGroupsTest, RowsAreNeededForPercentilesAndPeakHours) {
  InferenceFoldOptions options;
  options.latencies = true;
  EXPECT_FALSE(InferenceFold(options).Grouping());
  options.latencies = false;
  options.by = {RequestKey::kPeak};
  EXPECT_FALSE(InferenceFold(options).Grouping());
}

}  // namespace
}  // namespace plimsoll
