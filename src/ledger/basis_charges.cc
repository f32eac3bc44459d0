#include "ledger/basis_charges.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "allocation/match.h"
#include "allocation/spread.h"
#include "ledger/facts.h"

namespace plimsoll {
namespace {

// Rows that are alike for a reader: one line of the explanation.
using Kind =
    std::tuple<std::string, std::string, std::string, std::string,  // basis
               std::string, std::string, std::string, std::string, std::string, std::int64_t>;

std::string OffNodeService(const ChargeBatch& charges, std::size_t row) {
  if (IsUnusedCommitment(charges, row)) {
    return ServiceKey("UnusedCommitment", charges.commitment_id[row]);
  }
  return ServiceKey(IsUsage(charges, row) ? "Charge" : charges.category[row],
                    charges.service_name[row]);
}

Kind KindOf(const ChargeBatch& charges, std::size_t row, const NodeFact* node) {
  return {
      node ? node->cluster : "", node ? node->node : "", node ? "" : OffNodeService(charges, row),
      charges.currency[row],     charges.issuer[row],    charges.service_name[row],
      charges.description[row],  charges.category[row],  charges.pricing_category[row],
      charges.snapshot_id[row]};
}

void Count(ExplainedCharges& into, std::int64_t line, Money cost) {
  into.first_line = into.charges == 0 ? line : std::min(into.first_line, line);
  into.last_line = std::max(into.last_line, line);
  ++into.charges;
  into.cost += cost;
}

BasisCharges Named(const Kind& kind, ExplainedCharges counted) {
  BasisCharges out;
  std::tie(out.cluster, out.node, out.service, out.currency, counted.issuer, counted.service,
           counted.description, counted.category, counted.pricing_category, counted.snapshot_id) =
      kind;
  out.charges = std::move(counted);
  return out;
}

}  // namespace

std::string ServiceKey(const std::string& workload_kind, const std::string& workload) {
  return workload_kind + ": " + workload;
}

Result<std::vector<BasisCharges>> ChargesByBasis(Ledger& ledger, Window window) {
  PLIMSOLL_TRY(const ChargeBatch charges, ReadCharges(ledger.store(), window));
  PLIMSOLL_TRY(const OccupancyFacts occupancy, ReadOccupancy(ledger.store(), window));
  PLIMSOLL_TRY(const UsageBatch usage, ReadUsageNodes(ledger.store(), window));
  const PriceBatch no_prices;
  const AllocationInput input{charges, occupancy.nodes, occupancy.holdings, occupancy.bindings,
                              usage,   no_prices,       ledger.catalog()};
  AllocationOptions options = ledger.options().allocation;
  options.window = window;
  NodeTable nodes = NodeTable::Gather(input, window);
  const std::vector<std::int32_t> node_of = MatchCharges(input, options, nodes);

  std::map<Kind, ExplainedCharges> kinds;
  for (std::size_t row = 0; row < node_of.size(); ++row) {
    if (!TouchesWindow(charges, row, window)) continue;
    PLIMSOLL_TRY(const Money cost,
                 PartInWindow(charges.effective_cost[row],
                              {charges.charge_begin[row], charges.charge_until[row]}, window));
    if (cost == Money()) continue;
    const NodeFact* node = node_of[row] < 0 ? nullptr : &nodes.at(node_of[row]);
    Count(kinds[KindOf(charges, row, node)], charges.line[row], cost);
  }
  std::vector<BasisCharges> out;
  for (auto& [kind, counted] : kinds) out.push_back(Named(kind, counted));
  return out;
}

}  // namespace plimsoll
