// Nearest: the known word that a mistyped one most likely meant.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

// The candidate with the smallest edit distance (a swap of neighbours counts one), compared
// without case and with '-' = '_'; ties to the earlier. "" if none is within a third of the
// longer word, rounded up.
std::string NearestOf(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'sources'?" or "".
std::string DidYouMean(std::string_view word, std::span<const std::string> candidates);

}  // namespace plimsoll
