#include "economics/training_cost.h"

#include <algorithm>
#include <numeric>

#include "economics/reliability.h"

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

std::optional<std::int64_t> ExpectedEttr(const TrainingRun& run) {
  const auto failures = static_cast<std::int64_t>(run.failures.size());
  const std::int64_t saves = run.durable_checkpoints;
  const Duration restart = run.held_for(TimeCause::kRestart);
  const Duration held = std::accumulate(run.held.begin(), run.held.end(), Duration());
  const Duration steps =
      run.held_for(TimeCause::kEffective) + run.held_for(TimeCause::kRecomputation);
  if (failures == 0 || saves == 0) return std::nullopt;
  const auto mean = [](Duration sum, std::int64_t count) {
    return Millis(static_cast<std::int64_t>(DivideHalfEven(sum.base(), count)));
  };
  FailureModel model;
  model.mttf = mean(held - restart, failures);
  model.interval = mean(steps, saves);
  model.save = mean(run.held_for(TimeCause::kCheckpoint), saves);
  model.restart = mean(restart, failures);
  if (model.mttf <= Duration() || model.interval <= Duration()) return std::nullopt;
  return RenewalEttr(model);
}

}  // namespace plimsoll
