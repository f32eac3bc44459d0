#include "base/symbol.h"

#include <array>
#include <functional>
#include <mutex>
#include <unordered_set>

namespace plimsoll {
namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

// A set of nodes: a text never moves.
struct Shard {
  std::mutex mutex;
  std::unordered_set<std::string, TextHash, std::equal_to<>> texts;
};

}  // namespace

const std::string& Symbol::Empty() {
  static const std::string empty;
  return empty;
}

const std::string* Symbol::Intern(std::string_view text) {
  // Never destroyed: symbols in static objects stay good to the end.
  static auto& shards = *new std::array<Shard, 16>;
  if (text.empty()) return &Empty();
  Shard& shard = shards[TextHash()(text) % shards.size()];
  const std::lock_guard lock(shard.mutex);
  const auto known = shard.texts.find(text);
  return known != shard.texts.end() ? &*known : &*shard.texts.emplace(text).first;
}

}  // namespace plimsoll
