#include "config/suggest.h"

#include <algorithm>
#include <vector>

namespace plimsoll {
namespace {

std::string Fold(std::string_view word) {
  std::string folded(word);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return folded;
}

// Optimal string alignment: insertions, deletions, substitutions, neighbour swaps.
std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> above(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = std::move(above);
    above = std::move(row);
  }
  return above[b.size()];
}

}  // namespace

std::string NearestOf(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kWordMax = 64;  // longer is no slip of the keyboard
  if (word.empty() || word.size() > kWordMax) return "";
  const std::string folded = Fold(word);
  std::string nearest;
  std::size_t best = kWordMax;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(folded, Fold(candidate));
    const std::size_t limit = (std::max(word.size(), candidate.size()) + 2) / 3;
    if (distance <= limit && distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view word, std::span<const std::string> candidates) {
  const std::string nearest = NearestOf(word, candidates);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace plimsoll
