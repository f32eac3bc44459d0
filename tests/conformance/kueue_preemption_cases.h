// RunPreemptionCases: cases of Kueue's preemption, classical and fair, against capacity/quota.
//
// The form is docs/formats/kueue-cases.md's: clusterQueueSets by name, and cases that name one. A
// case with a nominatedAssignment is classical, one without it is of fair sharing.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "capacity/quota/preemption.h"
#include "conformance/case_tally.h"

namespace plimsoll {

struct PreemptionCase {
  struct Workload {
    std::string name, queue;
    std::int32_t priority = 0;
    Instant created, reserved;  // from the case's now; of no creation time: long ago
    bool evicted = false;
    std::vector<std::pair<std::pair<std::string, std::string>, std::int64_t>>
        usage;  // (flavor, resource), amount
  };
  std::string name;
  QuotaSpec spec;
  QuotaRules rules;
  std::vector<Workload> admitted;
  Workload incoming;
  std::vector<std::pair<std::string, std::string>> contested;  // (flavor, resource)
  std::vector<std::string> wanted;                             // "name reason", sorted
};

// Whether the document is of that form.
bool HasPreemptionCases(const nlohmann::json& document);

// Fails with kBadData, the case's name and the field.
Result<std::vector<PreemptionCase>> ReadPreemptionCases(const nlohmann::json& document);

// Whom the incoming workload evicts: "name reason", sorted. Fails with kBadData as a queue, a
// cohort or a quota of the case cannot be.
Result<std::vector<std::string>> EvaluatePreemptionCase(const PreemptionCase& one);

// Every case; of one that fails a line on `out`: what was wanted, what came out. Fails with
// kBadData and the case and field if the document is not of the form.
Result<CaseTally> RunPreemptionCases(const nlohmann::json& document, std::ostream& out);

}  // namespace plimsoll
