#include "ingest/focus/scope_book.h"

namespace plimsoll {
namespace {

constexpr std::size_t kRecentScopes = 1'024;

}  // namespace

std::int64_t DayOf(Instant t) { return FloorTo(t, Days(1)).base() / Days(1).base(); }

std::int64_t CostSum::LeftOver() const {
  return static_cast<std::int64_t>((total.RoundHalfEven() - floors).nanos());
}

ProviderTotal& ProviderTotal::operator+=(const ProviderTotal& other) {
  rows += other.rows;
  billed += other.billed;
  effective += other.effective;
  rejected_billed += other.rejected_billed;
  rejected_effective += other.rejected_effective;
  return *this;
}

ScopeBook::ScopeBook() : recent_(kRecentScopes) {}

std::size_t ScopeBook::NumberOf(const BillingScope& scope) {
  const auto [found, is_new] = numbers_.try_emplace(scope, scopes_.size());
  if (is_new) {
    scopes_.emplace_back();
    scopes_.back().key = scope;
  }
  return found->second;
}

std::size_t ScopeBook::NumberOf(const FocusRow& row) {
  // Lengths before the texts, so that no two scopes have one key.
  key_.clear();
  const auto add = [&](std::string_view text) {
    key_.append(std::to_string(text.size())).append(1, ':').append(text);
  };
  add(row.issuer);
  add(row[FocusColumn::kBillingAccountId]);
  add(row[FocusColumn::kBillingCurrency]);
  add(std::to_string(row.billing.begin.base()));
  add(std::to_string(row.billing.until.base()));
  return recent_.Get(key_, [&](std::string_view) {
    return NumberOf(BillingScope{.issuer = std::string(row.issuer),
                                 .account = std::string(row[FocusColumn::kBillingAccountId]),
                                 .currency = std::string(row[FocusColumn::kBillingCurrency]),
                                 .period = row.billing});
  });
}

void ScopeBook::Add(std::size_t scope, const FocusRow& row, const CostRests& rests) {
  ScopeSum& sum = scopes_[scope];
  ++sum.rows;
  sum.days.insert(DayOf(row.charge.begin));
  for (std::size_t i = 0; i < kChargeCosts; ++i) {
    if (!row.costs[i]) continue;
    sum.costs[i].total += *row.costs[i];
    sum.costs[i].floors += row.costs[i]->floor();
    if (rests[i] != 0) ++sum.costs[i].rested;
  }
  auto provider = sum.providers.find(row.provider);
  if (provider == sum.providers.end()) {
    provider = sum.providers.emplace(std::string(row.provider), ProviderTotal()).first;
  }
  ++provider->second.rows;
  provider->second.billed += *row.costs[static_cast<std::size_t>(ChargeCost::kBilled)];
  provider->second.effective += *row.costs[static_cast<std::size_t>(ChargeCost::kEffective)];
}

void ScopeBook::AddKept(std::size_t scope, const std::array<Money, kChargeCosts>& costs) {
  for (std::size_t i = 0; i < kChargeCosts; ++i) {
    scopes_[scope].costs[i].total += ExactDecimal::FromMoney(costs[i]);
    scopes_[scope].costs[i].floors += costs[i];
  }
}

std::int64_t ScopeBook::AddRefused(const RefusedRow& row) {
  const std::size_t scope = row.scope ? NumberOf(*row.scope) : 0;
  ProviderTotal& total =
      row.scope ? scopes_[scope].providers[row.provider] : outside_[{row.provider, row.currency}];
  if (row.billed) total.rejected_billed += *row.billed;
  if (row.effective) total.rejected_effective += *row.effective;
  return row.scope ? static_cast<std::int64_t>(scope) : -1;
}

}  // namespace plimsoll
