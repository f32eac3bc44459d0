// CaseFields: the names that OpenCost aggregates and filters allocations by.
#pragma once

#include <string>

#include "base/result.h"
#include "conformance/case_file.h"
#include "ledger/filter_tree.h"

namespace plimsoll {

// What a row without a value is called; also in filters: namespace:"__unallocated__".
inline constexpr const char* kUnallocated = "__unallocated__";

// The value of one aggregate: cluster, node, namespace, pod, container, controller,
// controllerKind, deployment, statefulset, daemonset, job, service, providerID, label:KEY,
// annotation:KEY; department, environment, owner, product, team for the label (else the
// annotation) that OpenCost reads them from. Fails with kBadData on any other.
Result<std::string> AggregateValue(const CaseAllocation& row, const std::string& aggregate);

// Fails with kInvalidArgument on a filter that cannot be read or a field of another name.
Result<FilterTree> ParseCaseFilter(const std::string& text);
bool MatchesCase(const FilterTree& filter, const CaseAllocation& row);

}  // namespace plimsoll
