#include "allocation/scope_table.h"

namespace plimsoll {

bool ScopeTable::IsLast(const ChargeBatch& charges, std::size_t row) const {
  if (last_ < 0) return false;
  const Key& key = *by_id_[static_cast<std::size_t>(last_)];
  return key.provider == charges.provider[row] && key.scope.issuer == charges.issuer[row] &&
         key.scope.account == charges.account[row] && key.scope.currency == charges.currency[row] &&
         key.scope.period == Window{charges.billing_begin[row], charges.billing_until[row]};
}

std::int32_t ScopeTable::Of(const ChargeBatch& charges, std::size_t row) {
  if (IsLast(charges, row)) return last_;
  return Of(charges.provider[row], {charges.issuer[row],
                                    charges.account[row],
                                    charges.currency[row],
                                    {charges.billing_begin[row], charges.billing_until[row]}});
}

std::int32_t ScopeTable::Of(const std::string& provider, const BillingScope& scope) {
  const auto [entry, is_new] =
      ids_.try_emplace({provider, scope}, static_cast<std::int32_t>(by_id_.size()));
  if (is_new) by_id_.push_back(&entry->first);
  return last_ = entry->second;
}

std::vector<std::int32_t> ScopeTable::Number() {
  std::vector<std::int32_t> final_id(by_id_.size());
  by_id_.clear();
  for (auto& [key, id] : ids_) {
    final_id[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(by_id_.size());
    id = static_cast<std::int32_t>(by_id_.size());
    by_id_.push_back(&key);
  }
  return final_id;
}

AllocationScopeBatch ScopeTable::Take(const std::vector<bool>& used) const {
  AllocationScopeBatch batch;
  for (std::size_t id = 0; id < by_id_.size(); ++id) {
    if (!used[id]) continue;
    const Key& key = *by_id_[id];
    batch.provider.push_back(key.provider);
    batch.issuer.push_back(key.scope.issuer);
    batch.account.push_back(key.scope.account);
    batch.currency.push_back(key.scope.currency);
    batch.billing_begin.push_back(key.scope.period.begin);
    batch.billing_until.push_back(key.scope.period.until);
  }
  return batch;
}

}  // namespace plimsoll
