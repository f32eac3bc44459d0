#include "ingest/requests/request_import.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/limits.h"
#include "base/seen_hashes.h"
#include "store/snapshot.h"
#include "store/utf8.h"

namespace plimsoll {
namespace {

constexpr std::size_t kPageRows = 65'536;
// Requests of the year 1970 to 2000 come from a clock that counts from a machine's start.
constexpr Instant kFirstDate = AtSeconds(978'307'200);

struct Scope {
  std::int64_t id = 0;
  std::string service;
  Window day;
  Window data{AtMillis(INT64_MAX), AtMillis(INT64_MIN)};
};

Hash128 HashOfId(const std::string& service, const std::string& request) {
  RowHasher hasher;
  hasher.Add(service);
  hasher.Add(request);
  return hasher.Finish();
}

void Add(RowHasher& hasher, const std::optional<std::int64_t>& number) {
  if (number) {
    hasher.Add(*number);
  } else {
    hasher.AddNull();
  }
}

Hash128 ContentOf(const RequestRows& rows, std::size_t row) {
  const RequestBatch& batch = rows.batch;
  RowHasher hasher;
  for (const auto* column : {&batch.service, &batch.model, &batch.version, &batch.quantization,
                             &batch.tenant, &batch.priority, &batch.status}) {
    hasher.Add((*column)[row].text());
  }
  hasher.Add(batch.arrival[row].base());
  hasher.Add(rows.rest_ns[row]);
  for (const auto* column :
       {&batch.ttft_ns, &batch.e2e_ns, &batch.tpot_ns, &batch.prefill_ns, &batch.decode_ns,
        &batch.input_tokens, &batch.cached_tokens, &batch.output_tokens, &batch.reasoning_tokens}) {
    Add(hasher, (*column)[row]);
  }
  return hasher.Finish();
}

void MakeUtf8(RequestBatch& batch, std::size_t row) {
  for (auto* column : {&batch.service, &batch.model, &batch.version, &batch.quantization,
                       &batch.tenant, &batch.priority}) {
    Symbol& name = (*column)[row];
    if (!IsUtf8(name.text())) name = Symbol(ToUtf8(name.text()));
  }
  if (!IsUtf8(batch.request[row])) batch.request[row] = ToUtf8(batch.request[row]);
}

class Loader {
 public:
  Loader(Store& store, SnapshotLoad& load) : store_(store), load_(load) {}

  Status Take(RequestRows& rows);
  Status MergeBefore();
  std::int64_t duplicates() const { return duplicates_; }

 private:
  Result<Scope*> ScopeOf(Symbol service, Instant arrival);
  void NameRow(RequestRows& rows, std::size_t row);
  Status MergeScope(const Scope& scope, std::int64_t active);

  Store& store_;
  SnapshotLoad& load_;
  std::map<std::pair<std::string, Instant>, Scope> scopes_;
  Scope* last_ = nullptr;
  SeenHashes seen_;
  RequestBatch out_;
  std::int64_t duplicates_ = 0;
};

Result<Scope*> Loader::ScopeOf(Symbol service, Instant arrival) {
  if (last_ != nullptr && last_->day.contains(arrival) && service == last_->service) return last_;
  const Instant day = FloorTo(arrival, Days(1));
  const auto [found, is_new] = scopes_.try_emplace({service.text(), day});
  last_ = &found->second;
  if (!is_new) return last_;
  last_->service = service.text();
  last_->day = {day, day + Days(1)};
  PLIMSOLL_TRY(last_->id, load_.Open({"requests", last_->service, last_->day}));
  return last_;
}

// Two rows alike in everything are two requests; the same two again are the same.
void Loader::NameRow(RequestRows& rows, std::size_t row) {
  std::string& request = rows.batch.request[row];
  if (!request.empty()) return;
  const std::string content = "~" + ContentOf(rows, row).ToHex();
  const std::string& service = rows.batch.service[row].text();
  for (std::int64_t alike = 1;; ++alike) {
    request = alike == 1 ? content : content + "#" + std::to_string(alike);
    if (!seen_.Contains(HashOfId(service, request))) return;
  }
}

Status Loader::Take(RequestRows& rows) {
  RequestBatch& batch = rows.batch;
  for (std::size_t row = 0; row < rows.rest_ns.size(); ++row) {
    MakeUtf8(batch, row);
    const Instant arrival = batch.arrival[row];
    if (arrival < kFirstDate) {
      return Error{ErrorCode::kBadData,
                   "a request arrived " + ToString(arrival) +
                       ": its clock tells no date, so that it has no day to be stored under; "
                       "plimsoll unit inference --requests reads such files as they are"};
    }
    NameRow(rows, row);
    if (!seen_.Insert(HashOfId(batch.service[row], batch.request[row]))) {
      ++duplicates_;
      continue;
    }
    PLIMSOLL_TRY(Scope* const scope, ScopeOf(batch.service[row], arrival));
    scope->data.begin = std::min(scope->data.begin, arrival);
    scope->data.until = std::max(scope->data.until, arrival + Millis(1));
    batch.snapshot_id[row] = scope->id;
    AppendRow(out_, batch, row);
  }
  if (RowsOf(out_) < kBatchRows) return Ok();
  PLIMSOLL_RETURN_IF_ERROR(load_.Append("request", out_));
  Clear(out_);
  return Ok();
}

// Appends what an earlier load has of this day and this one has not, a page at a time.
Status Loader::MergeScope(const Scope& scope, std::int64_t active) {
  std::string columns;
  for (const ColumnRef& column : RefTo(RequestBatch{})) {
    columns += (columns.empty() ? "" : ", ") + std::string(column.name);
  }
  std::string after;
  for (;;) {
    PLIMSOLL_TRY(RequestBatch page,
                 Query<RequestBatch>(store_,
                                     "SELECT " + columns +
                                         " FROM request WHERE snapshot_id = ? AND request > ? "
                                         "ORDER BY request LIMIT " +
                                         std::to_string(kPageRows),
                                     {active, after}));
    if (RowsOf(page) == 0) return Ok();
    after = page.request.back();
    RequestBatch kept;
    for (std::size_t row = 0; row < RowsOf(page); ++row) {
      if (seen_.Contains(HashOfId(scope.service, page.request[row]))) continue;
      page.snapshot_id[row] = scope.id;
      AppendRow(kept, page, row);
    }
    PLIMSOLL_RETURN_IF_ERROR(load_.Append("request", kept));
  }
}

Status Loader::MergeBefore() {
  PLIMSOLL_RETURN_IF_ERROR(load_.Append("request", out_));
  Clear(out_);
  for (const auto& [key, scope] : scopes_) {
    load_.CoverTime(scope.id, scope.data);
    PLIMSOLL_TRY(const std::optional<std::int64_t> active,
                 load_.ActiveOf({"requests", scope.service, scope.day}));
    if (active) PLIMSOLL_RETURN_IF_ERROR(MergeScope(scope, *active));
  }
  return Ok();
}

Status Reject(SnapshotLoad& load, const RequestReading& reading) {
  RejectionBatch batch;
  for (const Rejection& rejection : reading.rejections) {
    Append(batch, rejection);
    batch.snapshot_id.back() = 0;
  }
  return load.Reject(batch);
}

}  // namespace

Result<ImportReport> ImportRequests(Store& store, const RequestReaderOptions& options) {
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  Loader loader(store, load);
  PLIMSOLL_TRY(const RequestReading reading,
               ReadRequests(options, [&](RequestRows& rows) { return loader.Take(rows); }));
  PLIMSOLL_RETURN_IF_ERROR(loader.MergeBefore());
  PLIMSOLL_RETURN_IF_ERROR(Reject(load, reading));
  ImportReport report;
  report.kind = "requests";
  report.duplicates = loader.duplicates();
  report.accepted = reading.accepted - report.duplicates;
  report.rejected = reading.rejected;
  const std::size_t shown = std::min(reading.rejections.size(), kRejectionsShownMax);
  report.first_rejections.assign(reading.rejections.begin(),
                                 reading.rejections.begin() + static_cast<std::ptrdiff_t>(shown));
  for (const auto& [what, count] : reading.ignored) {
    report.ignored.push_back(std::to_string(count) + " " + what);
  }
  if (reading.rejected > static_cast<std::int64_t>(reading.rejections.size())) {
    report.warnings.push_back("the reasons of the first " +
                              std::to_string(reading.rejections.size()) + " refused rows are kept");
  }
  PLIMSOLL_RETURN_IF_ERROR(load.Commit(report));
  return report;
}

}  // namespace plimsoll
