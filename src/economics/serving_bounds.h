// ServingSummary: what an inference service gave and cost, from its engines' own metrics.
//
// Metrics are counts and buckets, not requests: what they cannot tell is null or bounds, never
// one made-up number. Pure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "economics/serving_histogram.h"
#include "model/service.h"
#include "model/serving.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

struct ServingQuestion {
  Window window;       // cut to whole twelfths of an hour
  std::string engine;  // "" all: engines, or front ends (dynamo, gie) where no engine is
  std::string model;   // "" all
  Slo slo;
  std::optional<Money> cost;  // of the service in the window: all paid time, idle too
  // Declares that good requests have as many output tokens as others. Metrics do not tell;
  // without this good tokens are unknown unless all or no requests are good.
  bool tokens_even = false;
};

// Why a quantity is null.
enum class ServingState : unsigned char {
  kKnown,
  kNoTraffic,  // nothing was measured (NaN, no count), and there was no request
  kUnknown,    // not exported, or NaN although there were requests
};

// How one limit was kept.
struct SloBounds {
  std::string quantity;  // ttft, tpot, e2e
  std::int64_t limit_ns = 0;
  std::int64_t measured = 0;          // requests in the histogram, those that failed later too
  std::optional<CountBounds> within;  // of ok requests; null: the engine has no such histogram
  EdgesBeside edges;                  // what the limit lies between
};

// Of a histogram: the bucket that holds the quantile, and the mean.
struct LatencySummary {
  std::string quantity;
  std::int64_t count = 0;
  std::optional<std::int64_t> mean_ns;
  std::optional<LatencyHistogram::Bracket> p50, p90, p99;
};

struct ServingSummary {
  std::vector<std::string> engines, models;  // whose counts these are
  std::int64_t targets = 0;
  // Time of all targets, ms: scraped, and missing between a target's first and last scrape.
  std::int64_t covered_ms = 0, missing_ms = 0;

  std::optional<std::int64_t> requests_all, requests_ok, requests_failed, requests_aborted;
  std::optional<std::int64_t> tokens_input, tokens_cached, tokens_output;
  ServingState requests_state = ServingState::kUnknown;
  ServingState tokens_state = ServingState::kUnknown;  // of tokens_output

  std::vector<SloBounds> slo;
  std::optional<CountBounds> requests_good;  // of requests_ok; null: nothing is known of them
  std::optional<CountBounds> tokens_good;    // output tokens; null: unknown

  // Per 1M output tokens, rounded half to even; null where unknown or divided by nothing.
  std::optional<Money> cost_per_million_output_tokens;
  std::optional<Money> cost_per_million_good_low, cost_per_million_good_high;

  // Gaps between tokens within the TPOT limit, where only those are measured: a share of gaps,
  // which says nothing of requests.
  std::optional<CountBounds> gaps_within_tpot;
  std::int64_t gaps = 0;

  std::vector<LatencySummary> latencies;  // ttft, tpot, itl, ntpot, e2e, queue_time
  // Means over the covered time: thousandths of requests, parts per million.
  std::optional<std::int64_t> running_milli, waiting_milli, kv_cache_used_ppm;

  std::vector<std::string> notes;  // one sentence each
};

// `rows` as `SELECT * FROM active_serving` gives them, of any clusters, targets and times.
ServingSummary SummarizeServing(const ServingBatch& rows, const ServingQuestion& question);

}  // namespace plimsoll
