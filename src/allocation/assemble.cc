#include "allocation/assemble.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "units/split.h"

namespace plimsoll {
namespace {

auto KeyOf(const HourLine& line) {
  return std::tie(line.scope, line.node, line.workload, line.cost_class);
}

void AddCosts(HourLine& into, const HourLine& line) {
  into.gpu_millis += line.gpu_millis;
  into.gpu += line.gpu;
  into.cpu += line.cpu;
  into.memory += line.memory;
  into.storage += line.storage;
  into.network += line.network;
  into.overhead += line.overhead;
}

HourLine LineOf(const DirectCost& direct) {
  HourLine line{direct.scope, direct.node, direct.workload,
                static_cast<std::int32_t>(CostClass::kNone)};
  const int128 nanos = direct.cost.nanos();
  if (direct.column == CostColumn::kStorage) line.storage = nanos;
  if (direct.column == CostColumn::kNetwork) line.network = nanos;
  if (direct.column == CostColumn::kOverhead) line.overhead = nanos;
  return line;
}

// New numbers of the ids whose flag is set, in order.
std::vector<std::int64_t> Compact(const std::vector<bool>& used) {
  std::vector<std::int64_t> number(used.size(), kNoId);
  std::int64_t next = 0;
  for (std::size_t id = 0; id < used.size(); ++id) {
    if (used[id]) number[id] = next++;
  }
  return number;
}

void Apply(const std::vector<std::int64_t>& number, std::vector<std::int64_t>& ids) {
  for (std::int64_t& id : ids) {
    if (id >= 0) id = number[static_cast<std::size_t>(id)];
  }
}

template <class Batch>
void Reserve(Batch& batch, std::size_t rows) {
  std::apply([&](auto... column) { ((batch.*(column.values)).reserve(rows), ...); },
             Batch::kColumns);
}

void Mark(std::vector<bool>& used, const std::vector<std::int64_t>& ids) {
  for (const std::int64_t id : ids) {
    if (id >= 0) used[static_cast<std::size_t>(id)] = true;
  }
}

class Assembler {
 public:
  Assembler(const Prepared& prepared, FindingLog& findings)
      : p_(prepared),
        findings_(findings),
        ladder_(prepared.input, prepared.options),
        divider_({prepared.nodes, prepared.devices, prepared.holdings, prepared.pieces},
                 {prepared.options.busy_ppm_min, prepared.no_telemetry, prepared.idle.active()}),
        hours_(static_cast<std::size_t>(prepared.options.window.length().base() / Hours(1).base())),
        unpriced_(prepared.nodes.nodes().size()),
        stand_in_(prepared.nodes.nodes().size()),
        unseen_(prepared.nodes.nodes().size()),
        is_committed_(prepared.nodes.nodes().size()),
        is_owned_(prepared.nodes.nodes().size()) {}

  Result<AllocationOutput> Run();

 private:
  struct Row {  // one asset cost
    std::int32_t scope;
    Money cost;
    std::string_view rung, source;
  };
  struct AssetRow {
    std::int32_t node, scope;
    Window provisioned;
    Money cost;
    std::array<int128, 3> parts;
    std::string_view rung, source;
  };
  // Filled node by node, so that a node's facts are at hand, and written hour by hour.
  struct HourOut {
    std::vector<HourLine> lines;
    std::vector<AssetRow> assets;
    std::vector<IdleTime> idle;  // only if the idle rules need it
  };
  Status DoNode(std::int32_t node);
  Status DoNodeHour(std::int32_t node, std::int32_t hour);
  bool IsBilled(std::int32_t node, const Window& hour) const;
  Window FindProvisioned(std::int32_t node, const Window& hour);
  Status AddLadderRow(std::int32_t node, const Window& hour, const Window& provisioned);
  void Note(FindingAmount& amount, std::int32_t node, const Window& provisioned, Money cost) const;
  Status DivideRows(std::int32_t hour, std::int32_t node, const Window& provisioned);
  void AddDirect(std::int32_t hour);
  void WriteLines(Instant hour, std::vector<HourLine>& lines);
  void WriteAssets(Instant hour, const std::vector<AssetRow>& assets);
  void Report();
  void Finish();

  const Prepared& p_;
  FindingLog& findings_;
  PriceLadder ladder_;
  NodeHourDivider divider_;
  AllocationOutput out_;
  std::vector<HourOut> hours_;
  std::size_t next_billed_ = 0, next_direct_ = 0;
  std::vector<FindingAmount> unpriced_, stand_in_, unseen_;  // by node
  std::vector<bool> is_committed_, is_owned_;                // by node

  // Of the current node or node-hour.
  NodeSplit split_{};
  std::span<const BilledHour> billed_;
  std::vector<Row> rows_;
  std::int32_t carrier_ = 0;  // scope
  std::vector<ScopeCost> scope_costs_;
};

// A usage charge of the hour bills it, whatever the bill's reach: never a price beside it.
bool Assembler::IsBilled(std::int32_t node, const Window& hour) const {
  return p_.costs.IsBilledIn(node, hour) ||
         std::any_of(billed_.begin(), billed_.end(),
                     [](const BilledHour& billed) { return billed.has_usage; });
}

// Rule S5: billed nodes by their charges, others by their existence. Sets the carrier.
Window Assembler::FindProvisioned(std::int32_t node, const Window& hour) {
  const NodeFact& fact = p_.nodes.at(node);
  if (IsBilled(node, hour) || fact.no_telemetry) {
    Window provisioned{hour.begin, hour.begin};
    const BilledHour* carrier = nullptr;
    for (const BilledHour& billed : billed_) {
      if (!billed.has_usage) continue;
      provisioned = carrier == nullptr
                        ? billed.provisioned
                        : Window{std::min(provisioned.begin, billed.provisioned.begin),
                                 std::max(provisioned.until, billed.provisioned.until)};
      if (carrier == nullptr || billed.usage_cost > carrier->usage_cost) carrier = &billed;
    }
    if (carrier != nullptr) carrier_ = carrier->scope;
    return provisioned;
  }
  Window exists{fact.begin.value_or(std::max(hour.begin, p_.options.data_begin)),
                fact.until.value_or(hour.until)};
  if (!fact.held_only.empty()) {
    exists = {hour.until, hour.begin};  // the hull of what was held in the hour, or nothing
    for (const Window& held : fact.held_only) {
      if (Intersect(held, hour).empty()) continue;
      exists = {std::min(exists.begin, held.begin), std::max(exists.until, held.until)};
    }
    if (exists.empty()) return {hour.begin, hour.begin};
  }
  const Window seen{hour.begin, std::min(hour.until, p_.options.data_until)};
  const Window provisioned = Intersect(Intersect(exists, hour), seen);
  return provisioned.empty() ? Window{hour.begin, hour.begin} : provisioned;
}

void Assembler::Note(FindingAmount& amount, std::int32_t node, const Window& provisioned,
                     Money cost) const {
  amount.gpu_millis += int128{provisioned.length().base()} * p_.devices.CardsOf(node);
  amount.cost += cost;
}

Status Assembler::AddLadderRow(std::int32_t node, const Window& hour, const Window& provisioned) {
  const Instant month = MonthOf(hour.begin).begin;
  const auto scope = std::find_if(p_.unbilled_scopes.begin(), p_.unbilled_scopes.end(),
                                  [&](const auto& entry) { return entry.first == month; });
  carrier_ = scope->second;
  PLIMSOLL_TRY(const NodePrice price, ladder_.CostOfTime(node, p_.nodes.at(node), provisioned));
  const auto at = static_cast<std::size_t>(node);
  if (price.rung == kRungNone) Note(unpriced_[at], node, provisioned, Money());
  if (price.is_owned) is_owned_[at] = true;
  if (price.is_stand_in) Note(stand_in_[at], node, provisioned, price.cost);
  rows_.push_back({carrier_, price.cost, price.rung, price.source});
  return Ok();
}

Status Assembler::DivideRows(std::int32_t hour, std::int32_t node, const Window& provisioned) {
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& a, const Row& b) { return a.scope < b.scope; });
  const Instant begin = p_.options.window.begin + Hours(hour);
  scope_costs_.clear();
  std::size_t carrier = 0;
  for (const Row& row : rows_) {
    if (row.scope == carrier_) carrier = scope_costs_.size();
    ScopeCost& cost = scope_costs_.emplace_back(ScopeCost{row.scope, {}});
    if (!SplitInto(row.cost.nanos(), std::span<const std::int64_t>(split_),
                   std::span<int128>(cost.parts))) {
      return Error{ErrorCode::kOutOfRange, "the cost of node " + p_.nodes.at(node).node + " at " +
                                               ToString(begin) + " exceeds 38 digits"};
    }
    hours_[static_cast<std::size_t>(hour)].assets.push_back(
        {node, row.scope, provisioned, row.cost, cost.parts, row.rung, row.source});
  }
  HourOut& out = hours_[static_cast<std::size_t>(hour)];
  PLIMSOLL_RETURN_IF_ERROR(
      divider_.Divide({node, hour, begin, provisioned, scope_costs_, carrier}, out.lines));
  if (p_.idle.active() && !provisioned.empty()) out.idle.push_back(divider_.idle_time());
  return Ok();
}

Status Assembler::DoNode(std::int32_t node) {
  PLIMSOLL_TRY(split_, SplitOfNode(p_.nodes.at(node), p_.devices.CardsOf(node), p_.options.split));
  for (std::size_t hour = 0; hour < hours_.size(); ++hour) {
    PLIMSOLL_RETURN_IF_ERROR(DoNodeHour(node, static_cast<std::int32_t>(hour)));
  }
  return Ok();
}

Status Assembler::DoNodeHour(std::int32_t node, std::int32_t hour) {
  const Instant begin = p_.options.window.begin + Hours(hour);
  const Window whole{begin, begin + Hours(1)};
  const std::size_t first = next_billed_;
  const auto& billed = p_.costs.billed;
  while (next_billed_ < billed.size() && billed[next_billed_].hour == hour &&
         billed[next_billed_].node == node) {
    ++next_billed_;
  }
  billed_ = std::span(billed).subspan(first, next_billed_ - first);
  carrier_ = billed_.empty() ? 0 : billed_.front().scope;
  const Window provisioned = FindProvisioned(node, whole);
  if (provisioned != whole) divider_.NoteUnprovisioned(node, whole, provisioned);
  rows_.clear();
  for (const BilledHour& row : billed_) {
    rows_.push_back({row.scope, row.cost, kRungBilled, ""});
    if (row.is_committed) is_committed_[static_cast<std::size_t>(node)] = true;
  }
  const NodeFact& fact = p_.nodes.at(node);
  if (!IsBilled(node, whole) && !fact.no_telemetry && !provisioned.empty()) {
    PLIMSOLL_RETURN_IF_ERROR(AddLadderRow(node, whole, provisioned));
  }
  if (fact.no_telemetry) {
    Money cost;
    for (const BilledHour& row : billed_) cost += row.cost;
    Note(unseen_[static_cast<std::size_t>(node)], node, provisioned, cost);
  }
  return rows_.empty() ? Ok() : DivideRows(hour, node, provisioned);
}

void Assembler::WriteAssets(Instant hour, const std::vector<AssetRow>& rows) {
  AssetCostBatch& assets = out_.assets;
  for (const AssetRow& row : rows) {
    assets.hour.push_back(hour);
    assets.node_id.push_back(row.node);
    assets.scope_id.push_back(row.scope);
    assets.provisioned_begin.push_back(row.provisioned.begin);
    assets.provisioned_until.push_back(row.provisioned.until);
    assets.cost.push_back(row.cost);
    assets.gpu_cost.push_back(Money::FromNanos(row.parts[0]));
    assets.cpu_cost.push_back(Money::FromNanos(row.parts[1]));
    assets.memory_cost.push_back(Money::FromNanos(row.parts[2]));
    assets.rung.emplace_back(row.rung);
    assets.price_source.emplace_back(row.source);
  }
}

void Assembler::WriteLines(Instant hour, std::vector<HourLine>& sorted) {
  const auto by_key = [](const HourLine& a, const HourLine& b) { return KeyOf(a) < KeyOf(b); };
  // Nodes come in order; only several scopes or charges of no node are out of it.
  if (!std::is_sorted(sorted.begin(), sorted.end(), by_key)) {
    std::sort(sorted.begin(), sorted.end(), by_key);
  }
  CostLineBatch& lines = out_.lines;
  for (std::size_t i = 0; i < sorted.size();) {
    HourLine line = sorted[i];
    for (++i; i < sorted.size() && KeyOf(sorted[i]) == KeyOf(line); ++i) {
      AddCosts(line, sorted[i]);
    }
    if (line.is_zero()) continue;
    lines.hour.push_back(hour);
    lines.scope_id.push_back(line.scope);
    lines.node_id.push_back(line.node);
    lines.workload_id.push_back(line.workload);
    lines.cost_class.push_back(line.cost_class);
    lines.gpu_time.push_back(GpuMillis(line.gpu_millis));
    lines.gpu_cost.push_back(Money::FromNanos(line.gpu));
    lines.cpu_cost.push_back(Money::FromNanos(line.cpu));
    lines.memory_cost.push_back(Money::FromNanos(line.memory));
    lines.storage_cost.push_back(Money::FromNanos(line.storage));
    lines.network_cost.push_back(Money::FromNanos(line.network));
    lines.shared_cost.push_back(Money());
    lines.overhead_cost.push_back(Money::FromNanos(line.overhead));
  }
}

void Assembler::AddDirect(std::int32_t hour) {
  std::vector<HourLine>& lines = hours_[static_cast<std::size_t>(hour)].lines;
  const auto& direct = p_.costs.direct;
  for (; next_direct_ < direct.size() && direct[next_direct_].hour == hour; ++next_direct_) {
    const HourLine line = LineOf(direct[next_direct_]);
    if (!lines.empty() && KeyOf(lines.back()) == KeyOf(line)) {
      AddCosts(lines.back(), line);
    } else {
      lines.push_back(line);
    }
  }
}

void Assembler::Report() {
  divider_.Report(p_.input, findings_);
  const auto hours_of = [](const FindingAmount& amount) {
    return ToDecimalHours(GpuMillis(static_cast<std::int64_t>(amount.gpu_millis)));
  };
  for (std::size_t id = 0; id < unpriced_.size(); ++id) {
    const NodeFact& node = p_.nodes.at(static_cast<std::int32_t>(id));
    const std::string type = node.instance_type.empty() ? "no instance type" : node.instance_type;
    if (unpriced_[id].gpu_millis > 0) {
      findings_.Add("no-price", node.node,
                    "no price is known for " + type + ": " + hours_of(unpriced_[id]) +
                        " GPU-hours have no cost; load a bill or a price list",
                    unpriced_[id]);
    }
    if (stand_in_[id].gpu_millis > 0) {
      findings_.Add("price-stand-in", node.node,
                    "no " + node.capacity_type + " price is known for " + type +
                        "; the on-demand price stands in and is an upper bound",
                    stand_in_[id]);
    }
    if (unseen_[id].gpu_millis > 0) {
      findings_.Add("no-telemetry", node.node,
                    "a billed " + type + " that no cluster and no telemetry knows", unseen_[id]);
    }
  }
  for (const auto& [device, rows] : p_.devices.duplicates()) {
    findings_.Add("duplicate-series", device,
                  std::to_string(rows) +
                      " usage rows repeat an hour with other values; the "
                      "better signal and the greater coverage count once");
  }
}

// Leaves only dimensions that lines or asset costs name, renumbered in order.
void Assembler::Finish() {
  std::vector<bool> scopes(p_.scopes.size()), nodes(p_.nodes.nodes().size()),
      workloads(p_.workloads.size());
  Mark(scopes, out_.lines.scope_id);
  Mark(scopes, out_.assets.scope_id);
  Mark(nodes, out_.lines.node_id);
  Mark(nodes, out_.assets.node_id);
  Mark(workloads, out_.lines.workload_id);
  Apply(Compact(scopes), out_.lines.scope_id);
  Apply(Compact(scopes), out_.assets.scope_id);
  Apply(Compact(nodes), out_.lines.node_id);
  Apply(Compact(nodes), out_.assets.node_id);
  Apply(Compact(workloads), out_.lines.workload_id);
  out_.scopes = p_.scopes.Take(scopes);
  out_.workloads = p_.workloads.Take(workloads);
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    if (!nodes[id]) continue;
    const NodeFact& node = p_.nodes.at(static_cast<std::int32_t>(id));
    out_.nodes.cluster.push_back(node.cluster);
    out_.nodes.node.push_back(node.node);
    out_.nodes.instance_type.push_back(node.instance_type);
    out_.nodes.gpu_model.push_back(node.gpu_model);
    out_.nodes.capacity_type.push_back(node.capacity_type);
    out_.nodes.region.push_back(node.region);
    out_.nodes.zone.push_back(node.zone);
    out_.nodes.sunk.emplace_back(is_committed_[id]                            ? "commitment"
                                 : node.capacity_type.starts_with("reserved") ? "reserved"
                                 : is_owned_[id]                              ? "owned"
                                                                              : "");
  }
  out_.findings = findings_.Take();
}

Result<AllocationOutput> Assembler::Run() {
  const auto count = static_cast<std::int32_t>(p_.nodes.nodes().size());
  for (HourOut& hour : hours_) {  // a node-hour has a few lines
    hour.lines.reserve(p_.nodes.nodes().size() * 6);
    hour.assets.reserve(p_.nodes.nodes().size());
  }
  for (std::int32_t node = 0; node < count; ++node) PLIMSOLL_RETURN_IF_ERROR(DoNode(node));
  std::size_t lines = 0;
  std::size_t assets = 0;
  for (std::size_t hour = 0; hour < hours_.size(); ++hour) {
    AddDirect(static_cast<std::int32_t>(hour));
    lines += hours_[hour].lines.size();
    assets += hours_[hour].assets.size();
  }
  Reserve(out_.lines, lines);
  Reserve(out_.assets, assets);
  for (std::size_t hour = 0; hour < hours_.size(); ++hour) {
    const Instant at = p_.options.window.begin + Hours(static_cast<std::int64_t>(hour));
    if (!hours_[hour].idle.empty()) {
      PLIMSOLL_RETURN_IF_ERROR(p_.idle.Apply(at, hours_[hour].idle, hours_[hour].lines));
    }
    WriteLines(at, hours_[hour].lines);
    WriteAssets(at, hours_[hour].assets);
    hours_[hour] = {};
  }
  Report();
  Finish();
  return std::move(out_);
}

}  // namespace

Result<AllocationOutput> Assemble(const Prepared& prepared, FindingLog& findings) {
  return Assembler(prepared, findings).Run();
}

}  // namespace plimsoll
