#include "economics/inference_cost.h"

#include <gtest/gtest.h>

#include <random>

#include "economics/test_requests.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'764'547'200'000;

struct Case {
  ServiceDeclaration declared;
  std::vector<RequestKey> by = {};
  std::optional<Window> window = Window{AtMillis(kStart), AtMillis(kStart) + Hours(1)};
};

ServiceFigures Priced(const std::vector<TestRequest>& rows, const Case& with) {
  InferenceFoldOptions options;
  options.services = {with.declared};
  options.by = with.by;
  options.window = with.window;
  InferenceFold fold(options);
  RequestBatch batch;
  for (const TestRequest& row : rows) Append(batch, row);
  EXPECT_TRUE(fold.Add(batch, {}));
  const FoldedRequests folded = fold.Finish();
  std::vector<std::optional<PaidCost>> paid(1);
  if (with.declared.gpus) {
    const FoldedService& service = folded.services[0];
    paid[0] = *PaidByPrice(service.declared, service.until_ns - service.begin_ns);
  }
  const auto figures = PriceRequests(folded, paid);
  EXPECT_TRUE(figures) << figures.error().message;
  return figures->front();
}

ServiceDeclaration Service(std::int64_t gpus, const char* price, const char* slo = "") {
  ServiceDeclaration service;
  service.name = "chat";
  service.gpus = gpus;
  service.gpu_price = *Money::Parse(price);
  if (*slo != '\0') service.slo = *ParseSlo(slo);
  return service;
}

std::string Text(const std::optional<Money>& money) { return money ? money->ToString() : "null"; }

// OpenCost's worked case: 3.20 an hour for an hour, 12 M prompt tokens of which a cache had
// 0.8 M, 3 M generated, prefill and decode 600 s each.
TEST(InferenceCostTest, OpenCostsWorkedCase) {
  const ServiceFigures figures = Priced({{.prefill_ns = 600 * kSecond,
                                          .decode_ns = 600 * kSecond,
                                          .input = 12'000'000,
                                          .cached = 800'000,
                                          .output = 3'000'000}},
                                        {Service(1, "3.20")});
  EXPECT_EQ(figures.weight, CostWeight::kPhaseTime);
  EXPECT_EQ(Text(figures.sums.cost), "3.200000000");
  EXPECT_EQ(Text(figures.blended), "0.213333333");
  EXPECT_EQ(Text(figures.input.per_million), "0.142857143");  // 1.60 over 11.2 M
  EXPECT_EQ(Text(figures.cached_input.per_million), "0.000000000");
  EXPECT_EQ(Text(figures.output.per_million), "0.533333333");
}

// T23: cached tokens are part of the prompt. With a price list's weights as token weights the
// parts are those of the list, and nothing is counted twice.
TEST(InferenceCostTest, CachedTokensAreNotCountedTwice) {
  struct T23 {
    std::int64_t prompt, cached, output;
    const char *input_price, *cached_price, *output_price;
    const char* cost;
  };
  for (const T23& t : {T23{262'960, 257'955, 1'744, "1.25", "0.625", "10", "0.184918125"},
                       T23{9'126, 4'864, 3'197, "1.25", "0.125", "10", "0.037905500"}}) {
    ServiceDeclaration service = Service(1, t.cost);
    service.weights = {*ParseTokenWeight(t.input_price), *ParseTokenWeight(t.cached_price),
                       *ParseTokenWeight(t.output_price)};
    const ServiceFigures figures =
        Priced({{.input = t.prompt, .cached = t.cached, .output = t.output}}, {service});
    // The whole is what the list says only if no token is in it twice.
    EXPECT_EQ(Text(figures.input.per_million), Money::Parse(t.input_price)->ToString());
    EXPECT_EQ(Text(figures.output.per_million), Money::Parse(t.output_price)->ToString());
    EXPECT_EQ(figures.input.tokens + figures.cached_input.tokens, t.prompt);
    EXPECT_EQ(*figures.input.cost + *figures.cached_input.cost + *figures.output.cost,
              *figures.sums.cost);
  }
}

// T7: reasoning tokens are among the output tokens and are not added to them.
TEST(InferenceCostTest, ReasoningTokensAreWithinTheOutput) {
  const ServiceFigures figures = Priced({{.output = 512, .reasoning = 474}}, {Service(1, "5.12")});
  EXPECT_EQ(figures.sums.all.output, 512);
  EXPECT_EQ(figures.sums.all.reasoning, 474);
  EXPECT_EQ(Text(figures.sums.PerMillionOutput()), "10000.000000000");
}

TEST(InferenceCostTest, AllPaidTimeIsInTheNumerator) {
  // One request of a second in an hour of two GPUs: the idle hour is paid too.
  const ServiceFigures figures = Priced({{}}, {Service(2, "1.80")});
  EXPECT_EQ(Text(figures.sums.cost), "3.600000000");
  EXPECT_EQ(figures.paid->gpu_ns, int128{7'200} * kSecond);
}

// T26: with everything missed or failed there is no cost per good token, and the cost stays.
TEST(InferenceCostTest, NothingGoodIsNullNotZero) {
  const ServiceFigures figures =
      Priced({{}, {.status = "error"}}, {Service(1, "2.00", "ttft=1ms")});
  EXPECT_EQ(Text(figures.sums.PerMillionGoodOutput()), "null");
  EXPECT_EQ(Text(figures.sums.PerMillionOutput()), "100000.000000000");
  EXPECT_EQ(Text(figures.sums.cost_missed), "2.000000000");
  EXPECT_FALSE(figures.factors);
}

TEST(InferenceCostTest, NoTokensIsNullAndCostGoesByRequests) {
  const ServiceFigures figures =
      Priced({{.tenant = "a", .input = std::nullopt, .output = std::nullopt},
              {.tenant = "b", .input = std::nullopt, .output = std::nullopt},
              {.tenant = "b", .input = std::nullopt, .output = std::nullopt}},
             {Service(1, "3.00"), {RequestKey::kTenant}});
  EXPECT_EQ(figures.weight, CostWeight::kRequests);
  EXPECT_EQ(Text(figures.sums.PerMillionOutput()), "null");
  EXPECT_EQ(Text(figures.groups[0].cost), "1.000000000");
  EXPECT_EQ(Text(figures.groups[1].cost), "2.000000000");
  EXPECT_EQ(figures.sums.all.tokens_unknown, 3);
}

TEST(InferenceCostTest, NoRequestLeavesAllCostIdle) {
  const ServiceFigures figures = Priced({}, {Service(1, "2.00"), {RequestKey::kModel}});
  EXPECT_EQ(Text(figures.sums.cost), "2.000000000");
  EXPECT_TRUE(figures.groups.empty());
  EXPECT_EQ(Text(figures.sums.cost_missed), "null");
}

TEST(InferenceCostTest, WithoutAPriceCostIsNull) {
  ServiceDeclaration service = Service(1, "2.00");
  service.gpus = std::nullopt;
  const ServiceFigures figures = Priced({{}}, {service, {RequestKey::kModel}});
  EXPECT_EQ(Text(figures.sums.cost), "null");
  EXPECT_EQ(Text(figures.groups[0].cost), "null");
  EXPECT_EQ(figures.groups[0].all.output, 10);
}

TEST(InferenceCostTest, GroupsWeighByPhaseTimeOnlyIfEverySuccessTellsIt) {
  const TestRequest slow{.tenant = "a", .prefill_ns = 3 * kSecond, .decode_ns = 3 * kSecond};
  const TestRequest fast{.tenant = "b", .prefill_ns = kSecond, .decode_ns = kSecond};
  const TestRequest failed{.tenant = "b", .status = "error", .input = 0, .output = 0};
  const ServiceFigures timed =
      Priced({slow, fast, failed}, {Service(1, "4.00"), {RequestKey::kTenant}});
  EXPECT_EQ(timed.weight, CostWeight::kPhaseTime);
  EXPECT_EQ(Text(timed.groups[0].cost), "3.000000000");
  EXPECT_EQ(Text(timed.groups[1].cost), "1.000000000");
  const ServiceFigures mixed =
      Priced({slow, fast, {.tenant = "b"}}, {Service(1, "4.20"), {RequestKey::kTenant}});
  EXPECT_EQ(mixed.weight, CostWeight::kTokens);
  EXPECT_EQ(Text(mixed.groups[0].cost), "1.400000000");
}

// Base x idle x SLO loss x reserve x release, by hand: four GPUs for an hour of which one
// stands by, half a GPU-hour of releases, 8.00 a GPU-hour, busy half the time, half good.
TEST(InferenceCostTest, FactorsSayWhereTheCostComesFrom) {
  ServiceDeclaration service = Service(4, "8.00", "ttft=1s");
  service.reserve_gpus = 1;
  service.release_time = GpuSeconds(1'800);
  const ServiceFigures figures =
      Priced({{.ttft_ms = 100, .e2e_ms = 1'800'000, .output = 1'000'000},
              {.ttft_ms = 2'000, .e2e_ms = 1'800'000, .output = 1'000'000}},
             {service});
  ASSERT_TRUE(figures.factors);
  const CostFactors& factors = *figures.factors;
  EXPECT_EQ(factors.base.ToDecimal(6), "6.000000");  // 3 x 0.5 h x 8.00 over 2 M tokens
  EXPECT_EQ(factors.idle.ToDecimal(6), "2.000000");
  EXPECT_EQ(factors.slo.ToDecimal(6), "2.000000");
  EXPECT_EQ(factors.reserve.ToDecimal(6), "1.333333");
  EXPECT_EQ(factors.release.ToDecimal(6), "1.125000");
  EXPECT_EQ(factors.total.ToDecimal(6), "36.000000");
  EXPECT_EQ(Text(figures.sums.PerMillionGoodOutput()), "36.000000000");
}

TEST(InferenceCostTest, DeclaredSafeRateIsTheBase) {
  ServiceDeclaration service = Service(1, "3.60");
  service.safe_tokens_per_second = 1'000;
  const ServiceFigures figures = Priced({{.output = 900'000}}, {service});
  ASSERT_TRUE(figures.factors);
  EXPECT_EQ(figures.factors->base.ToDecimal(6), "1.000000");  // 0.001 a second over 1000 tokens
  EXPECT_EQ(figures.factors->idle.ToDecimal(6), "4.000000");  // 3.6 M possible, 0.9 M made
  EXPECT_EQ(figures.factors->total.ToDecimal(6), "4.000000");
}

TEST(InferenceCostTest, FactorsMultiplyBackAndGroupsAddUpForRandomServices) {
  std::mt19937_64 random(20261130);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  int with_factors = 0;
  for (int round = 0; round < 1'000; ++round) {
    ServiceDeclaration service = Service(2 + below(5'000), "0.01", "ttft=3s,tpot=40ms");
    service.gpu_price = Money::FromNanos(1 + below(98'000'000'000));
    service.reserve_gpus = below(*service.gpus);
    service.release_time = GpuMillis(below(1'000'000'000));
    if (round % 2 == 1) service.safe_tokens_per_second = 1 + below(10'000'000);
    std::vector<TestRequest> rows;
    const char* statuses[] = {"ok", "ok", "error", "cancelled", "timeout"};
    for (std::int64_t i = below(60); i >= 0; --i) {
      rows.push_back({.model = "m" + std::to_string(below(3)),
                      .tenant = "t" + std::to_string(below(9)),
                      .arrival_ms = kStart + below(3'600'000),
                      .status = statuses[below(5)],
                      .ttft_ms = below(5'000),
                      .e2e_ms = 5'000 + below(90'000),
                      .input = 5'000 + below(100'000'000),
                      .cached = below(5'000),
                      .output = below(1'000'000'000)});
    }
    Case with{service, *ParseRequestKeys("model,tenant,input,outcome")};
    if (round % 3 == 0) with.window = std::nullopt;
    const ServiceFigures figures = Priced(rows, with);
    Money cost;
    Money missed;
    std::int64_t requests = 0;
    for (const RequestFigures& group : figures.groups) {
      cost += *group.cost;
      missed += *group.cost_missed;
      requests += group.all.requests;
      ASSERT_GE(*group.cost, Money());
    }
    ASSERT_EQ(cost, *figures.sums.cost) << "round " << round;
    ASSERT_EQ(missed, *figures.sums.cost_missed) << "round " << round;
    ASSERT_EQ(requests, static_cast<std::int64_t>(rows.size()));
    if (figures.output.cost) {
      ASSERT_EQ(*figures.input.cost + *figures.cached_input.cost + *figures.output.cost, cost);
    }
    if (!figures.factors) continue;
    ++with_factors;
    const CostFactors& f = *figures.factors;
    ASSERT_EQ(f.base * f.idle * f.slo * f.reserve * f.release, f.total) << "round " << round;
    ASSERT_EQ(f.total.ToDecimal(9), Text(figures.sums.PerMillionGoodOutput()));
  }
  EXPECT_GT(with_factors, 500);
}

TEST(InferenceCostTest, ReserveMustLeaveAGpuAndPriceNeedsGpus) {
  ServiceDeclaration service = Service(2, "1");
  service.reserve_gpus = 2;
  EXPECT_EQ(PaidByPrice(service, kSecond).error().code, ErrorCode::kInvalidArgument);
  service.gpu_price = std::nullopt;
  service.reserve_gpus = 0;
  EXPECT_EQ(PaidByPrice(service, kSecond).error().code, ErrorCode::kInvalidArgument);
}

TEST(InferenceCostTest, RatesAreExactDecimals) {
  EXPECT_EQ(PerSecond(298, 65'926'441'144), "4.520189393");
  EXPECT_EQ(PerSecond(1, 0), std::nullopt);
  EXPECT_EQ(Text(PerMillion(std::nullopt, 5)), "null");
  EXPECT_EQ(Text(PerMillion(Money::Units(1), 0)), "null");
}

}  // namespace
}  // namespace plimsoll
