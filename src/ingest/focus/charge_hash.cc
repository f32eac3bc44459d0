#include "ingest/focus/charge_hash.h"

#include <cstring>
#include <string_view>

namespace plimsoll {

// snapshot_id and line say where a charge stands; they come first.
constexpr std::size_t kPositional = 2;
static_assert(std::string_view(std::get<0>(ChargeBatch::kColumns).name) == "snapshot_id");
static_assert(std::string_view(std::get<1>(ChargeBatch::kColumns).name) == "line");

char* ChargeHasher::Room(std::size_t bytes) {
  if (buffer_.size() < size_ + bytes) buffer_.resize(2 * (size_ + bytes));
  char* const room = buffer_.data() + size_;
  size_ += bytes;
  return room;
}

void ChargeHasher::Add(std::int64_t number) {
  char* const room = Room(sizeof(number));
  const auto bits = static_cast<std::uint64_t>(number);
  for (std::size_t i = 0; i < sizeof(bits); ++i) room[i] = static_cast<char>(bits >> (8 * i));
}

void ChargeHasher::Add(int128 number) {
  Add(static_cast<std::int64_t>(number));
  Add(static_cast<std::int64_t>(number >> 64));
}

void ChargeHasher::Add(const std::string& text) {
  Add(static_cast<std::int64_t>(text.size()));
  std::memcpy(Room(text.size()), text.data(), text.size());
}

void ChargeHasher::Add(const std::optional<Money>& money) {
  Add(std::int64_t{money.has_value()});
  if (money) Add(*money);
}

Hash128 ChargeHasher::Hash(const ChargeBatch& batch, std::size_t row, const CostRests& rests) {
  size_ = 0;
  const auto add = [&](const auto& column) { Add((batch.*(column.values))[row]); };
  const auto add_all = [&]<std::size_t... i>(std::index_sequence<i...>) {
    (add(std::get<i + kPositional>(ChargeBatch::kColumns)), ...);
  };
  constexpr std::size_t kColumns = std::tuple_size_v<decltype(ChargeBatch::kColumns)>;
  add_all(std::make_index_sequence<kColumns - kPositional>());
  for (std::size_t cost = 0; cost < kChargeCosts; ++cost) {
    if (rests[cost] == 0) continue;
    Add(static_cast<std::int64_t>(cost));
    Add(rests[cost]);
  }
  return HashOf({buffer_.data(), size_});
}

}  // namespace plimsoll
