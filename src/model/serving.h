// Serving: what inference engines counted of themselves, folded from their metrics by hour.
//
// A counter's rise between two samples no further apart than the hold is spread evenly between
// them, a level holds until the next sample but no longer than the hold. So a scrape gap is
// uncovered time and counts nothing. Integers only: order, repetition and batching of samples
// never change them. What an engine does not export has no row: unknown, never 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// Counters, in requests and tokens. requests_all is for engines that do not say which were ok.
inline constexpr const char* kRequestsAll = "requests_all";
inline constexpr const char* kRequestsOk = "requests_ok";
inline constexpr const char* kRequestsFailed = "requests_failed";
inline constexpr const char* kRequestsAborted = "requests_aborted";
inline constexpr const char* kTokensInput = "tokens_input";    // also those from a cache
inline constexpr const char* kTokensCached = "tokens_cached";  // of tokens_input
inline constexpr const char* kTokensOutput = "tokens_output";
// Durations in nanoseconds, as buckets and sums. Three quantities are easily taken for one:
// tpot is a request's mean over its tokens after the first, itl one gap between two tokens,
// ntpot a request's whole time over all its tokens.
inline constexpr const char* kTtft = "ttft";
inline constexpr const char* kTpot = "tpot";
inline constexpr const char* kItl = "itl";
inline constexpr const char* kNtpot = "ntpot";
inline constexpr const char* kE2e = "e2e";
inline constexpr const char* kQueueTime = "queue_time";
// Levels: requests in thousandths, the used part of the KV cache in parts per million.
inline constexpr const char* kRunning = "running";
inline constexpr const char* kWaiting = "waiting";
inline constexpr const char* kKvCacheUsed = "kv_cache_used";

inline constexpr const char* kPartBucket = "bucket";  // requests (or gaps) at most le_ns long
inline constexpr const char* kPartSum = "sum";        // nanoseconds of all of them

inline constexpr std::int64_t kLeInfinite = INT64_MAX;  // the bucket +Inf: all of them

// One row a (target, model, quantity, bucket, hour). The key is all columns from cluster to hour.
struct ServingBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster, ns;
  std::vector<Symbol> target;  // the pod, else the scraped address
  std::vector<Symbol> engine;  // vllm, sglang, tgi, triton, trtllm, dynamo, gie, llm-d-epp
  std::vector<Symbol> model;   // as the engine names it; "" if it does not
  std::vector<Symbol> quantity;
  std::vector<Symbol> part;  // kPartBucket, kPartSum; "" of counters and levels
  std::vector<std::optional<std::int64_t>> le_ns;  // of buckets: the upper edge, inclusive
  std::vector<Instant> hour;
  std::vector<Twelfths> covered;  // ms; of kv_cache_used the sum over an engine's parts
  std::vector<Twelfths> amount;   // what was counted; of levels the integral over ms
  std::vector<Symbol> quality;    // "" trusted, else comma-separated marks (serving-metrics.md)

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &ServingBatch::snapshot_id),
      MakeColumn("cluster", &ServingBatch::cluster),
      MakeColumn("namespace", &ServingBatch::ns),
      MakeColumn("target", &ServingBatch::target),
      MakeColumn("engine", &ServingBatch::engine),
      MakeColumn("model", &ServingBatch::model),
      MakeColumn("quantity", &ServingBatch::quantity),
      MakeColumn("part", &ServingBatch::part),
      MakeColumn("le_ns", &ServingBatch::le_ns),
      MakeColumn("hour", &ServingBatch::hour),
      MakeColumn("covered", &ServingBatch::covered),
      MakeColumn("amount", &ServingBatch::amount),
      MakeColumn("quality", &ServingBatch::quality),
  };
};

}  // namespace plimsoll
