#include "ingest/focus/focus_load.h"

#include <algorithm>

namespace plimsoll {
namespace {

// Refused rows that wait for their bill to have a charge; beyond it they are stored without
// one.
constexpr std::size_t kWaitingMax = 10'000;

// One day of a bill's charges.
struct DayBatch {
  std::vector<std::int64_t> day;
  std::vector<MoneyTotal> billed, effective, list, contracted;

  static constexpr std::tuple kColumns{
      MakeColumn("day", &DayBatch::day),
      MakeColumn("billed", &DayBatch::billed),
      MakeColumn("effective", &DayBatch::effective),
      MakeColumn("list", &DayBatch::list),
      MakeColumn("contracted", &DayBatch::contracted),
  };
};

Result<DayBatch> DaysOf(Store& store, std::int64_t snapshot_id) {
  // The remainder of a time before 1970 is negative, hence the second one.
  return Query<DayBatch>(
      store,
      "SELECT (charge_begin - ((charge_begin % 86400000) + 86400000) % 86400000) // 86400000 "
      "AS day, sum(billed_cost) AS billed, sum(effective_cost) AS effective, "
      "coalesce(sum(list_cost), 0) AS list, coalesce(sum(contracted_cost), 0) AS contracted "
      "FROM charge WHERE snapshot_id = ? GROUP BY day ORDER BY day",
      {snapshot_id});
}

struct IdBatch {
  std::vector<std::int64_t> id;
  static constexpr std::tuple kColumns{MakeColumn("snapshot_id", &IdBatch::id)};
};

Rejection RejectionAt(const RejectionBatch& batch, std::size_t row) {
  return {.file = batch.file[row],
          .line = batch.line[row],
          .field = batch.field[row],
          .reason = batch.reason[row],
          .cost = batch.cost[row],
          .raw = batch.raw[row]};
}

Error StrictError(const Rejection& first) {
  return {ErrorCode::kBadData, first.file + ":" + std::to_string(first.line) + ": " + first.field +
                                   (first.field.empty() ? "" : " ") + first.reason +
                                   "; nothing was loaded, because the import is strict"};
}

void AddTotals(const std::string& currency,
               const std::map<std::string, ProviderTotal, std::less<>>& providers,
               std::map<std::pair<std::string, std::string>, ProviderTotal>& totals) {
  for (const auto& [provider, total] : providers) totals[{provider, currency}] += total;
}

}  // namespace

SnapshotKey KeyOf(const BillingScope& scope) {
  return {.kind = "charge",
          .scope = scope.issuer + "|" + scope.account + "|" + scope.currency,
          .period = scope.period};
}

Status AddKeptCosts(Store& store, ScopeBook& book) {
  for (std::size_t scope = 0; scope < book.scopes().size(); ++scope) {
    const ScopeSum& sum = book.scopes()[scope];
    const SnapshotKey key = KeyOf(sum.key);
    PLIMSOLL_TRY(const IdBatch active,
                 Query<IdBatch>(store,
                                "SELECT snapshot_id FROM snapshot WHERE active = 1 AND kind = ? "
                                "AND scope = ? AND period_begin = ? AND period_until = ?",
                                {key.kind, key.scope, key.period.begin, key.period.until}));
    if (active.id.empty()) continue;
    PLIMSOLL_TRY(const DayBatch days, DaysOf(store, active.id[0]));
    for (std::size_t i = 0; i < days.day.size(); ++i) {
      if (sum.days.contains(days.day[i])) continue;
      book.AddKept(scope, {days.billed[i].value, days.effective[i].value, days.list[i].value,
                           days.contracted[i].value});
    }
  }
  return Ok();
}

Result<FocusLoad> FocusLoad::Begin(Store& store, const FocusOptions& options) {
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  return FocusLoad(store, options, std::move(load));
}

Result<std::int64_t> FocusLoad::Open(std::size_t scope) {
  if (ids_[scope] == 0) {
    PLIMSOLL_TRY(ids_[scope], load_.Open(keys_[scope]));
  }
  return ids_[scope];
}

Status FocusLoad::Take(FocusBlock& block) {
  for (const BillingScope& scope : block.new_scopes) {
    keys_.push_back(KeyOf(scope));
    ids_.push_back(0);
  }
  PLIMSOLL_RETURN_IF_ERROR(TakeCharges(block));
  return TakeRejections(block.rejections);
}

Status FocusLoad::TakeCharges(FocusBlock& block) {
  for (std::int64_t& id : block.charges.snapshot_id) {
    PLIMSOLL_TRY(id, Open(static_cast<std::size_t>(id)));
  }
  accepted_ += static_cast<std::int64_t>(block.rows);
  if (block.rows == 0) return Ok();
  return load_.Append("charge", block.charges, block.hashes);
}

// A bill of which every row was refused gets no snapshot: an empty one would replace what is
// known of it. So refused rows wait until their bill has a charge.
Status FocusLoad::TakeRejections(RejectionBatch& rejections) {
  for (std::size_t row = 0; row < rejections.line.size(); ++row) {
    const Rejection rejection = RejectionAt(rejections, row);
    if (options_.strict) return StrictError(rejection);
    ++rejected_;
    if (first_rejections_.size() < kRejectionsShownMax) first_rejections_.push_back(rejection);
    AppendRow(waiting_, rejections, row);
  }
  return waiting_.line.size() < kWaitingMax ? Ok() : StoreRejections(waiting_);
}

Status FocusLoad::StoreRejections(RejectionBatch& rejections) {
  if (rejections.line.empty()) return Ok();
  for (std::int64_t& id : rejections.snapshot_id) {
    id = id < 0 ? 0 : ids_[static_cast<std::size_t>(id)];
  }
  PLIMSOLL_RETURN_IF_ERROR(load_.Reject(rejections));
  Clear(rejections);
  return Ok();
}

// Copies one day of the bill's previous snapshot. Its costs are whole nanos already.
Status FocusLoad::KeepDay(std::size_t scope, std::int64_t previous, std::int64_t day,
                          ScopeSum& sum) {
  const Instant begin = AtMillis(day * Days(1).base());
  PLIMSOLL_TRY(ChargeBatch kept,
               Query<ChargeBatch>(store_,
                                  "SELECT * FROM charge WHERE snapshot_id = ? AND "
                                  "charge_begin >= ? AND charge_begin < ?",
                                  {previous, begin, begin + Days(1)}));
  for (std::size_t row = 0; row < RowsOf(kept); ++row) {
    kept.snapshot_id[row] = ids_[scope];
    ProviderTotal& total = sum.providers[kept.provider[row]];
    ++total.rows;
    total.billed += ExactDecimal::FromMoney(kept.billed_cost[row]);
    total.effective += ExactDecimal::FromMoney(kept.effective_cost[row]);
  }
  sum.days.insert(day);
  return load_.Append("charge", kept);
}

Status FocusLoad::KeepOtherDays(std::size_t scope, ScopeSum& sum) {
  PLIMSOLL_TRY(const std::optional<std::int64_t> previous, load_.ActiveOf(keys_[scope]));
  if (!previous) return Ok();
  PLIMSOLL_TRY(const DayBatch days, DaysOf(store_, *previous));
  for (const std::int64_t day : days.day) {
    if (sum.days.contains(day)) continue;
    PLIMSOLL_RETURN_IF_ERROR(KeepDay(scope, *previous, day, sum));
  }
  return Ok();
}

// The days of the billing period that have charges. Corrections of earlier periods come and
// go, so they say nothing of how complete the bill is.
void FocusLoad::Cover(std::size_t scope, const ScopeSum& sum) {
  const auto first = sum.days.lower_bound(DayOf(sum.key.period.begin));
  const auto end = sum.days.lower_bound(DayOf(sum.key.period.until - Millis(1)) + 1);
  if (first == end) return;
  const Instant begin = AtMillis(*first * Days(1).base());
  const Instant until = AtMillis((*std::prev(end) + 1) * Days(1).base());
  load_.CoverTime(ids_[scope], {begin, until});
}

Status FocusLoad::StoreTotals(const std::vector<ScopeSum>& scopes) {
  ChargeTotalBatch totals;
  for (std::size_t scope = 0; scope < scopes.size(); ++scope) {
    if (ids_[scope] == 0) continue;
    for (const auto& [provider, total] : scopes[scope].providers) {
      totals.snapshot_id.push_back(ids_[scope]);
      totals.provider.push_back(provider);
      totals.issuer.push_back(scopes[scope].key.issuer);
      totals.account.push_back(scopes[scope].key.account);
      totals.currency.push_back(scopes[scope].key.currency);
      totals.rows.push_back(total.rows);
      totals.billed_exact.push_back(total.billed.ToString());
      totals.effective_exact.push_back(total.effective.ToString());
      totals.rejected_billed_exact.push_back(total.rejected_billed.ToString());
      totals.rejected_effective_exact.push_back(total.rejected_effective.ToString());
    }
  }
  return totals.rows.empty() ? Ok() : load_.Append("charge_total", totals);
}

Status FocusLoad::Finish(const ScopeBook& book, ImportReport& report) {
  std::map<std::pair<std::string, std::string>, ProviderTotal> totals = book.outside();
  for (const ScopeSum& sum : book.scopes()) AddTotals(sum.key.currency, sum.providers, totals);
  std::vector<ScopeSum> scopes = book.scopes();
  for (std::size_t scope = 0; scope < scopes.size(); ++scope) {
    if (ids_[scope] == 0) continue;
    if (options_.partial) PLIMSOLL_RETURN_IF_ERROR(KeepOtherDays(scope, scopes[scope]));
    Cover(scope, scopes[scope]);
  }
  PLIMSOLL_RETURN_IF_ERROR(StoreTotals(scopes));
  PLIMSOLL_RETURN_IF_ERROR(StoreRejections(waiting_));
  PLIMSOLL_RETURN_IF_ERROR(load_.Commit(report));
  report.accepted = accepted_;
  report.rejected = rejected_;
  report.first_rejections = first_rejections_;
  for (const auto& [key, total] : totals) {
    report.totals.push_back({.provider = key.first,
                             .currency = key.second,
                             .rows = total.rows,
                             .billed = total.billed.ToString(),
                             .effective = total.effective.ToString(),
                             .rejected_billed = total.rejected_billed.ToString()});
  }
  return Ok();
}

}  // namespace plimsoll
