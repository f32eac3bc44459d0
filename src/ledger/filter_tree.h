// FilterTree: a filter of OpenCost's language (v2) as a tree, for whoever answers it: the
// ledger in SQL (filter.h), programs that hold their rows in memory by Matches.
//
//   team:"nlp"+class:"unused","waste"      both hold; a comma list is any of
//   (node~:"spot"|label[app]!:"x")         + is and, | is or; not mixed without parentheses
// Operators: `:` equals, `~:` contains, `<~:` begins with, `~>:` ends with, each with `!`
// before it for not. Values are quoted, or bare if they have only letters, digits and -_./@.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

enum class FilterOperator : unsigned char { kEquals, kContains, kBeginsWith, kEndsWith };

// A field and what it is compared with: any of `values`, or none of them if negated.
struct FilterComparison {
  std::string field;
  std::string key;  // label[KEY]; "" without brackets
  FilterOperator op = FilterOperator::kEquals;
  bool negated = false;
  std::vector<std::string> values;
};

struct FilterTree {
  enum class Kind : unsigned char {
    kAll,  // the empty filter
    kAnd,
    kOr,
    kComparison,
  };
  Kind kind = Kind::kAll;
  std::vector<FilterTree> children;  // of kAnd and kOr: one or more
  FilterComparison comparison;       // of kComparison
};

// Says whether a field (with a key or "") can be asked for.
using FilterFieldCheck = std::function<Status(const std::string& field, const std::string& key)>;

// Fails with kInvalidArgument, saying where in the text and what was expected, or as `check`.
Result<FilterTree> ParseFilterTree(std::string_view text, const FilterFieldCheck& check);

// Does one comparison hold?
using FilterTest = std::function<bool(const FilterComparison&)>;
bool Matches(const FilterTree& tree, const FilterTest& test);

// Is `value` any of the comparison's values, under its operator? Without regard to `negated`.
bool AnyHolds(const FilterComparison& comparison, std::string_view value);

}  // namespace plimsoll
