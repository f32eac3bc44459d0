#include "cli/priced_requests.h"

#include <string>

#include "cli/open_ledger.h"
#include "config/slo_config.h"
#include "ledger/query.h"
#include "store/select.h"

namespace plimsoll {
namespace {

Result<std::optional<PaidCost>> PaidByLedger(Context& context, const ServiceDeclaration& declared,
                                             Window window) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(window));
  PLIMSOLL_TRY(const LedgerTable lines,
               RunQuery(ledger.store(), {window, {}, declared.cost_filter}));
  if (lines.rows.empty()) return std::optional<PaidCost>();
  if (lines.rows.size() > 1) {
    return Error{ErrorCode::kFailedPrecondition,
                 "service " + declared.name +
                     ": its ledger lines are in several currencies; name one in its cost filter, "
                     "as in +currency:\"USD\""};
  }
  PaidCost paid;
  paid.cost = lines.rows.front().cost;
  paid.gpu_ns = int128{lines.rows.front().gpu_time.base()} * 1'000'000;
  paid.reserve_ns = int128{declared.reserve_gpus} * window.length().base() * 1'000'000;
  paid.release_ns = int128{declared.release_time.base()} * 1'000'000;
  return std::optional(paid);
}

}  // namespace

Status CheckZones(const std::vector<ServiceDeclaration>& services) {
  for (const ServiceDeclaration& service : services) {
    if (!service.peak) continue;
    const Result<Zone> zone = Zone::Find(service.peak->time_zone);
    if (!zone) return zone.error();
  }
  return Ok();
}

PeakOf CalendarOf(const ServiceDeclaration& declared) {
  if (!declared.peak) return nullptr;
  const Result<Zone> zone = Zone::Find(declared.peak->time_zone);
  if (!zone) return nullptr;
  return [hours = *declared.peak, zone = *zone](Instant t) { return PeakSpanAt(hours, zone, t); };
}

Status FoldStored(Context& context, const InferenceFoldOptions& options, InferenceFold& fold) {
  PLIMSOLL_TRY(Store* const store, context.existing_store());
  RequestBatch chunk;
  std::string sql = "SELECT " + ColumnsSql<RequestBatch>() + " FROM active_request";
  SqlParams params;
  if (options.window) {
    sql += " WHERE arrival >= ? AND arrival < ?";
    params = {options.window->begin, options.window->until};
  }
  std::int64_t rows = 0;
  PLIMSOLL_RETURN_IF_ERROR(store->Stream(sql, params, RefTo(chunk), [&] {
    rows += static_cast<std::int64_t>(RowsOf(chunk));
    return fold.Add(chunk, {});
  }));
  if (rows > 0) return Ok();
  return Error{ErrorCode::kNotFound,
               "the database holds no requests" +
                   std::string(options.window ? " in that window" : "") +
                   "; load them with plimsoll ingest requests, or give --requests FILE"};
}

Result<std::optional<PaidCost>> PaidFor(Context& context, const ServiceDeclaration& declared,
                                        const std::optional<Window>& window,
                                        std::int64_t window_ns) {
  if (!declared.cost_filter.empty()) return PaidByLedger(context, declared, window.value());
  if (!declared.gpus && !declared.gpu_price) return std::optional<PaidCost>();
  PLIMSOLL_TRY(const PaidCost paid, PaidByPrice(declared, window_ns));
  return std::optional(paid);
}

Result<std::vector<std::optional<PaidCost>>> PaidOf(Context& context,
                                                    const InferenceFoldOptions& options,
                                                    const FoldedRequests& folded) {
  std::vector<std::optional<PaidCost>> paid;
  for (const FoldedService& service : folded.services) {
    PLIMSOLL_TRY(std::optional<PaidCost> one, PaidFor(context, service.declared, options.window,
                                                      service.until_ns - service.begin_ns));
    paid.push_back(std::move(one));
  }
  return paid;
}

}  // namespace plimsoll
