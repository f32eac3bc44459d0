#include "sim/random.h"

#include "base/check.h"
#include "base/hash.h"

namespace plimsoll {
namespace {

__extension__ using uint128 = unsigned __int128;

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t replication) {
  const Hash128 hash = HashOf(name);
  SplitMix of_seed(seed ^ hash.low);
  SplitMix of_replication(replication ^ hash.high);
  // Each half of the key holds all of all three, so that equal sums make no equal streams.
  const std::uint64_t a = of_seed.Next(), b = of_replication.Next();
  SplitMix first(MixBits(a + MixBits(b)));
  SplitMix second(MixBits(b ^ MixBits(~a)));
  state_ = {first.Next(), second.Next(), first.Next(), second.Next()};
  state_[0] |= std::uint64_t{state_ == std::array<std::uint64_t, 4>{}};
}

std::uint64_t RandomStream::Below(std::uint64_t count) {
  PLIMSOLL_CHECK(count > 0);
  // Lemire 2019: the high half of a product, drawn again where the low half would favour some.
  uint128 product = uint128{Bits()} * count;
  const std::uint64_t refused = (0 - count) % count;
  while (static_cast<std::uint64_t>(product) < refused) product = uint128{Bits()} * count;
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace plimsoll
