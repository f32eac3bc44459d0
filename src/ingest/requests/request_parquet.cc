#include "ingest/requests/request_parquet.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "ingest/requests/request_sql.h"
#include "ingest/requests/request_status.h"

namespace plimsoll {
namespace {

using F = RequestField;

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kRoundingNs = kNsPerMs;

using OptionalNumbers = std::vector<std::optional<std::int64_t>>;

// One chunk of the file: what is read, and what is made of it.
class Chunk {
 public:
  Chunk(const ParquetFile& file, RequestOutput& output) : file_(file), output_(output) {}

  Status Bind(const std::map<RequestField, std::string>& fields);
  const std::vector<std::string>& sql() const { return sql_; }
  const BatchRef& refs() const { return refs_; }
  Status Take();  // after each chunk

 private:
  std::string ProblemOf(std::size_t row, std::string* field) const;
  void FillAbsent(std::size_t rows);
  void DeriveRow(std::size_t row);
  void DropRefused(const std::vector<bool>& refused);

  const ParquetFile& file_;
  RequestOutput& output_;
  std::vector<std::string> sql_;
  BatchRef refs_;
  std::map<RequestField, bool> present_;
  RequestRows rows_;
  OptionalNumbers arrival_, first_token_, end_, uncached_;
  std::vector<Symbol> status_, error_;
  RequestStatuses statuses_;
  std::int64_t before_ = 0;  // rows of earlier chunks
};

Status Chunk::Bind(const std::map<RequestField, std::string>& fields) {
  RequestBatch& batch = rows_.batch;
  const std::map<RequestField, ColumnRef> columns{
      {F::kService, {"service", ColumnType::kSymbol, &batch.service}},
      {F::kModel, {"model", ColumnType::kSymbol, &batch.model}},
      {F::kVersion, {"version", ColumnType::kSymbol, &batch.version}},
      {F::kQuantization, {"quantization", ColumnType::kSymbol, &batch.quantization}},
      {F::kTenant, {"tenant", ColumnType::kSymbol, &batch.tenant}},
      {F::kPriority, {"priority", ColumnType::kSymbol, &batch.priority}},
      {F::kRequest, {"request", ColumnType::kText, &batch.request}},
      {F::kArrival, {"arrival", ColumnType::kOptInt64, &arrival_}},
      {F::kFirstToken, {"first_token", ColumnType::kOptInt64, &first_token_}},
      {F::kEnd, {"end", ColumnType::kOptInt64, &end_}},
      {F::kTtft, {"ttft", ColumnType::kOptInt64, &batch.ttft_ns}},
      {F::kE2e, {"e2e", ColumnType::kOptInt64, &batch.e2e_ns}},
      {F::kTpot, {"tpot", ColumnType::kOptInt64, &batch.tpot_ns}},
      {F::kPrefill, {"prefill", ColumnType::kOptInt64, &batch.prefill_ns}},
      {F::kDecode, {"decode", ColumnType::kOptInt64, &batch.decode_ns}},
      {F::kInputTokens, {"input_tokens", ColumnType::kOptInt64, &batch.input_tokens}},
      {F::kUncachedTokens, {"uncached_tokens", ColumnType::kOptInt64, &uncached_}},
      {F::kCachedTokens, {"cached_tokens", ColumnType::kOptInt64, &batch.cached_tokens}},
      {F::kOutputTokens, {"output_tokens", ColumnType::kOptInt64, &batch.output_tokens}},
      {F::kReasoningTokens, {"reasoning_tokens", ColumnType::kOptInt64, &batch.reasoning_tokens}},
      {F::kStatus, {"status", ColumnType::kSymbol, &status_}},
      {F::kHttpCode, {"status", ColumnType::kSymbol, &status_}},
      {F::kError, {"error", ColumnType::kSymbol, &error_}}};
  for (const auto& [field, sql] : fields) {
    const auto column = columns.find(field);
    if (column == columns.end() || (field == F::kHttpCode && present_.contains(F::kStatus))) {
      continue;
    }
    present_[field] = true;
    sql_.push_back(sql);
    refs_.push_back(column->second);
  }
  if (present_.contains(F::kArrival)) return Ok();
  return Error{ErrorCode::kBadData, file_.path +
                                        ": no column tells when requests arrived; map one, "
                                        "as in --map arrival=ts:ms"};
}

void Chunk::FillAbsent(std::size_t rows) {
  RequestBatch& batch = rows_.batch;
  const auto fill = [&](RequestField field, auto& column, const auto& value) {
    if (!present_.contains(field)) column.assign(rows, value);
  };
  const Symbol none;
  const std::optional<std::int64_t> unknown;
  fill(F::kService, batch.service, Symbol(file_.service));
  fill(F::kModel, batch.model, none);
  fill(F::kVersion, batch.version, none);
  fill(F::kQuantization, batch.quantization, none);
  fill(F::kTenant, batch.tenant, none);
  fill(F::kPriority, batch.priority, none);
  fill(F::kRequest, batch.request, std::string());
  fill(F::kTtft, batch.ttft_ns, unknown);
  fill(F::kE2e, batch.e2e_ns, unknown);
  fill(F::kTpot, batch.tpot_ns, unknown);
  fill(F::kPrefill, batch.prefill_ns, unknown);
  fill(F::kDecode, batch.decode_ns, unknown);
  fill(F::kInputTokens, batch.input_tokens, unknown);
  fill(F::kCachedTokens, batch.cached_tokens, unknown);
  fill(F::kOutputTokens, batch.output_tokens, unknown);
  fill(F::kReasoningTokens, batch.reasoning_tokens, unknown);
  batch.snapshot_id.assign(rows, 0);
  batch.arrival.resize(rows);
  batch.status.resize(rows);
  rows_.rest_ns.resize(rows);
}

void Chunk::DeriveRow(std::size_t row) {
  RequestBatch& batch = rows_.batch;
  const std::int64_t arrival = arrival_[row].value_or(0);
  std::int64_t rest = arrival % kNsPerMs;
  if (rest < 0) rest += kNsPerMs;
  batch.arrival[row] = AtMillis((arrival - rest) / kNsPerMs);
  rows_.rest_ns[row] = static_cast<std::int32_t>(rest);
  const auto since = [&](const OptionalNumbers& times, OptionalNumbers& lengths) {
    if (row < times.size() && times[row] && *times[row] != kUnreadable && !lengths[row]) {
      std::int64_t length = 0;
      const bool is_out = __builtin_sub_overflow(*times[row], arrival, &length);
      lengths[row] = is_out ? kUnreadable : length;
    }
  };
  since(first_token_, batch.ttft_ns);
  since(end_, batch.e2e_ns);
  auto& ttft = batch.ttft_ns[row];
  const auto& e2e = batch.e2e_ns[row];
  if (ttft && e2e && *e2e >= 0 && *ttft > *e2e && *ttft - *e2e <= kRoundingNs) ttft = e2e;
  if (row < uncached_.size() && uncached_[row] && *uncached_[row] >= 0 &&
      !batch.input_tokens[row]) {
    std::int64_t input = 0;
    const bool is_out =
        __builtin_add_overflow(*uncached_[row], batch.cached_tokens[row].value_or(0), &input);
    batch.input_tokens[row] = is_out ? kUnreadable : input;
  }
  batch.status[row] = statuses_.Of(status_.empty() ? Symbol() : status_[row],
                                   error_.empty() ? Symbol() : error_[row]);
}

// What is wrong with a row; "" if it is sound. `field` is set to where.
std::string Chunk::ProblemOf(std::size_t row, std::string* field) const {
  const RequestBatch& batch = rows_.batch;
  if (!arrival_[row] || *arrival_[row] == kUnreadable) {
    *field = "arrival";
    return "tells no time of arrival that can be read";
  }
  const std::pair<const char*, const OptionalNumbers*> numbers[] = {
      {"ttft", &batch.ttft_ns},
      {"e2e", &batch.e2e_ns},
      {"tpot", &batch.tpot_ns},
      {"prefill", &batch.prefill_ns},
      {"decode", &batch.decode_ns},
      {"input_tokens", &batch.input_tokens},
      {"cached_tokens", &batch.cached_tokens},
      {"output_tokens", &batch.output_tokens},
      {"reasoning_tokens", &batch.reasoning_tokens}};
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    const auto& value = (*numbers[i].second)[row];
    const std::int64_t max = i < 5 ? std::int64_t{1'000'000'000'000'000'000} : 1'000'000'000;
    if (!value || (*value >= 0 && *value <= max)) continue;
    *field = numbers[i].first;
    return std::to_string(*value) + " is negative or out of range";
  }
  const auto above = [&](const OptionalNumbers& part, const OptionalNumbers& whole) {
    return part[row] && whole[row] && *part[row] > *whole[row];
  };
  if (above(batch.ttft_ns, batch.e2e_ns)) {
    *field = "ttft";
    return "its first token is told later than its last";
  }
  if (above(batch.cached_tokens, batch.input_tokens)) {
    *field = "cached_tokens";
    return "cached tokens are more than its input tokens, of which they are a part";
  }
  if (above(batch.reasoning_tokens, batch.output_tokens)) {
    *field = "reasoning_tokens";
    return "reasoning tokens are more than its output tokens, of which they are a part";
  }
  if (batch.status[row].empty()) {
    *field = "status";
    return "its status is no word for ok, error, timeout or cancelled";
  }
  return "";
}

void Chunk::DropRefused(const std::vector<bool>& refused) {
  RequestRows kept;
  for (std::size_t row = 0; row < refused.size(); ++row) {
    if (refused[row]) continue;
    AppendRow(kept.batch, rows_.batch, row);
    kept.rest_ns.push_back(rows_.rest_ns[row]);
  }
  // In place: the store fills these very columns again.
  std::apply(
      [&](auto... column) {
        ((rows_.batch.*(column.values)).swap(kept.batch.*(column.values)), ...);
      },
      RequestBatch::kColumns);
  rows_.rest_ns.swap(kept.rest_ns);
}

Status Chunk::Take() {
  const std::size_t rows = arrival_.size();
  FillAbsent(rows);
  std::vector<bool> refused;
  for (std::size_t row = 0; row < rows; ++row) {
    DeriveRow(row);
    std::string field;
    const std::string problem = ProblemOf(row, &field);
    if (problem.empty()) continue;
    refused.resize(rows, false);
    refused[row] = true;
    output_.Refuse(before_ + static_cast<std::int64_t>(row) + 1, field, problem, "");
  }
  before_ += static_cast<std::int64_t>(rows);
  if (!refused.empty()) DropRefused(refused);
  if (!file_.service.empty() && present_.contains(F::kService)) {
    for (Symbol& service : rows_.batch.service) {
      if (service.empty()) service = Symbol(file_.service);
    }
  }
  return output_.Pass(rows_);
}

}  // namespace

Status ParquetFile::Describe() {
  if (!access.describe || !access.scan) {
    return Error{ErrorCode::kInvalidArgument,
                 path + " is a Parquet file, which is not read here; give it as CSV or JSON"};
  }
  PLIMSOLL_TRY(columns, access.describe(path));
  return Ok();
}

std::vector<std::string> ParquetFile::names() const {
  std::vector<std::string> names;
  for (const ParquetColumn& column : columns) names.push_back(column.name);
  return names;
}

Status ReadParquetRequests(const ParquetFile& file, const std::vector<RequestFieldSpec>& specs,
                           RequestOutput& output) {
  PLIMSOLL_TRY(const auto fields, RequestFieldsSql(file, specs));
  Chunk chunk(file, output);
  PLIMSOLL_RETURN_IF_ERROR(chunk.Bind(fields));
  std::string select;
  for (const std::string& sql : chunk.sql()) select += (select.empty() ? "SELECT " : ", ") + sql;
  return file.access.scan({file.path, select}, chunk.refs(), [&] { return chunk.Take(); });
}

}  // namespace plimsoll
