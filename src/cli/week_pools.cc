#include "cli/week_pools.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "allocation/holding_table.h"
#include "capacity/placement/domain_slots.h"
#include "capacity/placement/idle_split.h"
#include "cli/week_fleet.h"

namespace plimsoll {
namespace {

constexpr std::size_t kGangSizesMax = 6;
constexpr std::int64_t kWholeNode = 8;  // GPUs: a size that is always of interest

// What happens at a moment, in the order in which things of one moment count.
enum class What : unsigned char { kGive, kLeave, kExists, kState, kWait, kHold };

struct Event {
  Instant at;
  What what = What::kExists;
  std::size_t index = 0;  // of the list that it concerns
  bool on = false;
};

// What some waiting jobs need alike: they start where `pods` of `pod_milli` find room.
struct Need {
  std::string cluster;
  std::optional<std::size_t> pool;  // null: any of the cluster
  std::int64_t gpu_milli = 0, pods = 0, pod_milli = 0;
  std::int64_t jobs = 0;  // that wait now
};

class Sweep {
 public:
  Sweep(const OccupancyFacts& facts, const std::vector<WeekJob>& jobs, const Catalog& catalog,
        Window window)
      : facts_(facts), jobs_(jobs), window_(window), fleet_(FleetOf(facts, catalog, window)) {}

  WeekPools Run() {
    AddNodeEvents();
    AddHoldings();
    AddWaits();
    std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      return std::tie(a.at, a.what, a.index) < std::tie(b.at, b.what, b.index);
    });
    for (WeekPool& pool : fleet_.pools) pool.Advance(window_.begin);
    Instant now = window_.begin;
    for (const Event& event : events_) {
      if (event.at >= window_.until) break;
      if (event.at > now) Pass(now, event.at);
      now = event.at;
      Apply(event);
    }
    Pass(now, window_.until);
    return Finish();
  }

 private:
  struct State {
    PoolNode at;
    std::size_t row = 0;
  };
  struct Held {
    PoolNode at;
    std::size_t row = 0;
    WeekPool::Share share;
  };

  // What began before the week is there when it begins.
  void Add(Instant at, What what, std::size_t index, bool on) {
    events_.push_back({std::max(at, window_.begin), what, index, on});
  }

  void AddNodeEvents() {
    for (std::size_t i = 0; i < fleet_.existence.size(); ++i) {
      const Window life = Intersect(fleet_.existence[i].second, window_);
      if (life.empty()) continue;
      Add(life.begin, What::kExists, i, true);
      Add(life.until, What::kLeave, i, false);
    }
    const NodeStateBatch& states = facts_.conditions.states;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < RowsOf(states); ++row) {
      if (fleet_.Find(states.cluster[row], states.node[row]) != nullptr) rows.push_back(row);
    }
    // Of two sightings of one moment the worse counts: the lesser word and number, last.
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(states.since[a], states.value[b].text(), states.gpus[b], a) <
             std::tuple(states.since[b], states.value[a].text(), states.gpus[a], b);
    });
    for (const std::size_t row : rows) {
      Add(states.since[row], What::kState, states_.size(), true);
      states_.push_back({*fleet_.Find(states.cluster[row], states.node[row]), row});
    }
  }

  void AddHoldings() {
    const HoldingBatch& held = facts_.holdings;
    for (const std::size_t row : UniqueHoldings(held, window_.until)) {
      const PoolNode* const at = fleet_.Find(held.cluster[row], held.node[row]);
      const Window time =
          Intersect({held.begin[row], held.until[row].value_or(window_.until)}, window_);
      if (at == nullptr || time.empty() || held.role[row].text() == "placeholder") continue;
      Add(time.begin, What::kHold, held_.size(), true);
      Add(time.until, What::kGive, held_.size(), false);
      held_.push_back({*at, row, {}});
    }
  }

  std::optional<std::size_t> PoolOf(const WeekJob& job) const {
    if (job.node.empty()) return std::nullopt;
    const PoolNode* const at = fleet_.Find(Symbol(job.cluster), Symbol(job.node));
    return at == nullptr ? std::nullopt : std::optional(at->pool);
  }

  void AddWaits() {
    std::map<std::tuple<std::string, std::optional<std::size_t>, std::int64_t, std::int64_t,
                        std::int64_t>,
             std::size_t>
        ids;
    need_of_.resize(jobs_.size());
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const WeekJob& job = jobs_[i];
      const std::optional<std::size_t> pool = PoolOf(job);
      const auto [at, is_new] = ids.emplace(
          std::tuple(job.cluster, pool, job.gpu_milli, job.pods, job.pod_milli), needs_.size());
      if (is_new) {
        needs_.push_back({job.cluster, pool, job.gpu_milli, job.pods, job.pod_milli, 0});
      }
      need_of_[i] = at->second;
      const Window wait = job.WaitIn(window_);
      if (wait.empty()) continue;
      Add(wait.begin, What::kWait, i, true);
      if (!job.WaitsAt(window_.until)) Add(wait.until, What::kGive, held_.size() + i, false);
    }
  }

  void ApplyState(const State& state) {
    const NodeStateBatch& states = facts_.conditions.states;
    WeekPool& pool = fleet_.pools[state.at.pool];
    const std::string& aspect = states.aspect[state.row].text();
    const std::string& value = states.value[state.row].text();
    if (aspect == "gpus") {
      const std::int64_t gpus = pool.cluster().node(state.at.node).gpus;
      pool.SetFailed(state.at.node, std::max<std::int64_t>(0, gpus - states.gpus[state.row]));
    } else if (aspect == "health" || aspect == "schedulable") {
      std::set<std::string>& ills = ills_[{state.at.pool, state.at.node}];
      if (value == "ok" || value == "yes") {
        ills.erase(aspect);
      } else {
        ills.insert(aspect);
      }
      pool.SetWell(state.at.node, ills.empty());
    }
  }

  void Apply(const Event& event) {
    switch (event.what) {
      case What::kGive:
        if (event.index >= held_.size()) {
          const std::size_t job = event.index - held_.size();
          needs_[need_of_[job]].jobs -= jobs_[job].count;
        } else {
          Held& held = held_[event.index];
          fleet_.pools[held.at.pool].Give(held.at.node, held.share);
          held.share = {};
        }
        break;
      case What::kExists:
      case What::kLeave: {
        const PoolNode at = fleet_.existence[event.index].first;
        fleet_.pools[at.pool].SetExists(at.node, event.on);
        break;
      }
      case What::kState:
        ApplyState(states_[event.index]);
        break;
      case What::kWait:
        needs_[need_of_[event.index]].jobs += jobs_[event.index].count;
        break;
      case What::kHold: {
        Held& held = held_[event.index];
        const bool is_whole =
            fleet_.pools[held.at.pool].Hold(held.at.node, facts_.holdings, held.row, held.share);
        overbooked_ += is_whole ? 0 : 1;
        break;
      }
    }
  }

  // The pools that the need may use.
  bool MayUse(const Need& need, std::size_t pool) const {
    return need.pool ? *need.pool == pool : fleet_.pools[pool].cluster_name() == need.cluster;
  }

  WaitCause CauseOf(const Need& need) const {
    if (need.pod_milli == 0) return WaitCause::kUnknown;
    WaitCause cause = WaitCause::kTooFewIdle;
    for (std::size_t i = 0; i < fleet_.pools.size(); ++i) {
      if (!MayUse(need, i) || fleet_.pools[i].idle_milli() < need.gpu_milli) continue;
      if (fleet_.pools[i].Slots(need.pod_milli, need.pods) >= need.pods) {
        return WaitCause::kRoomEnough;
      }
      cause = WaitCause::kScattered;
    }
    return cause;
  }

  // Nothing changes from `now` to `next`.
  void Pass(Instant now, Instant next) {
    for (WeekPool& pool : fleet_.pools) pool.Advance(next);
    const std::int64_t length = Between(now, next).base();
    for (const Need& need : needs_) {
      if (need.jobs == 0) continue;
      waited_[need.cluster][static_cast<std::size_t>(CauseOf(need))] +=
          int128{need.gpu_milli} * need.jobs * length;
    }
  }

  WeekPools Finish() {
    WeekPools week;
    week.overbooked = overbooked_;
    for (const auto& [cluster, parts] : waited_) {
      CausesOfCluster& causes = week.causes.emplace_back();
      causes.cluster = cluster;
      for (std::size_t i = 0; i < kWaitCauses; ++i) {
        causes.waited[i] = GpuMillis(static_cast<std::int64_t>(parts[i] / kMilliPerGpu));
      }
    }
    for (std::size_t i = 0; i < fleet_.pools.size(); ++i) {
      const PoolWeek& pool = week.pools.emplace_back(DescribePool(i));
      AddUnfit(i, pool.idle_milli, week.unfit);
    }
    return week;
  }

  PoolWeek DescribePool(std::size_t index) const {
    const WeekPool& pool = fleet_.pools[index];
    PoolWeek week;
    week.cluster = pool.cluster_name();
    week.gpu_model = pool.gpu_model();
    week.is_mig = pool.is_mig();
    week.nodes = pool.nodes();
    week.gpus = pool.gpus();
    week.idle_milli = pool.idle_milli();
    week.down_milli = pool.down_milli();
    week.idle_mean_milli = pool.idle_mean_milli(window_);
    week.unusable_ppb = pool.unusable_ppb();
    week.unusable_mean_ppb = pool.unusable_mean_ppb();
    if (pool.is_mig()) return week;
    if (pool.measure()) AddSplit(pool, week);
    AddLargest(pool.cluster(), week);
    AddGangs(index, week);
    return week;
  }

  // Of the nodes that are up: what is free on others is no idle GPU.
  static void AddSplit(const WeekPool& pool, PoolWeek& week) {
    const std::vector<TypicalPod>& pods = pool.measure()->typical().pods;
    const auto most = std::max_element(pods.begin(), pods.end(), [](const auto& a, const auto& b) {
      return std::tuple(GpuMilli(a.shape), a.count) < std::tuple(GpuMilli(b.shape), b.count);
    });
    const IdleSplit split = SplitIdle(pool.cluster(), most->shape);
    week.pod_gpus = most->shape.gpus;
    week.pod_cpu_milli = most->shape.cpu_milli;
    week.fractional_milli = split.fractional;
    week.stranded_milli = split.stranded;
    week.lacks_cpu_milli = split.lacks_cpu;
    week.usable_milli = split.usable;
  }

  static void AddLargest(const Cluster& cluster, PoolWeek& week) {
    std::int64_t most = 0;
    for (NodeId id = 0; id < cluster.size(); ++id) {
      if (cluster.free(id).up) most = std::max<std::int64_t>(most, cluster.free(id).whole_gpus);
    }
    week.largest.push_back({"node", most});
    PodShape one;
    one.gpus = 1;
    const std::vector<std::string>& levels = cluster.tree().levels();
    for (std::size_t level = levels.size(); level-- > 0;) {
      const GangRoom room = GangRoomOf(cluster, {one, 1, static_cast<std::uint32_t>(level)});
      week.largest.push_back({levels[level], room.largest_pods});
    }
  }

  // The gangs to ask for: of eight GPUs, and of the sizes of jobs that the pool runs or that wait.
  std::map<std::int64_t, GangAsk> AsksOf(std::size_t index, std::int64_t gpus) const {
    const Cluster& cluster = fleet_.pools[index].cluster();
    std::int32_t node_gpus = 1;
    for (NodeId id = 0; id < cluster.size(); ++id) {
      node_gpus = std::max(node_gpus, cluster.node(id).gpus);
    }
    std::map<std::int64_t, GangAsk> asks;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> seen;
    const auto add = [&](std::int64_t size, std::int64_t pods, std::int64_t cpu_milli) {
      PodShape shape;
      shape.gpus = static_cast<std::int32_t>(size / pods);
      shape.cpu_milli = cpu_milli;
      if (size <= gpus && shape.gpus <= kGpusPerNodeMax) {
        asks.emplace(size, GangAsk{shape, static_cast<std::int32_t>(pods), 0});
      }
    };
    for (const WeekJob& job : jobs_) {
      const std::optional<std::size_t> pool = PoolOf(job);
      const bool is_here =
          pool ? *pool == index : job.cluster == fleet_.pools[index].cluster_name();
      const std::int64_t size = job.gpu_milli / kMilliPerGpu;
      const bool is_even = job.pod_milli * job.pods == job.gpu_milli && size % job.pods == 0;
      if (is_here && is_even && size >= kWholeNode) {
        seen[{size, job.pods, job.pod_cpu_milli}] += job.count;
      }
    }
    // Of a size the shape that most jobs have.
    std::vector<std::pair<std::int64_t, std::tuple<std::int64_t, std::int64_t, std::int64_t>>>
        by_count;
    for (const auto& [shape, count] : seen) by_count.emplace_back(-count, shape);
    std::sort(by_count.begin(), by_count.end());
    for (const auto& [count, shape] : by_count) {
      add(std::get<0>(shape), std::get<1>(shape), std::get<2>(shape));
    }
    if (node_gpus >= kWholeNode) add(kWholeNode, 1, 0);
    while (asks.size() > kGangSizesMax) asks.erase(std::prev(asks.end(), 2));
    return asks;
  }

  void AddGangs(std::size_t index, PoolWeek& week) const {
    const Cluster& cluster = fleet_.pools[index].cluster();
    for (auto& [size, ask] : AsksOf(index, week.gpus)) {
      GangsOfSize gangs{size, ask.pods, week.idle_milli / kMilliPerGpu / size, 0, "", 0};
      std::int64_t slots = 0;
      for (NodeId id = 0; id < cluster.size(); ++id) slots += cluster.Slots(id, ask.shape);
      gangs.on_nodes = slots / ask.pods;
      const std::vector<std::string>& levels = cluster.tree().levels();
      if (levels.empty()) week.gangs.push_back(gangs);
      for (std::size_t level = levels.size(); level-- > 0;) {
        gangs.level = levels[level];
        gangs.in_domain =
            GangRoomOf(cluster, {ask.shape, ask.pods, static_cast<std::uint32_t>(level)}).in_domain;
        week.gangs.push_back(gangs);
      }
    }
  }

  void AddUnfit(std::size_t index, std::int64_t idle_milli, std::vector<UnfitJobs>& unfit) const {
    const WeekPool& pool = fleet_.pools[index];
    for (const Need& need : needs_) {
      if (need.jobs == 0 || !MayUse(need, index) || idle_milli < need.gpu_milli) continue;
      if (CauseOf(need) != WaitCause::kScattered) continue;
      unfit.push_back({pool.cluster_name(), pool.gpu_model(), need.jobs,
                       (need.gpu_milli + kMilliPerGpu - 1) / kMilliPerGpu, need.pods, idle_milli,
                       pool.Slots(need.pod_milli, need.pods)});
    }
  }

  const OccupancyFacts& facts_;
  const std::vector<WeekJob>& jobs_;
  Window window_;
  WeekFleet fleet_;
  std::vector<Event> events_;
  std::vector<State> states_;
  std::vector<Held> held_;
  std::vector<Need> needs_;
  std::vector<std::size_t> need_of_;  // of each job
  std::map<std::pair<std::size_t, NodeId>, std::set<std::string>> ills_;
  std::map<std::string, std::array<int128, kWaitCauses>> waited_;
  std::int64_t overbooked_ = 0;
};

}  // namespace

WeekPools WeekPoolsOf(const OccupancyFacts& facts, const std::vector<WeekJob>& jobs,
                      const Catalog& catalog, Window window) {
  return Sweep(facts, jobs, catalog, window).Run();
}

}  // namespace plimsoll
