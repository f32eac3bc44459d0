// RequestGroups: requests added up where they lie, by what a question keeps apart.
//
// What an engine that reads columns can add up, nobody has to look at row by row. The sums are
// those of single rows: what a group is good for is decided from its keys alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "model/column.h"
#include "model/service.h"

namespace plimsoll {

// How the requests of a group that succeeded stand to the SLO of their service; the rules are
// those of SloJudge (economics/slo.h).
enum class SloVerdict : unsigned char { kMet, kMissed, kUnmeasured };

struct RequestGrouping {
  // What is kept apart; service, status, verdict and `inside` always are. What is not is "" or 0
  // in every group.
  bool model = false, version = false, quantization = false, tenant = false, priority = false;
  bool input = false, output = false, cache = false;
  bool span_model = false;                 // the model of each span is told too
  std::vector<std::int64_t> length_edges;  // bucket i of tokens begins at length_edges[i]
  std::optional<Window> window;            // arrivals outside it are counted, and no more
  Slo slo;                                 // of all requests, without `slo_of`
  std::function<Slo(Symbol service, Symbol model)> slo_of;
};

// One group a row. Bucket length_edges.size(): tokens are not told.
struct RequestGroupBatch {
  std::vector<Symbol> service, model, version, quantization, tenant, priority;
  std::vector<Symbol> status;                             // as RequestBatch
  std::vector<std::int64_t> verdict;                      // SloVerdict
  std::vector<std::int64_t> inside;                       // 1: of the window
  std::vector<std::int64_t> input_bucket, output_bucket;  // of length_edges
  std::vector<std::int64_t> cache;                        // 0: miss, 1: hit, 2: not told
  std::vector<std::int64_t> requests;
  std::vector<std::int64_t> undated;                           // arrivals before 2001
  std::vector<std::int64_t> input, cached, output, reasoning;  // tokens
  std::vector<std::int64_t> tokens_unknown;  // requests without a count of input or output
  std::vector<std::int64_t> phases_unknown;  // requests without both phase times
  std::vector<int128> prefill_ns, decode_ns;

  static constexpr std::tuple kColumns{
      MakeColumn("service", &RequestGroupBatch::service),
      MakeColumn("model", &RequestGroupBatch::model),
      MakeColumn("version", &RequestGroupBatch::version),
      MakeColumn("quantization", &RequestGroupBatch::quantization),
      MakeColumn("tenant", &RequestGroupBatch::tenant),
      MakeColumn("priority", &RequestGroupBatch::priority),
      MakeColumn("status", &RequestGroupBatch::status),
      MakeColumn("verdict", &RequestGroupBatch::verdict),
      MakeColumn("inside", &RequestGroupBatch::inside),
      MakeColumn("input_bucket", &RequestGroupBatch::input_bucket),
      MakeColumn("output_bucket", &RequestGroupBatch::output_bucket),
      MakeColumn("cache", &RequestGroupBatch::cache),
      MakeColumn("requests", &RequestGroupBatch::requests),
      MakeColumn("undated", &RequestGroupBatch::undated),
      MakeColumn("input", &RequestGroupBatch::input),
      MakeColumn("cached", &RequestGroupBatch::cached),
      MakeColumn("output", &RequestGroupBatch::output),
      MakeColumn("reasoning", &RequestGroupBatch::reasoning),
      MakeColumn("tokens_unknown", &RequestGroupBatch::tokens_unknown),
      MakeColumn("phases_unknown", &RequestGroupBatch::phases_unknown),
      MakeColumn("prefill_ns", &RequestGroupBatch::prefill_ns),
      MakeColumn("decode_ns", &RequestGroupBatch::decode_ns),
  };
};

// When requests of the window were in flight: [begin, until), one request a row.
struct RequestSpanBatch {
  std::vector<Symbol> service, model;  // model: "" without `span_model`
  std::vector<std::int64_t> begin_ns, until_ns;

  static constexpr std::tuple kColumns{
      MakeColumn("service", &RequestSpanBatch::service),
      MakeColumn("model", &RequestSpanBatch::model),
      MakeColumn("begin_ns", &RequestSpanBatch::begin_ns),
      MakeColumn("until_ns", &RequestSpanBatch::until_ns),
  };
};

}  // namespace plimsoll
