#include "store/duckdb/duckdb_columns.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "base/check.h"
#include "store/utf8.h"

namespace plimsoll::duck {
namespace {

constexpr std::size_t kTwelfthsSize = std::tuple_size_v<Twelfths>;
constexpr std::uint8_t kRowWidth = 18;
constexpr std::uint8_t kTotalWidth = 38;

// Nanos of the largest DECIMAL(18,9) and DECIMAL(38,9), plus one.
constexpr int128 kRowLimit = int128{1'000'000'000} * Money::kNanosPerUnit;
constexpr int128 kTotalLimit =
    int128{10'000'000'000'000'000'000U} * int128{10'000'000'000'000'000'000U};

// How one C++ type lies in a DuckDB vector: its stored form, and the two ways between.
template <class T>
struct Codec;

template <>
struct Codec<std::int64_t> {
  using Stored = std::int64_t;
  static bool Fits(std::int64_t) { return true; }
  static Stored Store(std::int64_t value) { return value; }
  static std::int64_t Load(Stored stored) { return stored; }
};

template <class Tag>
struct Codec<Quantity<Tag>> {
  using Stored = std::int64_t;
  static bool Fits(Quantity<Tag>) { return true; }
  static Stored Store(Quantity<Tag> value) { return value.base(); }
  static Quantity<Tag> Load(Stored stored) { return Quantity<Tag>::FromBase(stored); }
};

template <>
struct Codec<int128> {
  using Stored = duckdb_hugeint;
  static bool Fits(int128) { return true; }
  static Stored Store(int128 value) {
    return {static_cast<std::uint64_t>(value), static_cast<std::int64_t>(value >> 64)};
  }
  static int128 Load(Stored stored) {
    // Shifted as multiplication: a negative upper half must not be shifted left.
    return int128{stored.upper} * (int128{1} << 64) + int128{stored.lower};
  }
};

template <>
struct Codec<Money> {
  using Stored = std::int64_t;
  static bool Fits(Money value) { return -kRowLimit < value.nanos() && value.nanos() < kRowLimit; }
  static Stored Store(Money value) { return static_cast<Stored>(value.nanos()); }
  static Money Load(Stored stored) { return Money::FromNanos(stored); }
};

template <>
struct Codec<MoneyTotal> {
  using Stored = duckdb_hugeint;
  static bool Fits(MoneyTotal total) {
    return -kTotalLimit < total.value.nanos() && total.value.nanos() < kTotalLimit;
  }
  static Stored Store(MoneyTotal total) { return Codec<int128>::Store(total.value.nanos()); }
  static MoneyTotal Load(Stored stored) { return {Money::FromNanos(Codec<int128>::Load(stored))}; }
};

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
struct ValueOf {
  using type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
  using type = T;
};

template <class T>
std::vector<T>& VectorOf(const ColumnRef& column) {
  return *static_cast<std::vector<T>*>(column.vector);
}

// Calls `visit` with the column's std::vector<T>.
template <class Visitor>
decltype(auto) Visit(const ColumnRef& column, Visitor&& visit) {
  switch (column.type) {
    case ColumnType::kInt64:
      return visit(VectorOf<std::int64_t>(column));
    case ColumnType::kOptInt64:
      return visit(VectorOf<std::optional<std::int64_t>>(column));
    case ColumnType::kInt128:
      return visit(VectorOf<int128>(column));
    case ColumnType::kText:
      return visit(VectorOf<std::string>(column));
    case ColumnType::kSymbol:
      return visit(VectorOf<Symbol>(column));
    case ColumnType::kOptText:
      return visit(VectorOf<std::optional<std::string>>(column));
    case ColumnType::kInstant:
      return visit(VectorOf<Instant>(column));
    case ColumnType::kOptInstant:
      return visit(VectorOf<std::optional<Instant>>(column));
    case ColumnType::kMoney:
      return visit(VectorOf<Money>(column));
    case ColumnType::kOptMoney:
      return visit(VectorOf<std::optional<Money>>(column));
    case ColumnType::kMoneyTotal:
      return visit(VectorOf<MoneyTotal>(column));
    case ColumnType::kGpuHours:
      return visit(VectorOf<GpuHours>(column));
    case ColumnType::kTwelfths:
      return visit(VectorOf<Twelfths>(column));
  }
  CheckFailed(__FILE__, __LINE__, "a known column type");
}

// The value behind `item`, or null.
template <class T>
const auto* PointerTo(const T& item) {
  if constexpr (std::is_same_v<T, Symbol>) {
    return &item.text();
  } else if constexpr (kIsOptional<T>) {
    return item.has_value() ? &*item : nullptr;
  } else {
    return &item;
  }
}

void SetNull(duckdb_vector out, std::size_t row) {
  duckdb_vector_ensure_validity_writable(out);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(out), row);
}

Error TooMuchMoney(const ColumnRef& column, Money value) {
  const bool is_total = column.type == ColumnType::kMoneyTotal;
  return {ErrorCode::kOutOfRange,
          std::string(column.name) + " " + value.ToString() +
              (is_total ? " does not fit DECIMAL(38,9)"
                        : " does not fit DECIMAL(18,9): one row holds less than 10^9 units")};
}

template <class T>
Error DoesNotFit(const ColumnRef& column, T value) {
  if constexpr (std::is_same_v<T, Money>) {
    return TooMuchMoney(column, value);
  } else if constexpr (std::is_same_v<T, MoneyTotal>) {
    return TooMuchMoney(column, value.value);
  } else {
    return {ErrorCode::kOutOfRange, std::string(column.name) + " is out of range"};
  }
}

// Fixed-size values.
template <class T>
Status EncodeRows(const ColumnRef& column, const std::vector<T>& from, RowRange rows,
                  duckdb_vector out) {
  using C = Codec<typename ValueOf<T>::type>;
  auto* stored = static_cast<typename C::Stored*>(duckdb_vector_get_data(out));
  for (std::size_t row = 0; row < rows.count; ++row) {
    const auto* value = PointerTo(from[rows.begin + row]);
    if (value == nullptr) {
      SetNull(out, row);
    } else if (C::Fits(*value)) {
      stored[row] = C::Store(*value);
    } else {
      return DoesNotFit(column, *value);
    }
  }
  return Ok();
}

// Texts: the short ones lie in the vector itself, the others in its heap.
void StoreText(const std::string& text, std::size_t row, duckdb_vector out) {
  auto* stored = static_cast<duckdb_string_t*>(duckdb_vector_get_data(out));
  constexpr std::size_t kInlined = sizeof(stored->value.inlined.inlined);
  if (text.size() > kInlined) {
    duckdb_vector_assign_string_element_len(out, row, text.data(), text.size());
    return;
  }
  duckdb_string_t cell{};
  cell.value.inlined.length = static_cast<std::uint32_t>(text.size());
  std::copy(text.begin(), text.end(), cell.value.inlined.inlined);
  stored[row] = cell;
}

template <class T>
Status EncodeTexts(const ColumnRef& column, const std::vector<T>& from, RowRange rows,
                   duckdb_vector out) {
  for (std::size_t row = 0; row < rows.count; ++row) {
    const std::string* text = PointerTo(from[rows.begin + row]);
    if (text == nullptr) {
      SetNull(out, row);
    } else if (IsUtf8(*text)) {
      StoreText(*text, row, out);
    } else {
      return Error{ErrorCode::kBadData,
                   std::string(column.name) + " is not UTF-8 text: " + ToUtf8(*text).substr(0, 80)};
    }
  }
  return Ok();
}

Status EncodeTwelfths(const std::vector<Twelfths>& from, RowRange rows, duckdb_vector out) {
  auto* stored =
      static_cast<std::int64_t*>(duckdb_vector_get_data(duckdb_array_vector_get_child(out)));
  for (std::size_t row = 0; row < rows.count; ++row) {
    stored = std::copy(from[rows.begin + row].begin(), from[rows.begin + row].end(), stored);
  }
  return Ok();
}

bool IsValid(const std::uint64_t* validity, std::size_t row) {
  return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1U) != 0;
}

bool HasNull(const std::uint64_t* validity, std::size_t count) {
  if (validity == nullptr) return false;
  for (std::size_t row = 0; row < count; ++row) {
    if (!IsValid(validity, row)) return true;
  }
  return false;
}

Error UnexpectedNull(const ColumnRef& column) {
  return {ErrorCode::kInternal,
          std::string("column ") + column.name + " holds a null, but the batch's cannot"};
}

template <class T>
void DecodeRows(duckdb_vector in, std::size_t count, std::vector<T>& to) {
  using C = Codec<typename ValueOf<T>::type>;
  const auto* stored = static_cast<const typename C::Stored*>(duckdb_vector_get_data(in));
  const std::uint64_t* validity = duckdb_vector_get_validity(in);
  to.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    if constexpr (kIsOptional<T>) {
      if (!IsValid(validity, row)) {
        to[row].reset();
        continue;
      }
    }
    to[row] = C::Load(stored[row]);
  }
}

template <class T>
void DecodeTexts(duckdb_vector in, std::size_t count, std::vector<T>& to) {
  auto* stored = static_cast<duckdb_string_t*>(duckdb_vector_get_data(in));
  const std::uint64_t* validity = duckdb_vector_get_validity(in);
  to.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    if constexpr (kIsOptional<T>) {
      if (!IsValid(validity, row)) {
        to[row].reset();
        continue;
      }
      if (!to[row].has_value()) to[row].emplace();
      to[row]->assign(duckdb_string_t_data(&stored[row]), duckdb_string_t_length(stored[row]));
    } else {
      to[row].assign(duckdb_string_t_data(&stored[row]), duckdb_string_t_length(stored[row]));
    }
  }
}

// Rows of one device follow each other: most are the symbol of the row before. Where names
// alternate, a few words of the stored text choose a slot of those met before.
void DecodeSymbols(duckdb_vector in, std::size_t count, std::vector<Symbol>& to) {
  constexpr std::size_t kSlots = 1'024;
  auto* stored = static_cast<duckdb_string_t*>(duckdb_vector_get_data(in));
  to.resize(count);
  Symbol last;
  // Symbols live as long as the process: what one chunk has met serves the next.
  thread_local std::array<Symbol, kSlots> met;
  for (std::size_t row = 0; row < count; ++row) {
    const std::string_view text(duckdb_string_t_data(&stored[row]),
                                duckdb_string_t_length(stored[row]));
    if (last != text) {
      std::uint64_t ends[2] = {0, 0};
      const std::size_t size = std::min(text.size(), sizeof(ends[0]));
      std::memcpy(&ends[0], text.data(), size);
      std::memcpy(&ends[1], text.data() + text.size() - size, size);
      const std::uint64_t mixed =
          (ends[0] ^ (ends[1] * 0x9E3779B97F4A7C15ULL) ^ text.size()) * 0xD6E8FEB86659FD93ULL;
      Symbol& slot = met[(mixed >> 32) % kSlots];
      if (slot != text) slot = text;
      last = slot;
    }
    to[row] = last;
  }
}

Status DecodeTwelfths(duckdb_vector in, std::size_t count, const ColumnRef& column) {
  duckdb_vector child = duckdb_array_vector_get_child(in);
  if (HasNull(duckdb_vector_get_validity(child), count * kTwelfthsSize)) {
    return UnexpectedNull(column);
  }
  const auto* stored = static_cast<const std::int64_t*>(duckdb_vector_get_data(child));
  auto& to = VectorOf<Twelfths>(column);
  to.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    std::copy_n(stored + row * kTwelfthsSize, kTwelfthsSize, to[row].begin());
  }
  return Ok();
}

duckdb_type IdOf(ColumnType type) {
  switch (type) {
    case ColumnType::kInt128:
      return DUCKDB_TYPE_HUGEINT;
    case ColumnType::kText:
    case ColumnType::kSymbol:
    case ColumnType::kOptText:
      return DUCKDB_TYPE_VARCHAR;
    case ColumnType::kMoney:
    case ColumnType::kOptMoney:
    case ColumnType::kMoneyTotal:
      return DUCKDB_TYPE_DECIMAL;
    case ColumnType::kTwelfths:
      return DUCKDB_TYPE_ARRAY;
    default:
      return DUCKDB_TYPE_BIGINT;
  }
}

bool IsArrayOfTwelve(duckdb_logical_type type) {
  const LogicalType child(duckdb_array_type_child_type(type));
  return duckdb_array_type_array_size(type) == kTwelfthsSize &&
         duckdb_get_type_id(child.get()) == DUCKDB_TYPE_BIGINT;
}

bool Matches(ColumnType expected, duckdb_logical_type actual) {
  const duckdb_type id = duckdb_get_type_id(actual);
  if (id != IdOf(expected)) return false;
  if (id == DUCKDB_TYPE_ARRAY) return IsArrayOfTwelve(actual);
  if (id != DUCKDB_TYPE_DECIMAL) return true;
  const duckdb_type stored =
      expected == ColumnType::kMoneyTotal ? DUCKDB_TYPE_HUGEINT : DUCKDB_TYPE_BIGINT;
  return duckdb_decimal_scale(actual) == Money::kScale &&
         duckdb_decimal_internal_type(actual) == stored;
}

std::string ScalarName(duckdb_type id) {
  switch (id) {
    case DUCKDB_TYPE_BOOLEAN:
      return "BOOLEAN";
    case DUCKDB_TYPE_INTEGER:
      return "INTEGER";
    case DUCKDB_TYPE_BIGINT:
      return "BIGINT";
    case DUCKDB_TYPE_HUGEINT:
      return "HUGEINT";
    case DUCKDB_TYPE_FLOAT:
      return "FLOAT";
    case DUCKDB_TYPE_DOUBLE:
      return "DOUBLE";
    case DUCKDB_TYPE_VARCHAR:
      return "VARCHAR";
    case DUCKDB_TYPE_BLOB:
      return "BLOB";
    case DUCKDB_TYPE_DATE:
      return "DATE";
    case DUCKDB_TYPE_TIMESTAMP:
      return "TIMESTAMP";
    case DUCKDB_TYPE_LIST:
      return "a LIST";
    default:
      return "DuckDB type " + std::to_string(static_cast<int>(id));
  }
}

}  // namespace

std::size_t SizeOf(const ColumnRef& column) {
  return Visit(column, [](const auto& values) { return values.size(); });
}

LogicalType TypeOf(ColumnType type) {
  const duckdb_type id = IdOf(type);
  if (id == DUCKDB_TYPE_DECIMAL) {
    const std::uint8_t width = type == ColumnType::kMoneyTotal ? kTotalWidth : kRowWidth;
    return LogicalType(duckdb_create_decimal_type(width, Money::kScale));
  }
  if (id == DUCKDB_TYPE_ARRAY) {
    const LogicalType child(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
    return LogicalType(duckdb_create_array_type(child.get(), kTwelfthsSize));
  }
  return LogicalType(duckdb_create_logical_type(id));
}

std::string NameOf(duckdb_logical_type type) {
  const duckdb_type id = duckdb_get_type_id(type);
  if (id == DUCKDB_TYPE_DECIMAL) {
    return "DECIMAL(" + std::to_string(duckdb_decimal_width(type)) + "," +
           std::to_string(duckdb_decimal_scale(type)) + ")";
  }
  if (id == DUCKDB_TYPE_ARRAY) {
    const LogicalType child(duckdb_array_type_child_type(type));
    return NameOf(child.get()) + "[" + std::to_string(duckdb_array_type_array_size(type)) + "]";
  }
  return ScalarName(id);
}

Status CheckType(const ColumnRef& column, duckdb_logical_type actual) {
  if (Matches(column.type, actual)) return Ok();
  const LogicalType expected = TypeOf(column.type);
  std::string message = std::string("column ") + column.name + " is " + NameOf(actual) +
                        ", but the batch's is " + NameOf(expected.get());
  if (duckdb_get_type_id(actual) == DUCKDB_TYPE_HUGEINT) {
    message += "; SUM of BIGINT is HUGEINT: cast it back";
  } else if (duckdb_get_type_id(actual) == DUCKDB_TYPE_DOUBLE) {
    message += "; SQL may add money but never divide or average it";
  }
  return Error{ErrorCode::kInternal, std::move(message)};
}

Status Encode(const ColumnRef& column, RowRange rows, duckdb_vector out) {
  return Visit(column, [&]<class T>(const std::vector<T>& values) -> Status {
    using Value = typename ValueOf<T>::type;
    if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, Symbol>) {
      return EncodeTexts(column, values, rows, out);
    } else if constexpr (std::is_same_v<Value, Twelfths>) {
      return EncodeTwelfths(values, rows, out);
    } else {
      return EncodeRows(column, values, rows, out);
    }
  });
}

Status Decode(duckdb_vector in, std::size_t count, const ColumnRef& column) {
  return Visit(column, [&]<class T>(std::vector<T>& values) -> Status {
    using Value = typename ValueOf<T>::type;
    if (!kIsOptional<T> && HasNull(duckdb_vector_get_validity(in), count)) {
      return UnexpectedNull(column);
    }
    if constexpr (std::is_same_v<Value, std::string>) {
      DecodeTexts(in, count, values);
    } else if constexpr (std::is_same_v<Value, Symbol>) {
      DecodeSymbols(in, count, values);
    } else if constexpr (std::is_same_v<Value, Twelfths>) {
      return DecodeTwelfths(in, count, column);
    } else {
      DecodeRows(in, count, values);
    }
    return Ok();
  });
}

}  // namespace plimsoll::duck
