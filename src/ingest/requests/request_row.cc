#include "ingest/requests/request_row.h"

#include <algorithm>

#include "base/limits.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
// How much later than the last token the first may be told: two clocks round apart.
constexpr std::int64_t kRoundingNs = kNsPerMs;

std::size_t IndexOf(RequestField field) { return static_cast<std::size_t>(field); }

std::string Lower(std::string_view text) {
  std::string lower(text.substr(0, 200));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string Shown(std::string_view text) { return "'" + std::string(text.substr(0, 40)) + "'"; }

bool SpeaksOfTimeout(std::string_view text) {
  const std::string lower = Lower(text);
  return lower.find("timeout") != std::string::npos || lower.find("timed out") != std::string::npos;
}

struct StatusWord {
  const char* word;
  const char* status;
};
constexpr StatusWord kStatusWords[] = {{"ok", "ok"},
                                       {"success", "ok"},
                                       {"succeeded", "ok"},
                                       {"successful", "ok"},
                                       {"completed", "ok"},
                                       {"complete", "ok"},
                                       {"stop", "ok"},
                                       {"length", "ok"},
                                       {"error", "error"},
                                       {"errored", "error"},
                                       {"failure", "error"},
                                       {"failed", "error"},
                                       {"timeout", "timeout"},
                                       {"timed_out", "timeout"},
                                       {"cancelled", "cancelled"},
                                       {"canceled", "cancelled"},
                                       {"abort", "cancelled"},
                                       {"aborted", "cancelled"}};

}  // namespace

void RequestDraft::Begin() {
  has_.fill(false);
  names_.fill(Symbol());
  request_.clear();
  status_ = Symbol();
  has_error_ = error_is_timeout_ = false;
  problem_.clear();
}

bool RequestDraft::Fail(std::string_view field, std::string problem) {
  if (problem_.empty()) {
    problem_field_ = field;
    problem_ = std::move(problem);
  }
  return false;
}

void RequestDraft::Store(RequestField field, std::int64_t value) {
  has_[IndexOf(field)] = true;
  values_[IndexOf(field)] = value;
}

void RequestDraft::StoreText(RequestField field, std::string_view text) {
  has_[IndexOf(field)] = true;
  if (field == RequestField::kRequest) {
    request_ = text;
  } else {
    names_[IndexOf(field)] = memos_[IndexOf(field)].Of(text);
  }
}

std::optional<std::int64_t> RequestDraft::Value(RequestField field) const {
  if (!Has(field)) return std::nullopt;
  return values_[IndexOf(field)];
}

bool RequestDraft::Set(const RequestFieldSpec& spec, std::string_view text) {
  if (Has(spec.field)) return true;
  if (spec.field <= RequestField::kRequest) {
    if (text.size() > 4'096) return Fail(spec.source, "is longer than 4096 bytes: no name or id");
    if (!text.empty()) StoreText(spec.field, text);
    return true;
  }
  if (spec.field <= RequestField::kEnd) return SetTime(spec, text);
  if (spec.field <= RequestField::kDecode) return SetLength(spec, text);
  if (spec.field <= RequestField::kReasoningTokens) return SetCount(spec, text);
  return SetOutcome(spec, text);
}

bool RequestDraft::SetTime(const RequestFieldSpec& spec, std::string_view text) {
  const ParsedValue time = times_.Read(text, spec.unit);
  if (time.state == ParsedValue::State::kMissing) return true;
  if (time.state == ParsedValue::State::kBad) {
    return Fail(spec.source, Shown(text) +
                                 " is not a time; write it as 2026-11-23T00:00:00.123Z or as a "
                                 "number of the column's unit");
  }
  Store(spec.field, time.value);
  return true;
}

bool RequestDraft::SetLength(const RequestFieldSpec& spec, std::string_view text) {
  const ParsedValue length = ParseNanoseconds(text, spec.unit);
  if (length.state == ParsedValue::State::kMissing) return true;
  if (length.state == ParsedValue::State::kBad || length.value < 0) {
    return Fail(spec.source, Shown(text) +
                                 " is not a length of time; write a number that is not negative "
                                 "and below 30 years");
  }
  Store(spec.field, length.value);
  return true;
}

bool RequestDraft::SetCount(const RequestFieldSpec& spec, std::string_view text) {
  const ParsedValue count = ParseTokenCount(text);
  if (count.state == ParsedValue::State::kMissing) return true;
  if (count.state == ParsedValue::State::kBad || count.value < 0) {
    return Fail(spec.source,
                Shown(text) + " is not a number of tokens; write a whole number up to 10^9");
  }
  Store(spec.field, count.value);
  return true;
}

bool RequestDraft::SetOutcome(const RequestFieldSpec& spec, std::string_view text) {
  const auto told = [&](Symbol status) {
    // The worst of several signs counts: a code of 200 does not heal an error.
    if (status_.empty() || status_ == ok_) status_ = status;
    has_[IndexOf(spec.field)] = true;
    return true;
  };
  if (spec.field == RequestField::kError) {
    if (IsNothing(text)) return true;
    has_error_ = true;
    error_is_timeout_ = error_is_timeout_ || SpeaksOfTimeout(text);
    return true;
  }
  if (IsNothing(text)) return true;
  const std::string lower = Lower(text);
  if (spec.field == RequestField::kSuccess || spec.field == RequestField::kCancelled) {
    const bool yes = lower == "true" || lower == "1";
    if (!yes && lower != "false" && lower != "0") {
      return Fail(spec.source, Shown(text) + " must be true or false");
    }
    if (spec.field == RequestField::kSuccess) return told(yes ? ok_ : error_);
    return !yes || told(cancelled_);
  }
  if (spec.field == RequestField::kStatus) {
    for (const StatusWord& known : kStatusWords) {
      if (lower == known.word) return told(Symbol(known.status));
    }
  }
  const ParsedValue code = ParseTokenCount(text);
  if (code.state == ParsedValue::State::kValue && code.value >= 0 && code.value < 1'000) {
    if (code.value >= 200 && code.value < 300) return told(ok_);
    if (code.value == 408 || code.value == 504) return told(timeout_);
    // 499: the client went away; 0: no answer was sent.
    return told(code.value == 499 || code.value == 0 ? cancelled_ : error_);
  }
  return Fail(spec.source, Shown(text) +
                               " is not a status; write ok, error, timeout, cancelled "
                               "or an HTTP code");
}

bool RequestDraft::DeriveTimes() {
  const std::optional<std::int64_t> arrival = Value(RequestField::kArrival);
  if (!arrival) return Fail("arrival", "tells no time of arrival, so that it has no place");
  const auto since = [&](RequestField time, RequestField length, const char* name) {
    if (!Has(time) || Has(length)) return true;
    const std::int64_t ns = *Value(time) - *arrival;
    if (ns < 0) {
      return Fail(name, std::string("its ") + name +
                            " is before its arrival: the clock was set, "
                            "or two clocks are mixed");
    }
    Store(length, ns);
    return true;
  };
  if (!since(RequestField::kFirstToken, RequestField::kTtft, "first_token")) return false;
  if (!since(RequestField::kEnd, RequestField::kE2e, "end")) return false;
  const std::optional<std::int64_t> ttft = Value(RequestField::kTtft);
  const std::optional<std::int64_t> e2e = Value(RequestField::kE2e);
  if (!ttft || !e2e || *ttft <= *e2e) return true;
  if (*ttft - *e2e > kRoundingNs) {
    return Fail("ttft", "its first token is told " + std::to_string((*ttft - *e2e) / kNsPerMs) +
                            " ms later than its last: the units or the columns are mixed up");
  }
  Store(RequestField::kTtft, *e2e);
  return true;
}

bool RequestDraft::DeriveTokens() {
  const std::int64_t cached = Value(RequestField::kCachedTokens).value_or(0);
  if (Has(RequestField::kUncachedTokens) && !Has(RequestField::kInputTokens)) {
    Store(RequestField::kInputTokens, *Value(RequestField::kUncachedTokens) + cached);
  }
  const std::optional<std::int64_t> input = Value(RequestField::kInputTokens);
  if (cached > 0 && input && cached > *input) {
    return Fail("cached_tokens",
                std::to_string(cached) + " cached tokens are more than its " +
                    std::to_string(*input) +
                    " input tokens: cached ones are part of the input here; map a column that "
                    "leaves them out as uncached_tokens");
  }
  const std::int64_t reasoning = Value(RequestField::kReasoningTokens).value_or(0);
  const std::optional<std::int64_t> output = Value(RequestField::kOutputTokens);
  if (reasoning > 0 && output && reasoning > *output) {
    return Fail("reasoning_tokens",
                std::to_string(reasoning) + " reasoning tokens are more than its " +
                    std::to_string(*output) +
                    " output tokens: reasoning is part of the output here; give the sum of both "
                    "as output_tokens");
  }
  return true;
}

void RequestDraft::DeriveStatus() {
  if (status_.empty()) status_ = ok_;
  if (!has_error_) return;
  if (status_ == ok_ || (status_ == error_ && error_is_timeout_)) {
    status_ = error_is_timeout_ ? timeout_ : error_;
  }
}

bool RequestDraft::Finish(RequestRows& rows) {
  if (!problem_.empty() || !DeriveTimes() || !DeriveTokens()) return false;
  DeriveStatus();
  const std::int64_t arrival = *Value(RequestField::kArrival);
  std::int64_t ms = arrival / kNsPerMs;
  std::int64_t rest = arrival % kNsPerMs;
  if (rest < 0) {
    --ms;
    rest += kNsPerMs;
  }
  RequestBatch& batch = rows.batch;
  batch.snapshot_id.push_back(0);
  std::vector<Symbol>* const names[] = {&batch.service,      &batch.model,  &batch.version,
                                        &batch.quantization, &batch.tenant, &batch.priority};
  for (std::size_t i = 0; i < names_.size(); ++i) names[i]->push_back(names_[i]);
  batch.request.push_back(request_);
  batch.arrival.push_back(AtMillis(ms));
  rows.rest_ns.push_back(static_cast<std::int32_t>(rest));
  batch.status.push_back(status_);
  batch.ttft_ns.push_back(Value(RequestField::kTtft));
  batch.e2e_ns.push_back(Value(RequestField::kE2e));
  batch.tpot_ns.push_back(Value(RequestField::kTpot));
  batch.prefill_ns.push_back(Value(RequestField::kPrefill));
  batch.decode_ns.push_back(Value(RequestField::kDecode));
  batch.input_tokens.push_back(Value(RequestField::kInputTokens));
  batch.cached_tokens.push_back(Value(RequestField::kCachedTokens));
  batch.output_tokens.push_back(Value(RequestField::kOutputTokens));
  batch.reasoning_tokens.push_back(Value(RequestField::kReasoningTokens));
  return true;
}

}  // namespace plimsoll
