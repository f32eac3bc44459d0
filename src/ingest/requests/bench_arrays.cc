#include "ingest/requests/bench_arrays.h"

#include <algorithm>
#include <optional>
#include <string>

namespace plimsoll {
namespace {

using F = RequestField;

constexpr const char* kArrays[] = {"input_lens", "output_lens", "ttfts",     "itls",
                                   "errors",     "start_times", "latencies", "successes"};

// One value of an array of the run; null where there is no such array.
const JsonValue* At(const JsonValue* array, std::size_t i) {
  return array == nullptr || i >= array->items.size() ? nullptr : &array->items[i];
}

std::string_view TextAt(const JsonValue* array, std::size_t i) {
  const JsonValue* value = At(array, i);
  return value == nullptr ? std::string_view() : value->Scalar();
}

struct Run {
  explicit Run(const JsonValue& run)
      : input(run.Find("input_lens")),
        output(run.Find("output_lens")),
        ttfts(run.Find("ttfts")),
        itls(run.Find("itls")),
        errors(run.Find("errors")),
        starts(run.Find("start_times")),
        latencies(run.Find("latencies")),
        successes(run.Find("successes")) {}
  const JsonValue *input, *output, *ttfts, *itls, *errors, *starts, *latencies, *successes;
};

bool Failed(const Run& run, std::size_t i) {
  if (!TextAt(run.errors, i).empty()) return true;
  if (run.successes != nullptr) return TextAt(run.successes, i) == "false";
  const ParsedValue output = ParseTokenCount(TextAt(run.output, i));
  const ParsedValue ttft = ParseNanoseconds(TextAt(run.ttfts, i), TimeUnit::kSeconds);
  return output.value == 0 && ttft.value == 0;
}

// The last token is the first one's time and all the gaps behind it.
std::optional<std::int64_t> EndFromGaps(const Run& run, std::size_t i) {
  const JsonValue* gaps = At(run.itls, i);
  const ParsedValue ttft = ParseNanoseconds(TextAt(run.ttfts, i), TimeUnit::kSeconds);
  if (gaps == nullptr || !gaps->is_array() || ttft.state != ParsedValue::State::kValue) {
    return std::nullopt;
  }
  int128 sum = ttft.value;
  for (const JsonValue& gap : gaps->items) {
    const ParsedValue ns = ParseNanoseconds(gap.Scalar(), TimeUnit::kSeconds);
    if (ns.state != ParsedValue::State::kValue || ns.value < 0) return std::nullopt;
    sum += ns.value;
  }
  if (sum > std::int64_t{1'000'000'000'000'000'000}) return std::nullopt;
  return static_cast<std::int64_t>(sum);
}

void SetBenchRequest(const Run& run, std::size_t i, RequestDraft& draft) {
  if (run.starts != nullptr) {
    draft.Set({"start_times", F::kArrival}, TextAt(run.starts, i));
  } else {
    draft.SetNs(F::kArrival, 0);
  }
  draft.Set({"input_lens", F::kInputTokens}, TextAt(run.input, i));
  draft.Set({"output_lens", F::kOutputTokens}, TextAt(run.output, i));
  if (Failed(run, i)) {
    const std::string_view error = TextAt(run.errors, i);
    draft.Set({"errors", F::kError}, error.empty() ? "no token came" : error);
    return;
  }
  draft.Set({"ttfts", F::kTtft}, TextAt(run.ttfts, i));
  draft.Set({"latencies", F::kE2e}, TextAt(run.latencies, i));
  if (draft.Has(F::kE2e)) return;
  if (const std::optional<std::int64_t> end = EndFromGaps(run, i)) draft.SetNs(F::kE2e, *end);
}

// Units of AIPerf's metrics.
std::optional<TimeUnit> UnitNamed(std::string_view name) {
  if (name == "ms") return TimeUnit::kMillis;
  if (name == "ns") return TimeUnit::kNanos;
  if (name == "us") return TimeUnit::kMicros;
  if (name == "s" || name == "sec" || name == "seconds") return TimeUnit::kSeconds;
  return std::nullopt;
}

}  // namespace

Status ReadBenchArrays(const JsonValue& run, std::int64_t line, RequestOutput& output,
                       RequestDraft& draft) {
  const JsonValue* const lengths = run.Find("input_lens");
  const std::size_t count = lengths == nullptr ? 0 : lengths->items.size();
  if (count == 0) {
    output.Refuse(line, "input_lens", "is empty: the run holds no request", "");
    return Ok();
  }
  for (const char* name : kArrays) {
    const JsonValue* array = run.Find(name);
    if (array == nullptr || (array->is_array() && array->items.size() == count)) continue;
    output.Refuse(line, name,
                  "has " + std::to_string(array->items.size()) + " entries for " +
                      std::to_string(count) +
                      " requests: which belongs to which is not known; the run is left out",
                  "");
    return Ok();
  }
  const Run arrays(run);
  std::string model;
  for (const char* key : {"model_id", "model"}) {
    const JsonValue* value = run.Find(key);
    if (value != nullptr && model.empty()) model = value->Scalar();
  }
  if (arrays.starts == nullptr && run.Find("duration") != nullptr) {
    const ParsedValue length = ParseNanoseconds(run.Find("duration")->Scalar(), TimeUnit::kSeconds);
    if (length.state == ParsedValue::State::kValue && length.value > 0) {
      output.untimed_ns += length.value;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    draft.Begin();
    if (!model.empty()) draft.SetText(F::kModel, model);
    SetBenchRequest(arrays, i, draft);
    PLIMSOLL_RETURN_IF_ERROR(output.Put(draft, line, "request " + std::to_string(i)));
  }
  return Ok();
}

bool SetAiPerfMetrics(const JsonValue& record, RequestDraft& draft) {
  const JsonValue* phase = record.FindPath("metadata/benchmark_phase");
  if (phase != nullptr && phase->Scalar() != "profiling") return false;
  const auto set = [&](const char* name, RequestField field) {
    const std::string path = std::string("metrics/") + name;
    const JsonValue* value = record.FindPath(path + "/value");
    const JsonValue* unit = record.FindPath(path + "/unit");
    if (value == nullptr) return;
    const std::optional<TimeUnit> known = UnitNamed(unit == nullptr ? "" : unit->Scalar());
    const bool is_time = field >= F::kTtft && field <= F::kDecode;
    if (!is_time || known)
      draft.Set({path, field, known.value_or(TimeUnit::kMillis)}, value->Scalar());
  };
  set("time_to_first_token", F::kTtft);
  set("request_latency", F::kE2e);
  set("inter_token_latency", F::kTpot);
  set("input_sequence_length", F::kInputTokens);
  set("error_isl", F::kInputTokens);
  // The sequence length has the reasoning in it, output_token_count has not.
  set("output_sequence_length", F::kOutputTokens);
  set("reasoning_token_count", F::kReasoningTokens);
  const JsonValue* error = record.Find("error");
  if (error != nullptr && error->is_object()) {
    const JsonValue* code = error->Find("code");
    if (code != nullptr) draft.Set({"error/code", F::kHttpCode}, code->Scalar());
    draft.Set({"error", F::kError}, "failed");
  }
  return true;
}

Status ReadGenAiPerf(const JsonValue& document, RequestOutput& output, RequestDraft& draft) {
  const JsonValue* experiments = document.Find("experiments");
  if (experiments == nullptr || experiments->items.empty()) {
    output.Refuse(0, "experiments", "is empty: the file holds no request", "");
    return Ok();
  }
  std::int64_t number = 0;
  for (const JsonValue& experiment : experiments->items) {
    const JsonValue* requests = experiment.Find("requests");
    if (requests == nullptr) continue;
    for (const JsonValue& request : requests->items) {
      const std::string place = "request " + std::to_string(number++);
      draft.Begin();
      const JsonValue* sent = request.Find("timestamp");
      const JsonValue* answers = request.Find("response_timestamps");
      if (sent != nullptr) draft.Set({"timestamp", F::kArrival, TimeUnit::kNanos}, sent->Scalar());
      if (answers == nullptr || answers->items.empty()) {
        draft.Set({"response_timestamps", F::kError}, "no answer came");
      } else {
        draft.Set({"response_timestamps", F::kFirstToken, TimeUnit::kNanos},
                  answers->items.front().Scalar());
        draft.Set({"response_timestamps", F::kEnd, TimeUnit::kNanos},
                  answers->items.back().Scalar());
      }
      PLIMSOLL_RETURN_IF_ERROR(output.Put(draft, 0, place));
    }
  }
  return Ok();
}

}  // namespace plimsoll
