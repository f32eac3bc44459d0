#include "economics/training_cost.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kBillion = 1'000'000'000;

}  // namespace

Result<Money> CostAt(const TrainingRun& run, Money price) {
  return CostOf(run.allocated, UnitPrice<GpuHours>{price, WholeGpuHours(1)}, Rounding::kHalfEven);
}

Result<Money> CostOfPart(const TrainingRun& run, Money cost, GpuHours part) {
  if (run.allocated <= GpuHours()) return Money();
  return CostOf(part, UnitPrice<GpuHours>{cost, run.allocated}, Rounding::kHalfEven);
}

Result<std::optional<Money>> CostPerBlock(Money cost, std::optional<std::int64_t> count,
                                          std::int64_t block) {
  if (!count || *count <= 0) return std::optional<Money>();
  int128 nanos = 0;
  if (__builtin_mul_overflow(cost.nanos(), int128{block}, &nanos)) {
    return Error{ErrorCode::kOutOfRange, "a cost per unit exceeds 38 digits"};
  }
  return std::optional(Money::FromNanos(DivideHalfEven(nanos, *count)));
}

Result<TrainingUnitCosts> UnitCostsOf(const TrainingRun& run, Money cost) {
  TrainingUnitCosts costs;
  costs.cost = cost;
  PLIMSOLL_TRY(costs.failure_loss, CostOfPart(run, cost, run.FailureLoss()));
  PLIMSOLL_TRY(costs.per_million_samples, CostPerBlock(cost, run.kept.samples, kMillion));
  PLIMSOLL_TRY(costs.per_billion_tokens, CostPerBlock(cost, run.kept.tokens, kBillion));
  return costs;
}

std::optional<std::int64_t> ShareOf(GpuHours part, GpuHours whole) {
  if (whole <= GpuHours()) return std::nullopt;
  return static_cast<std::int64_t>(DivideHalfEven(int128{part.base()} * kBillion, whole.base()));
}

}  // namespace plimsoll
