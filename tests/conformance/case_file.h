// CaseFile: a file of allocations, idle and cases with the totals that they must give.
// docs/formats/allocation-cases.md describes the form.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sharing/sharing.h"

namespace plimsoll {

// One row that the cases are about. Idle rows have only a cluster and perhaps a node.
struct CaseAllocation {
  std::string cluster, node, provider_id, ns, pod, container, controller_kind, controller;
  std::vector<std::string> services;
  std::map<std::string, std::string> labels, annotations;
  SharingAmounts amounts;
  Money uncertainty;  // half a unit of the last digit of every amount that looks rounded
};

// A number as the file has it, and how far from it a right answer may be.
struct ExpectedTotal {
  std::string text;
  Money total, tolerance;
};

struct AllocationCase {
  std::string id;
  std::vector<std::string> aggregate;
  std::string filter, share;
  bool share_idle = false, split_idle = false, idle_by_node = false;
  SharingSplit idle_split = SharingSplit::kWeighted;
  SharingSplit split = SharingSplit::kWeighted;
  Money overhead;  // sharedHourlyCost x window_hours
  std::map<std::string, ExpectedTotal> expected;
  std::optional<ExpectedTotal> set_total;
};

struct CaseFile {
  std::vector<CaseAllocation> allocations, idle_by_cluster, idle_by_node;
  std::vector<AllocationCase> cases;
};

// Fails with kBadData and what is missing or wrong, without the file's name.
Result<CaseFile> ReadCaseFile(const std::string& text);

}  // namespace plimsoll
