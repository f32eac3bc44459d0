// Any bytes are a shard: no crash, and what is read is written back and read the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cli/training_shard_file.h"

namespace {

using namespace plimsoll;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto shard = ReadShardJson("f", text);
  if (!shard) {
    Require(!shard.error().message.empty());
    return 0;
  }
  const auto again = ReadShardJson("f", ShardJson(*shard));
  Require(again.has_value() && *again == *shard);
  const NamedShard named{"f", *shard};
  const auto merged = MergeShards(shard->plan, {&named, 1});
  Require(!merged || static_cast<std::int64_t>(merged->size()) == shard->plan.items());
  return 0;
}
