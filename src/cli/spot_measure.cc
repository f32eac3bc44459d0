#include "cli/spot_measure.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "catalog/provider.h"
#include "cli/training_runs.h"
#include "economics/eviction_loss.h"
#include "ledger/run_costs.h"
#include "ledger/spot_facts.h"
#include "purchase/spot/eviction_rate.h"

namespace plimsoll {
namespace {

using NodeKey = std::pair<std::string, std::string>;  // cluster, node

// What says which runs are which: their names and what joins them to holdings.
Result<RunBatch> ReadRuns(Store& store) {
  return Query<RunBatch>(store,
                         "SELECT snapshot_id, run, source, experiment, name, model, cluster, "
                         "namespace, workload, pod, job, labels FROM active_run");
}

std::vector<Window> Cut(const std::vector<Window>& held, Window window) {
  std::vector<Window> parts;
  for (const Window& one : held) {
    const Window part = Intersect(one, window);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

class LossGatherer {
 public:
  LossGatherer(Ledger& ledger, Window window, SpotFacts& facts)
      : ledger_(ledger), window_(window), facts_(facts) {
    for (std::size_t i = 0; i < facts.nodes.size(); ++i) {
      index_[{facts.nodes[i].cluster, facts.nodes[i].node}] = i;
    }
  }

  // Of the runs, what evictions of the nodes that they were on lost.
  Status AddRuns(const std::vector<PricedRun>& runs, const RunBatch& batch) {
    std::map<std::pair<std::string, std::string>, std::size_t> row_of;
    for (std::size_t i = 0; i < RowsOf(batch); ++i) {
      row_of[{batch.run[i], batch.source[i].text()}] = i;
    }
    std::vector<const PricedRun*> known;
    std::vector<RunHeld> held;
    for (const PricedRun& run : runs) {
      const auto row = row_of.find({run.run, run.source});
      std::vector<Window> all;
      for (const TimePiece& piece : run.account.pieces) all.push_back(piece.held);
      all = Cut(all, window_);
      if (row == row_of.end() || all.empty() || !run.has_gpu_time) continue;
      held.push_back({row->second, std::move(all)});
      known.push_back(&run);
    }
    PLIMSOLL_TRY(const std::vector<RunCost> costs, RunCosts(ledger_, batch, held));
    std::vector<RunHeld> recomputation, restart;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      logged_.insert(costs[i].holding_ids.begin(), costs[i].holding_ids.end());
      const std::vector<Instant> taken = TakenOf(costs[i]);
      if (taken.empty()) continue;
      const EvictionLoss loss = LostToEvictions(known[i]->account, taken);
      recomputation.push_back({held[i].run, Cut(loss.recomputation, window_)});
      restart.push_back({held[i].run, Cut(loss.restart, window_)});
    }
    PLIMSOLL_RETURN_IF_ERROR(Lose(batch, recomputation, &SpotLoss::recomputation));
    return Lose(batch, restart, &SpotLoss::restart);
  }

  // What work without a log had done on nodes that were taken.
  void AddUnlogged() {
    for (const CutOffWork& work : facts_.cut_off) {
      if (logged_.contains(work.uid)) continue;
      facts_.nodes[index_.at({work.cluster, work.node})].unlogged += work.held;
    }
  }

 private:
  std::vector<Instant> TakenOf(const RunCost& cost) const {
    std::vector<Instant> taken;
    for (const auto& [place, time] : cost.places) {
      const auto found = index_.find({place.cluster, place.node});
      if (found == index_.end() || !facts_.nodes[found->second].taken) continue;
      taken.push_back(*facts_.nodes[found->second].taken);
    }
    return taken;
  }

  Status Lose(const RunBatch& batch, const std::vector<RunHeld>& held, GpuHours SpotLoss::*part) {
    PLIMSOLL_TRY(const std::vector<RunCost> costs, RunCosts(ledger_, batch, held));
    for (const RunCost& cost : costs) {
      for (const auto& [place, time] : cost.places) {
        const auto found = index_.find({place.cluster, place.node});
        if (found != index_.end()) facts_.nodes[found->second].lost[place.team].*part += time;
      }
    }
    return Ok();
  }

  Ledger& ledger_;
  Window window_;
  SpotFacts& facts_;
  std::map<NodeKey, std::size_t> index_;
  std::set<std::string> logged_;  // uids of holdings that a run log tells of
};

std::string MainCurrency(const std::vector<SpotNode>& nodes) {
  std::map<std::string, Money> sums;
  for (const SpotNode& node : nodes) sums[node.currency] += node.effective;
  std::string best;
  for (const auto& [currency, sum] : sums) {
    if (best.empty() || sum > sums[best]) best = currency;
  }
  return best;
}

void SetRate(SpotSums& sums) {
  const auto rate = EvictionRateOf(sums.evictions, sums.time);
  if (rate) sums.rate = SpotRate{rate->rate, rate->low, rate->high};
}

Result<bool> HasRuns(Store& store) {
  PLIMSOLL_TRY(const RunBatch runs, ReadRuns(store));
  return RowsOf(runs) > 0;
}

}  // namespace

Result<std::optional<SpotSaving>> MeasureSpot(Context& context, Ledger& ledger, Window window) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  PLIMSOLL_TRY(SpotFacts facts, ReadSpotFacts(ledger, window));
  if (facts.nodes.empty()) return std::optional<SpotSaving>();
  LossGatherer gatherer(ledger, window, facts);
  PLIMSOLL_TRY(const bool has_runs, HasRuns(ledger.store()));
  if (has_runs) {
    TrainingQuestion question;
    question.with_ledger = true;
    PLIMSOLL_TRY(const std::vector<PricedRun> runs, AnswerTraining(context, question));
    PLIMSOLL_TRY(const RunBatch batch, ReadRuns(ledger.store()));
    PLIMSOLL_RETURN_IF_ERROR(gatherer.AddRuns(runs, batch));
  }
  gatherer.AddUnlogged();
  const std::string currency = MainCurrency(facts.nodes);
  PLIMSOLL_TRY(std::vector<SpotDeclared> declared,
               DeclaredSpotCosts(ledger, window, currency, config->spot_costs));
  PLIMSOLL_TRY(SpotSaving saving,
               SavingOf(window, currency, std::move(facts.nodes), std::move(declared)));
  SetRate(saving.all);
  for (SpotSums& flavor : saving.flavors) SetRate(flavor);
  return std::optional(std::move(saving));
}

std::string LifetimesCsv(const SpotSaving& saving, Instant as_of, std::int64_t& left_out) {
  std::string csv = "cloud,zone,sku,start,end,preempted,lifetime_seconds,evicted\n";
  left_out = 0;
  const Instant last_seen = std::min(as_of, saving.window.until);
  for (const SpotNode& node : saving.nodes) {
    // What happened after the window is not looked at.
    const Instant end = node.taken.value_or(std::min(node.until.value_or(last_seen), last_seen));
    if (!node.begin || end <= *node.begin) {
      ++left_out;
      continue;
    }
    const std::int64_t seconds = (Between(*node.begin, end).base() + 500) / 1'000;
    const char* const taken = node.taken ? "1" : "0";
    csv += CanonicalProvider(node.provider) + "," + node.zone + "," + node.instance_type + "," +
           ToString(*node.begin) + "," + ToString(end) + "," + taken + "," +
           std::to_string(seconds) + "," + taken + "\n";
  }
  return csv;
}

}  // namespace plimsoll
