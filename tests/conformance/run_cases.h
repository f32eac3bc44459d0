// RunCases: the cases of a file against the sharing engine.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "conformance/case_file.h"

namespace plimsoll {

// What a case gives: totals by key. Fails with kBadData or kInvalidArgument if the case asks
// for what there is not.
Result<std::map<std::string, Money>> EvaluateCase(const CaseFile& file, const AllocationCase& one);

// Every case of every file: a line each on `out`, then "N passed, N failed". Returns 0 if all
// passed, 1 if one failed, 3 if a file is not of the form (named on `errors`).
int RunCases(const std::vector<std::string>& paths, std::ostream& out, std::ostream& errors);

}  // namespace plimsoll
