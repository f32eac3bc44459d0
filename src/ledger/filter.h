// Filter: which cost lines a question is about, as SQL. The language is that of filter_tree.h
// over the fields of fields.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ledger/filter_tree.h"
#include "store/store.h"

namespace plimsoll {

// A condition for WHERE with its parameters; "true" for an empty filter.
struct SqlCondition {
  std::string sql;
  SqlParams params;
};

// Fails with kInvalidArgument, saying where in the text and what was expected.
Result<SqlCondition> ParseFilter(std::string_view text);

// The same text as a tree whose fields are all known; fails alike.
Result<FilterTree> ParseLedgerFilter(std::string_view text);

}  // namespace plimsoll
