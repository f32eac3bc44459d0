#include "purchase/sku/memory_plan.h"

#include <algorithm>

#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kWideBytes = 2;                       // of bf16 and fp16
constexpr std::int64_t kLogitBytes = 4;                      // logits are computed in fp32
constexpr std::int64_t kChunkedTokens = 8'192;               // a usual step of chunked prefill
constexpr std::int64_t kContextMax = std::int64_t{1} << 40;  // end of the search

std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Thousandths of a bit that one quantized parameter takes.
std::int64_t MilliBits(std::string_view quantization) {
  if (quantization == "fp8" || quantization == "int8") return 8'000;
  if (quantization == "fp4") return 4'500;
  if (quantization == "int4") return 4'156;
  return 16'000;
}

std::int64_t EmbeddingParameters(const LanguageModel& model) {
  return model.vocabulary * model.hidden * (model.tied_embeddings ? 1 : 2);
}

std::int64_t AttentionParameters(const LanguageModel& model) {
  return 2 * model.hidden * model.head_dim * (model.heads + model.kv_heads);
}

// Parameters that a quantization covers.
std::int64_t QuantizedParameters(const LanguageModel& model, std::string_view quantization) {
  std::int64_t covered = model.parameters - EmbeddingParameters(model);
  for (const WeightFormat& format : model.formats) {
    if (format.quantization != quantization) continue;
    if (format.ffn_only) {
      const int128 attention = int128{model.layers} * AttentionParameters(model);
      covered = static_cast<std::int64_t>(std::max<int128>(covered - attention, 0));
    }
    return static_cast<std::int64_t>(int128{covered} * (model.layers - format.whole_layers) /
                                     model.layers);
  }
  return covered;
}

// The fullest GPU of one replica.
class GpuMemory {
 public:
  GpuMemory(const LanguageModel& model, const GpuModel& gpu, ParallelLayout layout,
            const MemoryDemand& demand)
      : model_(model), layout_(layout), demand_(demand), options_(demand.options) {
    const std::int64_t mib = gpu.usable_mib > 0 ? gpu.usable_mib : gpu.memory_mib;
    available_ = static_cast<std::int64_t>(int128{mib} * (kGib / 1024) *
                                           options_.utilization_permille / 1'000);
  }

  std::int64_t available() const { return available_; }

  std::int64_t Weights() const {
    const std::int64_t ends = EmbeddingParameters(model_) * kWideBytes;
    const std::int64_t layers = WeightBytes(model_, options_.quantization) - ends;
    const std::int64_t stage = CeilDiv(model_.layers, layout_.pipeline);
    const bool one_end = layout_.pipeline > 1 && !model_.tied_embeddings;
    const auto of_stage = static_cast<std::int64_t>(int128{layers} * stage / model_.layers);
    return CeilDiv(of_stage + (one_end ? ends / 2 : ends), layout_.tensor);
  }

  // Of one cached token in one layer. A head that is on more GPUs than one is copied.
  std::int64_t KvLayerBytes() const {
    const std::int64_t values =
        model_.kv_latent > 0 ? model_.kv_latent
                             : 2 * CeilDiv(model_.kv_heads, layout_.tensor) * model_.head_dim;
    return CeilDiv(values * options_.kv_bits, 8);
  }

  std::int64_t Kv(std::int64_t context, std::int64_t concurrency) const {
    const std::int64_t window = CeilDiv(model_.window_layers, layout_.pipeline);
    const std::int64_t full = CeilDiv(model_.layers - model_.window_layers, layout_.pipeline);
    const int128 tokens =
        int128{full} * context + int128{window} * std::min(context, model_.window_tokens);
    return Bounded(tokens * concurrency * KvLayerBytes());
  }

  // Hidden state and the feed-forward matrices' inputs and outputs of all tokens of a step,
  // which live at once in the widest layer, and the logits of the sequences that end it.
  std::int64_t Activation(std::int64_t step) const {
    const std::int64_t width = model_.hidden + CeilDiv(3 * model_.ffn, layout_.tensor);
    return Bounded(int128{step} * width * kWideBytes +
                   int128{options_.logit_rows} * model_.vocabulary * kLogitBytes);
  }

  std::int64_t Step(std::int64_t context) const {
    const std::int64_t batched = demand_.load.batched_tokens;
    return batched > 0 ? std::min(batched, context * demand_.load.concurrency) : context;
  }

  // What is left for the KV cache; negative if the rest does not fit.
  std::int64_t RoomForKv(std::int64_t step) const {
    return available_ - Weights() - Activation(step) - options_.runtime_bytes;
  }

  bool Fits(std::int64_t context, std::int64_t concurrency) const {
    return Kv(context, concurrency) <= RoomForKv(Step(context));
  }

  std::int64_t LongestContext() const {
    std::int64_t fits = 0;
    std::int64_t too_long = kContextMax;
    while (too_long - fits > 1) {
      const std::int64_t middle = fits + (too_long - fits) / 2;
      (Fits(middle, demand_.load.concurrency) ? fits : too_long) = middle;
    }
    return fits;
  }

 private:
  // Beyond any machine, but within the range of the sums.
  static std::int64_t Bounded(int128 bytes) {
    return static_cast<std::int64_t>(std::min<int128>(bytes, std::int64_t{1} << 48));
  }

  const LanguageModel& model_;
  ParallelLayout layout_;
  const MemoryDemand& demand_;
  const MemoryOptions& options_;
  std::int64_t available_ = 0;
};

// "56.7": GiB with one decimal.
std::string Gib(std::int64_t bytes) {
  const auto tenths = static_cast<std::int64_t>(DivideHalfEven(int128{bytes} * 10, kGib));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

// Cards before Ampere, for which engines have no fp8 and fp4 kernels (vLLM's table of
// quantization by hardware); on Ampere they run with weights alone in fp8.
constexpr std::string_view kBeforeAmpere[] = {"T4", "V100-"};

std::string WhyNotRun(const GpuModel& gpu, std::string_view quantization) {
  if (quantization != "fp8" && quantization != "fp4") return "";
  for (const std::string_view old : kBeforeAmpere) {
    if (!gpu.name.starts_with(old)) continue;
    return "engines have no " + std::string(quantization) + " kernels for cards before Ampere";
  }
  return "";
}

std::string WhyNotDivided(const LanguageModel& model, ParallelLayout layout) {
  if (layout.pipeline > model.layers) {
    return std::to_string(model.layers) + " layers cannot make " + std::to_string(layout.pipeline) +
           " pipeline stages";
  }
  const bool kv_divides = model.kv_heads % layout.tensor == 0 ||
                          layout.tensor % model.kv_heads == 0 || model.kv_latent > 0;
  if (model.heads % layout.tensor != 0 || !kv_divides) {
    return std::to_string(model.heads) + " heads and " + std::to_string(model.kv_heads) +
           " KV heads cannot be divided among " + std::to_string(layout.tensor) + " GPUs";
  }
  return "";
}

std::string WhyTooLarge(const GpuMemory& memory, const MemoryDemand& demand, const MemoryPlan& plan,
                        bool fits_chunked) {
  if (memory.Weights() >= memory.available()) {
    return "weights take " + Gib(memory.Weights()) + " GiB a GPU, " + Gib(memory.available()) +
           " GiB are usable";
  }
  const ServingLoad& load = demand.load;
  std::string reason;
  if (plan.kv_tokens_max == 0) {
    reason = "weights " + Gib(memory.Weights()) + ", activations " +
             Gib(memory.Activation(memory.Step(load.context))) + " and runtime " +
             Gib(demand.options.runtime_bytes) + " GiB a GPU leave no room for the KV cache of " +
             Gib(memory.available());
  } else {
    reason = "KV cache holds " + std::to_string(plan.kv_tokens_max) + " of " +
             std::to_string(load.context * load.concurrency) + " tokens";
  }
  if (fits_chunked) return reason + "; fits with chunked prefill (--batched-tokens 8192)";
  if (plan.context_max > 0) {
    reason += "; the longest context that fits is " + std::to_string(plan.context_max);
  }
  return reason;
}

}  // namespace

std::int64_t WeightBytes(const LanguageModel& model, std::string_view quantization) {
  const std::int64_t milli_bits = MilliBits(quantization);
  if (milli_bits == 16'000) return model.parameters * kWideBytes;
  const std::int64_t covered = QuantizedParameters(model, quantization);
  return (model.parameters - covered) * kWideBytes +
         static_cast<std::int64_t>((int128{covered} * milli_bits + 7'999) / 8'000);
}

std::int64_t KvBytesPerToken(const LanguageModel& model, std::int64_t kv_bits) {
  const std::int64_t values =
      model.kv_latent > 0 ? model.kv_latent : 2 * model.kv_heads * model.head_dim;
  return model.layers * CeilDiv(values * kv_bits, 8);
}

int128 KvCacheBytes(const LanguageModel& model, const ServingLoad& load, std::int64_t kv_bits) {
  const int128 of_layer = KvBytesPerToken(model, kv_bits) / model.layers;
  const int128 tokens = int128{model.layers - model.window_layers} * load.context +
                        int128{model.window_layers} * std::min(load.context, model.window_tokens);
  return of_layer * tokens * load.concurrency;
}

MemoryPlan PlanMemory(const LanguageModel& model, const GpuModel& gpu, ParallelLayout layout,
                      const MemoryDemand& demand) {
  const GpuMemory memory(model, gpu, layout, demand);
  const ServingLoad& load = demand.load;
  const std::int64_t gpus = layout.gpus();
  const std::int64_t step = memory.Step(load.context);
  MemoryPlan plan;
  plan.weights = memory.Weights() * gpus;
  plan.kv = memory.Kv(load.context, load.concurrency) * gpus;
  plan.activation = memory.Activation(step) * gpus;
  plan.runtime = demand.options.runtime_bytes * gpus;
  plan.available = memory.available() * gpus;
  const std::int64_t one = memory.Kv(load.context, 1);
  const std::int64_t room = std::max<std::int64_t>(memory.RoomForKv(step), 0);
  plan.kv_tokens_max = static_cast<std::int64_t>(int128{room} * load.context / one);
  plan.context_max = memory.LongestContext();
  plan.concurrency_max = room / one;
  plan.reason = WhyNotRun(gpu, demand.options.quantization);
  if (plan.reason.empty()) plan.reason = WhyNotDivided(model, layout);
  plan.feasible = plan.reason.empty() && memory.Fits(load.context, load.concurrency);
  if (!plan.feasible && plan.reason.empty()) {
    MemoryDemand chunked = demand;
    chunked.load.batched_tokens = kChunkedTokens;
    const bool fits_chunked =
        GpuMemory(model, gpu, layout, chunked).Fits(load.context, load.concurrency);
    plan.reason = WhyTooLarge(memory, demand, plan, fits_chunked);
  }
  return plan;
}

}  // namespace plimsoll
