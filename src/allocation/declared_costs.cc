#include "allocation/declared_costs.h"

#include <algorithm>

#include "allocation/spread.h"

namespace plimsoll {
namespace {

CostColumn ColumnOf(const std::string& kind) {
  if (kind == "storage") return CostColumn::kStorage;
  return kind == "network" ? CostColumn::kNetwork : CostColumn::kOverhead;
}

}  // namespace

Status AddDeclaredCosts(const AllocationOptions& options, const ChargeTables& tables,
                        std::vector<DirectCost>& direct) {
  std::vector<HourPart> parts;
  for (const DeclaredCost& cost : options.declared) {
    WorkloadIdentity identity;
    identity.source = "declared";
    identity.workload_kind = cost.kind;
    identity.workload = cost.name;
    Attribution who{.team = cost.team};
    if (cost.team.empty()) who.reason = kReasonNoOwner;
    const std::int32_t workload = tables.workloads.Of(identity, who);
    for (Instant at = options.window.begin; at < options.window.until;) {
      const Window month = MonthOf(at);
      const std::int32_t scope = tables.scopes.Of("", {"", "", options.currency, month});
      parts.clear();
      PLIMSOLL_RETURN_IF_ERROR(SpreadOverHours(cost.amount, month, options.window, parts));
      for (const HourPart& part : parts) {
        if (cost.from && part.hour < *cost.from) continue;
        if (cost.until && part.hour >= *cost.until) continue;
        const auto hour = static_cast<std::int32_t>(
            Between(options.window.begin, part.hour).base() / Hours(1).base());
        direct.push_back({hour, static_cast<std::int32_t>(kNoId), scope, workload,
                          ColumnOf(cost.kind), part.cost});
      }
      at = month.until;
    }
  }
  return Ok();
}

}  // namespace plimsoll
