// Divide: one amount over takers in three levels: result keys, their takers, a taker's halves.
//
// A taker is what has one key, one cluster and one node; its halves are what a filter keeps
// of it and what the filter drops. Since halves come last, no filter changes a key's part or
// a taker's, to the last nano. Every level is by largest remainder (units/split.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "units/money.h"

namespace plimsoll {

// The half of a taker that the filter keeps, and the one that it drops.
inline constexpr std::size_t kKept = 0;
inline constexpr std::size_t kDropped = 1;
template <class T>
using Halves = std::array<T, 2>;

struct Taker {
  std::size_t key = 0;      // takers of one key are neighbours, in order
  Halves<int128> weight{};  // the taker's weight is their sum, 0 if that is negative
  Halves<bool> present{};   // a half that is not there takes nothing
};

// The parts of `total`, one pair a taker; they add up to it. `key_weights` has one weight for
// each distinct key, in order; if it is empty a key weighs what its takers do. Takers of one
// key share evenly if none of them weighs anything, and so do halves. An empty result: nobody
// can take, since no key weighs anything.
// Fails with kOutOfRange if a product exceeds 38 digits.
Result<std::vector<Halves<int128>>> Divide(int128 total, std::span<const Taker> takers,
                                           std::span<const int128> key_weights);

// `total` over `amounts`, in proportion to those that have the sign of their sum; an empty sum
// divides evenly. Fails as above. REQUIRES: amounts is not empty
Result<std::vector<int128>> Apportion(int128 total, std::span<const int128> amounts);

}  // namespace plimsoll
