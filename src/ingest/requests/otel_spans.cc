#include "ingest/requests/otel_spans.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace plimsoll {
namespace {

using F = RequestField;

// Attributes by name; the first that is there counts. Lengths of time are seconds.
struct AttributeName {
  const char* name;
  RequestField field;
};
constexpr AttributeName kAttributes[] = {
    {"gen_ai.response.model", F::kModel},
    {"gen_ai.request.model", F::kModel},
    {"gen_ai.usage.input_tokens", F::kInputTokens},
    {"gen_ai.usage.prompt_tokens", F::kInputTokens},
    {"gen_ai.usage.output_tokens", F::kOutputTokens},
    {"gen_ai.usage.completion_tokens", F::kOutputTokens},
    {"gen_ai.usage.cache_read.input_tokens", F::kCachedTokens},
    {"gen_ai.usage.cache_read_input_tokens", F::kCachedTokens},
    {"gen_ai.usage.cached_tokens", F::kCachedTokens},
    {"gen_ai.usage.reasoning.output_tokens", F::kReasoningTokens},
    {"gen_ai.usage.reasoning_tokens", F::kReasoningTokens},
    {"gen_ai.response.time_to_first_chunk", F::kTtft},
    {"gen_ai.server.time_to_first_token", F::kTtft},
    {"gen_ai.latency.time_to_first_token", F::kTtft},
    {"gen_ai.latency.time_in_model_prefill", F::kPrefill},
    {"gen_ai.latency.time_in_model_decode", F::kDecode},
    {"error.type", F::kError}};

// Work around requests, not a request.
constexpr const char* kNoRequests[] = {"invoke_agent", "create_agent", "execute_tool",
                                       "invoke_workflow"};

std::string_view TextOf(const JsonValue* attribute_value) {
  if (attribute_value == nullptr) return {};
  for (const char* kind : {"stringValue", "intValue", "doubleValue", "boolValue"}) {
    const JsonValue* value = attribute_value->Find(kind);
    if (value != nullptr) return value->Scalar();
  }
  return {};
}

std::string_view Attribute(const JsonValue& holder, std::string_view name) {
  const JsonValue* attributes = holder.Find("attributes");
  if (attributes == nullptr) return {};
  for (const JsonValue& attribute : attributes->items) {
    const JsonValue* key = attribute.Find("key");
    if (key != nullptr && key->Scalar() == name) return TextOf(attribute.Find("value"));
  }
  return {};
}

std::string_view Member(const JsonValue& object, const char* key) {
  const JsonValue* value = object.Find(key);
  return value == nullptr ? std::string_view() : value->Scalar();
}

const std::vector<JsonValue>& Items(const JsonValue& object, const char* key) {
  static const std::vector<JsonValue> none;
  const JsonValue* value = object.Find(key);
  return value == nullptr ? none : value->items;
}

bool IsPhase(RequestField field) { return field == F::kPrefill || field == F::kDecode; }

}  // namespace

void OtelSpans::Add(const JsonValue& exported, std::int64_t line) {
  for (const JsonValue& resource_spans : Items(exported, "resourceSpans")) {
    const JsonValue* resource = resource_spans.Find("resource");
    const std::string service(resource == nullptr ? std::string_view()
                                                  : Attribute(*resource, "service.name"));
    for (const JsonValue& scope_spans : Items(resource_spans, "scopeSpans")) {
      for (const JsonValue& span : Items(scope_spans, "spans")) AddSpan(span, service, line);
    }
  }
}

void OtelSpans::AddSpan(const JsonValue& span, const std::string& service, std::int64_t line) {
  Span out;
  const std::string trace(Member(span, "traceId"));
  out.id = trace + "/" + std::string(Member(span, "spanId"));
  out.parent = trace + "/" + std::string(Member(span, "parentSpanId"));
  out.service = service;
  out.line = line;
  const std::string_view operation = Attribute(span, "gen_ai.operation.name");
  const bool is_other =
      std::find(std::begin(kNoRequests), std::end(kNoRequests), operation) != std::end(kNoRequests);
  for (const AttributeName& known : kAttributes) {
    const std::string_view text = Attribute(span, known.name);
    if (text.empty()) continue;
    out.values.push_back({{known.name, known.field, TimeUnit::kSeconds}, std::string(text)});
    out.is_request = out.is_request || (!is_other && known.field != F::kError);
  }
  if (!out.is_request) {
    out.values.clear();
  } else {
    const auto add = [&](const char* name, RequestField field, TimeUnit unit,
                         std::string_view text) {
      out.values.push_back({{name, field, unit}, std::string(text)});
    };
    add("startTimeUnixNano", F::kArrival, TimeUnit::kNanos, Member(span, "startTimeUnixNano"));
    add("endTimeUnixNano", F::kEnd, TimeUnit::kNanos, Member(span, "endTimeUnixNano"));
    const JsonValue* status = span.Find("status");
    const std::string_view code = status == nullptr ? "" : Member(*status, "code");
    if (code == "2" || code == "STATUS_CODE_ERROR") {
      const std::string_view message = Member(*status, "message");
      add("status", F::kError, TimeUnit::kSeconds, message.empty() ? "error" : message);
    }
  }
  spans_.push_back(std::move(out));
}

std::size_t OtelSpans::OutermostOf(std::size_t i,
                                   const std::map<std::string, std::size_t>& of) const {
  std::size_t outermost = i;
  std::size_t at = i;
  // Parents that go in a circle end after as many steps as there are spans.
  for (std::size_t steps = 0; steps < 64 && steps < spans_.size(); ++steps) {
    const auto parent = of.find(spans_[at].parent);
    if (parent == of.end() || parent->second == i) break;
    at = parent->second;
    if (spans_[at].is_request) outermost = at;
  }
  return outermost;
}

Status OtelSpans::Finish(RequestOutput& output, RequestDraft& draft) {
  std::map<std::string, std::size_t> of;
  for (std::size_t i = 0; i < spans_.size(); ++i) of.emplace(spans_[i].id, i);
  std::vector<std::vector<std::size_t>> inner(spans_.size());
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    // A span exported twice is the same request; its id makes it count once.
    if (!spans_[i].is_request || of.at(spans_[i].id) != i) continue;
    const std::size_t outermost = OutermostOf(i, of);
    if (outermost != i) inner[outermost].push_back(i);
    if (outermost != i) output.Ignore("spans within the span of their request");
  }
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const Span& span = spans_[i];
    if (!span.is_request) {
      output.Ignore("spans that are no requests to a model");
      continue;
    }
    if (of.at(span.id) != i) {
      output.Ignore("spans that were exported twice");
      continue;
    }
    if (OutermostOf(i, of) != i) continue;
    draft.Begin();
    draft.SetText(F::kRequest, span.id);
    if (!span.service.empty()) draft.SetText(F::kService, span.service);
    for (const Value& value : span.values) draft.Set(value.spec, value.text);
    // A single engine span within tells the phases; several are attempts, of which none is it.
    if (inner[i].size() == 1) {
      for (const Value& value : spans_[inner[i].front()].values) {
        if (IsPhase(value.spec.field)) draft.Set(value.spec, value.text);
      }
    }
    PLIMSOLL_RETURN_IF_ERROR(output.Put(draft, span.line, span.id));
  }
  spans_.clear();
  return Ok();
}

}  // namespace plimsoll
