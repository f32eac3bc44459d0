#include "capacity/quota/fair_share.h"

#include <limits>

namespace plimsoll {

double FairShare::value() const {
  if (IsInfinite()) return std::numeric_limits<double>::infinity();
  return ratio == 0 ? 0 : ratio / weight;
}

std::weak_ordering Compare(const FairShare& a, const FairShare& b) {
  const auto compare = [](double x, double y) {
    if (x == y) return std::weak_ordering::equivalent;
    return x < y ? std::weak_ordering::less : std::weak_ordering::greater;
  };
  if (a.IsInfinite() && b.IsInfinite()) return compare(a.ratio, b.ratio);
  return compare(a.value(), b.value());
}

FairShare ShareOf(const QuotaTree& tree, QuotaNode node) {
  FairShare share;
  share.weight = static_cast<double>(tree.node(node).weight_nano) / kWeightOne;
  if (!tree.HasParent(node)) return share;
  int128 borrowed = 0;  // of the resource of `cell`
  for (QuotaCell cell = 0; cell < tree.cells(); ++cell) {
    const QuotaTree::Quota& quota = tree.quota(node, cell);
    const std::int64_t above = tree.usage(node, cell) - quota.subtree;
    if (quota.defined && above > 0) borrowed += above;
    const std::uint32_t resource = tree.cell(cell).resource;
    const bool is_last = cell + 1 == tree.cells() || tree.cell(cell + 1).resource != resource;
    if (!is_last || borrowed == 0) continue;
    share.borrows = true;
    const int128 lendable = tree.Lendable(node, resource);
    if (lendable > 0) {
      const double ratio = static_cast<double>(borrowed) * 1000.0 / static_cast<double>(lendable);
      if (ratio > share.ratio) share.ratio = ratio;
    }
    borrowed = 0;
  }
  return share;
}

bool BorrowsAny(const QuotaTree& tree, QuotaNode node, std::span<const QuotaAmount> amounts) {
  if (!tree.HasParent(node)) return false;
  for (const QuotaAmount& one : amounts) {
    if (one.amount > 0 && tree.quota(node, one.cell).defined && tree.Borrows(node, one.cell)) {
      return true;
    }
  }
  return false;
}

}  // namespace plimsoll
