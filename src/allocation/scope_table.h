// ScopeTable: the billing scopes of one allocation, numbered by (provider, issuer, account,
// currency, period).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/charge.h"
#include "model/cost_line.h"

namespace plimsoll {

class ScopeTable {
 public:
  std::int32_t Of(const ChargeBatch& charges, std::size_t row);  // provisional id
  std::int32_t Of(const std::string& provider, const BillingScope& scope);

  // Final id of each provisional one; call it once, when every scope is known.
  std::vector<std::int32_t> Number();
  std::size_t size() const { return by_id_.size(); }

  // Scopes whose `used` flag is set, by final id.
  AllocationScopeBatch Take(const std::vector<bool>& used) const;

 private:
  struct Key {
    std::string provider;
    BillingScope scope;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  bool IsLast(const ChargeBatch& charges, std::size_t row) const;

  std::map<Key, std::int32_t> ids_;
  std::vector<const Key*> by_id_;
  std::int32_t last_ = -1;  // charges come scope by scope
};

}  // namespace plimsoll
