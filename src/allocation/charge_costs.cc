#include "allocation/charge_costs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "allocation/declared_costs.h"
#include "allocation/match.h"
#include "allocation/spread.h"
#include "allocation/volume_costs.h"
#include "units/split.h"

namespace plimsoll {
namespace {

constexpr auto kNone = static_cast<std::int32_t>(kNoId);

// Teams that used a commitment in an hour, by what their covered usage cost.
using TeamShares = std::map<std::pair<std::string, std::string>, Money>;  // (team, reason)
using CommitmentHour = std::pair<std::string, std::int32_t>;

class ChargeCoster {
 public:
  ChargeCoster(const AllocationInput& input, const AllocationOptions& options, ScopeTable& scopes,
               WorkloadTable& workloads)
      : charges_(input.charges),
        options_(options),
        scopes_(scopes),
        workloads_(workloads),
        volumes_(input, options, workloads),
        is_billed_volume_(volumes_.size()) {}

  Status GatherCoveredUsage();
  Status Add(std::size_t row, std::int32_t node);
  // Volumes that no charge named.
  Status AddUnbilledVolumes() {
    return volumes_.AddUnbilled(options_, is_billed_volume_, scopes_, costs_.direct);
  }
  ChargeCosts Take(std::size_t nodes);

 private:
  Status Spread(std::size_t row);  // into parts_
  std::int32_t HourOf(const HourPart& part) const {
    return static_cast<std::int32_t>(Between(options_.window.begin, part.hour).base() /
                                     Hours(1).base());
  }
  Attribution TagsOf(std::size_t row);
  std::int32_t WorkloadOf(std::size_t row, const Attribution& attribution);
  void AddBilled(std::size_t row, std::int32_t node);
  void AddDirect(std::size_t row, std::int32_t node);
  Status AddUnused(std::size_t row);
  Status AddVolume(std::size_t row, std::int32_t volume);

  const ChargeBatch& charges_;
  const AllocationOptions& options_;
  ScopeTable& scopes_;
  WorkloadTable& workloads_;
  std::vector<HourPart> parts_;
  std::map<CommitmentHour, TeamShares> covered_;
  VolumeOwners volumes_;
  std::vector<bool> is_billed_volume_;
  ChargeCosts costs_;
};

Status ChargeCoster::Spread(std::size_t row) {
  parts_.clear();
  return SpreadOverHours(charges_.effective_cost[row],
                         {charges_.charge_begin[row], charges_.charge_until[row]}, options_.window,
                         parts_);
}

Attribution ChargeCoster::TagsOf(std::size_t row) {
  return workloads_.attributor().Of(
      {charges_.tags[row], "", charges_.sub_account[row], false, "", charges_.resource_id[row]});
}

Status ChargeCoster::GatherCoveredUsage() {
  if (options_.unused_commitment != UnusedCommitment::kProportional) return Ok();
  for (std::size_t row = 0; row < RowsOf(charges_); ++row) {
    const bool is_covered = IsUsage(charges_, row) && !IsUnusedCommitment(charges_, row) &&
                            charges_.pricing_category[row] == "Committed" &&
                            !charges_.commitment_id[row].empty();
    if (!is_covered || !TouchesWindow(charges_, row, options_.window)) continue;
    const Attribution who = TagsOf(row);
    PLIMSOLL_RETURN_IF_ERROR(Spread(row));
    for (const HourPart& part : parts_) {
      covered_[{charges_.commitment_id[row], HourOf(part)}][{who.team, who.reason}] += part.cost;
    }
  }
  return Ok();
}

std::int32_t ChargeCoster::WorkloadOf(std::size_t row, const Attribution& attribution) {
  WorkloadIdentity identity;
  identity.source = "bill";
  if (IsUnusedCommitment(charges_, row)) {
    identity.workload_kind = "UnusedCommitment";
    identity.workload = charges_.commitment_id[row];
  } else {
    identity.workload_kind =
        IsUsage(charges_, row) ? std::string_view("Charge") : charges_.category[row];
    identity.workload = charges_.service_name[row];
  }
  return workloads_.Of(identity, attribution);
}

void ChargeCoster::AddBilled(std::size_t row, std::int32_t node) {
  const std::int32_t scope = scopes_.Of(charges_, row);
  const bool is_usage = IsUsage(charges_, row);
  for (const HourPart& part : parts_) {
    BilledHour billed{HourOf(part), node, scope, part.cost, Money(), false, {}};
    billed.is_committed = charges_.pricing_category[row] == "Committed";
    if (is_usage) {
      billed.usage_cost = part.cost;
      billed.has_usage = !part.covered.empty();
      billed.provisioned = part.covered;
    }
    costs_.billed.push_back(billed);
  }
}

void ChargeCoster::AddDirect(std::size_t row, std::int32_t node) {
  const std::int32_t scope = scopes_.Of(charges_, row);
  const CostColumn column = IsStorage(charges_, row)      ? CostColumn::kStorage
                            : IsNetworking(charges_, row) ? CostColumn::kNetwork
                                                          : CostColumn::kOverhead;
  std::int32_t workload = kNone;
  if (node < 0) {
    Attribution who = TagsOf(row);
    if (IsUnusedCommitment(charges_, row) &&
        options_.unused_commitment == UnusedCommitment::kPlatform) {
      who.team = options_.platform_team;
      who.reason.clear();
    }
    workload = WorkloadOf(row, who);
  }
  for (const HourPart& part : parts_) {
    costs_.direct.push_back({HourOf(part), node, scope, workload, column, part.cost});
  }
}

// Hours in which teams used the commitment go to them; the others to its owner.
Status ChargeCoster::AddUnused(std::size_t row) {
  std::vector<HourPart> owned;
  std::vector<int128> weights, shares;
  std::vector<std::int32_t> who;
  const std::int32_t scope = scopes_.Of(charges_, row);
  for (const HourPart& part : parts_) {
    weights.clear();
    who.clear();
    const auto used = covered_.find({charges_.commitment_id[row], HourOf(part)});
    if (used != covered_.end()) {
      for (const auto& [team, cost] : used->second) {
        if (cost <= Money()) continue;
        weights.push_back(cost.nanos());
        who.push_back(WorkloadOf(row, {.team = team.first, .reason = team.second}));
      }
    }
    if (weights.empty()) {
      owned.push_back(part);
      continue;
    }
    shares.resize(weights.size());
    if (!SplitInto(part.cost.nanos(), std::span<const int128>(weights), shares)) {
      return Error{ErrorCode::kOutOfRange, "unused part of commitment " +
                                               charges_.commitment_id[row] +
                                               " cannot be divided in 38 digits"};
    }
    for (std::size_t i = 0; i < who.size(); ++i) {
      costs_.direct.push_back(
          {HourOf(part), kNone, scope, who[i], CostColumn::kOverhead, Money::FromNanos(shares[i])});
    }
  }
  parts_ = std::move(owned);
  AddDirect(row, kNone);
  return Ok();
}

Status ChargeCoster::AddVolume(std::size_t row, std::int32_t volume) {
  is_billed_volume_[static_cast<std::size_t>(volume)] = true;
  const std::int32_t scope = scopes_.Of(charges_, row);
  std::vector<VolumeOwners::Part> owned;
  for (const HourPart& part : parts_) {
    owned.clear();
    PLIMSOLL_RETURN_IF_ERROR(volumes_.Divide(volume, part.cost, part.covered, owned));
    for (const VolumeOwners::Part& own : owned) {
      costs_.direct.push_back(
          {HourOf(part), kNone, scope, own.workload, CostColumn::kStorage, own.cost});
    }
  }
  return Ok();
}

Status ChargeCoster::Add(std::size_t row, std::int32_t node) {
  PLIMSOLL_RETURN_IF_ERROR(Spread(row));
  if (node >= 0 && IsAssetCost(charges_, row)) {
    AddBilled(row, node);
    return Ok();
  }
  if (node < 0 && IsStorage(charges_, row)) {
    const std::int32_t volume = volumes_.Find(charges_.resource_id[row]);
    if (volume >= 0) return AddVolume(row, volume);
  }
  if (charges_.effective_cost[row] == Money()) return Ok();
  if (IsUnusedCommitment(charges_, row) && !covered_.empty()) return AddUnused(row);
  AddDirect(row, node);
  return Ok();
}

ChargeCosts ChargeCoster::Take(std::size_t nodes) {
  costs_.is_billed.assign(nodes, false);
  for (const BilledHour& billed : costs_.billed) {
    if (billed.has_usage) costs_.is_billed[static_cast<std::size_t>(billed.node)] = true;
  }
  return std::move(costs_);
}

// Compute that no node answers to: worth a look, since it may be a fleet without telemetry.
// Its cost is the window's part, so that findings of days add up.
Status FindUnmatched(const ChargeBatch& charges, std::size_t row, const Window& window,
                     FindingLog& findings) {
  if (!IsUsage(charges, row) || IsUnusedCommitment(charges, row)) return Ok();
  if (charges.service_category[row] != "Compute") return Ok();
  const std::string& resource = charges.resource_id[row];
  PLIMSOLL_TRY(const Money cost,
               PartInWindow(charges.effective_cost[row],
                            {charges.charge_begin[row], charges.charge_until[row]}, window));
  findings.Add("unmatched-charge", resource.empty() ? charges.service_name[row] : resource,
               "compute on the bill that no node answers to; name it in node_resources if it "
               "is one of the fleet",
               {0, cost});
  return Ok();
}

}  // namespace

Result<ChargeCosts> CostCharges(const AllocationInput& input, const AllocationOptions& options,
                                const ChargeTables& tables) {
  const std::vector<std::int32_t> node_of = MatchCharges(input, options, tables.nodes);
  ChargeCoster coster(input, options, tables.scopes, tables.workloads);
  PLIMSOLL_RETURN_IF_ERROR(coster.GatherCoveredUsage());
  for (std::size_t row = 0; row < node_of.size(); ++row) {
    if (!TouchesWindow(input.charges, row, options.window)) continue;
    PLIMSOLL_RETURN_IF_ERROR(coster.Add(row, node_of[row]));
    if (node_of[row] >= 0) continue;
    PLIMSOLL_RETURN_IF_ERROR(FindUnmatched(input.charges, row, options.window, tables.findings));
  }
  PLIMSOLL_RETURN_IF_ERROR(coster.AddUnbilledVolumes());
  ChargeCosts costs = coster.Take(tables.nodes.nodes().size());
  costs.covered.resize(tables.nodes.nodes().size());
  const NodeMatcher matcher(tables.nodes.nodes(), options.node_resources);
  for (const BilledResource& billed : options.billed) {
    const std::int32_t node = matcher.Find(billed.resource_id, billed.resource_name);
    if (node < 0 || billed.covered.empty()) continue;
    Window& covered = costs.covered[static_cast<std::size_t>(node)];
    covered = covered.empty() ? billed.covered
                              : Window{std::min(covered.begin, billed.covered.begin),
                                       std::max(covered.until, billed.covered.until)};
  }
  PLIMSOLL_RETURN_IF_ERROR(AddDeclaredCosts(options, tables, costs.direct));
  return costs;
}

bool ChargeCosts::IsBilledIn(std::int32_t node, const Window& hour) const {
  const Window& known = covered[static_cast<std::size_t>(node)];
  if (known.empty()) return is_billed[static_cast<std::size_t>(node)];
  return !Intersect(known, hour).empty();
}

void ChargeCosts::Number(const std::vector<std::int32_t>& scopes,
                         const std::vector<std::int32_t>& workloads) {
  for (BilledHour& row : billed) row.scope = scopes[static_cast<std::size_t>(row.scope)];
  for (DirectCost& row : direct) {
    row.scope = scopes[static_cast<std::size_t>(row.scope)];
    if (row.workload >= 0) row.workload = workloads[static_cast<std::size_t>(row.workload)];
  }
  std::sort(billed.begin(), billed.end(), [](const BilledHour& a, const BilledHour& b) {
    return std::tie(a.node, a.hour, a.scope) < std::tie(b.node, b.hour, b.scope);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < billed.size(); ++i) {  // adding money is free of order
    const BilledHour& row = billed[i];
    if (kept == 0 || std::tie(billed[kept - 1].hour, billed[kept - 1].node,
                              billed[kept - 1].scope) != std::tie(row.hour, row.node, row.scope)) {
      billed[kept++] = row;
      continue;
    }
    BilledHour& into = billed[kept - 1];
    into.cost += row.cost;
    into.usage_cost += row.usage_cost;
    into.is_committed = into.is_committed || row.is_committed;
    if (row.has_usage) {
      into.provisioned = into.has_usage
                             ? Window{std::min(into.provisioned.begin, row.provisioned.begin),
                                      std::max(into.provisioned.until, row.provisioned.until)}
                             : row.provisioned;
      into.has_usage = true;
    }
  }
  billed.resize(kept);
  std::sort(direct.begin(), direct.end(), [](const DirectCost& a, const DirectCost& b) {
    return std::tie(a.hour, a.scope, a.node, a.workload) <
           std::tie(b.hour, b.scope, b.node, b.workload);
  });
}

}  // namespace plimsoll
