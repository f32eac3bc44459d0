// SliceModel: what one served model needs of a card, from a list of models (YAML or CSV).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// Replicas and instances of a pod that one list may hold: more is a typing error.
inline constexpr std::int64_t kSliceReplicasMax = 100'000;

struct SliceModel {
  std::string name;
  std::int64_t memory_mib = 0;         // GiB of the file, rounded up; weights, KV cache, runtime
  std::int64_t compute_slices = 0;     // at least so many of a card's; 0: any
  std::int64_t sm_count = 0;           // or so many SMs; 0: any
  std::int64_t bandwidth_percent = 0;  // of the card's memory bandwidth; 0: not known
  std::int64_t tensor_parallel = 1;    // over 1: needs whole cards
  std::int64_t replicas = 1;
  std::int64_t instances_per_pod = 1;  // MIG devices that one pod asks for

  friend bool operator==(const SliceModel&, const SliceModel&) = default;
};

// Reads the list `models` of a YAML file, or a CSV with a header (docs/formats/mig-models.md).
// Fails with kBadData and every error, one a line: "models.yaml:3: models[0].memory_gib: ...".
Result<std::vector<SliceModel>> ReadSliceModels(const std::string& file, const std::string& text);

}  // namespace plimsoll
