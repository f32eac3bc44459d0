// A batch with one column of every type, and random rows for it. For tests only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/column.h"

namespace plimsoll {

struct EveryTypeBatch {
  std::vector<std::int64_t> number;
  std::vector<std::optional<std::int64_t>> opt_number;
  std::vector<int128> wide;
  std::vector<std::string> text;
  std::vector<std::optional<std::string>> opt_text;
  std::vector<Instant> instant;
  std::vector<std::optional<Instant>> opt_instant;
  std::vector<Money> money;
  std::vector<std::optional<Money>> opt_money;
  std::vector<MoneyTotal> total;
  std::vector<GpuHours> gpu_time;
  std::vector<Twelfths> twelfths;

  friend bool operator==(const EveryTypeBatch&, const EveryTypeBatch&) = default;

  static constexpr std::tuple kColumns{
      MakeColumn("number", &EveryTypeBatch::number),
      MakeColumn("opt_number", &EveryTypeBatch::opt_number),
      MakeColumn("wide", &EveryTypeBatch::wide),
      MakeColumn("text", &EveryTypeBatch::text),
      MakeColumn("opt_text", &EveryTypeBatch::opt_text),
      MakeColumn("instant", &EveryTypeBatch::instant),
      MakeColumn("opt_instant", &EveryTypeBatch::opt_instant),
      MakeColumn("money", &EveryTypeBatch::money),
      MakeColumn("opt_money", &EveryTypeBatch::opt_money),
      MakeColumn("total", &EveryTypeBatch::total),
      MakeColumn("gpu_time", &EveryTypeBatch::gpu_time),
      MakeColumn("twelfths", &EveryTypeBatch::twelfths),
  };
};

class RandomRows {
 public:
  explicit RandomRows(std::uint64_t seed) : random_(seed) {}

  void AddTo(EveryTypeBatch& batch) {
    batch.number.push_back(Number());
    batch.opt_number.push_back(IsNull() ? std::nullopt : std::optional(Number()));
    batch.wide.push_back(Wide());
    batch.text.push_back(Text());
    batch.opt_text.push_back(IsNull() ? std::nullopt : std::optional(Text()));
    batch.instant.push_back(AtMillis(Number()));
    batch.opt_instant.push_back(IsNull() ? std::nullopt : std::optional(AtMillis(Number())));
    batch.money.push_back(RowMoney());
    batch.opt_money.push_back(IsNull() ? std::nullopt : std::optional(RowMoney()));
    batch.total.push_back(Total());
    batch.gpu_time.push_back(GpuMillis(Number()));
    Twelfths twelfths;
    for (std::int64_t& value : twelfths) value = Number();
    batch.twelfths.push_back(twelfths);
  }

  std::uint64_t Below(std::uint64_t bound) { return random_() % bound; }

 private:
  bool IsNull() { return Below(3) == 0; }
  std::int64_t Number() {
    switch (Below(6)) {
      case 0:
        return std::numeric_limits<std::int64_t>::min();
      case 1:
        return std::numeric_limits<std::int64_t>::max();
      case 2:
        return static_cast<std::int64_t>(Below(3)) - 1;
      default:
        return static_cast<std::int64_t>(random_());
    }
  }
  int128 Wide() {
    constexpr int128 kHalf = int128{1} << 126;
    if (Below(8) == 0) return -kHalf - kHalf;     // the least
    if (Below(8) == 0) return kHalf - 1 + kHalf;  // the greatest
    const int128 upper = static_cast<std::int64_t>(random_());
    return upper * (int128{1} << 64) + random_();
  }
  Money RowMoney() {
    constexpr std::int64_t kMost = 999'999'999'999'999'999;
    if (Below(8) == 0) return Money::FromNanos(Below(2) == 0 ? kMost : -kMost);
    return Money::FromNanos(static_cast<std::int64_t>(random_()) % (kMost + 1));
  }
  MoneyTotal Total() {
    constexpr int128 kTenTo19 = 10'000'000'000'000'000'000U;
    constexpr int128 kMost = kTenTo19 * kTenTo19 - 1;
    if (Below(8) == 0) return {Money::FromNanos(Below(2) == 0 ? kMost : -kMost)};
    return {Money::FromNanos(Wide() % (kMost + 1))};
  }
  // Around the lengths at which texts stop being stored inline, with NUL and every UTF-8 size.
  std::string Text() {
    static const std::string kCharacters[] = {"a",
                                              "Z",
                                              "\"",
                                              "'",
                                              ",",
                                              "\n",
                                              std::string(1, '\0'),
                                              "\xC3\xA9",
                                              "\xE2\x82\xAC",
                                              "\xF0\x9F\x98\x80"};
    const std::uint64_t longest = Below(50) == 0 ? 5'000 : 20;
    std::string text;
    for (std::uint64_t left = Below(longest); left > 0; --left) {
      text += kCharacters[Below(std::size(kCharacters))];
    }
    return text;
  }

  std::mt19937_64 random_;
};

}  // namespace plimsoll
