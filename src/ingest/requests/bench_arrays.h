// Load tests that keep their requests as arrays or trees: vLLM, SGLang, AIPerf, GenAI-Perf.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ingest/requests/json_value.h"
#include "ingest/requests/request_sink.h"

namespace plimsoll {

// One run of `vllm bench serve --save-detailed` or `sglang.bench_serving --output-details`:
// parallel arrays, seconds. A failed request is told by its error; its zeros are no times. Runs
// without start_times put all requests at 1970 and add their duration to output.untimed_ns.
// Arrays of unequal length refuse the whole run.
Status ReadBenchArrays(const JsonValue& run, std::int64_t line, RequestOutput& output,
                       RequestDraft& draft);

// The metrics of one record of AIPerf's profile_export.jsonl; false if its phase is not
// `profiling` (warm-up is no load).
bool SetAiPerfMetrics(const JsonValue& record, RequestDraft& draft);

// All experiments of a GenAI-Perf profile_export.json, nanoseconds. It counts responses, which
// may hold many tokens each: output tokens are not told.
Status ReadGenAiPerf(const JsonValue& document, RequestOutput& output, RequestDraft& draft);

}  // namespace plimsoll
