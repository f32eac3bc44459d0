// Fields: the names by which cost lines are grouped and filtered, and what each means in SQL.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "units/time.h"

namespace plimsoll {

// One name users may write in --by and --filter.
struct LedgerField {
  const char* name;
  const char* sql;   // a VARCHAR expression over l (line), s (scope), n (node), w (workload)
  const char* help;  // what it holds; "" means not known or not applicable
};

// In the order in which help lists them.
std::span<const LedgerField> LedgerFields();

// Fails with kInvalidArgument; the message names the nearest field.
Result<const LedgerField*> FindLedgerField(std::string_view name);

// The field's SQL with {class}, the class's name, written out.
std::string SqlOf(const LedgerField& field);

// True if the lines of days (ledger/day_lines.h) answer a question of that window, in whose SQL
// `sql` stands: it asks for whole UTC days and names neither nodes nor hours.
bool AsksForDays(Window window, std::string_view sql);
// As kLedgerFrom, over the lines of days if `of_days`.
std::string LedgerFrom(bool of_days);

// "FROM ledger_line l LEFT JOIN ... " with the aliases that field expressions use.
extern const char kLedgerFrom[];

}  // namespace plimsoll
