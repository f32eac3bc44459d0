// LanguageModel: the shape of a language model, as far as its memory depends on it, and what
// throughput was measured with it. From data files (docs/formats/catalog.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

// How a published checkpoint of a quantization really is: not every weight is quantized.
struct WeightFormat {
  std::string quantization;       // "fp8"
  bool ffn_only = false;          // only the feed-forward matrices; else all of the layers
  std::int64_t whole_layers = 0;  // layers that stay at 16 bits
  std::string note;

  friend bool operator==(const WeightFormat&, const WeightFormat&) = default;
};

struct LanguageModel {
  std::string name;             // "llama-3.1-405b"
  std::int64_t parameters = 0;  // all of them, of a mixture of experts too
  std::int64_t layers = 0;
  std::int64_t hidden = 0;  // width of the residual stream
  std::int64_t heads = 0;   // query heads
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn = 0;  // width that one token passes in a layer
  std::int64_t vocabulary = 0;
  std::int64_t context = 0;        // tokens at most
  bool tied_embeddings = false;    // the output head is the embedding
  std::int64_t kv_latent = 0;      // latent attention: cached values a token and layer; else 0
  std::int64_t window_layers = 0;  // layers that look back only window_tokens
  std::int64_t window_tokens = 0;
  std::string native = "bf16";  // what the publisher's own checkpoint is in
  std::vector<WeightFormat> formats;
  std::vector<std::string> aliases;
  std::string note, source, as_of;

  friend bool operator==(const LanguageModel&, const LanguageModel&) = default;
};

// One measurement of one replica. Missing latencies are 0: not measured.
struct Throughput {
  std::string model, precision, gpu;  // names of the catalog; precision "fp8"
  std::int64_t gpus = 0, tensor_parallel = 0;
  std::int64_t input_tokens = 0, output_tokens = 0;  // lengths of a request
  std::int64_t milli_tokens_per_second = 0;          // output tokens of the replica
  std::int64_t ttft_us = 0, tpot_us = 0;             // at the percentile of `latency_of`
  std::string latency_of;                            // "p99", "mean"; "" if none was measured
  std::string engine, source, as_of;
  std::int64_t file_order = 0;  // of its file among those loaded: a later one goes before

  friend bool operator==(const Throughput&, const Throughput&) = default;
};

}  // namespace plimsoll
