#include "ledger/reconcile.h"

#include <algorithm>
#include <map>
#include <optional>

#include "store/store.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

struct ScopeSums {
  std::vector<std::string> provider, issuer, account, currency;
  std::vector<Instant> billing_begin, billing_until, first, last;
  std::vector<std::string> category;
  std::vector<std::int64_t> charges;
  std::vector<MoneyTotal> billed, effective;

  static constexpr std::tuple kColumns{
      MakeColumn("provider", &ScopeSums::provider),
      MakeColumn("issuer", &ScopeSums::issuer),
      MakeColumn("account", &ScopeSums::account),
      MakeColumn("currency", &ScopeSums::currency),
      MakeColumn("billing_begin", &ScopeSums::billing_begin),
      MakeColumn("billing_until", &ScopeSums::billing_until),
      MakeColumn("first", &ScopeSums::first),
      MakeColumn("last", &ScopeSums::last),
      MakeColumn("category", &ScopeSums::category),
      MakeColumn("charges", &ScopeSums::charges),
      MakeColumn("billed", &ScopeSums::billed),
      MakeColumn("effective", &ScopeSums::effective),
  };
  BillingScope Scope(std::size_t row) const {
    return {issuer[row], account[row], currency[row], {billing_begin[row], billing_until[row]}};
  }
};

struct AllocatedSums {
  std::vector<std::string> issuer, account, currency;
  std::vector<Instant> billing_begin, billing_until;
  std::vector<MoneyTotal> allocated;

  static constexpr std::tuple kColumns{
      MakeColumn("issuer", &AllocatedSums::issuer),
      MakeColumn("account", &AllocatedSums::account),
      MakeColumn("currency", &AllocatedSums::currency),
      MakeColumn("billing_begin", &AllocatedSums::billing_begin),
      MakeColumn("billing_until", &AllocatedSums::billing_until),
      MakeColumn("allocated", &AllocatedSums::allocated),
  };
};

struct RejectedRows {
  std::vector<std::string> issuer, account, currency;
  std::vector<Instant> billing_begin, billing_until;
  std::vector<std::string> rejected;

  static constexpr std::tuple kColumns{
      MakeColumn("issuer", &RejectedRows::issuer),
      MakeColumn("account", &RejectedRows::account),
      MakeColumn("currency", &RejectedRows::currency),
      MakeColumn("billing_begin", &RejectedRows::billing_begin),
      MakeColumn("billing_until", &RejectedRows::billing_until),
      MakeColumn("rejected", &RejectedRows::rejected),
  };
};

struct BilledDays {
  std::vector<std::optional<Instant>> first, last;
  static constexpr std::tuple kColumns{MakeColumn("first", &BilledDays::first),
                                       MakeColumn("last", &BilledDays::last)};
};

using Periods = std::map<BillingScope, ReconciledPeriod>;

Result<ScopeSums> ReadScopes(Store& store, Window period) {
  std::string sql =
      "SELECT min(provider), issuer, account, currency, billing_begin, billing_until, "
      "min(charge_begin), max(charge_until), category, count(*), sum(billed_cost), "
      "sum(effective_cost) FROM active_charge ";
  SqlParams params;
  if (!period.empty()) {
    sql += "WHERE billing_begin < ? AND billing_until > ? ";
    params = {period.until, period.begin};
  }
  return Query<ScopeSums>(
      store, sql + "GROUP BY issuer, account, currency, billing_begin, billing_until, category",
      params);
}

Window Hull(const ScopeSums& sums) {
  Window hull{sums.first.front(), sums.last.front()};
  for (std::size_t row = 0; row < RowsOf(sums); ++row) {
    hull.begin = std::min(hull.begin, sums.first[row]);
    // An instant charge at midnight still needs its day.
    hull.until = std::max(hull.until, std::max(sums.last[row], sums.first[row] + Millis(1)));
  }
  return hull;
}

void AddBilled(Periods& periods, const ScopeSums& sums) {
  for (std::size_t row = 0; row < RowsOf(sums); ++row) {
    const BillingScope scope = sums.Scope(row);
    ReconciledPeriod& period = periods[scope];
    period.scope = scope;
    period.provider = std::max(period.provider, sums.provider[row]);
    period.charges += sums.charges[row];
    period.billed += sums.billed[row].value;
    period.effective += sums.effective[row].value;
    if (const auto category = ParseChargeCategory(sums.category[row])) {
      period.billed_by_category[static_cast<std::size_t>(*category)] += sums.billed[row].value;
    }
  }
}

Status AddAllocated(Store& store, Periods& periods) {
  std::string sql =
      "SELECT s.issuer, s.account, s.currency, s.billing_begin, s.billing_until, "
      "sum(l.gpu_cost + l.cpu_cost + l.memory_cost + l.storage_cost + l.network_cost + "
      "l.shared_cost + l.overhead_cost)::DECIMAL(38,9) FROM ledger_line l JOIN ledger_scope s "
      "ON s.day_id = l.day_id AND s.id = l.scope_id GROUP BY ALL";
  PLIMSOLL_TRY(const AllocatedSums sums, Query<AllocatedSums>(store, sql));
  for (std::size_t row = 0; row < RowsOf(sums); ++row) {
    const auto found = periods.find({sums.issuer[row],
                                     sums.account[row],
                                     sums.currency[row],
                                     {sums.billing_begin[row], sums.billing_until[row]}});
    if (found != periods.end()) found->second.allocated += sums.allocated[row].value;
  }
  return Ok();
}

Status AddRejected(Store& store, Periods& periods) {
  PLIMSOLL_TRY(const RejectedRows rows,
               Query<RejectedRows>(store,
                                   "SELECT t.issuer, t.account, t.currency, s.period_begin, "
                                   "s.period_until, t.rejected_billed_exact FROM "
                                   "active_charge_total t JOIN snapshot s USING (snapshot_id)"));
  std::map<BillingScope, ExactDecimal> sums;
  for (std::size_t row = 0; row < RowsOf(rows); ++row) {
    if (rows.rejected[row].empty()) continue;
    PLIMSOLL_TRY(const ExactDecimal cost, ExactDecimal::Parse(rows.rejected[row]));
    sums[{rows.issuer[row],
          rows.account[row],
          rows.currency[row],
          {rows.billing_begin[row], rows.billing_until[row]}}] += cost;
  }
  for (auto& [scope, period] : periods) period.rejected_billed = sums[scope].ToString();
  return Ok();
}

std::string OutcomeOf(const ReconciledPeriod& period) {
  if (period.unexplained != Money()) {
    return "cost lines differ from effective cost by " + period.unexplained.ToString();
  }
  if (period.rejected_billed != "0") {
    return "ties, with " + period.rejected_billed + " billed in quarantined rows beside it";
  }
  return "ties";
}

}  // namespace

Result<std::vector<ReconciledPeriod>> Reconcile(Ledger& ledger, Window period) {
  Store& store = ledger.store();
  PLIMSOLL_TRY(const ScopeSums sums, ReadScopes(store, period));
  std::vector<ReconciledPeriod> out;
  if (RowsOf(sums) == 0) return out;
  Window hull = Hull(sums);
  // Days that the bill reached before it was restated hold its old lines.
  PLIMSOLL_TRY(const BilledDays days,
               Query<BilledDays>(store,
                                 "SELECT min(d.day), max(d.day) FROM ledger_day d JOIN "
                                 "ledger_scope s ON s.day_id = d.day_id WHERE s.issuer <> ''"));
  if (!days.first.empty() && days.first[0] && days.last[0]) {
    hull = {std::min(hull.begin, *days.first[0]), std::max(hull.until, *days.last[0] + Days(1))};
  }
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(hull));

  Periods periods;
  AddBilled(periods, sums);
  PLIMSOLL_RETURN_IF_ERROR(AddAllocated(store, periods));
  PLIMSOLL_RETURN_IF_ERROR(AddRejected(store, periods));
  for (auto& [scope, one] : periods) {
    one.unexplained = one.effective - one.allocated;
    one.outcome = OutcomeOf(one);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace plimsoll
