// RunTopologyCases: cases of Kueue's topology-aware scheduling against capacity/topology.
//
// The form is docs/formats/kueue-topology-cases.md's: nodeSets by name, and cases that name one.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/result.h"
#include "conformance/case_tally.h"

namespace plimsoll {

// Whether the document is of that form.
bool HasTopologyCases(const nlohmann::json& document);

// Every case; of one that fails a line on `out`: what was wanted, what came out, or what of it is
// not of the form. Fails with kBadData if the document has no list of cases.
Result<CaseTally> RunTopologyCases(const nlohmann::json& document, std::ostream& out);

}  // namespace plimsoll
