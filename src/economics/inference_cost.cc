#include "economics/inference_cost.h"

#include <algorithm>

#include "units/split.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr int128 kNsPerHour = int128{3'600} * kNsPerSecond;

Error TooLarge() { return {ErrorCode::kOutOfRange, "a service's cost exceeds 38 digits"}; }

bool HasPhases(const RequestSums& sums) {
  return sums.phases_unknown == 0 && sums.prefill_ns + sums.decode_ns > 0;
}

// Tokens by weight, in thousandths of a token: uncached input, cached input, output.
std::array<int128, 3> TokenParts(const RequestSums& sums, const TokenWeights& weights) {
  return {int128{sums.input - sums.cached} * weights.input,
          int128{sums.cached} * weights.cached_input, int128{sums.output} * weights.output};
}

int128 Sum(const std::array<int128, 3>& parts) { return parts[0] + parts[1] + parts[2]; }

CostWeight WeightOf(const RequestSums& sums, const TokenWeights& weights) {
  if (HasPhases(sums)) return CostWeight::kPhaseTime;
  return Sum(TokenParts(sums, weights)) > 0 ? CostWeight::kTokens : CostWeight::kRequests;
}

int128 WeightIn(CostWeight weight, const RequestSums& sums, const TokenWeights& weights) {
  switch (weight) {
    case CostWeight::kPhaseTime:
      return sums.prefill_ns + sums.decode_ns;
    case CostWeight::kTokens:
      return Sum(TokenParts(sums, weights));
    case CostWeight::kRequests:
      break;
  }
  return sums.requests;
}

// Input, cached input and output apart: by the time of the phases, in which cached tokens had
// no part, or by weight.
Status PriceTokens(ServiceFigures& figures) {
  const RequestSums& sums = figures.sums.all;
  figures.input.tokens = sums.input - sums.cached;
  figures.cached_input.tokens = sums.cached;
  figures.output.tokens = sums.output;
  figures.blended = PerMillion(figures.sums.cost, sums.input + sums.output);
  if (!figures.sums.cost || figures.weight == CostWeight::kRequests) return Ok();
  std::array<int128, 3> weights = TokenParts(sums, figures.service.declared.weights);
  if (figures.weight == CostWeight::kPhaseTime) weights = {sums.prefill_ns, 0, sums.decode_ns};
  std::array<int128, 3> parts{};
  if (!SplitInto(figures.sums.cost->nanos(), weights, parts)) return TooLarge();
  TokenCost* const kinds[] = {&figures.input, &figures.cached_input, &figures.output};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    kinds[i]->cost = Money::FromNanos(parts[i]);
    kinds[i]->per_million = PerMillion(kinds[i]->cost, kinds[i]->tokens);
  }
  return Ok();
}

std::optional<CostFactors> FactorsOf(const ServiceFigures& figures) {
  if (!figures.paid) return std::nullopt;
  const PaidCost& paid = *figures.paid;
  const int128 serving = paid.gpu_ns - paid.reserve_ns - paid.release_ns;
  const int128 all = figures.sums.all.output;
  const int128 good = figures.sums.good.output;
  const int128 window = figures.window_ns();
  const int128 busy = figures.service.busy_ns;
  const int128 cost = paid.cost.nanos();
  const auto safe = figures.service.declared.safe_tokens_per_second;
  if (serving <= 0 || all <= 0 || good <= 0 || window <= 0 || cost <= 0) return std::nullopt;
  if (!safe && busy <= 0) return std::nullopt;
  CostFactors factors;
  factors.safe_declared = safe.has_value();
  if (safe) {
    // The tokens need all / safe seconds of the serving GPUs.
    factors.base = Ratio({cost, kMillion, serving}, {paid.gpu_ns, *safe, window});
    factors.idle = Ratio({*safe, window}, {all, kNsPerSecond});
  } else {
    factors.base =
        Ratio({cost, kMillion, serving, busy}, {paid.gpu_ns, all, window, Money::kNanosPerUnit});
    factors.idle = Ratio({window}, {busy});
  }
  factors.slo = Ratio({all}, {good});
  factors.reserve = Ratio({serving + paid.reserve_ns}, {serving});
  factors.release = Ratio({paid.gpu_ns}, {serving + paid.reserve_ns});
  factors.total = Ratio({cost, kMillion}, {good, Money::kNanosPerUnit});
  return factors;
}

void AddGroup(RequestFigures& to, const RequestGroup& group, const std::optional<Money>& cost) {
  to.all += group.sums;
  if (group.outcome == Outcome::kGood) to.good += group.sums;
  if (!cost) return;
  to.cost = to.cost.value_or(Money()) + *cost;
  if (!to.cost_missed) to.cost_missed = Money();
  if (group.outcome != Outcome::kGood) *to.cost_missed += *cost;
}

using Groups = std::vector<const RequestGroup*>;

Result<std::vector<std::optional<Money>>> CostsOf(const Groups& groups,
                                                  const ServiceFigures& figures) {
  std::vector<std::optional<Money>> costs(groups.size());
  if (!figures.paid || groups.empty()) return costs;
  std::vector<int128> weights;
  for (const RequestGroup* group : groups) {
    weights.push_back(WeightIn(figures.weight, group->sums, figures.service.declared.weights));
  }
  std::vector<int128> parts(groups.size());
  if (!SplitInto(figures.paid->cost.nanos(), weights, parts)) return TooLarge();
  for (std::size_t i = 0; i < parts.size(); ++i) costs[i] = Money::FromNanos(parts[i]);
  return costs;
}

Result<ServiceFigures> PriceService(const FoldedService& service, const Groups& groups,
                                    const std::optional<PaidCost>& paid) {
  ServiceFigures figures;
  figures.service = service;
  figures.paid = paid;
  for (const RequestGroup* group : groups) {
    AddGroup(figures.sums, *group, std::nullopt);
    figures.outcomes[static_cast<std::size_t>(group->outcome)] += group->sums.requests;
  }
  figures.weight = WeightOf(figures.sums.all, service.declared.weights);
  PLIMSOLL_TRY(const std::vector<std::optional<Money>> costs, CostsOf(groups, figures));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (figures.groups.empty() || figures.groups.back().keys != groups[i]->keys) {
      figures.groups.emplace_back();
      figures.groups.back().keys = groups[i]->keys;
    }
    AddGroup(figures.groups.back(), *groups[i], costs[i]);
  }
  if (paid) {
    figures.sums.cost = paid->cost;
    Money missed;
    for (const RequestFigures& group : figures.groups) missed += *group.cost_missed;
    if (!groups.empty()) figures.sums.cost_missed = missed;
  }
  PLIMSOLL_RETURN_IF_ERROR(PriceTokens(figures));
  figures.factors = FactorsOf(figures);
  return figures;
}

}  // namespace

Result<PaidCost> PaidByPrice(const ServiceDeclaration& declared, std::int64_t window_ns) {
  const std::string where = "service " + declared.name + ": ";
  if (!declared.gpus || !declared.gpu_price) {
    return Error{ErrorCode::kInvalidArgument,
                 where +
                     "its GPUs and the price of one for an hour must both be given: --gpus and "
                     "--gpu-price, or gpus and gpu_price in plimsoll.yaml"};
  }
  if (declared.reserve_gpus >= *declared.gpus) {
    return Error{ErrorCode::kInvalidArgument,
                 where + "the reserve of " + std::to_string(declared.reserve_gpus) +
                     " GPUs is part of its " + std::to_string(*declared.gpus) +
                     " and must leave at least one to serve"};
  }
  PaidCost paid;
  paid.reserve_ns = int128{declared.reserve_gpus} * window_ns;
  paid.release_ns = int128{declared.release_time.base()} * kNsPerMs;
  paid.gpu_ns = int128{*declared.gpus} * window_ns + paid.release_ns;
  int128 product = 0;
  if (__builtin_mul_overflow(declared.gpu_price->nanos(), paid.gpu_ns, &product)) {
    return TooLarge();
  }
  paid.cost = Money::FromNanos(DivideHalfEven(product, kNsPerHour));
  return paid;
}

std::optional<Money> RequestFigures::PerMillionOutput() const {
  return PerMillion(cost, all.output);
}
std::optional<Money> RequestFigures::PerMillionGoodOutput() const {
  return PerMillion(cost, good.output);
}

Result<std::vector<ServiceFigures>> PriceRequests(
    const FoldedRequests& folded, const std::vector<std::optional<PaidCost>>& paid) {
  std::vector<Groups> groups(folded.services.size());
  for (const RequestGroup& group : folded.groups) groups[group.service].push_back(&group);
  std::vector<ServiceFigures> figures;
  for (std::size_t i = 0; i < folded.services.size(); ++i) {
    PLIMSOLL_TRY(ServiceFigures service, PriceService(folded.services[i], groups[i], paid[i]));
    figures.push_back(std::move(service));
  }
  return figures;
}

std::optional<Money> PerMillion(const std::optional<Money>& cost, std::int64_t tokens) {
  if (!cost || tokens <= 0) return std::nullopt;
  return Money::FromNanos(DivideHalfEven(cost->nanos() * kMillion, tokens));
}

std::optional<std::string> PerSecond(std::int64_t count, std::int64_t ns) {
  if (ns <= 0) return std::nullopt;
  const int128 scaled = int128{count} * kNsPerSecond * Money::kNanosPerUnit;
  return Money::FromNanos(DivideHalfEven(scaled, ns)).ToString();
}

}  // namespace plimsoll
