#include "purchase/sku/sku_choice.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::int64_t kTensorSizes[] = {1, 2, 4, 8};

LatencyVerdict VerdictOf(const Throughput* row, const SkuRequest& request) {
  if (request.ttft_us == 0 && request.tpot_us == 0) return LatencyVerdict::kNoTarget;
  if (row == nullptr) return LatencyVerdict::kNotKnown;
  const bool ttft_known = request.ttft_us == 0 || row->ttft_us > 0;
  const bool tpot_known = request.tpot_us == 0 || row->tpot_us > 0;
  const bool ttft_missed = request.ttft_us > 0 && row->ttft_us > request.ttft_us;
  const bool tpot_missed = request.tpot_us > 0 && row->tpot_us > request.tpot_us;
  if (ttft_missed || tpot_missed) return LatencyVerdict::kMissed;
  return ttft_known && tpot_known ? LatencyVerdict::kMet : LatencyVerdict::kNotKnown;
}

class Chooser {
 public:
  Chooser(const LanguageModel& model, const SkuRequest& request, const Catalog& catalog,
          const SkuPrices& prices)
      : model_(model), request_(request), catalog_(catalog), prices_(prices) {}

  Result<SkuChoice> Choose(const GpuModel& gpu, ParallelLayout layout) const {
    SkuChoice choice;
    choice.gpu = &gpu;
    choice.layout = layout;
    choice.memory = PlanMemory(model_, gpu, layout, request_.demand);
    choice.throughput = FindThroughput(gpu, layout);
    choice.precision_differs = choice.throughput != nullptr &&
                               choice.throughput->precision != request_.demand.options.quantization;
    choice.latency = VerdictOf(choice.throughput, request_);
    choice.price = prices_.Cheapest(gpu, layout);
    if (!choice.memory.feasible || choice.throughput == nullptr || !choice.price) return choice;
    const TokenRate rate{choice.throughput->milli_tokens_per_second};
    PLIMSOLL_TRY(choice.on_demand, CostOf(choice.price->on_demand, rate));
    PLIMSOLL_TRY(choice.reserved, CostOf(choice.price->reserved, rate));
    PLIMSOLL_TRY(choice.spot, CostOf(choice.price->spot, rate));
    return choice;
  }

 private:
  static Result<std::optional<Money>> CostOf(const std::optional<Money>& per_hour, TokenRate rate) {
    if (!per_hour) return std::optional<Money>();
    PLIMSOLL_TRY(const Money cost, CostPerMillionTokens(*per_hour, rate));
    return std::optional<Money>(cost);
  }

  // The asked precision before others, a user's own file before the catalog's, what meets the
  // target before what does not, then the highest rate.
  const Throughput* FindThroughput(const GpuModel& gpu, ParallelLayout layout) const {
    const auto rank = [this](const Throughput& row) {
      return std::tuple(row.precision == request_.demand.options.quantization, row.file_order,
                        VerdictOf(&row, request_) == LatencyVerdict::kMet,
                        row.milli_tokens_per_second);
    };
    const Throughput* best = nullptr;
    for (const Throughput& row : catalog_.throughputs()) {
      if (row.model != model_.name || row.gpu != gpu.name || row.gpus != layout.gpus() ||
          row.tensor_parallel != layout.tensor || row.input_tokens != request_.input_tokens ||
          row.output_tokens != request_.output_tokens) {
        continue;
      }
      if (request_.same_precision && row.precision != request_.demand.options.quantization) {
        continue;
      }
      if (best == nullptr || rank(*best) < rank(row)) best = &row;
    }
    return best;
  }

  const LanguageModel& model_;
  const SkuRequest& request_;
  const Catalog& catalog_;
  const SkuPrices& prices_;
};

// Of one GPU's choices by number of GPUs, those worth a look.
void KeepNotable(std::vector<SkuChoice>& choices) {
  const auto fits = std::find_if(choices.begin(), choices.end(),
                                 [](const SkuChoice& choice) { return choice.memory.feasible; });
  const std::size_t kept =
      fits != choices.end() ? static_cast<std::size_t>(fits - choices.begin()) : choices.size() - 1;
  std::vector<SkuChoice> notable;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const bool measured = choices[i].throughput != nullptr;
    if (i == kept || measured) notable.push_back(std::move(choices[i]));
  }
  choices = std::move(notable);
}

int OrderOf(LatencyVerdict verdict) {
  switch (verdict) {
    case LatencyVerdict::kNoTarget:
    case LatencyVerdict::kMet:
      return 0;
    case LatencyVerdict::kNotKnown:
      return 1;
    case LatencyVerdict::kMissed:
      return 2;
  }
  return 2;
}

bool IsBetter(const SkuChoice& a, const SkuChoice& b) {
  const auto rank = [](const SkuChoice& choice) {
    const Money far = Money::Units(std::numeric_limits<std::int64_t>::max());
    return std::tuple(!choice.memory.feasible, OrderOf(choice.latency), !choice.on_demand,
                      choice.on_demand.value_or(far),
                      choice.price ? choice.price->on_demand.value_or(far) : far,
                      choice.layout.gpus(), choice.gpu->name);
  };
  return rank(a) < rank(b);
}

}  // namespace

Result<std::vector<SkuChoice>> ChooseSkus(const LanguageModel& model, const SkuRequest& request,
                                          const Catalog& catalog, const SkuPrices& prices) {
  const Chooser chooser(model, request, catalog, prices);
  std::vector<SkuChoice> all;
  for (const GpuModel* const gpu : request.gpus) {
    std::vector<SkuChoice> of_gpu;
    for (const std::int64_t tensor : kTensorSizes) {
      if (request.tensor != 0 && tensor != kTensorSizes[0]) break;
      const ParallelLayout layout{request.tensor != 0 ? request.tensor : tensor, request.pipeline};
      PLIMSOLL_TRY(SkuChoice choice, chooser.Choose(*gpu, layout));
      of_gpu.push_back(std::move(choice));
    }
    if (!request.all) KeepNotable(of_gpu);
    for (SkuChoice& choice : of_gpu) all.push_back(std::move(choice));
  }
  std::stable_sort(all.begin(), all.end(), IsBetter);
  return all;
}

std::vector<Indifference> Indifferences(const std::vector<SkuChoice>& choices) {
  // a's tokens a GPU over b's, without dividing.
  const auto per_gpu_less = [](const SkuChoice* a, const SkuChoice* b) {
    return int128{a->throughput->milli_tokens_per_second} * b->layout.gpus() <
           int128{b->throughput->milli_tokens_per_second} * a->layout.gpus();
  };
  std::map<const GpuModel*, const SkuChoice*> best;
  std::vector<const SkuChoice*> order;
  for (const SkuChoice& choice : choices) {
    if (!choice.memory.feasible || choice.throughput == nullptr ||
        choice.latency == LatencyVerdict::kMissed) {
      continue;
    }
    const SkuChoice*& of_gpu = best[choice.gpu];
    if (of_gpu == nullptr || per_gpu_less(of_gpu, &choice)) of_gpu = &choice;
  }
  for (const SkuChoice& choice : choices) {
    const auto found = best.find(choice.gpu);
    if (found != best.end() && found->second == &choice) order.push_back(&choice);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](const SkuChoice* a, const SkuChoice* b) { return per_gpu_less(b, a); });
  std::vector<Indifference> pairs;
  for (std::size_t i = 1; i < order.size(); ++i) {
    Indifference pair{order[i - 1], order[i], 0, std::nullopt};
    pair.break_even_nanos = RatioNanos(
        int128{pair.dearer->throughput->milli_tokens_per_second} * pair.cheaper->layout.gpus(),
        int128{pair.cheaper->throughput->milli_tokens_per_second} * pair.dearer->layout.gpus());
    if (pair.dearer->price && pair.cheaper->price) {
      pair.price_nanos =
          RatioNanos(pair.dearer->price->on_demand->nanos() * pair.cheaper->layout.gpus(),
                     pair.cheaper->price->on_demand->nanos() * pair.dearer->layout.gpus());
    }
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace plimsoll
