// Any bytes are a filter to its readers: no crash, what is read as a tree can be asked, and what
// is read as SQL has as many parameters as marks.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ledger/filter.h"
#include "ledger/filter_tree.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

plimsoll::Status AnyField(const std::string&, const std::string&) { return plimsoll::Ok(); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto tree = plimsoll::ParseFilterTree(text, AnyField);
  if (tree.has_value()) {
    // A row whose every field is "a" and one whose every field is something else.
    for (const char* value : {"a", "other"}) {
      const auto test = [&](const plimsoll::FilterComparison& comparison) {
        Require(!comparison.field.empty() && !comparison.values.empty());
        return plimsoll::AnyHolds(comparison, value) != comparison.negated;
      };
      (void)plimsoll::Matches(*tree, test);
    }
  } else {
    Require(tree.error().code == plimsoll::ErrorCode::kInvalidArgument);
  }
  const auto sql = plimsoll::ParseFilter(text);
  if (!sql.has_value()) return 0;
  Require(tree.has_value());
  const auto marks = std::count(sql->sql.begin(), sql->sql.end(), '?');
  Require(static_cast<std::size_t>(marks) == sql->params.size());
  return 0;
}
