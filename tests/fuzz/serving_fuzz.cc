// Any bytes are samples of serving metrics to the reader, and any bytes are a table of metrics:
// no crash, nothing negative, no more time than there is, and the same facts however the text
// is cut, repeated or settled in between.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "ingest/prometheus/exposition.h"
#include "ingest/prometheus/telemetry.h"
#include "ingest/serving/alias_table.h"
#include "ingest/serving/serving_load.h"
#include "ingest/serving/serving_reader.h"

namespace {

using namespace plimsoll;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

const Instant kDay = AtSeconds(1'764'288'000);
const Window kDays{kDay, kDay + Days(2)};

// A part of the program's own table, which would take longer to read than the rest.
constexpr const char* kTable = R"(serving_engines:
  - engine: vllm
    prefixes: ["vllm:"]
    model: [model_name]
    metrics:
      - {quantity: requests_ok, name: "vllm:request_success_total", type: counter, where: ["finished_reason=stop|length"]}
      - {quantity: tokens_output, name: "vllm:generation_tokens_total", type: counter}
      - {quantity: ttft, name: "vllm:time_to_first_token_seconds", type: histogram, unit: s}
      - {quantity: kv_cache_used, name: "vllm:kv_cache_usage_perc", type: gauge, unit: ratio}
      - {quantity: kv_cache_used, name: "vllm:gpu_cache_usage_perc", type: gauge, unit: ratio, rank: 2}
  - engine: sglang
    prefixes: ["sglang:"]
    model: [model_name]
    copies: ["tp_rank=0"]
    metrics:
      - {quantity: tokens_output, name: "sglang:generation_tokens_total", type: counter}
  - engine: triton
    prefixes: ["nv_inference_"]
    metrics:
      - {quantity: queue_time, name: nv_inference_queue_duration_us, type: counter, unit: us}
)";

ServingBatch Fold(std::string_view text, std::size_t cut, int times) {
  Result<AliasTable> table = AliasTable::Load({{"table.yaml", kTable}});
  Require(table.has_value());
  ServingReader reader(*std::move(table));
  Telemetry telemetry({"c", kDays, Minutes(5), &reader});
  for (int i = 0; i < times; ++i) {
    ExpositionParser parser({EndsLikeOpenMetrics(text), kDay}, telemetry);
    const bool read = parser.Feed(text.substr(0, cut)).has_value() &&
                      parser.Feed(text.substr(cut)).has_value() && parser.Finish().has_value();
    if (!read) break;
  }
  ServingBatch rows;
  for (const Window day : reader.Days()) rows = MergeServing(rows, reader.TakeDay(day));
  return rows;
}

bool Same(const ServingBatch& a, const ServingBatch& b) {
  bool same = true;
  std::apply(
      [&](auto... column) { ((same = same && a.*(column.values) == b.*(column.values)), ...); },
      ServingBatch::kColumns);
  return same;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  (void)AliasTable::Load({{"own.yaml", text}});
  (void)AliasTable::Load({{"own.yaml", "serving_engines:\n" + text}});

  const ServingBatch rows = Fold(text, 0, 1);
  Require(Same(rows, Fold(text, size / 2, 2)));
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    for (std::size_t i = 0; i < rows.covered[row].size(); ++i) {
      Require(rows.amount[row][i] >= 0 && rows.covered[row][i] >= 0);
      Require(rows.covered[row][i] <= 300'000 || rows.quantity[row] == kKvCacheUsed);
      Require(rows.covered[row][i] > 0 || rows.amount[row][i] == 0);
    }
  }
  return 0;
}
