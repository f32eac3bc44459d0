#include "ingest/requests/request_groups.h"

#include <set>
#include <utility>

#include "base/seen_hashes.h"
#include "ingest/requests/request_bytes.h"
#include "ingest/requests/request_group_sql.h"
#include "ingest/requests/request_parquet.h"
#include "ingest/requests/request_sql.h"
#include "ingest/requests/request_status.h"

namespace plimsoll {
namespace {

// More pairs of service and model make an expression that costs more than it saves.
constexpr std::size_t kPairsMax = 256;
constexpr std::size_t kPrefetchRows = 12;

Status NotSound() { return Error{ErrorCode::kFailedPrecondition, "rows have to be read"}; }

struct PairBatch {
  std::vector<Symbol> service, model;
  static constexpr std::tuple kColumns{MakeColumn("service", &PairBatch::service),
                                       MakeColumn("model", &PairBatch::model)};
};

class Grouper {
 public:
  Grouper(const RequestReaderOptions& options, const RequestGrouping& grouping,
          const RequestGroupSink& sink)
      : options_(options), grouping_(grouping), sink_(sink) {}

  // Any error: the rows have to be read.
  Status AddFile(const std::string& path, RequestReading& reading);

 private:
  Result<std::vector<SloScope>> ScopesOf(const std::string& path, const RequestGroupSql& sql);
  Result<std::int64_t> AddGroups(const std::string& path, const RequestGroupSql& sql);
  Status AddSpans(const std::string& path, const RequestGroupSql& sql);
  bool CountOnce(const std::vector<std::int64_t>& ids);

  const RequestReaderOptions& options_;
  const RequestGrouping& grouping_;
  const RequestGroupSink& sink_;
  RequestStatuses statuses_;
  SeenHashes ids_;
};

Result<std::vector<SloScope>> Grouper::ScopesOf(const std::string& path,
                                                const RequestGroupSql& sql) {
  if (!grouping_.slo_of) return std::vector<SloScope>{{grouping_.slo, {}}};
  std::vector<SloScope> scopes;
  std::size_t pairs = 0;
  PairBatch chunk;
  PLIMSOLL_RETURN_IF_ERROR(options_.parquet.scan(sql.Pairs(path), RefTo(chunk), [&] {
    pairs += chunk.service.size();
    if (pairs > kPairsMax) return NotSound();
    for (std::size_t i = 0; i < chunk.service.size(); ++i) {
      const Slo slo = grouping_.slo_of(chunk.service[i], chunk.model[i]);
      std::size_t scope = 0;
      while (scope < scopes.size() && scopes[scope].slo != slo) ++scope;
      if (scope == scopes.size()) scopes.push_back({slo, {}});
      scopes[scope].pairs.emplace_back(chunk.service[i].text(), chunk.model[i].text());
    }
    return Ok();
  }));
  if (scopes.empty()) scopes.push_back({grouping_.slo, {}});
  return scopes;
}

Result<std::int64_t> Grouper::AddGroups(const std::string& path, const RequestGroupSql& sql) {
  PLIMSOLL_TRY(const std::vector<SloScope> scopes, ScopesOf(path, sql));
  std::int64_t requests = 0;
  RequestGroupBatch groups;
  std::vector<Symbol> error;
  std::vector<std::int64_t> sound;
  BatchRef refs;
  for (const ColumnRef& ref : RefTo(groups)) {
    refs.push_back(ref);
    if (ref.vector == &groups.status) refs.push_back({"error", ColumnType::kSymbol, &error});
  }
  refs.push_back({"sound", ColumnType::kInt64, &sound});
  PLIMSOLL_RETURN_IF_ERROR(options_.parquet.scan(sql.Groups(path, scopes), refs, [&] {
    for (std::size_t i = 0; i < sound.size(); ++i) {
      groups.status[i] = statuses_.Of(groups.status[i], error[i]);
      if (sound[i] == 0 || groups.status[i].empty()) return NotSound();
      requests += groups.requests[i];
    }
    return sink_.groups(groups);
  }));
  return requests;
}

// False if an id was met before.
bool Grouper::CountOnce(const std::vector<std::int64_t>& ids) {
  const auto hash_of = [&](std::size_t i) {
    return Hash128{static_cast<std::uint64_t>(ids[i]), 1};
  };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + kPrefetchRows < ids.size()) ids_.Prefetch(hash_of(i + kPrefetchRows));
    if (ids[i] != 0 && !ids_.Insert(hash_of(i))) return false;
  }
  return true;
}

Status Grouper::AddSpans(const std::string& path, const RequestGroupSql& sql) {
  RequestSpanBatch spans;
  std::vector<std::int64_t> ids;
  BatchRef refs{{"begin", ColumnType::kInt64, &spans.begin_ns},
                {"until", ColumnType::kInt64, &spans.until_ns}};
  if (sql.has_services()) refs.push_back({"service", ColumnType::kSymbol, &spans.service});
  if (sql.has_models()) refs.push_back({"model", ColumnType::kSymbol, &spans.model});
  if (sql.has_ids()) refs.push_back({"id", ColumnType::kInt64, &ids});
  const Symbol service(options_.service);
  return options_.parquet.scan(sql.Spans(path), refs, [&] {
    if (!sql.has_services()) spans.service.resize(spans.begin_ns.size(), service);
    if (!sql.has_models()) spans.model.resize(spans.begin_ns.size());
    return CountOnce(ids) ? sink_.spans(spans) : NotSound();
  });
}

Status Grouper::AddFile(const std::string& path, RequestReading& reading) {
  PLIMSOLL_TRY(RequestBytes bytes, RequestBytes::Open(path));
  PLIMSOLL_TRY(const bool is_parquet, bytes.IsParquet());
  if (!is_parquet) return NotSound();
  ParquetFile file{path, options_.service, options_.parquet, {}};
  PLIMSOLL_RETURN_IF_ERROR(file.Describe());
  PLIMSOLL_TRY(const RecognizedFormat format, WithMaps(RecognizeKeys(file.names()), options_.maps));
  PLIMSOLL_TRY(auto fields, RequestFieldsSql(file, format.specs));
  if (!fields.contains(RequestField::kArrival)) return NotSound();
  const RequestGroupSql sql(std::move(fields), options_.service, grouping_);
  PLIMSOLL_TRY(const std::int64_t requests, AddGroups(path, sql));
  if (sql.has_ids()) ids_.Reserve(ids_.size() + static_cast<std::size_t>(requests));
  PLIMSOLL_RETURN_IF_ERROR(AddSpans(path, sql));
  reading.accepted += requests;
  ++reading.formats[NameOf(format.format)];
  return Ok();
}

}  // namespace

std::optional<RequestReading> GroupRequests(const RequestReaderOptions& options,
                                            const RequestGrouping& grouping,
                                            const RequestGroupSink& sink) {
  if (!options.parquet.describe || !options.parquet.scan) return std::nullopt;
  RequestReading reading;
  Grouper grouper(options, grouping, sink);
  std::set<std::string> seen;
  for (const std::string& path : options.files) {
    if (path == "-") return std::nullopt;  // can be read once
    if (seen.insert(path).second && !grouper.AddFile(path, reading)) return std::nullopt;
  }
  return reading;
}

}  // namespace plimsoll
