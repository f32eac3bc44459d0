#include "allocation/idle_claims.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <tuple>
#include <utility>

#include "allocation/holding_table.h"

namespace plimsoll {
namespace {

constexpr const char* kFleetSource = "fleet";
constexpr std::string_view kUserPrefix = "user:";  // of SetAsideBatch::owner

bool MatchesName(const std::string& pattern, std::string_view name) {
  return pattern.empty() || MatchesPattern(pattern, name);
}

// Sorts greater texts first.
struct Reversed {
  std::string_view text;
  friend bool operator<(const Reversed& a, const Reversed& b) { return b.text < a.text; }
};

// A value that holds from `begin` until the next one of the same key.
struct Step {
  Window time;
  std::size_t row = 0;
};

// The steps of rows with one key, in time; the last one lasts until `end`. `said(row)` is when
// a row begins and what it says, so that of two rows of one time the last in order counts.
template <class Key, class Said>
std::vector<Step> StepsOf(std::map<Key, std::vector<std::size_t>>& rows, Instant end,
                          const Said& said) {
  std::vector<Step> steps;
  for (auto& [key, changes] : rows) {
    std::sort(changes.begin(), changes.end(),
              [&](std::size_t a, std::size_t b) { return said(a) < said(b); });
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const bool is_last = i + 1 == changes.size();
      const Instant until = is_last ? end : std::get<0>(said(changes[i + 1]));
      const Window time{std::get<0>(said(changes[i])), until};
      if (!time.empty()) steps.push_back({time, changes[i]});
    }
  }
  return steps;
}

class Gatherer {
 public:
  Gatherer(const AllocationInput& input, const AllocationOptions& options,
           const DeviceGrid& devices, const NodeTable& nodes, WorkloadTable& workloads)
      : input_(input), options_(options), devices_(devices), nodes_(nodes), workloads_(workloads) {}

  std::vector<IdleClaim> Run() {
    if (input_.conditions != nullptr) AddStates(input_.conditions->states);
    for (const MaintenanceWindow& window : options_.idle.maintenance) {
      Add({CostClass::kUnavailable,
           {OwnerOf("Unavailable",
                    window.reason.empty() ? "maintenance" : "maintenance: " + window.reason, {})},
           window.time,
           NodesIn(window.scope),
           kAllCards});
    }
    for (IdleClaim& cordon : cordons_) Add(std::move(cordon));
    for (IdleClaim& failed : failed_cards_) Add(std::move(failed));
    AddSetAsides({"slurm-maintenance"});
    for (IdleClaim& planned : planned_) Add(std::move(planned));
    AddSetAsides({"slurm-reservation", "kueue-workload", "capacity-buffer"});
    for (const DeclaredReserve& reserve : options_.idle.reserves) AddReserve(reserve);
    if (options_.idle.scale_down_delay > Duration()) AddEmptied();
    return std::move(claims_);
  }

 private:
  struct Owner {
    std::string_view cluster{}, ns{}, account{}, user{}, queue{};
    Attribution attribution{};
  };
  // Nobody, for classes that concern no owner, is a workload too: its kind and name say why.
  std::int32_t OwnerOf(const char* kind, std::string_view name, const Owner& owner) {
    WorkloadIdentity identity;
    identity.cluster = owner.cluster;
    identity.source = kFleetSource;
    identity.ns = owner.ns;
    identity.workload_kind = kind;
    identity.workload = name;
    identity.account = owner.account;
    identity.user_name = owner.user;
    identity.queue = owner.queue;
    return workloads_.Of(identity, owner.attribution);
  }

  void Add(IdleClaim claim) {
    if (claim.nodes.empty() || claim.gpus == 0) return;
    if (Intersect(claim.time, options_.window).empty()) return;
    claims_.push_back(std::move(claim));
  }

  void AddStates(const NodeStateBatch& states) {
    using Key = std::tuple<Symbol, Symbol, Symbol>;
    std::map<Key, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < RowsOf(states); ++i) {
      // What is seen after the window says nothing of it, and not of its sightings either.
      if (states.since[i] >= options_.window.until) continue;
      rows[{states.cluster[i], states.node[i], states.aspect[i]}].push_back(i);
    }
    // Of two rows of one time the worse counts, which is the lesser word ("failed", "no") and
    // number; the last in order wins.
    const auto said = [&](std::size_t i) {
      return std::tuple(states.since[i], Reversed{states.value[i]}, -states.gpus[i]);
    };
    // Sightings of one state after another are one state: it began with the first.
    std::vector<Step> joined;
    for (const Step& step : StepsOf(rows, options_.window.until, said)) {
      const bool is_same = !joined.empty() && joined.back().time.until == step.time.begin &&
                           SameState(states, joined.back().row, step.row);
      if (is_same) {
        joined.back() = {{joined.back().time.begin, step.time.until}, step.row};
      } else {
        joined.push_back(step);
      }
    }
    for (const Step& step : joined) {
      const std::int32_t node = nodes_.Find(states.cluster[step.row], states.node[step.row]);
      if (node >= 0) AddState(states, step, node);
    }
  }

  static bool SameState(const NodeStateBatch& states, std::size_t a, std::size_t b) {
    return states.cluster[a] == states.cluster[b] && states.node[a] == states.node[b] &&
           states.aspect[a] == states.aspect[b] && states.value[a] == states.value[b] &&
           states.gpus[a] == states.gpus[b];
  }

  void AddState(const NodeStateBatch& states, const Step& step, std::int32_t node) {
    const Symbol aspect = states.aspect[step.row];
    const Symbol value = states.value[step.row];
    if (aspect == "health" && value != "ok") {
      AddUnhealthy(value, step.time, node);
    } else if (aspect == "schedulable" && value == "no") {
      const Window grace{step.time.begin, step.time.begin + options_.idle.cordon_grace};
      cordons_.push_back({CostClass::kUnavailable,
                          {OwnerOf("Unavailable", "cordoned", {})},
                          Intersect(step.time, grace),
                          {node},
                          kAllCards});
    } else if (aspect == "planned" && value == "yes") {
      planned_.push_back({CostClass::kQuotaHeld,
                          {OwnerOf("QuotaHeld", "planned", {.cluster = states.cluster[step.row]})},
                          // It lasts minutes: no longer than somebody saw it.
                          {step.time.begin, std::min(step.time.until, states.seen[step.row])},
                          {node},
                          kAllCards});
    } else if (aspect == "gpus") {
      const std::int64_t failed = devices_.CardsOf(node) - states.gpus[step.row];
      if (failed <= 0) return;
      failed_cards_.push_back({CostClass::kUnavailable,
                               {OwnerOf("Unavailable", "failed GPU", {})},
                               step.time,
                               {node},
                               failed,
                               /*counts_missing=*/true});
    }
  }

  // A node that starts for longer than the grace has failed.
  void AddUnhealthy(Symbol value, const Window& time, std::int32_t node) {
    const auto add = [&](const char* name, const Window& part) {
      if (part.empty()) return;
      Add({CostClass::kUnavailable, {OwnerOf("Unavailable", name, {})}, part, {node}, kAllCards});
    };
    if (value != "initializing") {
      add(value == "maintenance" ? "maintenance" : "failed", time);
      return;
    }
    const Instant grace = time.begin + options_.idle.init_grace;
    add("initializing", {time.begin, std::min(grace, time.until)});
    add("failed", {grace, time.until});
  }

  // Of the kinds, one after another.
  void AddSetAsides(std::initializer_list<const char*> kinds) {
    if (input_.conditions == nullptr) return;
    const SetAsideBatch& batch = input_.conditions->set_asides;
    using Key = std::tuple<Symbol, Symbol, Symbol, std::string_view, std::string_view, Symbol>;
    std::map<Key, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < RowsOf(batch); ++i) {
      if (batch.since[i] >= options_.window.until) continue;
      rows[{batch.cluster[i], batch.source[i], batch.kind[i], batch.ns[i], batch.name[i],
            batch.node[i]}]
          .push_back(i);
    }
    const auto said = [&](std::size_t i) {
      return std::tie(batch.since[i], batch.gpus[i], batch.owner[i], batch.seen[i], batch.until[i]);
    };
    const std::vector<Step> steps = StepsOf(rows, options_.window.until, said);
    for (const char* kind : kinds) {
      for (const Step& step : steps) {
        if (batch.kind[step.row] == kind) AddSetAside(batch, step);
      }
    }
  }

  void AddSetAside(const SetAsideBatch& batch, const Step& step) {
    const std::size_t row = step.row;
    IdleClaim claim;
    claim.time = step.time;
    const Instant end = batch.until[row].value_or(batch.seen[row]);
    claim.time.until = std::min(claim.time.until, end);
    claim.gpus = batch.gpus[row];
    if (batch.node[row].empty()) {
      claim.nodes = NodesOf(batch.cluster[row]);
    } else if (const std::int32_t node = nodes_.Find(batch.cluster[row], batch.node[row]);
               node >= 0) {
      claim.nodes = {node};
    }
    if (batch.kind[row] == "slurm-maintenance") {
      claim.cost_class = CostClass::kUnavailable;
      claim.owners = {OwnerOf("Unavailable", "maintenance", {})};
    } else {
      const bool is_buffer = batch.kind[row] == "capacity-buffer";
      claim.cost_class = is_buffer ? CostClass::kReserve : CostClass::kQuotaHeld;
      AddOwners(batch, row, is_buffer ? "Reserve" : "QuotaHeld", claim);
    }
    Add(std::move(claim));
  }

  // Idle time of a Slurm reservation is its accounts', evenly.
  void AddOwners(const SetAsideBatch& batch, std::size_t row, const char* kind, IdleClaim& claim) {
    const bool is_slurm = batch.source[row] == "slurm";
    std::string_view rest = batch.owner[row];
    do {
      const std::size_t comma = is_slurm ? rest.find(',') : std::string_view::npos;
      const std::string_view one = rest.substr(0, comma);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
      Owner owner{.cluster = batch.cluster[row], .ns = batch.ns[row]};
      const bool is_user = is_slurm && one.starts_with(kUserPrefix);
      (is_user    ? owner.user
       : is_slurm ? owner.account
                  : owner.queue) = is_user ? one.substr(kUserPrefix.size()) : one;
      owner.attribution =
          workloads_.attributor().Of({"", batch.ns[row], owner.account, is_slurm, owner.user});
      owner.attribution.reason.clear();  // idle without a team is idle, not unattributed
      claim.owners.push_back(OwnerOf(kind, batch.name[row], owner));
    } while (!rest.empty());
  }

  void AddReserve(const DeclaredReserve& reserve) {
    Owner owner;
    owner.cluster = reserve.scope.cluster;
    owner.attribution.team = reserve.owner;
    const Window time{reserve.from.value_or(options_.window.begin),
                      reserve.until.value_or(options_.window.until)};
    Add({CostClass::kReserve,
         {OwnerOf("Reserve", reserve.name, owner)},
         time,
         NodesIn(reserve.scope),
         reserve.gpus});
  }

  // From when the last GPU holding of a node ended, for as long as the autoscaler waits.
  void AddEmptied() {
    std::map<std::int32_t, std::vector<Window>> held;
    const Instant never = Instant::FromBase(INT64_MAX);  // the end of what still is held
    const HoldingBatch& h = input_.holdings;
    for (const std::size_t row : UniqueHoldings(h, options_.data_until)) {
      const std::int32_t node = nodes_.Find(h.cluster[row], h.node[row]);
      if (node < 0 || h.devices[row] <= 0 || !h.role[row].empty()) continue;
      held[node].push_back({h.begin[row], h.until[row].value_or(never)});
    }
    const std::int32_t owner = OwnerOf("ScaleDownDelay", "autoscaler", {});
    for (auto& [node, windows] : held) {
      std::sort(windows.begin(), windows.end());
      Instant until = windows.front().until;
      for (std::size_t i = 0; i <= windows.size(); ++i) {
        const bool is_last = i == windows.size();
        if (until != never && (is_last || windows[i].begin > until)) {
          const Instant next = is_last ? options_.window.until : windows[i].begin;
          const Instant end = std::min(until + options_.idle.scale_down_delay, next);
          Add({CostClass::kScaleDownDelay, {owner}, {until, end}, {node}, kAllCards});
        }
        if (!is_last) until = std::max(until, windows[i].until);
      }
    }
  }

  std::vector<std::int32_t> NodesOf(Symbol cluster) const {
    std::vector<std::int32_t> ids;
    for (std::size_t id = 0; id < nodes_.nodes().size(); ++id) {
      const NodeFact& node = nodes_.nodes()[id];
      if (!node.no_telemetry && node.cluster == cluster) {
        ids.push_back(static_cast<std::int32_t>(id));
      }
    }
    return ids;
  }

  std::vector<std::int32_t> NodesIn(const NodeScope& scope) {
    std::vector<std::int32_t> ids;
    for (std::size_t id = 0; id < nodes_.nodes().size(); ++id) {
      const NodeFact& node = nodes_.nodes()[id];
      if (node.no_telemetry || !MatchesName(scope.cluster, node.cluster.text()) ||
          !MatchesName(scope.node, node.node.text()) || !MatchesName(scope.zone, node.zone) ||
          !MatchesName(scope.region, node.region) ||
          !MatchesName(scope.gpu_model, node.gpu_model) ||
          !MatchesName(scope.capacity_type, node.capacity_type) ||
          !HasLabel(scope, static_cast<std::int32_t>(id))) {
        continue;
      }
      ids.push_back(static_cast<std::int32_t>(id));
    }
    return ids;
  }

  bool HasLabel(const NodeScope& scope, std::int32_t node) {
    if (scope.label_key.empty()) return true;
    if (labels_.empty()) {
      const NodeBatch& rows = input_.nodes;
      for (std::size_t i = 0; i < RowsOf(rows); ++i) {
        const std::int32_t id = nodes_.Find(rows.cluster[i], rows.node[i]);
        if (id >= 0) labels_[id].merge(NormalizedLabels(rows.labels[i]));
      }
    }
    const auto of_node = labels_.find(node);
    if (of_node == labels_.end()) return false;
    const auto label = of_node->second.find(NormalizedLabelKey(scope.label_key));
    return label != of_node->second.end() && MatchesName(scope.label_value, label->second);
  }

  const AllocationInput& input_;
  const AllocationOptions& options_;
  const DeviceGrid& devices_;
  const NodeTable& nodes_;
  WorkloadTable& workloads_;
  std::vector<IdleClaim> claims_, cordons_, failed_cards_, planned_;
  std::map<std::int32_t, std::map<std::string, std::string>> labels_;  // by node id
};

}  // namespace

std::vector<IdleClaim> GatherIdleClaims(const AllocationInput& input,
                                        const AllocationOptions& options, const DeviceGrid& devices,
                                        const NodeTable& nodes, WorkloadTable& workloads) {
  return Gatherer(input, options, devices, nodes, workloads).Run();
}

std::vector<WaitingShape> GatherWaiting(const AllocationInput& input,
                                        const AllocationOptions& options) {
  std::vector<WaitingShape> shapes;
  const auto add = [&](Symbol cluster, const Window& time, bool is_whole, std::int64_t gpus) {
    if (Intersect(time, options.window).empty()) return;
    shapes.push_back({cluster, time, is_whole ? gpus : 0});
  };
  if (input.conditions != nullptr) {
    const PendingBatch& waits = input.conditions->pending;
    for (std::size_t i = 0; i < RowsOf(waits); ++i) {
      if (waits.devices[i] <= 0) continue;
      add(waits.cluster[i], {waits.queued[i], options.data_until}, waits.device_kind[i] == "gpu",
          waits.unit_devices[i]);
    }
  }
  const HoldingBatch& h = input.holdings;
  // A wait may be over later than all data: what began then waited until then.
  for (const std::size_t row : UniqueHoldings(h, Instant::FromBase(INT64_MAX))) {
    if (!h.queued[row] || h.devices[row] <= 0 || !h.role[row].empty()) continue;
    add(h.cluster[row], {*h.queued[row], h.begin[row]}, h.device_kind[row] == "gpu",
        h.devices[row]);
  }
  std::sort(shapes.begin(), shapes.end(), [](const WaitingShape& a, const WaitingShape& b) {
    return std::tie(a.time, a.gpus) < std::tie(b.time, b.gpus);
  });
  return shapes;
}

}  // namespace plimsoll
