#include <algorithm>
#include <map>

#include "ingest/trace/trace_formats.h"
#include "ingest/trace/trace_text.h"

namespace plimsoll {
namespace {

constexpr std::size_t kAbsent = SIZE_MAX;

struct Columns {
  std::size_t cloud = kAbsent, gpu = kAbsent, count = kAbsent, zone = kAbsent;
  std::size_t start = kAbsent, end = kAbsent, preempted = kAbsent;
};

Columns ColumnsOf(const TraceLine& header) {
  Columns columns;
  const std::pair<const char*, std::size_t*> names[] = {
      {"cloud", &columns.cloud},
      {"gpu", &columns.gpu},
      {"sku", &columns.gpu},
      {"ngpu", &columns.count},
      {"zone", &columns.zone},
      {"start", &columns.start},
      {"end", &columns.end},
      {"preempted", &columns.preempted},
      {"preempted_1_censored_0", &columns.preempted}};
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    for (const auto& [name, column] : names) {
      if (header.fields[i] == name) *column = i;
    }
  }
  return columns;
}

std::string TextOf(const TraceLine& line, std::size_t field) {
  return field < line.fields.size() ? std::string(line.fields[field]) : "";
}

// "nvidia-tesla-v100" of 8 is "v100x8".
SpotPool PoolOf(const TraceLine& line, const Columns& columns) {
  SpotPool pool;
  pool.cloud = TextOf(line, columns.cloud);
  pool.zone = TextOf(line, columns.zone);
  if (pool.cloud.empty()) pool.cloud = CloudOfZone(pool.zone);
  pool.sku = TextOf(line, columns.gpu);
  constexpr std::string_view kMaker = "nvidia-tesla-";
  if (pool.sku.starts_with(kMaker)) pool.sku.erase(0, kMaker.size());
  const std::string count = TextOf(line, columns.count);
  if (!count.empty() && !pool.sku.empty()) pool.sku += "x" + count;
  return pool;
}

Result<Instant> TimeOf(const TraceSource& source, const TraceLine& line, std::size_t field) {
  const Result<Instant> at = ParseInstant(TextOf(line, field));
  if (at) return *at;
  return TraceError(source.file, line, field, "is no time such as 2020-03-15T10:08:37Z");
}

}  // namespace

Result<SpotHistory> ReadLifetimes(const TraceSource& source) {
  const std::vector<TraceLine> lines = TraceLines(source.text);
  if (lines.empty()) return Error{ErrorCode::kBadData, source.file + " is empty"};
  const Columns columns = ColumnsOf(lines.front());
  if (columns.start == kAbsent || columns.end == kAbsent || columns.preempted == kAbsent) {
    return TraceError(source.file, lines.front(), 0,
                      "begins no header with the columns start, end and preempted (1, or 0 if the "
                      "instance still ran)");
  }
  std::map<SpotPool, InstanceLifetimes> pools;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    PLIMSOLL_RETURN_IF_ERROR(CheckWidth(source.file, lines.front(), lines[i]));
    const TraceLine& line = lines[i];
    PLIMSOLL_TRY(const Instant start, TimeOf(source, line, columns.start));
    PLIMSOLL_TRY(const Instant end, TimeOf(source, line, columns.end));
    if (end < start) {
      return TraceError(source.file, line, columns.end, "is before the instance's start");
    }
    PLIMSOLL_TRY(const std::int64_t preempted,
                 WholeField(source.file, line, columns.preempted, {0, 1}));
    const SpotPool pool = PoolOf(line, columns);
    InstanceLifetimes& lifetimes = pools[pool];
    lifetimes.name = TraceNameOf(source.file);
    lifetimes.pool = pool;
    lifetimes.lifetime.push_back(Between(start, end));
    lifetimes.preempted.push_back(static_cast<std::uint8_t>(preempted));
  }
  if (pools.empty()) return Error{ErrorCode::kBadData, source.file + " has no rows"};
  SpotHistory history;
  for (auto& [pool, lifetimes] : pools) history.lifetimes.push_back(std::move(lifetimes));
  return history;
}

}  // namespace plimsoll
