// RandomStream: one named sequence of random numbers, the same bits on every machine.
//
// A stream is a function of (seed, name, replication): each purpose draws from its own, so that
// one more draw for one purpose leaves every other as it was. xoshiro256++ (Blackman and Vigna
// 2019), its state filled by splitmix64 from a hash of the three. Not for secrets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plimsoll {

// The finalizer of splitmix64: a bijection that scatters neighbouring numbers.
constexpr std::uint64_t MixBits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// splitmix64 (Steele, Lea and Flood 2014).
class SplitMix {
 public:
  explicit constexpr SplitMix(std::uint64_t state) : state_(state) {}
  constexpr std::uint64_t Next() { return MixBits(state_ += 0x9E3779B97F4A7C15U); }

 private:
  std::uint64_t state_;
};

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t replication);
  // From the generator's own state. REQUIRES: not all zero
  explicit RandomStream(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  std::uint64_t Bits() {
    const std::uint64_t result = Rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  double Uniform() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }                // [0, 1)
  double UniformPositive() { return static_cast<double>((Bits() >> 11) + 1) * 0x1p-53; }  // (0, 1]

  // One of 0 ... count - 1, each as likely. REQUIRES: count > 0
  std::uint64_t Below(std::uint64_t count);

 private:
  static constexpr std::uint64_t Rotate(std::uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
  }
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace plimsoll
