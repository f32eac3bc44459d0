#include "ledger/run_costs.h"

#include <algorithm>
#include <array>
#include <compare>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "allocation/attribute.h"
#include "allocation/holding_table.h"
#include "ledger/facts.h"
#include "ledger/fields.h"
#include "ledger/query.h"
#include "units/split.h"

namespace plimsoll {
namespace {

constexpr const char* kRunLabel = "plimsoll.io/run";

// Parts of a GPU that every share is a whole number of: sevenths to sixteenths, hundredths.
constexpr std::int64_t kParts = 3'603'600;
constexpr std::size_t kNamesAQuery = 1'000;

using WorkloadKey = std::tuple<std::string, std::string, std::string, std::string>;

WorkloadKey KeyOf(const HoldingBatch& holdings, std::size_t row) {
  return {holdings.cluster[row].text(), holdings.ns[row].text(), holdings.workload_kind[row],
          holdings.workload[row]};
}

// A workload on a node (or "" off every node) in one hour.
struct Place {
  Instant hour;
  std::string node;
  WorkloadKey workload;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// Held time: by GPU parts, and by time alone.
struct Weight {
  int128 gpu = 0;  // GPU-milliseconds x kParts
  int128 time = 0;

  Weight& operator+=(const Weight& other) {
    gpu += other.gpu;
    time += other.time;
    return *this;
  }
};

struct PlaceWeights {
  std::map<std::size_t, Weight> runs;  // by index of `held`
  Weight all;                          // of every holding of the workload
};

std::vector<Window> Union(std::vector<Window> windows) {
  std::erase_if(windows, [](const Window& window) { return window.empty(); });
  std::sort(windows.begin(), windows.end());
  std::vector<Window> merged;
  for (const Window& window : windows) {
    if (merged.empty() || merged.back().until < window.begin) {
      merged.push_back(window);
    } else {
      merged.back().until = std::max(merged.back().until, window.until);
    }
  }
  return merged;
}

// "900010" of "900010+1", a component of a heterogeneous job.
std::string_view JobOf(std::string_view name) { return name.substr(0, name.find('+')); }

std::string LabelledRun(const std::string& labels) {
  if (labels.find("plimsoll") == std::string::npos) return "";
  const auto normal = NormalizedLabels(labels);
  const auto found = normal.find(NormalizedLabelKey(kRunLabel));
  return found == normal.end() ? "" : found->second;
}

bool Agree(std::string_view a, std::string_view b) { return a.empty() || b.empty() || a == b; }

// The rows of holdings by what a run may state of them.
class HoldingIndex {
 public:
  HoldingIndex(const HoldingBatch& holdings, const std::vector<std::size_t>& rows)
      : holdings_(holdings) {
    for (const std::size_t row : rows) {
      const std::string label = LabelledRun(holdings.labels[row]);
      if (!label.empty()) by_run_[label].push_back(row);
      if (holdings.source[row] == "slurm") {
        by_job_[std::string(JobOf(holdings.name[row]))].push_back(row);
      } else {
        by_pod_[holdings.name[row]].push_back(row);
        by_workload_[holdings.workload[row]].push_back(row);
      }
    }
  }

  std::vector<std::size_t> RowsOf(const RunBatch& runs, std::size_t run) const {
    const auto labelled = by_run_.find(runs.run[run]);
    if (labelled != by_run_.end()) return labelled->second;
    if (!runs.job[run].empty()) {
      return Here(by_job_, std::string(JobOf(runs.job[run])), runs, run);
    }
    if (!runs.workload[run].empty()) return Here(by_workload_, runs.workload[run], runs, run);
    if (!runs.pod[run].empty()) return Here(by_pod_, runs.pod[run], runs, run);
    return {};
  }

 private:
  using Index = std::map<std::string, std::vector<std::size_t>>;

  std::vector<std::size_t> Here(const Index& index, const std::string& name, const RunBatch& runs,
                                std::size_t run) const {
    std::vector<std::size_t> here;
    const auto found = index.find(name);
    if (found == index.end()) return here;
    for (const std::size_t row : found->second) {
      if (Agree(runs.cluster[run], holdings_.cluster[row]) &&
          Agree(runs.ns[run], holdings_.ns[row])) {
        here.push_back(row);
      }
    }
    return here;
  }

  const HoldingBatch& holdings_;
  Index by_run_, by_job_, by_workload_, by_pod_;
};

// Cost lines added up over classes.
struct LineRows {
  std::vector<Instant> hour;
  std::vector<std::string> node, cluster, ns, kind, workload, currency, team;
  std::vector<GpuHours> gpu_time;
  std::array<std::vector<MoneyTotal>, kCostKindCount> cost;

  BatchRef Refs() {
    BatchRef refs{
        {"hour", ColumnType::kInstant, &hour},         {"node", ColumnType::kText, &node},
        {"cluster", ColumnType::kText, &cluster},      {"namespace", ColumnType::kText, &ns},
        {"workload_kind", ColumnType::kText, &kind},   {"workload", ColumnType::kText, &workload},
        {"currency", ColumnType::kText, &currency},    {"team", ColumnType::kText, &team},
        {"gpu_time", ColumnType::kGpuHours, &gpu_time}};
    for (std::size_t k = 0; k < kCostKindCount; ++k) {
      refs.push_back({kCostKindNames[k], ColumnType::kMoneyTotal, &cost[k]});
    }
    return refs;
  }
  Place PlaceOf(std::size_t row) const {
    return {hour[row], node[row], {cluster[row], ns[row], kind[row], workload[row]}};
  }
  Money CostOf(std::size_t row) const {
    Money sum;
    for (const auto& of_kind : cost) sum += of_kind[row].value;
    return sum;
  }
};

std::string LinesSql(std::size_t names) {
  std::string sql =
      "SELECT l.hour, coalesce(n.node, ''), w.cluster, w.namespace, w.workload_kind, w.workload, "
      "s.currency, max(w.team), sum(l.gpu_time)::BIGINT";
  for (const char* kind : kCostKindNames) sql += std::string(", sum(l.") + kind + ")";
  sql += kLedgerFrom;
  sql += "WHERE l.hour >= ? AND l.hour < ? AND w.workload IN (";
  for (std::size_t i = 0; i < names; ++i) sql += i == 0 ? "?" : ", ?";
  return sql + ") GROUP BY ALL ORDER BY ALL";
}

class Joiner {
 public:
  Joiner(const RunBatch& runs, std::span<const RunHeld> held, HoldingBatch holdings,
         Instant data_until)
      : runs_(runs), held_(held), holdings_(std::move(holdings)), data_until_(data_until) {}

  std::vector<RunCost> Join() {
    const std::vector<std::size_t> unique = UniqueHoldings(holdings_, data_until_);
    const HoldingIndex index(holdings_, unique);
    std::vector<RunCost> costs(held_.size());
    std::set<WorkloadKey> workloads;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const std::vector<Window> held = Union(held_[i].held);
      for (const std::size_t row : index.RowsOf(runs_, held_[i].run)) {
        bool joins = false;
        for (const Window& window : held) joins = Hold(row, window, i) || joins;
        if (!joins) continue;
        ++costs[i].holdings;
        costs[i].holding_ids.insert(holdings_.uid[row]);
        workloads.insert(KeyOf(holdings_, row));
      }
    }
    for (const std::size_t row : unique) {
      if (workloads.contains(KeyOf(holdings_, row))) Hold(row, TimeOf(row), std::nullopt);
    }
    return costs;
  }

  std::vector<std::string> WorkloadNames() const {
    std::set<std::string> names;
    for (const auto& [place, weights] : places_) names.insert(std::get<3>(place.workload));
    return {names.begin(), names.end()};
  }

  // Gives the runs of its place their parts of a line.
  Status Divide(const LineRows& lines, std::size_t row, std::vector<RunCost>& costs) const {
    const auto found = places_.find(lines.PlaceOf(row));
    if (found == places_.end() || found->second.runs.empty()) return Ok();
    const PlaceWeights& place = found->second;
    const bool by_gpu = place.all.gpu > 0;
    std::vector<std::size_t> takers;
    std::vector<int128> weights;
    int128 rest = by_gpu ? place.all.gpu : place.all.time;
    for (const auto& [run, weight] : place.runs) {
      takers.push_back(run);
      weights.push_back(by_gpu ? weight.gpu : weight.time);
      rest -= weights.back();
    }
    weights.push_back(std::max(int128{0}, rest));  // no run's; two runs at once leave nothing
    if (std::all_of(weights.begin(), weights.end(), [](int128 w) { return w == 0; })) return Ok();
    std::vector<int128> cost(weights.size()), time(weights.size());
    if (!SplitInto(lines.CostOf(row).nanos(), weights, cost) ||
        !SplitInto(int128{lines.gpu_time[row].base()}, weights, time)) {
      return Error{ErrorCode::kOutOfRange, "the cost of a run in an hour exceeds 38 digits"};
    }
    for (std::size_t i = 0; i < takers.size(); ++i) {
      if (weights[i] == 0) continue;
      costs[takers[i]].cost[lines.currency[row]] += Money::FromNanos(cost[i]);
      const GpuHours part = GpuMillis(static_cast<std::int64_t>(time[i]));
      if (part == GpuHours()) continue;
      costs[takers[i]].gpu_time += part;
      costs[takers[i]].places[{lines.cluster[row], lines.node[row], lines.team[row]}] += part;
    }
    return Ok();
  }

 private:
  Window TimeOf(std::size_t row) const {
    return {holdings_.begin[row], holdings_.until[row].value_or(data_until_)};
  }

  // Adds what holding `row` held of `window`, to `run` or to all. True if that is any time.
  bool Hold(std::size_t row, Window window, std::optional<std::size_t> run) {
    const Window held = Intersect(window, TimeOf(row));
    if (held.empty()) return false;
    for (Instant hour = FloorTo(held.begin, Hours(1)); hour < held.until; hour = hour + Hours(1)) {
      const Window part = Intersect(held, {hour, hour + Hours(1)});
      const Weight weight = WeightOf(row, part.length());
      std::vector<std::string> nodes{std::string()};  // volumes and traffic are on no node
      if (!holdings_.node[row].empty()) nodes.push_back(holdings_.node[row].text());
      for (const std::string& node : nodes) {
        const Place place{hour, node, KeyOf(holdings_, row)};
        if (run) {
          places_[place].runs[*run] += weight;
        } else if (const auto known = places_.find(place); known != places_.end()) {
          known->second.all += weight;
        }
      }
    }
    return true;
  }

  Weight WeightOf(std::size_t row, Duration time) const {
    const std::int64_t den = std::max<std::int64_t>(1, holdings_.share_den[row]);
    const int128 parts = int128{holdings_.devices[row]} * holdings_.share_num[row] * kParts / den;
    return {std::max(int128{0}, parts) * time.base(), time.base()};
  }

  const RunBatch& runs_;
  std::span<const RunHeld> held_;
  HoldingBatch holdings_;
  Instant data_until_;
  std::map<Place, PlaceWeights> places_;
};

// The whole hours around all of `held`; empty if nothing is held.
Window HullOf(std::span<const RunHeld> held) {
  std::optional<Window> hull;
  for (const RunHeld& run : held) {
    for (const Window& window : run.held) {
      if (window.empty()) continue;
      if (!hull) hull = window;
      hull->begin = std::min(hull->begin, window.begin);
      hull->until = std::max(hull->until, window.until);
    }
  }
  if (!hull) return {};
  return {FloorTo(hull->begin, Hours(1)), CeilTo(hull->until, Hours(1))};
}

}  // namespace

Result<std::vector<RunCost>> RunCosts(Ledger& ledger, const RunBatch& runs,
                                      std::span<const RunHeld> held) {
  std::vector<RunCost> costs(held.size());
  PLIMSOLL_TRY(const Window extent, ledger.Extent());
  const Window window = Intersect(HullOf(held), extent);
  if (window.empty()) return costs;
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(window));
  PLIMSOLL_TRY(OccupancyFacts facts, ReadOccupancy(ledger.store(), window));
  PLIMSOLL_TRY(const Instant data_until, ledger.DataAsOf());
  Joiner joiner(runs, held, std::move(facts.holdings), data_until);
  costs = joiner.Join();
  const std::vector<std::string> names = joiner.WorkloadNames();
  for (std::size_t begin = 0; begin < names.size(); begin += kNamesAQuery) {
    const std::size_t count = std::min(kNamesAQuery, names.size() - begin);
    SqlParams params{window.begin, window.until};
    for (std::size_t i = 0; i < count; ++i) params.emplace_back(names[begin + i]);
    LineRows lines;
    const auto divide = [&]() -> Status {
      for (std::size_t row = 0; row < lines.hour.size(); ++row) {
        PLIMSOLL_RETURN_IF_ERROR(joiner.Divide(lines, row, costs));
      }
      return Ok();
    };
    PLIMSOLL_RETURN_IF_ERROR(ledger.store().Stream(LinesSql(count), params, lines.Refs(), divide));
  }
  return costs;
}

}  // namespace plimsoll
