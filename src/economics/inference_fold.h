// InferenceFold: requests, a batch at a time, into sums by service and by any keys.
//
// One pass over any number of rows in memory that grows with the groups and the ids alone. Sums
// are whole numbers, so order and batching of the rows change nothing. A request id of a service
// counts once: the first time that it comes. For one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "economics/inference_busy.h"
#include "economics/inference_latency.h"
#include "economics/slo.h"
#include "model/request.h"
#include "model/request_group.h"
#include "model/service.h"
#include "units/time.h"

namespace plimsoll {

enum class RequestKey : unsigned char {
  kService,
  kModel,
  kVersion,
  kQuantization,
  kTenant,
  kPriority,
  kInput,    // bucket of input tokens
  kOutput,   // bucket of output tokens
  kPeak,     // peak, off-peak; unknown without a calendar or a date
  kCache,    // hit, miss, unknown
  kOutcome,  // kOutcomeNames
};
inline constexpr std::size_t kRequestKeyCount = 11;
inline constexpr const char* kRequestKeyNames[kRequestKeyCount] = {
    "service", "model",  "version", "quantization", "tenant", "priority",
    "input",   "output", "peak",    "cache",        "outcome"};

// Reads "model,tenant,outcome". Fails with kInvalidArgument, naming the keys.
Result<std::vector<RequestKey>> ParseRequestKeys(const std::string& text);

// Length buckets of tokens: "0", "1-127", "128-511", ... "131072+"; "unknown" without a count.
std::string LengthBucketName(std::size_t bucket);

// The stretch around an instant.
using PeakOf = std::function<PeakSpan(Instant)>;

struct RequestSums {
  std::int64_t requests = 0;
  std::int64_t input = 0;           // tokens, all
  std::int64_t cached = 0;          // of input
  std::int64_t output = 0;          // tokens, all
  std::int64_t reasoning = 0;       // of output
  std::int64_t tokens_unknown = 0;  // requests that succeeded without a count of tokens
  std::int64_t phases_unknown = 0;  // requests that succeeded without both phase times
  int128 prefill_ns = 0;
  int128 decode_ns = 0;

  RequestSums& operator+=(const RequestSums& other);
};

// One group of requests of one service: all of one outcome and of the same keys.
struct RequestGroup {
  std::size_t service = 0;  // index of FoldedRequests::services
  Outcome outcome = Outcome::kGood;
  std::vector<std::string> keys;  // as InferenceFoldOptions::by
  RequestSums sums;
};

struct FoldedService {
  ServiceDeclaration declared;
  std::int64_t requests = 0;
  std::int64_t outside = 0;     // not counted: they arrived outside the window
  std::int64_t duplicates = 0;  // ids that came again
  std::int64_t undated = 0;     // on a clock that tells no date
  // Nanoseconds: first arrival to last end of the requests counted, or the window asked for.
  std::int64_t begin_ns = 0;
  std::int64_t until_ns = 0;
  std::int64_t busy_ns = 0;    // of it with a request in flight; 0 if not known
  RequestLatencies latencies;  // if asked for
};

struct FoldedRequests {
  std::vector<FoldedService> services;  // those declared and those met, by name
  std::vector<RequestGroup> groups;     // by service, keys, outcome
};

struct InferenceFoldOptions {
  // The first declaration that matches a request is its service; a request of none is of a
  // service by its own name ("default" if it has none; marked if that is declared) with
  // `fallback`'s other declarations.
  std::vector<ServiceDeclaration> services = {};
  ServiceDeclaration fallback = {};
  std::vector<RequestKey> by = {};
  std::optional<Window> window = std::nullopt;  // count what arrives in it; null: everything
  bool latencies = false;                       // keep every latency, for percentiles
  // Calendar of a service; may give null. Null: there is none.
  std::function<PeakOf(const ServiceDeclaration&)> peak_of = {};
};

class InferenceFold {
 public:
  explicit InferenceFold(InferenceFoldOptions options);
  InferenceFold(InferenceFold&&) noexcept;
  ~InferenceFold();

  // `rest_ns`: nanoseconds of each arrival below its millisecond; empty: all 0. Fails with
  // kOutOfRange past a million values of one key or a million groups.
  Status Add(const RequestBatch& requests, std::span<const std::int32_t> rest_ns);

  // What may be added up before it comes here; null if single rows are needed: for percentiles
  // and peak hours.
  std::optional<RequestGrouping> Grouping() const;
  // Adds what such a grouping gave, in which no id came twice; spans and groups come apart.
  // Fails as Add does.
  Status AddGroups(const RequestGroupBatch& groups);
  Status AddSpans(const RequestSpanBatch& spans);

  FoldedRequests Finish();  // and ends the fold

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll
