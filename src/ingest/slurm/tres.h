// TRES: Slurm's trackable resources as sacct and scontrol write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ingest/pod.h"

namespace plimsoll {

struct Tres {
  std::int64_t gpus = 0;  // generic gres/gpu if written, else the sum of the typed ones
  std::vector<std::pair<std::string, std::int64_t>> typed;  // gres/gpu:TYPE, in text order
  std::optional<std::int64_t> cpus;
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> nodes;
};

// Reads "billing=25,cpu=4,gres/gpu:a100=2,gres/gpu=2,mem=200G,node=1". Other keys, among them
// gres/gpumem, gres/gpuutil and gres/shard, are no GPUs and are skipped. "" holds nothing.
// Fails with kBadData on a count or size that cannot be read.
Result<Tres> ParseTres(std::string_view text);

// Reads a node's Gres: "gpu:h100:8(S:0-1),shard:16" or "gpu:4"; "(null)" holds nothing.
Result<Tres> ParseGres(std::string_view text);

// Reads "514404M", "1.5T", "1294440K", "10G" (binary units; none means MiB) into bytes.
Result<std::int64_t> ParseSlurmMemory(std::string_view text);

struct DeviceCount {
  DeviceUnit unit;
  std::int64_t count = 0;
};

// The devices by unit, never empty: types that end in a MIG profile ("a100_1g.5gb") are MIG
// instances when the types account for every GPU; all else is whole GPUs.
std::vector<DeviceCount> DevicesOf(const Tres& tres);

// Physical cards behind the devices: 7 instances of 1g are one card.
std::int64_t CardsOf(const Tres& tres);

// The GPU type without a MIG profile: "a100_1g.5gb" is "a100"; "" if none is written.
std::string GpuTypeOf(const Tres& tres);

}  // namespace plimsoll
