// What an import did, for people and for programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/table.h"
#include "model/import.h"

namespace plimsoll {

// JSON: kind, accepted, rejected, duplicates, loads, totals, rejections, warnings, ignored
// (docs/formats/output.md). CSV: the loads.
Answer ImportAnswer(const ImportReport& report);

// "focus: 1,000 accepted, 2 rejected, 0 duplicates"
std::string ImportHeadline(const ImportReport& report);

}  // namespace plimsoll
