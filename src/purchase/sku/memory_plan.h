// MemoryPlan: whether a language model fits the GPUs of one replica, and what takes the room.
//
// Per GPU: its part of the weights, its part of the KV cache, the peak of activations of one
// engine step, and what context, communication and graphs take. All in bytes, exact integers;
// GiB are 2^30. The measured limits that this was held against are in docs/guides/sku.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "catalog/catalog.h"
#include "units/money.h"

namespace plimsoll {

inline constexpr std::int64_t kGib = std::int64_t{1} << 30;

// Tensor parallel within a node; pipeline stages are nodes (or more GPUs of one).
struct ParallelLayout {
  std::int64_t tensor = 1;
  std::int64_t pipeline = 1;
  std::int64_t gpus() const { return tensor * pipeline; }
  friend bool operator==(const ParallelLayout&, const ParallelLayout&) = default;
};

// What a replica must hold at once.
struct ServingLoad {
  std::int64_t context = 0;         // tokens of one sequence, prompt and answer
  std::int64_t concurrency = 1;     // sequences of that length in the KV cache
  std::int64_t batched_tokens = 0;  // tokens of one engine step; 0: a whole context at once
};

struct MemoryOptions {
  std::string quantization = "bf16";        // of the weights, as CanonicalPrecision names it
  std::int64_t kv_bits = 16;                // of a cached value
  std::int64_t utilization_permille = 900;  // of the GPU's memory that the engine may take
  std::int64_t runtime_bytes = kGib;        // a GPU: context, communication, graphs
  std::int64_t logit_rows = 256;            // sequences that one step ends with
};

struct MemoryDemand {
  ServingLoad load;
  MemoryOptions options;
};

// Sums over all GPUs of a replica; with pipeline stages, GPUs times the fullest GPU.
struct MemoryPlan {
  std::int64_t weights = 0, kv = 0, activation = 0, runtime = 0;
  std::int64_t available = 0;        // utilization x memory of the GPUs
  std::int64_t kv_tokens_max = 0;    // tokens of the KV cache beside the rest; 0 if none fit
  std::int64_t context_max = 0;      // longest context at the asked concurrency that fits
  std::int64_t concurrency_max = 0;  // sequences of the asked context that fit
  bool feasible = false;
  std::string reason;  // why not, with figures and a remedy; "" if feasible

  std::int64_t overhead() const { return activation + runtime; }
  std::int64_t total() const { return weights + kv + activation + runtime; }
};

// Bytes of a checkpoint. 16 bits a parameter; a quantization takes its bits, scales included
// (fp8 and int8: 8, fp4: 4.5 with a scale byte every 16, int4: 4.156 with scale and zero point
// every 128), for all matrices of the layers, or for the part of them that the model's
// `formats` names. Embeddings, output head and the rest stay at 16 bits.
std::int64_t WeightBytes(const LanguageModel& model, std::string_view quantization);

// Bytes that one token takes in the KV cache of the whole model, without copies: 2 x layers x
// kv_heads x head_dim x bytes, or layers x kv_latent x bytes with latent attention.
std::int64_t KvBytesPerToken(const LanguageModel& model, std::int64_t kv_bits);

// Bytes of the whole cache without copies; layers with a window hold no more than that.
int128 KvCacheBytes(const LanguageModel& model, const ServingLoad& load, std::int64_t kv_bits);

// REQUIRES: context, concurrency, tensor, pipeline >= 1; batched_tokens >= 0
MemoryPlan PlanMemory(const LanguageModel& model, const GpuModel& gpu, ParallelLayout layout,
                      const MemoryDemand& demand);

}  // namespace plimsoll
