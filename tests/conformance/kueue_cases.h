// RunKueueCases: files of Kueue's cases, each by its own form: preemption or topology.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace plimsoll {

// Every case of every file: a line on `out` for each that fails, then "N passed, N failed".
// Returns 0 if all passed, 1 if one failed, 3 if a file is not of a form (named on `errors`).
int RunKueueCases(const std::vector<std::string>& paths, std::ostream& out, std::ostream& errors);

}  // namespace plimsoll
