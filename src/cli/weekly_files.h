// WeeklyFiles: the weekly report written as files, and its summary as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/table.h"
#include "ledger/ledger.h"
#include "report/document.h"

namespace plimsoll {

// The report over `window` with the configuration's zone and budgets.
Result<ReportDocument> WeeklyDocument(Context& context, Ledger& ledger, Window window);

// FOLDER/NAME.html, .md and .json, each replaced whole; the folder is made if need be.
// Fails with kUnavailable, naming the file, if one cannot be written.
struct WeeklyFiles {
  std::string folder;
  std::string name;
};
Status WriteWeekly(const ReportDocument& document, const WeeklyFiles& files);

// What a terminal shows of it: header, summary and where the files are.
Answer WeeklySummary(const ReportDocument& document, const WeeklyFiles& files);

}  // namespace plimsoll
