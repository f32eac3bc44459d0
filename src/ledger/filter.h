// Filter: which cost lines a question is about, in OpenCost's filter language (v2).
//
//   team:"nlp"+class:"unused","waste"      both hold; a comma list is any of
//   (node~:"spot"|zone!:"us-east-1a")      + is and, | is or; not mixed without parentheses
// Operators: `:` equals, `~:` contains, `<~:` begins with, `~>:` ends with, each with `!`
// before it for not. Values are quoted, or bare if they have only letters, digits and -_./@.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll {

// A condition for WHERE with its parameters; "true" for an empty filter.
struct SqlCondition {
  std::string sql;
  SqlParams params;
};

// Fails with kInvalidArgument, saying where in the text and what was expected.
Result<SqlCondition> ParseFilter(std::string_view text);

}  // namespace plimsoll
