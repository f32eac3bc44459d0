// TrainingShardFile: the runs of one shard as a JSON file (docs/formats/shards.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capacity/sizing/shard.h"

namespace plimsoll {

// One outcome a line. Integers only: what is read back is what was written.
std::string ShardJson(const Shard& shard);

// Fails with kBadData, naming the file, the run and the remedy.
Result<Shard> ReadShardJson(const std::string& file, std::string_view text);

// The hash of all that decides an outcome: of the parts, in their order, each with its name.
std::string QuestionHash(const std::vector<std::pair<std::string, std::string>>& parts);

}  // namespace plimsoll
