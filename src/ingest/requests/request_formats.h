// RequestFormats: which column or JSON path of which tool means what, and how a file is known.
//
// The tables are docs/formats/requests.md as data; the versions that they were read from stand
// there. A file is known by keys of its first object, or by its columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/requests/json_value.h"
#include "ingest/requests/request_row.h"

namespace plimsoll {

enum class RequestFormat : unsigned char {
  kPlain,        // our own names, and those of --map
  kEngineTimes,  // a vLLM engine's own times per request (LLMServingSim's bench)
  kBenchArrays,  // vllm bench serve --save-detailed, sglang bench_serving --output-details
  kLiteLlm,      // spend logs, standard logging payloads
  kEnvoy,        // Envoy AI Gateway access log
  kOtlp,         // OpenTelemetry GenAI spans, OTLP JSON
  kAiPerf,       // AIPerf profile_export.jsonl
  kGenAiPerf,    // GenAI-Perf profile_export.json
};
const char* NameOf(RequestFormat format);

// The fields of a format that goes by columns or paths; empty for the others.
const std::vector<RequestFieldSpec>& SpecsOf(RequestFormat format);

// By the keys of an object, or the names of columns. Fails with kBadData, naming the formats.
Result<RequestFormat> RecognizeKeys(const std::vector<std::string>& keys);
Result<RequestFormat> RecognizeObject(const JsonValue& object);

struct RecognizedFormat {
  RequestFormat format = RequestFormat::kPlain;
  std::vector<RequestFieldSpec> specs;  // those of --map, then the format's own
};
// With an arrival among `maps`, any file is readable by its other names. Fails as `format` did.
Result<RecognizedFormat> WithMaps(const Result<RequestFormat>& format,
                                  const std::vector<RequestFieldSpec>& maps);

// Reads --map FIELD=COLUMN or FIELD=COLUMN:UNIT (s, ms, us, ns), as in "ttft=first_ms:ms";
// nested JSON keys are joined by slashes. Fails with kInvalidArgument, naming the fields.
Result<RequestFieldSpec> ParseRequestMap(const std::string& text);

}  // namespace plimsoll
