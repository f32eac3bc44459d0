#include "economics/inference_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "economics/test_requests.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kDay = 1'764'547'200'000;  // 2025-12-01T00:00:00Z

FoldedRequests Fold(const std::vector<TestRequest>& rows, InferenceFoldOptions options) {
  InferenceFold fold(std::move(options));
  RequestBatch batch;
  for (const TestRequest& row : rows) Append(batch, row);
  const Status added = fold.Add(batch, {});
  EXPECT_TRUE(added) << added.error().message;
  return fold.Finish();
}

ServiceDeclaration All() {
  ServiceDeclaration all;
  all.name = "all";
  return all;
}

RequestSums SumOf(const FoldedRequests& folded) {
  RequestSums sums;
  for (const RequestGroup& group : folded.groups) sums += group.sums;
  return sums;
}

// T4: only successes are good; the window is from the first arrival to the last end, failures'
// and the drain of the last request too.
TEST(InferenceFoldTest, WindowIsFromFirstArrivalToLastEnd) {
  const FoldedRequests folded =
      Fold({{.arrival_ms = kDay + 5'000, .e2e_ms = 20'000},
            {.arrival_ms = kDay + 1'000},
            {.arrival_ms = kDay + 26'000, .status = "timeout", .e2e_ms = std::nullopt}},
           {.services = {All()}});
  ASSERT_EQ(folded.services.size(), 1U);
  EXPECT_EQ(folded.services[0].begin_ns, (kDay + 1'000) * 1'000'000);
  EXPECT_EQ(folded.services[0].until_ns, (kDay + 26'000) * 1'000'000);
  EXPECT_EQ(folded.services[0].busy_ns, std::int64_t{21'000} * 1'000'000);
}

TEST(InferenceFoldTest, NanosecondsBelowTheMillisecondCount) {
  InferenceFold fold({.services = {All()}});
  RequestBatch batch;
  Append(batch, {});
  Append(batch, {.arrival_ms = kDay + 10});
  ASSERT_TRUE(fold.Add(batch, std::vector<std::int32_t>{250'000, 7}));
  const FoldedRequests folded = fold.Finish();
  EXPECT_EQ(folded.services[0].begin_ns, kDay * 1'000'000 + 250'000);
  EXPECT_EQ(folded.services[0].until_ns, (kDay + 1'010) * 1'000'000 + 7);
}

TEST(InferenceFoldTest, AnIdCountsOnceAndNoIdIsARequestOfItsOwn) {
  const FoldedRequests folded =
      Fold({{.request = "a"}, {.request = "a"}, {.request = ""}, {.request = ""}, {.request = "b"}},
           {.services = {All()}});
  EXPECT_EQ(folded.services[0].requests, 4);
  EXPECT_EQ(folded.services[0].duplicates, 1);
}

TEST(InferenceFoldTest, WindowCountsArrivalsInIt) {
  const FoldedRequests folded =
      Fold({{.arrival_ms = kDay - 1}, {.arrival_ms = kDay}, {.arrival_ms = kDay + 3'600'000}},
           {.services = {All()}, .window = Window{AtMillis(kDay), AtMillis(kDay) + Hours(1)}});
  EXPECT_EQ(folded.services[0].requests, 1);
  EXPECT_EQ(folded.services[0].outside, 2);
  EXPECT_EQ(folded.services[0].until_ns - folded.services[0].begin_ns,
            std::int64_t{3'600} * 1'000'000'000);
}

TEST(InferenceFoldTest, RequestsGoToTheFirstServiceThatMatches) {
  ServiceDeclaration chat;
  chat.name = "chat";
  chat.match_models = {"llama*"};
  ServiceDeclaration rest;
  rest.name = "search";
  rest.match_services = {"search"};
  const FoldedRequests folded = Fold({{.service = "search", .model = "llama-8b"},
                                      {.service = "search", .model = "bge"},
                                      {.service = "", .model = "bge"},
                                      {.service = "other", .model = "bge"},
                                      {.service = "chat", .model = "bge"}},
                                     {.services = {chat, rest}, .by = {RequestKey::kService}});
  std::vector<std::string> names;
  for (const FoldedService& service : folded.services) {
    names.push_back(service.declared.name + "=" + std::to_string(service.requests));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"chat=1", "chat (no match)=1", "default=1", "other=1",
                                             "search=1"}));
  for (const RequestGroup& group : folded.groups) {
    EXPECT_EQ(group.keys[0], folded.services[group.service].declared.name);
  }
}

TEST(InferenceFoldTest, KeysAreWhatTheRowsSay) {
  ServiceDeclaration all = All();
  all.quantization = "fp8";
  all.slo = *ParseSlo("ttft=50ms");
  const FoldedRequests folded =
      Fold({{.model = "a",
             .version = "1",
             .tenant = "t",
             .priority = "batch",
             .input = 600,
             .cached = 5,
             .output = 0},
            {.model = "b",
             .quantization = "int4",
             .status = "timeout",
             .input = std::nullopt,
             .cached = std::nullopt}},
           {.services = {all},
            .by = *ParseRequestKeys("outcome,model,version,quantization,tenant,priority,input,"
                                    "output,peak,cache")});
  ASSERT_EQ(folded.groups.size(), 2U);
  EXPECT_EQ(folded.groups[0].keys,
            (std::vector<std::string>{"missed", "a", "1", "fp8", "t", "batch", "512-1023", "0",
                                      "unknown", "hit"}));
  EXPECT_EQ(folded.groups[1].keys,
            (std::vector<std::string>{"timeout", "b", "", "int4", "", "", "unknown", "1-127",
                                      "unknown", "unknown"}));
}

TEST(InferenceFoldTest, PeakIsAskedOncePerStretchAndNeverOfAnUndatedClock) {
  int asked = 0;
  const auto calendar = [&](const ServiceDeclaration&) -> PeakOf {
    return [&](Instant t) {
      ++asked;
      const Instant hour = FloorTo(t, Hours(1));
      return PeakSpan{{hour, hour + Hours(1)}, hour.base() / Hours(1).base() % 2 == 0};
    };
  };
  const FoldedRequests folded =
      Fold({{.arrival_ms = kDay},
            {.arrival_ms = kDay + 1},
            {.arrival_ms = kDay + 3'600'000},
            {.arrival_ms = 27'536'660}},
           {.services = {All()}, .by = {RequestKey::kPeak}, .peak_of = calendar});
  EXPECT_EQ(asked, 2);
  std::vector<std::string> keys;
  for (const RequestGroup& group : folded.groups) keys.push_back(group.keys[0]);
  EXPECT_EQ(keys, (std::vector<std::string>{"off-peak", "peak", "unknown"}));
  EXPECT_EQ(folded.services[0].undated, 1);
}

TEST(InferenceFoldTest, OrderAndBatchingChangeNothing) {
  std::mt19937_64 random(20261130);
  std::vector<TestRequest> rows;
  const char* statuses[] = {"ok", "ok", "ok", "error", "timeout"};
  for (int i = 0; i < 3'000; ++i) {
    rows.push_back({.service = "s" + std::to_string(random() % 3),
                    .model = "m" + std::to_string(random() % 5),
                    .tenant = "t" + std::to_string(random() % 40),
                    .request = "r" + std::to_string(i),
                    .arrival_ms = kDay + static_cast<std::int64_t>(random() % 86'400'000),
                    .status = statuses[random() % 5],
                    .e2e_ms = static_cast<std::int64_t>(200 + random() % 5'000),
                    .input = static_cast<std::int64_t>(random() % 5'000),
                    .output = static_cast<std::int64_t>(random() % 900)});
  }
  const auto options = [] {
    InferenceFoldOptions o;
    o.by = *ParseRequestKeys("model,tenant,input,outcome");
    o.fallback.slo = *ParseSlo("e2e=2s");
    return o;
  };
  const FoldedRequests expected = Fold(rows, options());
  for (int round = 0; round < 5; ++round) {
    std::shuffle(rows.begin(), rows.end(), random);
    InferenceFold fold(options());
    for (std::size_t from = 0; from < rows.size();) {
      RequestBatch batch;
      const std::size_t until = std::min(rows.size(), from + 1 + random() % 700);
      for (; from < until; ++from) Append(batch, rows[from]);
      ASSERT_TRUE(fold.Add(batch, {}));
      ASSERT_TRUE(fold.Add(batch, {}));  // and again: every id counts once
    }
    const FoldedRequests got = fold.Finish();
    ASSERT_EQ(got.groups.size(), expected.groups.size());
    for (std::size_t i = 0; i < got.groups.size(); ++i) {
      ASSERT_EQ(got.groups[i].keys, expected.groups[i].keys);
      ASSERT_EQ(got.groups[i].sums.output, expected.groups[i].sums.output);
      ASSERT_EQ(got.groups[i].sums.requests, expected.groups[i].sums.requests);
    }
    for (std::size_t i = 0; i < got.services.size(); ++i) {
      EXPECT_EQ(got.services[i].busy_ns, expected.services[i].busy_ns);
      EXPECT_EQ(got.services[i].begin_ns, expected.services[i].begin_ns);
      EXPECT_EQ(got.services[i].until_ns, expected.services[i].until_ns);
    }
  }
  EXPECT_EQ(SumOf(expected).requests, 3'000);
}

TEST(InferenceFoldTest, UnknownAndDoubledKeysAreErrors) {
  EXPECT_EQ(ParseRequestKeys("model,colour").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ParseRequestKeys("model,model").error().message, "--by: 'model' is given twice");
  EXPECT_TRUE(ParseRequestKeys("")->empty());
}

}  // namespace
}  // namespace plimsoll
