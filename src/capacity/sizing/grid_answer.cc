#include "capacity/sizing/grid_answer.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "capacity/sizing/lower_bounds.h"

namespace plimsoll {
namespace {

using Outcomes = std::span<const ReplicationOutcome>;

double Ratio(int128 part, int128 whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

PointAnswer AnswerPoint(const FleetGrid& grid, std::size_t point, const SizingTargets& targets,
                        Outcomes replications) {
  PointAnswer answer;
  answer.point = point;
  answer.gpus = grid.Gpus(point);
  answer.cost_per_month = grid.CostPerMonth(point);
  answer.targets = JudgeTargets(targets, replications);
  for (const TargetResult& result : answer.targets) {
    if (!result.asked()) continue;
    answer.met = answer.met && result.met();
    answer.sure = answer.sure && result.met() && result.is_sure();
    answer.fails = answer.fails || (!result.met() && result.is_sure());
  }
  int128 used = 0, capacity = 0, lost = 0;
  for (const ReplicationOutcome& outcome : replications) {
    used += outcome.used;
    capacity += outcome.capacity;
    lost += outcome.lost;
  }
  PLIMSOLL_CHECK(used <= capacity);
  answer.utilization = Ratio(used, capacity);
  answer.lost = Ratio(lost, used);
  return answer;
}

std::vector<std::optional<double>> SharesOf(Outcomes replications, TargetId id) {
  std::vector<std::optional<double>> shares;
  for (const ReplicationOutcome& outcome : replications) {
    const HitCount hits = HitsOf(outcome, id);
    shares.push_back(hits.count == 0 ? std::nullopt : std::optional(Ratio(hits.hits, hits.count)));
  }
  return shares;
}

// Where a step up the axes does worse.
class StepDown {
 public:
  StepDown(const GridAnswer& answer, const SizingTargets& targets, Outcomes outcomes)
      : answer_(&answer),
        outcomes_(outcomes),
        confidence_(ConfidenceOf(targets)),
        replications_(outcomes.size() / answer.points.size()) {}

  void Find(std::size_t smaller, std::size_t greater, std::vector<NonMonotone>& found) const {
    const PointAnswer& less = answer_->points[smaller];
    const PointAnswer& more = answer_->points[greater];
    for (std::size_t i = 0; i < std::min(less.targets.size(), more.targets.size()); ++i) {
      const TargetResult &before = less.targets[i], &after = more.targets[i];
      if (!before.asked() || after.share.estimate >= before.share.estimate) continue;
      const PairedDifference share = EstimateDifference(
          SharesOf(Of(smaller), before.id), SharesOf(Of(greater), before.id), confidence_);
      const bool turns = before.met() && !after.met();
      if (turns || share.differs()) found.push_back({smaller, greater, before.id, share, turns});
    }
  }

 private:
  Outcomes Of(std::size_t point) const {
    return outcomes_.subspan(point * replications_, replications_);
  }

  const GridAnswer* answer_;
  Outcomes outcomes_;
  double confidence_;
  std::size_t replications_;
};

void CheckBounds(const FleetGrid& grid, const PointAnswer& answer,
                 std::span<const CertainBound> bounds) {
  const std::vector<std::int64_t> units = grid.Units(answer.point);
  for (const CertainBound& bound : bounds) {
    std::int64_t gpus = 0;
    for (const std::size_t axis : bound.axes) gpus += units[axis] * grid.axes()[axis].gpus_per_unit;
    PLIMSOLL_CHECK(!answer.met || gpus >= bound.gpus);
  }
}

void Choose(GridAnswer& answer) {
  answer.by_cost = std::all_of(answer.points.begin(), answer.points.end(),
                               [](const auto& point) { return point.cost_per_month.has_value(); });
  const auto rank = [&](const PointAnswer& point) {
    return std::tuple(answer.by_cost ? *point.cost_per_month : Money(), point.gpus, point.point);
  };
  for (const PointAnswer& point : answer.points) {
    const auto is_better = [&](const std::optional<std::size_t>& best) {
      return !best || rank(point) < rank(answer.points[*best]);
    };
    if (point.met && is_better(answer.best)) answer.best = point.point;
    if (point.sure && is_better(answer.best_sure)) answer.best_sure = point.point;
  }
}

}  // namespace

GridAnswer AnswerGrid(const FleetGrid& grid, const SizingTargets& targets, Outcomes outcomes,
                      std::span<const CertainBound> bounds) {
  PLIMSOLL_CHECK(!outcomes.empty() && outcomes.size() % grid.size() == 0);
  const std::size_t replications = outcomes.size() / grid.size();
  GridAnswer answer;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    answer.points.push_back(
        AnswerPoint(grid, i, targets, outcomes.subspan(i * replications, replications)));
    CheckBounds(grid, answer.points.back(), bounds);
  }
  Choose(answer);
  const StepDown step_down(answer, targets, outcomes);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    for (std::size_t axis = 0; axis < grid.axes().size(); ++axis) {
      if (const auto above = grid.Above(i, axis)) step_down.Find(i, *above, answer.non_monotone);
    }
    if (answer.best && grid.Holds(i, *answer.best)) {
      answer.holds_above = answer.holds_above && answer.points[i].met;
    }
  }
  return answer;
}

std::vector<Demand> CertainDemand(const SizingTargets& targets, std::span<const TrainingJob> jobs,
                                  bool is_interrupted) {
  std::vector<Demand> certain;
  for (const TrainingJob& job : jobs) {
    if (job.pods_min < job.pods) continue;
    const std::optional<std::size_t> at = ClassOf(targets, job);
    std::vector<Demand> one = DemandOf({&job, 1});
    if (targets.deadline_share < kPerBillion) {
      for (Demand& demand : one) demand.due.reset();
    }
    if (at && !is_interrupted && targets.classes[*at].share == kPerBillion) {
      one = DueWithin(std::move(one), *targets.classes[*at].within);
    }
    for (const Demand& demand : one) {
      if (demand.due) certain.push_back(demand);
    }
  }
  return certain;
}

}  // namespace plimsoll
