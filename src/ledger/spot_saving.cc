#include "ledger/spot_saving.h"

#include <algorithm>
#include <set>
#include <utility>

#include "units/split.h"

namespace plimsoll {
namespace {

Error TooLarge() { return {ErrorCode::kOutOfRange, "the saving of a spot node exceeds 38 digits"}; }

struct NodeMoney {
  Money recomputation, restart;
};

SpotLoss LossOf(const SpotNode& node) {
  SpotLoss sum;
  for (const auto& [team, loss] : node.lost) {
    sum.recomputation += loss.recomputation;
    sum.restart += loss.restart;
  }
  return sum;
}

void Add(const SpotNode& node, const NodeMoney& lost, SpotSums& sums) {
  ++sums.nodes;
  sums.evictions += node.taken ? 1 : 0;
  sums.time += node.seen;
  sums.gpu_time += node.gpu_time;
  sums.effective += node.effective;
  if (node.list) {
    sums.known_effective += node.effective;
    sums.list += *node.list;
  }
  sums.recomputation += lost.recomputation;
  sums.restart += lost.restart;
  sums.has_unlogged = sums.has_unlogged || node.unlogged != GpuHours();
}

// Divides amounts of a node among teams; what has no weight is nobody's.
class TeamSplit {
 public:
  explicit TeamSplit(std::map<std::string, SpotSums>& teams) : teams_(teams) {}

  Status Add(const SpotNode& node, const NodeMoney& lost) {
    std::map<std::string, std::int64_t> time, recomputation, restart;
    for (const auto& [team, held] : node.team_time) {
      time[team] = held.base();
      ++teams_[team].nodes;
      teams_[team].gpu_time += held;
      const bool is_logged = node.unlogged == GpuHours() || node.lost.contains(team);
      if (!team.empty() && !is_logged) teams_[team].has_unlogged = true;
    }
    for (const auto& [team, loss] : node.lost) {
      recomputation[team] = loss.recomputation.base();
      restart[team] = loss.restart.base();
    }
    PLIMSOLL_RETURN_IF_ERROR(Split(node.effective, time, &SpotSums::effective));
    if (node.list) {
      PLIMSOLL_RETURN_IF_ERROR(Split(node.effective, time, &SpotSums::known_effective));
      PLIMSOLL_RETURN_IF_ERROR(Split(*node.list, time, &SpotSums::list));
    }
    PLIMSOLL_RETURN_IF_ERROR(Split(lost.recomputation, recomputation, &SpotSums::recomputation));
    return Split(lost.restart, restart, &SpotSums::restart);
  }

 private:
  Status Split(Money amount, const std::map<std::string, std::int64_t>& by, Money SpotSums::*sum) {
    if (amount == Money()) return Ok();
    std::vector<std::int64_t> weights;
    for (const auto& [team, weight] : by) weights.push_back(weight);
    if (std::all_of(weights.begin(), weights.end(), [](std::int64_t w) { return w == 0; })) {
      teams_[""].*sum += amount;
      return Ok();
    }
    PLIMSOLL_TRY(const std::vector<Money> parts, SplitByWeight(amount, weights));
    std::size_t i = 0;
    for (const auto& [team, weight] : by) teams_[team].*sum += parts[i++];
    return Ok();
  }

  std::map<std::string, SpotSums>& teams_;
};

std::vector<SpotSums> ByGross(std::vector<SpotSums> rows) {
  std::sort(rows.begin(), rows.end(), [](const SpotSums& a, const SpotSums& b) {
    return a.gross() != b.gross() ? a.gross() > b.gross() : a.keys < b.keys;
  });
  return rows;
}

// Part of the gross saving that is on idle time.
Result<Money> IdleGross(const SpotNode& node) {
  if (!node.list || node.gpu_time <= GpuHours()) return Money();
  const UnitPrice<GpuHours> price{*node.list - node.effective, node.gpu_time};
  return CostOf(node.idle_time, price, Rounding::kHalfEven);
}

}  // namespace

Money SpotSaving::declared_sum() const {
  Money sum;
  for (const SpotDeclared& one : declared) sum += one.amount;
  return sum;
}

Result<Money> AtList(const SpotNode& node, GpuHours lost) {
  if (!node.list || node.gpu_time <= GpuHours()) return Money();
  const Result<Money> cost =
      CostOf(lost, UnitPrice<GpuHours>{*node.list, node.gpu_time}, Rounding::kHalfEven);
  return cost ? cost : Result<Money>(TooLarge());
}

Result<SpotSaving> SavingOf(Window window, const std::string& currency, std::vector<SpotNode> nodes,
                            std::vector<SpotDeclared> declared) {
  SpotSaving saving;
  saving.window = window;
  saving.currency = currency;
  saving.declared = std::move(declared);
  std::map<std::vector<std::string>, SpotSums> flavors;
  std::map<std::string, SpotSums> teams;
  TeamSplit split(teams);
  std::set<std::string> others;
  for (SpotNode& node : nodes) {
    if (node.currency != currency) {
      others.insert(node.currency);
      continue;
    }
    const SpotLoss loss = LossOf(node);
    NodeMoney lost;
    PLIMSOLL_TRY(lost.recomputation, AtList(node, loss.recomputation));
    PLIMSOLL_TRY(lost.restart, AtList(node, loss.restart));
    Add(node, lost, saving.all);
    Add(node, lost, flavors[{node.instance_type, node.gpu_model, node.zone}]);
    PLIMSOLL_RETURN_IF_ERROR(split.Add(node, lost));
    PLIMSOLL_TRY(const Money unlogged, AtList(node, node.unlogged));
    PLIMSOLL_TRY(const Money idle, IdleGross(node));
    saving.unlogged_at_most += unlogged;
    saving.idle_gross += idle;
    saving.evictions_unlogged += node.unlogged == GpuHours() ? 0 : 1;
    saving.nodes_unknown += node.list ? 0 : 1;
    saving.nodes_priced += node.list && node.is_list_priced ? 1 : 0;
    saving.lost_recomputation += loss.recomputation;
    saving.lost_restart += loss.restart;
    saving.nodes.push_back(std::move(node));
  }
  std::vector<SpotSums> flavor_rows, team_rows;
  for (auto& [keys, sums] : flavors) {
    sums.keys = keys;
    flavor_rows.push_back(std::move(sums));
  }
  for (auto& [team, sums] : teams) {
    sums.keys = {team};
    team_rows.push_back(std::move(sums));
  }
  saving.flavors = ByGross(std::move(flavor_rows));
  saving.teams = ByGross(std::move(team_rows));
  saving.other_currencies.assign(others.begin(), others.end());
  return saving;
}

}  // namespace plimsoll
