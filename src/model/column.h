// Columns: how a batch (a struct of vectors) names its fields once, for every store.
//
// A batch lists its columns in one tuple, kColumns. CREATE TABLE, append, scan and the
// content hash all walk that list, so a field cannot be written and then forgotten on the
// way back. A store sees a batch as a list of ColumnRef: no template crosses its interface.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/symbol.h"
#include "units/money.h"
#include "units/quantity.h"
#include "units/time.h"

namespace plimsoll {

// A sum of money read back from SQL: SUM widens a row's DECIMAL(18,9) to DECIMAL(38,9).
struct MoneyTotal {
  Money value;
  friend auto operator<=>(const MoneyTotal&, const MoneyTotal&) = default;
};

// One value for each twelfth of an hour (five minutes), in time order.
using Twelfths = std::array<std::int64_t, 12>;

// The C++ types that may be columns; each is one std::vector<T> in a batch.
enum class ColumnType : unsigned char {
  kInt64,       // std::int64_t             BIGINT
  kOptInt64,    // optional<std::int64_t>   BIGINT, nullable
  kInt128,      // int128                   HUGEINT
  kText,        // std::string              VARCHAR
  kSymbol,      // Symbol                   VARCHAR
  kOptText,     // optional<std::string>    VARCHAR, nullable
  kInstant,     // Instant                  BIGINT (milliseconds since the epoch, UTC)
  kOptInstant,  // optional<Instant>        BIGINT, nullable
  kMoney,       // Money                    DECIMAL(18,9): |x| < 10^9 units a row
  kOptMoney,    // optional<Money>          DECIMAL(18,9), nullable
  kMoneyTotal,  // MoneyTotal               DECIMAL(38,9): what SUM gives
  kGpuHours,    // GpuHours                 BIGINT (GPU-milliseconds)
  kTwelfths,    // Twelfths                 BIGINT[12]
};

template <class T>
struct ColumnTypeOf;
template <ColumnType type>
struct ColumnTypeIs {
  static constexpr ColumnType value = type;
};
template <>
struct ColumnTypeOf<std::int64_t> : ColumnTypeIs<ColumnType::kInt64> {};
template <>
struct ColumnTypeOf<std::optional<std::int64_t>> : ColumnTypeIs<ColumnType::kOptInt64> {};
template <>
struct ColumnTypeOf<int128> : ColumnTypeIs<ColumnType::kInt128> {};
template <>
struct ColumnTypeOf<std::string> : ColumnTypeIs<ColumnType::kText> {};
template <>
struct ColumnTypeOf<Symbol> : ColumnTypeIs<ColumnType::kSymbol> {};
template <>
struct ColumnTypeOf<std::optional<std::string>> : ColumnTypeIs<ColumnType::kOptText> {};
template <>
struct ColumnTypeOf<Instant> : ColumnTypeIs<ColumnType::kInstant> {};
template <>
struct ColumnTypeOf<std::optional<Instant>> : ColumnTypeIs<ColumnType::kOptInstant> {};
template <>
struct ColumnTypeOf<Money> : ColumnTypeIs<ColumnType::kMoney> {};
template <>
struct ColumnTypeOf<std::optional<Money>> : ColumnTypeIs<ColumnType::kOptMoney> {};
template <>
struct ColumnTypeOf<MoneyTotal> : ColumnTypeIs<ColumnType::kMoneyTotal> {};
template <>
struct ColumnTypeOf<GpuHours> : ColumnTypeIs<ColumnType::kGpuHours> {};
template <>
struct ColumnTypeOf<Twelfths> : ColumnTypeIs<ColumnType::kTwelfths> {};

template <class Batch, class T>
struct Column {
  const char* name;
  std::vector<T> Batch::*values;
};
template <class Batch, class T>
constexpr Column<Batch, T> MakeColumn(const char* name, std::vector<T> Batch::*values) {
  return {name, values};
}

// One column of one batch object; `vector` is the std::vector<T> that `type` names.
struct ColumnRef {
  const char* name;
  ColumnType type;
  void* vector;
};
using BatchRef = std::vector<ColumnRef>;

// The columns of `batch`, in order. The batch must outlive the result.
template <class Batch>
BatchRef RefTo(Batch& batch) {
  BatchRef refs;
  std::apply(
      [&](auto... column) {
        (refs.push_back(
             {column.name,
              ColumnTypeOf<
                  typename std::decay_t<decltype(batch.*(column.values))>::value_type>::value,
              &(batch.*(column.values))}),
         ...);
      },
      Batch::kColumns);
  return refs;
}

// As above for reading only; a store never writes through it on the append path.
template <class Batch>
BatchRef RefTo(const Batch& batch) {
  return RefTo(const_cast<Batch&>(batch));
}

// Rows of a batch: the length of its first column.
template <class Batch>
std::size_t RowsOf(const Batch& batch) {
  return (batch.*(std::get<0>(Batch::kColumns).values)).size();
}

// Empties every column, keeping capacity.
template <class Batch>
void Clear(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).clear(), ...); }, Batch::kColumns);
}

// Appends row `row` of `from` to `to`, every column.
template <class Batch>
void AppendRow(Batch& to, const Batch& from, std::size_t row) {
  std::apply(
      [&](auto... column) { ((to.*(column.values)).push_back((from.*(column.values))[row]), ...); },
      Batch::kColumns);
}

}  // namespace plimsoll
