// InferenceCost: what a service's requests cost, in all and by group, with the reasons.
//
// Every nano of the service's cost is paid for, idle and reserve too; it is divided exactly
// among its groups. The weight of a group is its busy token-time where every request that
// succeeded tells both phase times, else its tokens by the declared weights, else its requests.
// What has nothing to be divided by (no good token, no token at all) is null, never 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "economics/inference_fold.h"
#include "economics/inference_ratio.h"
#include "units/money.h"

namespace plimsoll {

// What was paid for a service over its window. GPU time in GPU-nanoseconds; 0 if not known.
struct PaidCost {
  Money cost;
  int128 gpu_ns = 0;      // all of it, reserve and release too
  int128 reserve_ns = 0;  // of it: GPUs that stand by
  int128 release_ns = 0;  // of it: surge and warm-up of releases
};

// (gpus x window + release time) x price, rounded once, half to even. Fails with
// kInvalidArgument if gpus or price is not declared or the reserve leaves no GPU to serve.
Result<PaidCost> PaidByPrice(const ServiceDeclaration& declared, std::int64_t window_ns);

enum class CostWeight : unsigned char { kPhaseTime, kTokens, kRequests };
inline constexpr const char* kCostWeightNames[] = {"phase_time", "tokens", "requests"};

// Tokens of one kind, and their part of the cost.
struct TokenCost {
  std::int64_t tokens = 0;
  std::optional<Money> cost;
  std::optional<Money> per_million;
};

// Cost per million good output tokens as a product: what it is while serving within the SLO,
// and what each loss makes of it. base x idle x slo x reserve x release = total, exactly.
struct CostFactors {
  Ratio base;     // currency per million output tokens, busy and all good
  Ratio idle;     // serving GPU time / what the tokens needed of it
  Ratio slo;      // all output tokens / those of good requests
  Ratio reserve;  // (serving + reserve) / serving
  Ratio release;  // all paid GPU time / (serving + reserve)
  Ratio total;
  bool safe_declared = false;  // base is at the declared safe rate, else while any request ran
};

struct RequestFigures {
  std::vector<std::string> keys;
  RequestSums all;
  RequestSums good;
  std::optional<Money> cost;         // null without a price
  std::optional<Money> cost_missed;  // of requests that were not good

  std::optional<Money> PerMillionOutput() const;      // all cost / all output tokens
  std::optional<Money> PerMillionGoodOutput() const;  // all cost / output tokens of good ones
};

struct ServiceFigures {
  FoldedService service;
  RequestFigures sums;  // without keys
  std::array<std::int64_t, kOutcomeCount> outcomes{};
  std::optional<PaidCost> paid;
  CostWeight weight = CostWeight::kTokens;
  TokenCost input, cached_input, output;  // input without the cached
  std::optional<Money> blended;           // cost per million of input and output together
  std::optional<CostFactors> factors;     // null if any of them has nothing to divide by
  std::vector<RequestFigures> groups;     // by the keys of the fold, in their order

  std::int64_t window_ns() const { return service.until_ns - service.begin_ns; }
};

// `paid` has one entry a service of `folded`; null where nobody told a price. Fails with
// kOutOfRange past 38 digits.
Result<std::vector<ServiceFigures>> PriceRequests(const FoldedRequests& folded,
                                                  const std::vector<std::optional<PaidCost>>& paid);

// Cost of a million of `tokens`, rounded half to even; null for none.
std::optional<Money> PerMillion(const std::optional<Money>& cost, std::int64_t tokens);

// `count` a second of `ns`, nine decimals; null for no time.
std::optional<std::string> PerSecond(std::int64_t count, std::int64_t ns);

}  // namespace plimsoll
