// ChargeHasher: the content hash of a charge at its full written scale.
//
// Of a charge whose costs are whole nanos it is HashOfRow (model/row_hash.h); costs with more
// than nine decimals add their rests, so that two bills that differ in the tenth decimal
// differ. Several times as fast as HashOfRow: it runs once a row of bills of gigabytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "base/hash.h"
#include "model/charge.h"

namespace plimsoll {

// The money columns of a charge, in the order of ChargeBatch.
enum class ChargeCost : unsigned char { kBilled, kEffective, kList, kContracted };
inline constexpr std::size_t kChargeCosts = 4;

// Of each cost what is below its floor in nanos, in units of 1e-40 (ExactDecimal::rest).
using CostRests = std::array<int128, kChargeCosts>;

class ChargeHasher {
 public:
  // REQUIRES: the batch's costs of `row` are floors
  Hash128 Hash(const ChargeBatch& batch, std::size_t row, const CostRests& rests);

 private:
  char* Room(std::size_t bytes);
  void Add(std::int64_t number);
  void Add(int128 number);
  void Add(const std::string& text);
  void Add(Instant time) { Add(time.base()); }
  void Add(Money money) { Add(money.nanos()); }
  void Add(const std::optional<Money>& money);

  std::vector<char> buffer_;
  std::size_t size_ = 0;
};

}  // namespace plimsoll
