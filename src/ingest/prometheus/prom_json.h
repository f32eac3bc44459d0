// PromJson: an answer of the Prometheus HTTP API, read in one pass.
//
// Takes what /api/v1/query and /api/v1/query_range give: vectors and matrices, from
// Prometheus, VictoriaMetrics, Thanos and Mimir. Nothing is built in memory but the element
// at hand. Nesting is bounded (kNestingMax); unknown keys are passed over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/prometheus/samples.h"

namespace plimsoll {

struct PromAnswer {
  std::string status;                 // "success" or "error"
  std::string error_type, error;      // of an error
  std::vector<std::string> warnings;  // partial answers (Thanos) say so here
  std::int64_t samples = 0;
};

// Hands every sample of `body` to `sink`. Fails with kBadData if the text is not JSON or not
// such an answer; a sample that cannot be read is reported to the sink (line 0).
Result<PromAnswer> ReadPromJson(std::string_view body, SampleSink& sink);

// The names that /api/v1/label/__name__/values gives. Fails with kBadData if `body` is no such
// answer.
Result<std::vector<std::string>> ReadPromNames(std::string_view body);

}  // namespace plimsoll
