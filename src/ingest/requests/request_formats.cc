#include "ingest/requests/request_formats.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {
namespace {

using Specs = std::vector<RequestFieldSpec>;
using F = RequestField;

struct FieldName {
  const char* name;
  RequestField field;
};
// The names that --map and our own columns use; lengths of time take a suffix of their unit.
constexpr FieldName kNames[] = {{"service", F::kService},
                                {"model", F::kModel},
                                {"version", F::kVersion},
                                {"quantization", F::kQuantization},
                                {"tenant", F::kTenant},
                                {"priority", F::kPriority},
                                {"request", F::kRequest},
                                {"arrival", F::kArrival},
                                {"first_token", F::kFirstToken},
                                {"end", F::kEnd},
                                {"ttft", F::kTtft},
                                {"e2e", F::kE2e},
                                {"tpot", F::kTpot},
                                {"prefill", F::kPrefill},
                                {"decode", F::kDecode},
                                {"input_tokens", F::kInputTokens},
                                {"uncached_tokens", F::kUncachedTokens},
                                {"cached_tokens", F::kCachedTokens},
                                {"output_tokens", F::kOutputTokens},
                                {"reasoning_tokens", F::kReasoningTokens},
                                {"status", F::kStatus},
                                {"error", F::kError}};

struct UnitName {
  const char* name;
  TimeUnit unit;
};
constexpr UnitName kUnits[] = {{"s", TimeUnit::kSeconds},
                               {"ms", TimeUnit::kMillis},
                               {"us", TimeUnit::kMicros},
                               {"ns", TimeUnit::kNanos}};

bool IsTime(RequestField field) { return field >= F::kArrival && field <= F::kDecode; }

Specs PlainSpecs() {
  Specs specs;
  for (const FieldName& name : kNames) {
    specs.push_back({name.name, name.field, TimeUnit::kSeconds});
    if (!IsTime(name.field)) continue;
    for (const UnitName& unit : kUnits) {
      specs.push_back({std::string(name.name) + "_" + unit.name, name.field, unit.unit});
    }
  }
  return specs;
}

// arrival_time is the wall clock and the others a monotonic one: queued_ts is when it came.
Specs EngineSpecs() {
  return {{"request_id", F::kRequest},
          {"model", F::kModel},
          {"queued_ts", F::kArrival},
          {"first_token_ts", F::kFirstToken},
          {"last_token_ts", F::kEnd},
          {"input_toks", F::kInputTokens},
          {"output_toks", F::kOutputTokens},
          {"cached_toks", F::kCachedTokens},
          {"error", F::kError}};
}

Specs LiteLlmSpecs() {
  const std::string usage = "metadata/usage_object/";
  return {{"request_id", F::kRequest},
          {"id", F::kRequest},
          {"model_group", F::kModel},
          {"model", F::kModel},
          {"metadata/user_api_key_team_alias", F::kTenant},
          {"team_id", F::kTenant},
          {"metadata/user_api_key_team_id", F::kTenant},
          {"metadata/user_api_key_alias", F::kTenant},
          {"startTime", F::kArrival},
          {"completionStartTime", F::kFirstToken},
          {"endTime", F::kEnd},
          {"prompt_tokens", F::kInputTokens},
          {"completion_tokens", F::kOutputTokens},
          {usage + "prompt_tokens_details/cached_tokens", F::kCachedTokens},
          {usage + "cache_read_input_tokens", F::kCachedTokens},
          {usage + "completion_tokens_details/reasoning_tokens", F::kReasoningTokens},
          {"status", F::kStatus},
          {"error_str", F::kError}};
}

Specs EnvoySpecs() {
  return {{"x-request-id", F::kRequest},
          {"genai_model_name_override", F::kModel},
          {"genai_model_name", F::kModel},
          {"start_time", F::kArrival},
          {"duration", F::kE2e, TimeUnit::kMillis},
          {"genai_tokens_input", F::kInputTokens},
          {"genai_tokens_cached_input", F::kCachedTokens},
          {"genai_tokens_output", F::kOutputTokens},
          {"genai_tokens_reasoning", F::kReasoningTokens},
          {"response_code", F::kHttpCode}};
}

Specs AiPerfSpecs() {
  return {{"metadata/x_request_id", F::kRequest},
          {"metadata/request_start_ns", F::kArrival, TimeUnit::kNanos},
          {"metadata/request_end_ns", F::kEnd, TimeUnit::kNanos},
          {"metadata/was_cancelled", F::kCancelled},
          {"error/message", F::kError}};
}

struct Marker {
  RequestFormat format;
  std::vector<const char*> keys;  // all of them
};
const std::vector<Marker>& Markers() {
  static const std::vector<Marker> markers{
      {RequestFormat::kEngineTimes, {"queued_ts", "last_token_ts"}},
      {RequestFormat::kBenchArrays, {"input_lens", "output_lens", "ttfts"}},
      {RequestFormat::kLiteLlm, {"startTime", "endTime", "prompt_tokens"}},
      {RequestFormat::kEnvoy, {"genai_model_name", "start_time"}},
      {RequestFormat::kEnvoy, {"genai_tokens_input", "start_time"}},
      {RequestFormat::kOtlp, {"resourceSpans"}},
      {RequestFormat::kAiPerf, {"metadata", "metrics"}},
      {RequestFormat::kGenAiPerf, {"experiments"}},
      {RequestFormat::kPlain, {"arrival"}},
      {RequestFormat::kPlain, {"arrival_s"}},
      {RequestFormat::kPlain, {"arrival_ms"}},
      {RequestFormat::kPlain, {"arrival_us"}},
      {RequestFormat::kPlain, {"arrival_ns"}}};
  return markers;
}

std::string Listed(const std::vector<std::string>& keys) {
  std::string text;
  for (std::size_t i = 0; i < keys.size() && i < 12; ++i) {
    text += (text.empty() ? "" : ", ") + keys[i].substr(0, 40);
  }
  return text + (keys.size() > 12 ? ", ..." : "");
}

}  // namespace

const char* NameOf(RequestFormat format) {
  constexpr const char* kFormatNames[] = {"plain",   "engine times",     "bench arrays",
                                          "LiteLLM", "Envoy AI Gateway", "OTLP",
                                          "AIPerf",  "GenAI-Perf"};
  return kFormatNames[static_cast<std::size_t>(format)];
}

const std::vector<RequestFieldSpec>& SpecsOf(RequestFormat format) {
  static const Specs plain = PlainSpecs();
  static const Specs engine = EngineSpecs();
  static const Specs litellm = LiteLlmSpecs();
  static const Specs envoy = EnvoySpecs();
  static const Specs aiperf = AiPerfSpecs();
  static const Specs none;
  switch (format) {
    case RequestFormat::kPlain:
      return plain;
    case RequestFormat::kEngineTimes:
      return engine;
    case RequestFormat::kLiteLlm:
      return litellm;
    case RequestFormat::kEnvoy:
      return envoy;
    case RequestFormat::kAiPerf:
      return aiperf;
    default:
      return none;
  }
}

Result<RequestFormat> RecognizeKeys(const std::vector<std::string>& keys) {
  for (const Marker& marker : Markers()) {
    const bool all = std::all_of(marker.keys.begin(), marker.keys.end(), [&](const char* key) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    });
    if (all) return marker.format;
  }
  const bool is_summary = std::find(keys.begin(), keys.end(), "request_throughput") != keys.end();
  return Error{ErrorCode::kBadData,
               is_summary
                   ? "holds the summary of a load test without its requests; run it again with "
                     "--save-detailed (vLLM) or --output-details (SGLang)"
                   : "is no request log that is known (docs/formats/requests.md): it has " +
                         Listed(keys) + "; map its columns, as in --map arrival=ts:ms"};
}

Result<RequestFormat> RecognizeObject(const JsonValue& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.members) keys.push_back(key);
  return RecognizeKeys(keys);
}

Result<RecognizedFormat> WithMaps(const Result<RequestFormat>& format,
                                  const std::vector<RequestFieldSpec>& maps) {
  const bool is_mapped = std::any_of(
      maps.begin(), maps.end(), [](const auto& m) { return m.field == RequestField::kArrival; });
  if (!format && !is_mapped) return format.error();
  RecognizedFormat recognized{format ? *format : RequestFormat::kPlain, maps};
  const std::vector<RequestFieldSpec>& own = SpecsOf(recognized.format);
  recognized.specs.insert(recognized.specs.end(), own.begin(), own.end());
  return recognized;
}

Result<RequestFieldSpec> ParseRequestMap(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto* const known = std::find_if(std::begin(kNames), std::end(kNames),
                                         [&](const FieldName& n) { return name == n.name; });
  if (equals == std::string::npos || equals + 1 == text.size() || known == std::end(kNames)) {
    std::string names;
    for (const FieldName& each : kNames)
      names += (names.empty() ? "" : ", ") + std::string(each.name);
    return Error{ErrorCode::kInvalidArgument,
                 "map '" + text +
                     "': write FIELD=COLUMN or FIELD=COLUMN:UNIT, as in "
                     "ttft=first_ms:ms; fields are " +
                     names};
  }
  RequestFieldSpec spec{text.substr(equals + 1), known->field, TimeUnit::kSeconds};
  const std::size_t colon = spec.source.rfind(':');
  if (!IsTime(spec.field) || colon == std::string::npos || colon == 0) return spec;
  const std::string unit = spec.source.substr(colon + 1);
  for (const UnitName& each : kUnits) {
    if (unit != each.name) continue;
    spec.source.resize(colon);
    spec.unit = each.unit;
    return spec;
  }
  return Error{ErrorCode::kInvalidArgument,
               "map '" + text + "': the unit is one of s, ms, us and ns"};
}

}  // namespace plimsoll
