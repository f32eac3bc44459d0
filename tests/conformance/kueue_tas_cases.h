// RunTopologyCases: cases of Kueue's topology-aware scheduling against capacity/topology.
//
// The form is docs/formats/kueue-cases.md's: nodeSets by name, and cases that name one.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/result.h"
#include "conformance/case_tally.h"

namespace plimsoll {

// Whether the document is of that form.
bool HasTopologyCases(const nlohmann::json& document);

// Every case; of one that fails a line on `out`: what was wanted, what came out. Fails with
// kBadData and the case and field if the document is not of the form.
Result<CaseTally> RunTopologyCases(const nlohmann::json& document, std::ostream& out);

}  // namespace plimsoll
