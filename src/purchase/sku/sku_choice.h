// SkuChoice: which GPUs serve a language model, whether it fits, and what its tokens cost.
//
// Throughput is only ever a measurement of the catalog or of the user's own file: of the same
// model, GPU, number of GPUs and request lengths. Where there is none, there is no cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "purchase/sku/memory_plan.h"
#include "purchase/sku/sku_price.h"
#include "purchase/sku/token_cost.h"

namespace plimsoll {

enum class LatencyVerdict : unsigned char { kNoTarget, kMet, kMissed, kNotKnown };
inline constexpr const char* kLatencyVerdictNames[] = {"no target", "met", "missed", "not known"};

struct SkuRequest {
  std::vector<const GpuModel*> gpus;  // to choose from
  MemoryDemand demand;
  std::int64_t input_tokens = 1'000, output_tokens = 1'000;  // of a usual request
  std::int64_t ttft_us = 0, tpot_us = 0;                     // latency target; 0: none
  std::int64_t pipeline = 1;                                 // nodes of a replica
  std::int64_t tensor = 0;                                   // 0: tries 1, 2, 4 and 8
  bool same_precision = false;  // a measurement at another precision is no data
  bool all = false;             // every number of GPUs, not only those worth a look
};

struct SkuChoice {
  const GpuModel* gpu = nullptr;
  ParallelLayout layout;
  MemoryPlan memory;
  const Throughput* throughput = nullptr;  // null: no data
  bool precision_differs = false;          // of the measurement, from what was asked
  LatencyVerdict latency = LatencyVerdict::kNoTarget;
  std::optional<SkuPrice> price;
  // Per million output tokens of a replica that is used all the time.
  std::optional<Money> on_demand, reserved, spot;
};

// Of each GPU, best first: feasible before not, target met before not known before missed,
// known cost before unknown, then by cost on demand, price, GPUs and name. Without
// `request.all`: the fewest GPUs that fit, those with a measurement, and of a GPU that nowhere
// fits the most.
Result<std::vector<SkuChoice>> ChooseSkus(const LanguageModel& model, const SkuRequest& request,
                                          const Catalog& catalog, const SkuPrices& prices);

// The price ratio per GPU-hour at which two GPUs cost the same per token.
struct Indifference {
  const SkuChoice* dearer = nullptr;  // the one with more tokens a GPU
  const SkuChoice* cheaper = nullptr;
  std::int64_t break_even_nanos = 0;        // ratio of tokens a second and GPU
  std::optional<std::int64_t> price_nanos;  // ratio of today's prices
};

// Every pair of neighbours by tokens a second and GPU, most first; one choice a GPU, the one
// with most. What does not fit or misses the latency target is left out.
std::vector<Indifference> Indifferences(const std::vector<SkuChoice>& choices);

}  // namespace plimsoll
