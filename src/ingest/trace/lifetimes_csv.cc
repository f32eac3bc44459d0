#include <algorithm>
#include <map>
#include <utility>

#include "catalog/csv.h"
#include "ingest/trace/trace_formats.h"
#include "ingest/trace/trace_text.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

Error BadRow(const std::string& file, std::int64_t line, const std::string& what) {
  return {ErrorCode::kBadData, file + ":" + std::to_string(line) + ": " + what};
}

// Where a lifetime stands in a table: one column, or a start and an end.
struct LengthColumns {
  std::size_t length = 0;
  std::string name, unit;  // of a bare number; "" if it must name its unit
  std::optional<std::size_t> end;
};
std::optional<LengthColumns> LengthColumnsOf(const CsvTable& table) {
  for (const auto& [name, unit] : {std::pair{"lifetime", ""}, std::pair{"lifetime_hours", "h"},
                                   std::pair{"lifetime_seconds", "s"}}) {
    if (const auto index = table.Column(name)) return LengthColumns{*index, name, unit, {}};
  }
  const auto start = table.Column("start"), end = table.Column("end");
  if (!start || !end) return std::nullopt;
  return LengthColumns{*start, "start", "", end};
}

std::optional<std::size_t> EvictedColumnOf(const CsvTable& table) {
  for (const char* name : {"evicted", "preempted", "preempted_1_censored_0"}) {
    if (const auto index = table.Column(name)) return index;
  }
  return std::nullopt;
}

std::optional<bool> TruthOf(std::string_view text) {
  for (const std::string_view yes : {"true", "1", "yes"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"false", "0", "no"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

// 0 of an instance that ended as it started; an error's message has no line yet.
Result<Duration> LengthOf(const CsvRecord& record, const LengthColumns& columns) {
  const std::string& text = record.fields[columns.length];
  if (!columns.end) {
    const Result<Duration> span = ParseSpan(text + columns.unit);
    if (span && *span > Duration()) return *span;
    return Error{ErrorCode::kBadData, columns.name + ": '" + text.substr(0, 40) +
                                          "' is not a length of time above 0, such as " +
                                          (columns.unit.empty() ? "1h30m" : "1.5")};
  }
  const Result<Instant> start = ParseInstant(text);
  if (!start) return Error{ErrorCode::kBadData, "start: " + start.error().message};
  const Result<Instant> end = ParseInstant(record.fields[*columns.end]);
  if (!end) return Error{ErrorCode::kBadData, "end: " + end.error().message};
  if (*end < *start) return Error{ErrorCode::kBadData, "end: is before the instance's start"};
  return Between(*start, *end);
}

// "nvidia-tesla-v100" of 8 is "v100x8".
SpotPool PoolOf(const CsvTable& table, const CsvRecord& record) {
  SpotPool pool;
  pool.cloud = table.Field(record, "cloud");
  pool.zone = table.Field(record, "zone");
  if (pool.cloud.empty()) pool.cloud = CloudOfZone(pool.zone);
  pool.sku = table.Field(record, table.Column("gpu") ? "gpu" : "sku");
  constexpr std::string_view kMaker = "nvidia-tesla-";
  if (pool.sku.starts_with(kMaker)) pool.sku.erase(0, kMaker.size());
  const std::string_view count = table.Field(record, "ngpu");
  if (!count.empty() && !pool.sku.empty()) pool.sku += "x" + std::string(count);
  return pool;
}

}  // namespace

Result<SpotHistory> ReadLifetimes(const TraceSource& source) {
  const CsvTable table = ReadCsv(source.text);
  if (!table.errors.empty()) {
    return BadRow(source.file, table.errors[0].line, table.errors[0].reason);
  }
  const auto columns = LengthColumnsOf(table);
  if (!columns) {
    return BadRow(source.file, std::max<std::int64_t>(table.header.line, 1),
                  "no column lifetime, lifetime_hours or lifetime_seconds, and no start and end");
  }
  const auto evicted = EvictedColumnOf(table);
  std::map<SpotPool, InstanceLifetimes> pools;
  for (const CsvRecord& record : table.records) {
    const Result<Duration> length = LengthOf(record, *columns);
    if (!length) return BadRow(source.file, record.line, length.error().message);
    std::optional<bool> truth = true;
    if (evicted) truth = TruthOf(record.fields[*evicted]);
    if (!truth) {
      return BadRow(source.file, record.line,
                    table.header.fields[*evicted] + ": must be true or false");
    }
    InstanceLifetimes& lifetimes = pools[PoolOf(table, record)];
    lifetimes.lifetime.push_back(*length);
    lifetimes.preempted.push_back(*truth ? 1 : 0);
  }
  if (pools.empty()) return BadRow(source.file, table.header.line, "no rows follow the header");
  SpotHistory history;
  for (auto& [pool, lifetimes] : pools) {
    lifetimes.name = TraceNameOf(source.file);
    lifetimes.pool = pool;
    history.lifetimes.push_back(std::move(lifetimes));
  }
  if (!evicted) {
    history.notes.push_back(source.file +
                            " has no column evicted: all of its instances count as evicted");
  }
  return history;
}

}  // namespace plimsoll
