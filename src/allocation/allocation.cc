#include "allocation/allocation.h"

#include <utility>
#include <vector>

#include "allocation/assemble.h"

namespace plimsoll {
namespace {

Status CheckWindow(const Window& window) {
  const bool is_whole = FloorTo(window.begin, Hours(1)) == window.begin &&
                        FloorTo(window.until, Hours(1)) == window.until;
  if (is_whole && window.begin <= window.until) return Ok();
  return Error{ErrorCode::kInvalidArgument,
               "window " + ToString(window) + " is not a span of whole UTC hours"};
}

// Scopes of nodes without a bill, one a calendar month of the window.
std::vector<std::pair<Instant, std::int32_t>> UnbilledScopes(const AllocationOptions& options,
                                                             ScopeTable& scopes) {
  std::vector<std::pair<Instant, std::int32_t>> by_month;
  for (Instant at = options.window.begin; at < options.window.until;) {
    const Window month = MonthOf(at);
    by_month.emplace_back(month.begin, scopes.Of("", {"", "", options.currency, month}));
    at = month.until;
  }
  return by_month;
}

}  // namespace

Result<AllocationOutput> Allocate(const AllocationInput& input, const AllocationOptions& options) {
  PLIMSOLL_RETURN_IF_ERROR(CheckWindow(options.window));
  FindingLog findings;
  ScopeTable scopes;
  WorkloadTable workloads(options.attribution, options.window.begin);
  NodeTable nodes = NodeTable::Gather(input, options.window);
  PLIMSOLL_TRY(ChargeCosts costs,
               CostCharges(input, options, {nodes, scopes, workloads, findings}));
  nodes.Measure(input.catalog);
  DeviceGrid devices(input, options.window, nodes);
  HoldingTable holdings(input, options, nodes, workloads);
  IdleRules idle(input, options, devices, nodes, workloads);
  auto unbilled_scopes = UnbilledScopes(options, scopes);
  WorkloadIdentity unattributed;
  unattributed.workload_kind = "Unattributed";
  std::int32_t no_telemetry = workloads.Of(unattributed, {.reason = kReasonNoTelemetry});

  const std::vector<std::int32_t> workload_ids = workloads.Number();
  const std::vector<std::int32_t> scope_ids = scopes.Number();
  costs.Number(scope_ids, workload_ids);
  holdings.Renumber(workload_ids);
  idle.Renumber(workload_ids);
  no_telemetry = workload_ids[static_cast<std::size_t>(no_telemetry)];
  for (auto& [month, scope] : unbilled_scopes) scope = scope_ids[static_cast<std::size_t>(scope)];

  const Pieces pieces =
      ResolveHoldings(input, options.window, {nodes, holdings, devices}, findings);
  return Assemble({input, options, nodes, devices, holdings, pieces, costs, scopes, workloads,
                   unbilled_scopes, no_telemetry, idle},
                  findings);
}

}  // namespace plimsoll
