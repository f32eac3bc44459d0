// Sreport: the totals that sreport prints, to compare ours with. They are no facts: jobs are.
//
// Reads `cluster utilization` and `cluster AccountUtilizationByUser`, parsable (-P) with or
// without their header (-n) and as the table for people, whose column titles are cut.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

struct SreportRow {
  std::string cluster, account, login;  // the last two "" in cluster utilization
  std::string tres = "cpu";             // what is counted; sreport names it if not CPUs alone
  // By name: Allocated, Down, PlannedDown, Idle, Planned, Reported, OverCommitted or Used, in
  // the unit that sreport was asked for (-t), its percents left out.
  std::map<std::string, std::string> values;
};

struct Sreport {
  std::string unit;  // "Seconds", "Hours"...; "" without a title
  std::vector<SreportRow> rows;
};

// `format` names the columns of text without a header ("Cluster,TresName,Used"); it may be ""
// where there is one. Of two columns titled "Planned" the first is PlannedDown.
// An account's row includes its users' and its sub-accounts' rows: do not add them up.
// Fails with kBadData on text that is neither report.
Result<Sreport> ParseSreport(std::string_view text, std::string_view format);

// True if a file's first line is one of sreport's.
bool IsSreport(std::string_view first_line);

}  // namespace plimsoll
